"""What a failed action leaves behind: each kind has its written fallback."""

from dataclasses import replace

from ragnb.agent.actions import (
    Action,
    Assess,
    Extract,
    Plan,
    Read,
    Reply,
    Rerank,
    Retrieve,
    Synthesize,
    UseTool,
    action_id,
)
from ragnb.agent.called import called
from ragnb.agent.outcomes import Failed
from ragnb.agent.planning import laid_out, one_step, reflected
from ragnb.agent.searches import marked, put_search, with_queries
from ragnb.agent.state import Failure, State
from ragnb.records import Query, Reflection, StopReason, SubQuestion

__all__ = ["READ_AFTER_FAILED_RERANK", "failed"]

READ_AFTER_FAILED_RERANK = 5
"""Hits that are kept in their fused order where a rerank failed."""


def failed(  # noqa: PLR0911 - one match over the closed union
    state: State, action: Action, value: Failed
) -> State:
    """Return the state after a failure: the run goes on, or closes with a reason."""
    failure = Failure(action_id=action_id(action), text=value.text)
    state = replace(state, failures=(*state.failures, failure))
    match action:
        case Retrieve():
            used = state.tool_calls + 1
            state = called(state, action, "failed", value.text)
            return marked(state, action, "failed", tool_calls=used, unassessed=True, asking=True)
        case UseTool():
            return replace(
                called(state, action, "failed", value.text),
                tool_calls=state.tool_calls + 1,
                unassessed=True,
                asking=True,
            )
        case Read():
            return called(state, action, "failed", value.text)
        case Assess():
            state = replace(state, round=state.round + state.asking)
            return _unseen(replace(state, unassessed=False, asking=False), action.step)
        case Synthesize():
            return replace(state, closing=action.closing, answer=None)
        case Reply():
            why = f"The reply failed: {value.text}"
            return replace(state, closing=StopReason(code="failed", text=why))
        case Plan():
            return _unplanned(state, action)
        case Rerank() if search := state.search(action.query_id):
            kept = search.hits[:READ_AFTER_FAILED_RERANK]
            return put_search(state, replace(search, ranked=kept))
        case Extract():
            pair = (action.question_id, action.context_id)
            return replace(state, extracted=(*state.extracted, pair))
        case _:
            return state


def _unplanned(state: State, action: Plan) -> State:
    """Without a plan a step is one search for the goal; a plan that holds is gone on with."""
    if action.again and state.plan_steps:
        return replace(state, replan="", replans=state.replans + 1)
    if not action.steps:
        return state if state.planned else _goal_alone(state)
    return laid_out(replace(state, planned=True, questions=()), (one_step(state),))


def _unseen(state: State, step_id: str) -> State:
    """A step that could not be looked back at is over; its evidence tells how."""
    step = state.plan_step(step_id)
    if step is None:
        return state
    told = any(item.question_id == step.question_id for item in state.evidence)
    look = Reflection(step=step_id, status="done" if told else "failed")
    return reflected(state, look)


def _goal_alone(state: State) -> State:
    """Without a plan the goal is the only question, and its words the query."""
    question = SubQuestion.of(state.goal)
    state = replace(state, planned=True, questions=(question,))
    query = Query.of(state.goal, question.id, filters=state.filters)
    return with_queries(state, (query,))
