"""The loop: decide, perform, advance; one step, one round, or to the end."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from ragnb.agent.actions import Action, Edit, Stop, Synthesize
from ragnb.agent.advance import advance
from ragnb.agent.inputs import inputs
from ragnb.agent.outcomes import Failed, Outcome
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Policy
from ragnb.agent.run import Run
from ragnb.agent.state import State
from ragnb.agent.stopping import closing, refusal
from ragnb.agent.trace import Entry, Trace
from ragnb.agent.until import Step, round_done
from ragnb.errors import InputError
from ragnb.records import StopReason

__all__ = ["EndedError", "Loop"]


class EndedError(InputError):
    """The run has ended, or only its end is left; nothing was done."""


class Loop:
    """A policy and a performer on a branch of a trace.

    Args:
        trace: The tree of entries; the loop appends to it.
        policy: Who decides.
        performer: Who carries out.
        name: The branch's name.
    """

    def __init__(
        self, trace: Trace, policy: Policy, performer: Performer, *, name: str = "main"
    ) -> None:
        self.trace, self.policy, self.performer, self.name = trace, policy, performer, name
        self._states = [trace.start]
        self._head = ""
        self._next: Action | None = None
        self._busy = threading.Lock()
        self._subscribers: list[Callable[[Step], object]] = []

    @property
    def state(self) -> State:
        """What the agent knows now."""
        return self._states[-1]

    @property
    def states(self) -> tuple[State, ...]:
        """The states of the branch, the start first."""
        return tuple(self._states)

    @property
    def next(self) -> Action | None:
        """The decided action with its reason; None after the end."""
        if self._next is None and self.state.stop is None:
            self._next = closing(self.state) or self._decide()
        return self._next

    def _decide(self) -> Action:
        """Ask the policy; one that raises, or names no action, ends the run as failed."""
        try:
            action = self.policy.decide(self.state)
        except Exception as error:  # noqa: BLE001 - a policy is the user's code
            text = f"The policy {self.policy.name!r} failed: {str(error) or type(error).__name__}"
            return Stop(why=StopReason(code="failed", text=text), reason=text)
        if not hasattr(action, "kind"):
            text = f"The policy {self.policy.name!r} gave {action!r}, expected an action."
            return Stop(why=StopReason(code="failed", text=text), reason=text)
        return action

    def step(self, action: Action | None = None) -> Step:
        """Do the decided action, or another one that a person names.

        Raises:
            EndedError: The run has ended; only an Edit goes on.
            InputError: The loop is stepping on another thread.
        """
        if not self._busy.acquire(blocking=False):
            raise InputError("This loop is running; pause it first, then step.")
        try:
            chosen = self._allowed(action)
            before = self.state
            outcome = self._outcome(before, chosen)
            after, outcome = _advanced(before, chosen, outcome)
            step = self._append(chosen, outcome, after, "policy" if action is None else "person")
        finally:
            self._busy.release()
        for callback in tuple(self._subscribers):
            callback(step)
        return step

    def _allowed(self, action: Action | None) -> Action:
        stop = self.state.stop
        if stop is not None and not isinstance(action, Edit):
            raise EndedError(f"The run has ended ({stop.code}): {stop.text} Edit it to go on.")
        due = closing(self.state)
        if action is None:
            return self.next or Stop(why=StopReason(code="no_better_action"))
        if due is not None and not isinstance(action, Edit | Stop | type(due)):
            raise EndedError(f"Only the end is left to do: {due.reason} Edit the budget to go on.")
        return action

    def _outcome(self, state: State, action: Action) -> Outcome:
        refused = refusal(state, action)
        if refused is not None:
            return Outcome(value=refused)
        try:
            given = inputs(state, action)
        except InputError as error:
            return Outcome(value=Failed(text=str(error), attempts=0))
        return self.performer(state, action, given)

    def _append(
        self, action: Action, outcome: Outcome, after: State, by: Literal["policy", "person"]
    ) -> Step:
        with self.trace.lock:
            entry = Entry(
                id=str(len(self.trace.entries) + 1),
                parent=self._head,
                action=action,
                outcome=outcome,
                by=by,
            )
            self.trace.add(entry)
            self.trace.set_head(self.name, entry.id, entry.id)
        step = Step(entry=entry, before=self.state, after=after)
        self._head = entry.id
        self._states.append(after)
        self._next = None
        return step

    def round(self) -> tuple[Step, ...]:
        """Step up to and with the next assessment or answer."""
        steps: list[Step] = []
        while self.state.stop is None:
            steps.append(self.step())
            if round_done(steps[-1]):
                break
        return tuple(steps)

    def run(self, until: Callable[[Step], bool] | None = None) -> Run:
        """Step until the end, or until a step fires the predicate; blocks."""
        while self.state.stop is None:
            step = self.step()
            if until is not None and until(step):
                break
        return Run(self.trace, self._head)

    def stop(self) -> Run:
        """End now with the key-less answer from what there is."""
        if self.state.stop is None:
            self.step(Stop(why=StopReason(code="user", text="A person stopped it.")))
        return Run(self.trace, self._head)

    def answer_now(self) -> Run:
        """Let the agent answer from what there is, then end."""
        why = StopReason(code="user", text="A person asked for the answer now.")
        if self.state.stop is None and not isinstance(closing(self.state), Stop):
            self.step(Synthesize(closing=why, reason=why.text))
        return self.stop() if self.state.closing != why else self.run()

    def subscribe(self, callback: Callable[[Step], object]) -> Callable[[], None]:
        """Call back after every step; returns what ends the subscription."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe


def _advanced(state: State, action: Action, outcome: Outcome) -> tuple[State, Outcome]:
    """Advance; an outcome that the action never has becomes a failure."""
    try:
        return advance(state, action, outcome), outcome
    except TypeError as error:
        outcome = replace(outcome, value=Failed(text=str(error)))
        return advance(state, action, outcome), outcome
