"""What a stage is given for an action: a projection of the state, without clocks and numbers.

Two equal projections mean that the stage would do the same work, so an outcome can be recorded
under them. Entry numbers, the budget and stop reasons are therefore left out.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from ragnb.agent.actions import (
    Action,
    Approve,
    Assess,
    Choose,
    Edit,
    Extract,
    Plan,
    Read,
    Recall,
    Reply,
    Rerank,
    Retrieve,
    Route,
    Stop,
    Synthesize,
    UseTool,
    action_id,
)
from ragnb.agent.observing import observed
from ragnb.agent.plans import behind, first_action
from ragnb.agent.state import State
from ragnb.errors import InputError
from ragnb.records import Conflict, Context, Gap, PlanStep
from ragnb.records.planned import MOST_STEPS, SHORT

__all__ = ["inputs"]

_DatedT = TypeVar("_DatedT", Gap, Conflict)


def inputs(  # noqa: C901, PLR0911, PLR0912 - one match over the closed union
    state: State, action: Action
) -> dict[str, Any]:
    """Return the arguments of the stage that carries the action out.

    Raises:
        InputError: The action names a query, question or text that the state doesn't have.
    """
    match action:
        case Route():
            return {"goal": state.goal, "to": action.to}
        case Recall() | Reply():
            return {"goal": state.goal}
        case Plan() if action.steps:
            return {
                "goal": state.normalized_goal or state.goal,
                "kind": state.route.kind if state.route else "",
                "filters": state.filters,
                "again": action.again,
                "why": action.why,
                "steps": state.plan_steps if action.again else (),
                "left": _left(state, action.why) if action.again else None,
            }
        case Plan():
            known = tuple(question.text for question in state.questions) if action.again else ()
            return {
                "goal": state.normalized_goal or state.goal,
                "filters": state.filters,
                "again": action.again,
                "known": known,
            }
        case Retrieve():
            return {"query": replace(action.query, reason="")}
        case Rerank():
            search = state.search(action.query_id)
            if search is None:
                raise InputError(f"No query {action.query_id!r} was sent; see state.searches.")
            wanted = {hit.chunk_id for hit in search.hits}
            return {
                "query": replace(search.query, reason=""),
                "hits": search.hits,
                "foreign": tuple(c for c in _foreign(state) if c.chunk_id in wanted),
            }
        case Read():
            return {
                "id": action.id,
                "scope": action.scope,
                "foreign": tuple(c for c in _foreign(state) if c.id == action.id),
            }
        case Extract():
            question = state.question(action.question_id)
            if question is None:
                raise InputError(
                    f"There is no question {action.question_id!r}; see state.questions."
                )
            return {
                "question": question,
                "context": state.context(action.context_id),
                "chunk_id": action.context_id,
            }
        case Choose():
            return _choosing(state)
        case Approve():
            return {"call": action.call}
        case UseTool():
            question = state.question(action.call.question_id)
            return {"call": action.call} | ({"question": question} if question else {})
        case Assess() if action.step:
            return _looking_back(state, action.step)
        case Assess():
            return _judging(state)
        case Synthesize():
            return {
                "goal": state.goal,
                **_judging(state),
                "gaps": _timeless(state.open_gaps),
                "conflicts": _timeless(state.conflicts),
            }
        case Stop() | Edit():
            return {}


def _left(state: State, why: str) -> int | None:
    """Return how many searches and tool calls are left, where fewer are left than planned."""
    if why != SHORT:
        return None
    return max(0, _searches_left(state))


def _searches_left(state: State) -> int:
    limits = state.budget
    rounds = limits.rounds - state.round
    calls = limits.calls - state.tool_calls if limits.calls is not None else MOST_STEPS
    return min(rounds, calls)


def _looking_back(state: State, step_id: str) -> dict[str, Any]:
    """Return what a step is judged by: the compact state, and nothing of how it came about."""
    step = state.plan_step(step_id)
    if step is None:
        raise InputError(f"There is no step {step_id!r} in the plan; see state.plan_steps.")
    known = set(state.assessments[-1].known) if state.assessments else set()
    waiting = sum(item.status == "pending" for item in state.plan_steps) - 1
    return {
        "goal": state.normalized_goal or state.goal,
        **_judging(state),
        "gaps": _timeless(state.open_gaps),
        "conflicts": _timeless(state.conflicts),
        "step": step,
        "steps": state.plan_steps,
        "came": _came(state, step)
        | {"new": tuple(item.id for item in state.evidence if item.id not in known)},
        "short": waiting > 0 and _searches_left(state) - state.asking < waiting,
    }


def _came(state: State, step: PlanStep) -> dict[str, Any]:
    """Return what a step's own action brought."""
    action = first_action(step, state)
    if isinstance(action, Retrieve):
        search = state.search(action.query.id)
        hits = (*(search.ranked or ()), *search.hits) if search else ()
        titles = tuple(dict.fromkeys((hit.source_id, hit.title) for hit in hits))
        return {"status": search.status if search else "pending", "text": "", "titles": titles}
    if isinstance(action, Read):
        key = action_id(action)
        failed = [failure.text for failure in state.failures if failure.action_id == key]
        read = behind(step, state)
        return {
            "status": "done" if read else "failed",
            "text": "" if read else " ".join(failed[-1:]),
            "titles": tuple((c.source_id, c.title) for c in state.contexts if c.id in read),
        }
    call = state.call(action.call.id) or action.call
    refused = call.approved is False
    return {"status": "refused" if refused else call.status, "text": call.result, "titles": ()}


def _foreign(state: State) -> tuple[Context, ...]:
    """Return the documents that a retriever brought and the library lacks."""
    return tuple(c for c in state.contexts if c.scope == "document" and c.id == c.chunk_id)


def _choosing(state: State) -> dict[str, Any]:
    budget = state.budget
    left = budget.rounds - state.round
    if budget.calls is not None:
        left = min(left, budget.calls - state.tool_calls)
    judging = _judging(state)
    return {
        "goal": state.goal,
        **{name: judging[name] for name in ("questions", "evidence", "searches")},
        "gaps": _timeless(state.open_gaps),
        "conflicts": _timeless(state.open_conflicts),
        "pending": tuple(replace(query, reason="") for query in state.pending),
        "calls": tuple(
            {
                "id": call.id,
                "name": call.name,
                "arguments": call.arguments,
                "status": call.status,
                "approved": call.approved,
                "question_id": call.question_id,
                "result": observed(state, call),
            }
            for call in state.calls
        ),
        "left": max(0, left),
    }


def _judging(state: State) -> dict[str, Any]:
    return {
        "questions": state.questions,
        "evidence": state.evidence,
        "searches": tuple(
            {
                "question_id": item.query.question_id,
                "text": item.query.text,
                "status": item.status,
                "hits": len(item.hits),
                "intent": item.query.intent,
            }
            for item in state.searches
            if item.status in {"asked", "failed"}
        ),
        "settled": _timeless(item for item in state.conflicts if item.rule == "a person"),
    }


def _timeless(items: Iterable[_DatedT]) -> tuple[_DatedT, ...]:
    """Return gaps or conflicts without the numbers of the entries that opened and closed them."""
    return tuple(replace(item, opened_at=0, closed_at=None) for item in items)
