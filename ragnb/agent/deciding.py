"""What is decided next: what must happen, else what the policy says, or what a person names."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ragnb.agent.actions import Action, Approve, Edit, Stop, UseTool
from ragnb.agent.policies import Policy
from ragnb.agent.state import State
from ragnb.agent.stopping import closing
from ragnb.errors import InputError
from ragnb.records import StopReason

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["EndedError", "allowed", "decided"]


class EndedError(InputError):
    """The run has ended, or only its end is left; nothing was done."""


def decided(policy: Policy, state: State) -> Action:
    """Return the next action; a policy that raises, or names none, ends the run as failed."""
    due = closing(state)
    if due is not None:
        return due
    try:
        action: object = policy.decide(state)
    except Exception as error:  # noqa: BLE001 - a policy is the user's code
        text = f"The policy {policy.name!r} failed: {str(error) or type(error).__name__}"
        return Stop(why=StopReason(code="failed", text=text), reason=text)
    if not isinstance(action, Action):
        text = f"The policy {policy.name!r} gave {action!r}, expected an action."
        return Stop(why=StopReason(code="failed", text=text), reason=text)
    return action


def allowed(loop: "Loop", action: Action | None) -> Action:
    """Return what a step will do: the decided action, or a person's if it may be done now.

    Raises:
        EndedError: The run has ended, or only its end is left.
    """
    stop = loop.state.stop
    if stop is not None and not isinstance(action, Edit):
        raise EndedError(f"The run has ended ({stop.code}): {stop.text} Edit it to go on.")
    if action is None:
        action = loop.next or Stop(why=StopReason(code="no_better_action"))
    else:
        due = closing(loop.state)
        if due is not None and not isinstance(action, Edit | Stop | type(due)):
            raise EndedError(f"Only the end is left to do: {due.reason} Edit the budget to go on.")
    if isinstance(action, Approve | UseTool):
        effects = loop.performer.effects(action.call.name)
        action = replace(action, call=replace(action.call, effects=effects))
    if isinstance(action, Approve) and action.answer is None and loop.approve is not None:
        action = replace(action, answer=bool(loop.approve(action.call)))
    return action
