"""What is decided next: what must happen, else what the policy says."""

from ragnb.agent.actions import Action, Stop
from ragnb.agent.policies import Policy
from ragnb.agent.state import State
from ragnb.agent.stopping import closing
from ragnb.records import StopReason

__all__ = ["decided"]


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
