"""How a step gets its outcome: followed, refused, given back from the recording, or done."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ragnb.agent.actions import Action, Approve, UseTool
from ragnb.agent.advance import advance
from ragnb.agent.calls import STAGE_OF, call_kind
from ragnb.agent.entry import Entry
from ragnb.agent.inputs import inputs
from ragnb.agent.outcomes import Decided, Failed, Outcome, Refused
from ragnb.agent.recording import Fingerprints, digest, effect_key, fits, occurrence
from ragnb.agent.state import State
from ragnb.agent.stopping import refusal
from ragnb.agent.trace import Trace
from ragnb.errors import InputError

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["Call", "Recorder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a stage will be given, and the key that its outcome is recorded under."""

    given: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    occurrence: int = 0
    settled: Outcome | None = None
    """The outcome of an action that is not done at all: refused, or with unusable arguments."""


class Recorder:
    """Gives recorded outcomes back, and has the rest performed.

    Args:
        fingerprints: What the stages are; None gives every outcome an empty key.
        trace: Where notes on stages that can't be reused go.
    """

    def __init__(self, fingerprints: Fingerprints | None, trace: Trace | None) -> None:
        self._fingerprints = fingerprints
        self._trace = trace

    def call(self, loop: "Loop", action: Action) -> Call:
        """Return what an action's stage will be given, and its key."""
        refused = refusal(loop.state, action) or _used_up(loop, action)
        if refused is not None:
            return Call(settled=Outcome(value=refused))
        try:
            given = inputs(loop.state, action)
        except InputError as error:
            return Call(settled=Outcome(value=Failed(text=str(error), attempts=0)))
        return self._keyed(loop, action, given)

    def _keyed(self, loop: "Loop", action: Action, given: Mapping[str, Any]) -> Call:
        if isinstance(action, UseTool) and action.call.effects:
            return Call(given=given, key=effect_key(action))
        kind = call_kind(action)
        stage = STAGE_OF.get(kind)
        if self._fingerprints is None or stage is None:
            return Call(given=given)
        fingerprint = self._fingerprints.of(stage)
        if self._trace is not None:
            for note in self._fingerprints.notes:
                self._trace.note(note)
        if fingerprint is None:
            return Call(given=given)
        key = digest(fingerprint, kind, given)
        if self._fingerprints.deterministic(stage):
            return Call(given=given, key=key)
        times = occurrence(loop.trace.branch(loop.head), key)
        return Call(given=given, key=key, occurrence=times)

    def followed(self, loop: "Loop", action: Action, call: Call) -> Entry | None:
        """Return the newest step taken from here, if this one equals it and it did not fail."""
        child = loop.trace.child(loop.head)
        if child is None or child.action != action or child.key != call.key:
            return None
        passing = isinstance(child.outcome.value, Failed) or child.outcome.provisional
        return None if passing else child

    def made(
        self, loop: "Loop", action: Action, call: Call, *, by: Literal["policy", "person"]
    ) -> Entry:
        """Append the entry of a step, its outcome given back or performed."""
        state = loop.state
        outcome, reused = self._outcome(loop, action, call)
        after, outcome = _advanced(state, action, outcome)
        with loop.trace.lock:
            entry = Entry(
                id=str(len(loop.trace.entries) + 1),
                parent=loop.head,
                action=action,
                outcome=outcome,
                by=by,
                branch=loop.name,
                key=call.key,
                occurrence=call.occurrence,
                reused=reused,
            )
            loop.trace.add(entry, after)
        if reused:
            loop.reused += 1
        else:
            loop.spent_now += outcome.usage
        return entry

    def _outcome(self, loop: "Loop", action: Action, call: Call) -> tuple[Outcome, str]:
        if call.settled is not None:
            return call.settled, ""
        if isinstance(action, UseTool) and action.call.effects:
            loop.trace.intend(action)
        elif call.key and not loop.live:
            known = loop.trace.recorded.get((call.key, call.occurrence))
            if known is not None and fits(loop.state, action, known):
                return known.outcome, known.id
        return loop.performer(loop.state, action, call.given), ""


def _advanced(state: State, action: Action, outcome: Outcome) -> tuple[State, Outcome]:
    """Advance; an outcome that the action never has becomes a failure."""
    try:
        return advance(state, action, outcome), outcome
    except TypeError as error:
        outcome = replace(outcome, value=Failed(text=str(error)))
        return advance(state, action, outcome), outcome


def _used_up(loop: "Loop", action: Action) -> Refused | None:
    """Refuse a tool with effects that was begun, or done, under this very approval elsewhere."""
    if not isinstance(action, UseTool) or not action.call.effects:
        return None
    call, trace = action.call, loop.trace
    if call.id in trace.intents:
        text = f"It is unknown whether {call.name} was done before the run was cut off; look first."
        return Refused(rule="not_approved", text=text)
    approval = next(
        (
            entry.id
            for entry in reversed(trace.branch(loop.head))
            if isinstance(entry.action, Approve)
            and entry.action.call.id == call.id
            and entry.outcome.value == Decided(allowed=True)
        ),
        "",
    )
    for entry in trace.entries.values():
        same = isinstance(entry.action, UseTool) and entry.action.call.id == call.id
        if same and not isinstance(entry.outcome.value, Refused) and entry.parent != loop.head:
            used = {item.id for item in trace.branch(entry.id)}
            text = f"The approval of {call.name} was used on branch {entry.branch!r}; ask again."
            if approval in used:
                return Refused(rule="not_approved", text=text)
    return None
