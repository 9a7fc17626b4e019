"""What a piece of evidence cost: the model calls of the step that found it."""

from collections.abc import Iterable
from dataclasses import dataclass

from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import Found
from ragnb.records import Usage

__all__ = ["Bill", "bills"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """The usage of the step in which a quote was found, and how many quotes share it."""

    step: int
    """The number of the step, from 1."""
    usage: Usage
    quotes: int

    @property
    def tokens(self) -> float:
        """The quote's share of the tokens."""
        return self.usage.tokens / self.quotes

    @property
    def money(self) -> float | None:
        """The quote's share of the money; None where nobody knows a price."""
        return None if self.usage.unpriced else self.usage.money / self.quotes


def bills(entries: Iterable[Entry]) -> dict[str, Bill]:
    """Return the bill of each piece of evidence of a path, by its id.

    Only the step that found a quote counts; what planning, judging and writing cost belongs to
    the run. The shares of a step's quotes add up to what it cost.
    """
    found: dict[str, Bill] = {}
    for number, entry in enumerate(entries, start=1):
        value = entry.outcome.value
        if not isinstance(value, Found):
            continue
        new = dict.fromkeys(item.id for item in value.evidence if item.id not in found)
        bill = Bill(step=number, usage=entry.outcome.usage, quotes=len(new))
        found |= dict.fromkeys(new, bill)
    return found
