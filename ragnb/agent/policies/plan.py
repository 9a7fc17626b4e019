"""Plan, execute, reflect: lay out steps, do one, look back at it, go on, retry or plan again."""

from dataclasses import dataclass

from ragnb.agent.actions import (
    Action,
    Approve,
    Assess,
    Plan,
    Reply,
    Retrieve,
    Route,
    UseTool,
)
from ragnb.agent.plans import behind, cursor, first_action, launched
from ragnb.agent.policies.base import extraction, has_failed
from ragnb.agent.policies.evidence import close, give_up
from ragnb.agent.policies.followups import follow_up
from ragnb.agent.policies.work import open_work
from ragnb.agent.state import State
from ragnb.records import PlanStep

__all__ = ["PlanPolicy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPolicy:
    """Carry out a plan step by step; after each, look back and decide how to go on.

    Args:
        read: How many of the best reranked hits of a search are read.
        replans: How often the steps may be planned again.
    """

    read: int = 5
    replans: int = 2
    name: str = "plan"

    def decide(self, state: State) -> Action:
        """Return the next action."""
        return self._prepared(state) or self._going_on(state)

    def _prepared(self, state: State) -> Action | None:
        """Class the goal and lay out the steps, each once."""
        route = Route(reason="What sort of goal it is decides on the plan.")
        if state.route is None and not state.plan_steps and not has_failed(state, route):
            return route
        if state.planned and not state.needs_retrieval:
            return Reply(reason="No document is needed for this.")
        plan = Plan(steps=True, reason="There are no steps yet.")
        if not state.plan_steps and not has_failed(state, plan):
            return plan
        return None

    def _going_on(self, state: State) -> Action:
        work = open_work(state, self.read)
        if work is not None:
            return work
        step = cursor(state.plan_steps)
        if step is not None and launched(step, state):
            return _through(state, step) or _look_back(step)
        return self._beside(state) or (_begun(step, state) if step else self._end(state))

    def _beside(self, state: State) -> Action | None:
        """See to what came in beside the steps: by hand, or as a reason to plan again."""
        assess = Assess(reason="Something came in beside the plan.")
        if state.unassessed and not has_failed(state, assess):
            return assess
        if state.pending:
            query = state.pending[0]
            return Retrieve(query=query, reason=query.reason or "Asked for beside the plan.")
        if state.replan and state.replans < self.replans:
            return Plan(steps=True, again=True, why=state.replan, reason=state.replan)
        return None

    def _end(self, state: State) -> Action:
        beside = sum(each.reflection is None for each in state.assessments)
        if beside < len(state.reopened) and (action := follow_up(state)) is not None:
            return action
        asked = [question for question in state.questions if question.required]
        answered = all(question.id in state.answered for question in asked)
        if answered and state.evidence and not state.blocked:
            done = sum(step.status == "done" for step in state.plan_steps)
            return close("enough", f"The plan is carried out, {done} steps of it with success.")
        return give_up(state)


def _begun(step: PlanStep, state: State) -> Action:
    """Begin a step; a tool that turned out to have effects asks a person first."""
    action = first_action(step, state)
    if isinstance(action, UseTool) and state.refusals:
        return Approve(call=action.call, reason=action.reason)
    return action


def _through(state: State, step: PlanStep) -> Action | None:
    """Look for evidence in what the step read, or what its tool brought."""
    why = f"What step {step.id} brought."
    made = (extraction(state, step.question_id, read, why) for read in behind(step, state))
    return next((each for each in made if each is not None), None)


def _look_back(step: PlanStep) -> Action:
    return Assess(step=step.id, reason=f"Step {step.id} is done; what is new, and how to go on?")
