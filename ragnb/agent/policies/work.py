"""What a search still asks for once it is answered: rerank, read the best, look for evidence.

Policies differ in which searches they make, not in how one is worked through.
"""

from ragnb.agent.actions import Action, Read, Rerank
from ragnb.agent.policies.base import extraction, has_failed
from ragnb.agent.state import Search, State
from ragnb.records import Context, Hit

__all__ = ["open_work"]


def open_work(state: State, read: int = 5) -> Action | None:
    """Return the next thing to do for what was found or read, or None if all is looked through.

    Args:
        state: Where the run stands.
        read: How many of the best reranked hits of a search are read.
    """
    for search in state.searches:
        if search.status != "asked":
            continue
        if search.hits and search.ranked is None:
            rerank = Rerank(query_id=search.query.id, reason="The best are to be read first.")
            if not has_failed(state, rerank):
                return rerank
        for hit in _wanted(search, state, read):
            action = _read(state, search, hit)
            if action is not None:
                return action
    return _wider_contexts(state)


def _wanted(search: Search, state: State, read: int) -> list[Hit]:
    hits = (search.ranked or ())[:read]
    return [hit for hit in hits if hit.source_id not in state.excluded]


def _read(state: State, search: Search, hit: Hit) -> Action | None:
    question_id = search.query.question_id
    if state.question(question_id) is None:
        return None
    read = [context for context in state.contexts if _covers(context, hit)]
    looked = any((question_id, context.id) in state.extracted for context in read)
    if looked or (question_id, hit.chunk_id) in state.extracted:
        return None
    action = Read(id=hit.chunk_id, scope="window", reason=f"Place {hit.rank} of the hits.")
    if not read and not has_failed(state, action):
        return action
    context_id = read[0].id if read else hit.chunk_id
    why = f"Does {hit.title or hit.source_id} bear on the question?"
    return extraction(state, question_id, context_id, why)


def _wider_contexts(state: State) -> Action | None:
    """Look through sections and documents that were read around a quote."""
    wide = [context for context in state.contexts if context.scope in {"section", "document"}]
    made = (
        extraction(state, evidence.question_id, context.id, f"The {context.scope} around a quote.")
        for evidence in state.evidence
        for context in wide
        if context.chunk_id == evidence.chunk_id
    )
    return next((each for each in made if each is not None), None)


def _covers(context: Context, hit: Hit) -> bool:
    """Return whether the chunk of a hit stands whole in what was read."""
    inside = context.start <= hit.start and hit.end <= context.end
    return context.scope != "chunk" and context.source_id == hit.source_id and inside
