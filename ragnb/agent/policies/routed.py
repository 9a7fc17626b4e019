"""Class the goal first, then let the policy for its class decide."""

from dataclasses import dataclass, replace
from typing import Final

from ragnb.agent.actions import Action, Assess, Reply, Retrieve, Route, Synthesize
from ragnb.agent.policies.base import has_failed
from ragnb.agent.policies.evidence import EvidencePolicy
from ragnb.agent.policies.followups import follow_up
from ragnb.agent.policies.one_shot import OneShot
from ragnb.agent.policies.plan import PlanPolicy
from ragnb.agent.state import State
from ragnb.agent.stopping import refusal

__all__ = ["ROUTES", "RoutedPolicy"]

ROUTES: Final = ("one_shot", "evidence", "plan", "reply")
"""What a route can lead to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedPolicy:
    """Simple facts in one shot, with more where that grounds nothing; the rest as it needs.

    Args:
        check: Whether what one shot found is judged before it is taken.
    """

    check: bool = False
    name: str = "routed"

    def decide(self, state: State) -> Action:
        """Return the next action."""
        route = Route(reason="What sort of goal it is decides how to go about it.")
        if state.route is None and not has_failed(state, route):
            return route
        chosen = state.route.policy if state.route else "evidence"
        if chosen == "reply":
            return Reply(reason=state.route.reason if state.route else "")
        if chosen == "plan":
            return PlanPolicy().decide(state)
        if chosen == "one_shot" and not state.planned:
            return self._simple(state)
        return _searching(state)

    def _simple(self, state: State) -> Action:
        """Try one shot; go on with the evidence loop where that is not enough."""
        action = OneShot().decide(state)
        if not isinstance(action, Synthesize) or (state.route and state.route.kind == "outside"):
            return action
        if action.closing.code != "enough":
            return _searching(state)
        if not self.check:
            return action
        assess = Assess(reason="One shot found something; is it enough?")
        if state.unassessed and not has_failed(state, assess):
            return assess
        return _searching(state) if state.blocked else action


def _searching(state: State) -> Action:
    """Follow the evidence loop; what was asked in one shot is not asked again."""
    action = EvidencePolicy().decide(state)
    if isinstance(action, Retrieve) and refusal(state, action) is not None:
        other = follow_up(state)
        if isinstance(other, Retrieve):
            return replace(other, instead_of=action.query.id)
        return other or action
    return action
