"""(state, action, outcome) -> state: pure, one match, one function an action."""

from dataclasses import replace
from typing import Any

from ragnb.agent import judged
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
from ragnb.agent.called import called, decided, ended
from ragnb.agent.edits import edited
from ragnb.agent.failing import failed
from ragnb.agent.folding import folded
from ragnb.agent.outcomes import (
    Answered,
    Assessed,
    Decided,
    Edited,
    Failed,
    Found,
    Hits,
    Outcome,
    Planned,
    Proposed,
    Ranked,
    Recalled,
    Refused,
    Routed,
    Stopped,
    TextRead,
    ToolDone,
)
from ragnb.agent.planning import laid_out, one_step
from ragnb.agent.searches import marked, put_search, with_contexts, with_queries
from ragnb.agent.state import State
from ragnb.llm.metering import STOOD_IN
from ragnb.records import Evidence

__all__ = ["advance"]


def advance(  # noqa: C901, PLR0911, PLR0912 - one match over the closed union
    state: State, action: Action, outcome: Outcome
) -> State:
    """Return the state after an action came back with an outcome.

    Raises:
        TypeError: The outcome is of a kind that the action never has.
    """
    value = outcome.value
    refused = isinstance(value, Refused)
    state = replace(
        state,
        entries=state.entries + 1,
        steps=state.steps + (not isinstance(action, Edit | Stop)),
        refusals=state.refusals + 1 if refused else _refusals(state, action),
        spent=state.spent + outcome.usage,
        heaviest=max(state.heaviest, outcome.usage, key=lambda usage: usage.tokens),
        stood_in=state.stood_in + _stood_in(outcome),
    )
    if isinstance(value, Failed):
        return failed(state, action, value)
    match action, value:
        case Retrieve(), Refused():
            return called(marked(state, action, "refused"), action, "refused", value.text)
        case _, Refused():
            return called(state, action, "refused", value.text)
        case Route(), Routed():
            goal = value.normalized_goal or state.normalized_goal
            return replace(state, route=value.routing, normalized_goal=goal)
        case Recall(), Recalled():
            return replace(state, recalled=value.items)
        case Plan(), Planned():
            return _planned(state, action, value)
        case Retrieve(), Hits():
            return _retrieved(state, action, value)
        case Rerank(), Ranked():
            return _ranked(state, action, value)
        case Read(), TextRead():
            reads = (*state.reads, ((action.id, action.scope), value.context.id))
            asking = state.asking or bool(action.for_call)
            state = called(state, action, "done", contexts=(value.context.id,))
            return with_contexts(
                state, (value.context,), unassessed=True, asking=asking, reads=reads
            )
        case Extract(), Found():
            return _extracted(state, action, value)
        case Choose(), Proposed():
            known = {call.id for call in state.calls}
            new = tuple(call for call in value.calls if call.id not in known)
            return replace(state, calls=state.calls + new)
        case Approve(), Decided():
            return decided(state, action.call, allowed=value.allowed)
        case UseTool(), ToolDone():
            behind = tuple(context.id for context in value.contexts)
            state = called(state, action, "done", value.result, contexts=behind)
            calls = state.tool_calls + 1
            state = with_contexts(
                state, value.contexts, tool_calls=calls, unassessed=True, asking=True
            )
            return _looked_up(state, action, value)
        case Assess(), Assessed():
            return judged.assessed(state, value)
        case Synthesize() | Reply(), Answered():
            return judged.answered(ended(state), action, value.answer)
        case Stop(), Stopped():
            return judged.stopped(state, action, value.answer)
        case Edit(), Edited():
            return edited(state, action)
        case _:
            name = type(value).__name__
            raise TypeError(f"{name} is no outcome of {type(action).__name__}")


def _stood_in(outcome: Outcome) -> tuple[str, ...]:
    """Return why a model could not be reached in a step that rules did in its place."""
    found = [note for note in outcome.notes if note.startswith(STOOD_IN)]
    return tuple(note.removeprefix(STOOD_IN) for note in found[:1]) if outcome.provisional else ()


def _planned(state: State, action: Plan, value: Planned) -> State:
    if action.again and action.steps:
        state = replace(state, replans=state.replans + 1, replan="")
        return laid_out(state, value.steps or state.plan_steps)
    questions = tuple({question.id: question for question in value.questions}.values())
    state = replace(
        state,
        planned=True,
        needs_retrieval=value.needs_retrieval,
        normalized_goal=value.normalized_goal or state.normalized_goal,
        questions=questions or state.questions,
    )
    state = with_queries(state, value.queries)
    if not action.steps or not value.needs_retrieval:
        return state
    return laid_out(state, value.steps or (one_step(state),))


def _retrieved(state: State, action: Retrieve, value: Hits) -> State:
    hits = tuple(hit for hit in value.hits if hit.source_id not in state.excluded)
    calls = state.tool_calls + 1
    state = with_contexts(state, value.foreign) if value.foreign else state
    state = called(state, action, "done")
    return marked(state, action, "asked", hits=hits, tool_calls=calls, unassessed=True, asking=True)


def _ranked(state: State, action: Rerank, value: Ranked) -> State:
    search = state.search(action.query_id)
    return state if search is None else put_search(state, replace(search, ranked=value.hits))


def _extracted(state: State, action: Extract, value: Found) -> State:
    if value.context is not None:
        state = with_contexts(state, (value.context,))
    extracted = (*state.extracted, (action.question_id, action.context_id))
    return _with_evidence(state, value.evidence, extracted=extracted, unassessed=True)


def _looked_up(state: State, action: UseTool, value: ToolDone) -> State:
    """Take what a tool looked up as evidence; its texts need not be looked through then."""
    if not value.evidence:
        return state
    pairs = ((action.call.question_id, context.id) for context in value.contexts)
    return _with_evidence(state, value.evidence, extracted=(*state.extracted, *pairs))


def _with_evidence(state: State, evidence: tuple[Evidence, ...], **changes: Any) -> State:
    known = {item.id for item in state.evidence}
    new = tuple(
        item
        for item in evidence
        if item.id not in known
        and item.id not in state.excluded
        and item.source_id not in state.excluded
    )
    answer = None if new else state.answer
    return replace(state, evidence=folded(state.evidence, new), answer=answer, **changes)


def _refusals(state: State, action: Action) -> int:
    """Count refusals in a row on: to choose again, or to ask a person, ends no such row."""
    return state.refusals if isinstance(action, Choose | Approve) else 0
