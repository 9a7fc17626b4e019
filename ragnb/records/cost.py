"""What a run may spend, what it spent, and why it ended."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Budget", "StopReason", "Usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReason:
    """Why a run ended: a code and one sentence."""

    code: Literal[
        "enough",
        "nothing_new",
        "budget_rounds",
        "budget_steps",
        "budget_calls",
        "budget_seconds",
        "budget_tokens",
        "budget_money",
        "insufficient",
        "no_better_action",
        "user",
        "replied",
        "failed",
    ]
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a step cost.

    ``calls`` counts attempts of the stage, ``model_calls`` calls of a chat model; ``money`` is in
    the currency of the price table, and ``unpriced`` counts model calls whose price nobody knows.
    """

    seconds: float = 0.0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    unpriced: int = 0
    model_calls: int = 0

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.tokens_in + self.tokens_out

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            seconds=self.seconds + other.seconds,
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            money=self.money + other.money,
            unpriced=self.unpriced + other.unpriced,
            model_calls=self.model_calls + other.model_calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a run; None is no limit.

    ``calls`` bounds tool calls: searches and uses of a tool. ``reserve`` are the seconds kept
    for the answer, ``reserve_share`` is the share of the tokens and of the money.
    """

    rounds: int = 8
    steps: int = 80
    calls: int | None = None
    seconds: float = 60.0
    tokens: int | None = None
    money: float | None = None
    reserve: float = 2.0
    reserve_share: float = 0.25
