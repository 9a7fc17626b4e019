"""What a policy is, and the one that follows a script."""

from dataclasses import dataclass
from typing import Protocol

from ragnb.agent.actions import Action, Extract, Stop, action_id
from ragnb.agent.state import State
from ragnb.records import StopReason

__all__ = ["Policy", "Scripted", "extraction", "has_failed"]


class Policy(Protocol):
    """Looks at a state and names the next action, and why; a pure function."""

    @property
    def name(self) -> str:
        """The policy's short name, as in ``Agent(policy=…)``."""
        ...

    def decide(self, state: State) -> Action:
        """Return the next action."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """A policy that takes its actions from a list, one a step."""

    actions: tuple[Action, ...]
    name: str = "scripted"

    def decide(self, state: State) -> Action:
        """Return the action at the place of the state's step, and stop after the last."""
        if state.steps < len(self.actions):
            return self.actions[state.steps]
        return Stop(why=StopReason(code="no_better_action", text="The script is over."))


def has_failed(state: State, action: Action) -> bool:
    """Return whether this very action failed before."""
    key = action_id(action)
    return any(failure.action_id == key for failure in state.failures)


def extraction(state: State, question_id: str, context_id: str, reason: str) -> Extract | None:
    """Return the look through a text for evidence; None where it was made, failed, or can't be."""
    if (question_id, context_id) in state.extracted or state.question(question_id) is None:
        return None
    extract = Extract(question_id=question_id, context_id=context_id, reason=reason)
    return None if has_failed(state, extract) else extract
