"""Predicates over a step, which compose: ``until.conflict | until.evidence(5)``.

A named predicate fires when a step makes it true, not when it already is. ``a | b`` fires when
either does; ``a & b`` when both hold and did not before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ragnb.agent.actions import Assess, Synthesize
from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import Refused
from ragnb.agent.state import State
from ragnb.display import bundle, render_text
from ragnb.errors import InputError

__all__ = [
    "Step",
    "Until",
    "answered",
    "conflict",
    "duplicate_query",
    "evidence",
    "gap",
    "question_answered",
    "round_done",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Step:
    """An entry of the trace with the states before and after it."""

    entry: Entry
    before: State
    after: State

    def __repr__(self) -> str:
        return f"<Step {self.after.entries}: {self.entry.action.kind}>"

    def __str__(self) -> str:
        return render_text(self, "step")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "step")


class Until:
    """A condition on the state that a step can make true."""

    def __init__(
        self, holds: Callable[[State], bool], fires: Callable[[Step], bool] | None = None
    ) -> None:
        self.holds = holds
        self._fires = fires

    def __call__(self, step: Step) -> bool:
        """Return whether this step makes the condition true."""
        if self._fires is not None:
            return self._fires(step)
        return self.holds(step.after) and not self.holds(step.before)

    def __or__(self, other: "Until") -> "Until":
        return Until(
            lambda state: self.holds(state) or other.holds(state),
            lambda step: self(step) or other(step),
        )

    def __and__(self, other: "Until") -> "Until":
        return Until(lambda state: self.holds(state) and other.holds(state))


conflict = Until(lambda state: bool(state.open_conflicts))
"""Two sources disagree."""
gap = Until(lambda state: bool(state.open_gaps))
"""Something is missing."""
question_answered = Until(lambda state: bool(state.answered))
"""The first sub-question is answered."""
answered = Until(lambda state: state.answer is not None)
"""There is an answer."""
duplicate_query = Until(
    lambda state: state.refusals > 0, lambda step: isinstance(step.entry.outcome.value, Refused)
)
"""A query was refused as asked before."""
round_done = Until(
    lambda _state: False, lambda step: isinstance(step.entry.action, Assess | Synthesize)
)
"""A round ended with an assessment or an answer."""


def evidence(count: int) -> Until:
    """Fire when there are as many pieces of evidence."""
    if type(count) is not int:
        raise InputError(f"until.evidence() got {count!r}; expected a number of quotes.")
    return Until(lambda state: len(state.evidence) >= count)
