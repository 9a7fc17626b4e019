"""What models cost while a stage is at work: charged where the call is made, summed by the loop.

The loop opens a `Meter` around each stage call; whatever is charged on the way, also by attempts
that failed or were left behind, counts.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Final

from ragnb.records import Exchange, Usage

__all__ = ["STOOD_IN", "Meter", "charge", "meter", "metered", "note"]

STOOD_IN: Final = "Rules did this step, for the model could not: "
"""How the remark begins on a step that rules did because a model could not be reached."""


class Meter:
    """Sums up what a step costs, and tells a stage how much it may still take.

    Attributes:
        seconds: What the running attempt may take; None for no limit.
        tokens: Tokens that the step may use; None for no limit.
        money: Money that it may use; None for no limit.
        last: Whether no further attempt follows this one.
    """

    def __init__(self, *, tokens: int | None = None, money: float | None = None) -> None:
        self.seconds: float | None = None
        self.tokens, self.money = tokens, money
        self.last = True
        self._usage = Usage()
        self._notes: dict[str, None] = {}
        self._exchanges: list[Exchange] = []
        self._flying: dict[int, Usage] = {}
        self._lock = threading.Lock()
        self._closed = False
        self.provisional = False
        """Whether rules stood in for a model that could not be reached."""

    def charge(self, usage: Usage) -> None:
        """Add what a call cost; after the end of the step nothing is added any more."""
        with self._lock:
            if not self._closed:
                self._usage += usage

    def note(self, text: str) -> None:
        """Add a remark on the step, once."""
        with self._lock:
            if not self._closed:
                self._notes[text.encode("utf-8", "replace").decode()] = None

    def exchange(self, made: Exchange) -> None:
        """Keep what a model was sent and what came of it."""
        with self._lock:
            if not self._closed:
                self._exchanges.append(made)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What models were sent and replied, call by call."""
        with self._lock:
            return tuple(self._exchanges)

    def unusable(self, problem: str) -> None:
        """Say of the last reply why it could not be used."""
        with self._lock:
            if self._exchanges and not self._closed:
                last = self._exchanges[-1]
                self._exchanges[-1] = replace(last, problem=last.problem or problem)

    @contextmanager
    def flying(self, usage: Usage) -> Iterator[None]:
        """Hold what a call will cost at least, for the case that it is left behind."""
        mark = object()
        with self._lock:
            self._flying[id(mark)] = usage
        try:
            yield
        finally:
            with self._lock:
                self._flying.pop(id(mark), None)

    def left(self) -> tuple[int | None, float | None]:
        """Return the tokens and the money that are left for this step."""
        with self._lock:
            tokens = None if self.tokens is None else self.tokens - self._usage.tokens
            money = None if self.money is None else self.money - self._usage.money
        return tokens, money

    def close(self) -> tuple[Usage, tuple[str, ...]]:
        """End the step, and return what it cost and what was remarked."""
        with self._lock:
            self._closed = True
            for usage in self._flying.values():
                self._usage += usage
                self._notes["A model call was left behind; its tokens are estimated."] = None
            return self._usage, tuple(self._notes)


_METER: ContextVar[Meter | None] = ContextVar("ragnb_meter", default=None)


def meter() -> Meter | None:
    """Return the meter of the running step; None outside of a loop."""
    return _METER.get()


@contextmanager
def metered(meter: Meter) -> Iterator[Meter]:
    """Make a meter the one that is charged inside.

    >>> with metered(Meter()) as step:
    ...     charge(Usage(tokens_in=7)), note("A remark.")
    (None, None)
    >>> usage, notes = step.close()
    >>> usage.tokens, notes
    (7, ('A remark.',))
    """
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def charge(usage: Usage) -> None:
    """Charge the running step; outside of a loop nothing is counted."""
    if (running := _METER.get()) is not None:
        running.charge(usage)


def note(text: str) -> None:
    """Remark something on the running step; outside of a loop it is dropped."""
    if (running := _METER.get()) is not None:
        running.note(text)
