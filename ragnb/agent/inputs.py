"""What a stage is given for an action: a projection of the state, without clocks and numbers.

Two equal projections mean that the stage would do the same work, so an outcome can be recorded
under them. Entry numbers, the budget and stop reasons are therefore left out.
"""

from dataclasses import replace
from typing import Any

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
)
from ragnb.agent.state import State
from ragnb.errors import InputError
from ragnb.records import Context

__all__ = ["inputs"]


def inputs(  # noqa: C901, PLR0911, PLR0912 - one match over the closed union
    state: State, action: Action
) -> dict[str, Any]:
    """Return the arguments of the stage that carries the action out.

    Raises:
        InputError: The action names a query, question or text that the state doesn't have.
    """
    match action:
        case Route() | Recall() | Reply():
            return {"goal": state.goal}
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
            return {"goal": state.goal, "calls": state.calls}
        case Approve() | UseTool():
            return {"call": action.call}
        case Assess():
            return _judging(state)
        case Synthesize():
            return {
                "goal": state.goal,
                **_judging(state),
                "gaps": tuple(replace(g, opened_at=0, closed_at=None) for g in state.open_gaps),
                "conflicts": tuple(
                    replace(item, opened_at=0, closed_at=None) for item in state.conflicts
                ),
            }
        case Stop() | Edit():
            return {}


def _foreign(state: State) -> tuple[Context, ...]:
    """Return the documents that a retriever brought and the library lacks."""
    return tuple(c for c in state.contexts if c.scope == "document" and c.id == c.chunk_id)


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
        "settled": tuple(
            replace(item, opened_at=0, closed_at=None)
            for item in state.conflicts
            if item.rule == "a person"
        ),
    }
