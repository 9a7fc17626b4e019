"""What came of a tool call, as text: computed from the state, which keeps the whole of it."""

from typing import Final

from ragnb.agent.state import Search, State, ToolCall
from ragnb.records import Evidence, Hit

__all__ = ["observed"]

_LISTED: Final = 5


def observed(state: State, call: ToolCall) -> str:
    """Return what a call came to: its result, or of a search its passages, best first.

    The quotes that were found stand before the passages they were found in.
    """
    if call.status != "done" or call.result:
        return call.result or f"{call.name} is not done yet."
    if call.name == "search":
        search = next((s for s in state.searches if _is_of(s, call)), None)
        return _of_search(state, search) if search is not None else ""
    texts = [item for item in state.contexts if item.id in call.contexts]
    quotes = [item for item in state.evidence if item.context_id in call.contexts]
    told = [
        f"{item.title or item.source_id}, characters {item.start} to {item.end}: {item.text}"
        + ("\nIts headings:\n" + "\n".join(item.outline) if item.outline else "")
        for item in texts
    ]
    return "\n".join([*map(_quote, quotes[:_LISTED]), *told])


def _is_of(search: Search, call: ToolCall) -> bool:
    asked = str(call.arguments.get("query", "")).split()
    return search.query.text.split() == asked and search.status == "asked"


def _of_search(state: State, search: Search) -> str:
    hits = (search.hits if search.ranked is None else search.ranked)[:_LISTED]
    if not hits:
        return "Nothing was found."
    sources = {hit.chunk_id for hit in hits}
    quotes = [
        item
        for item in state.evidence
        if item.chunk_id in sources and item.question_id == search.query.question_id
    ]
    quotes.sort(key=lambda item: (-item.score, item.id))
    lines = [
        f"{n}. [chunk {hit.chunk_id}] {_place(hit)}: {_passage(state, hit)}"
        for n, hit in enumerate(hits, start=1)
    ]
    return "\n".join([*map(_quote, quotes[:_LISTED]), *lines])


def _quote(item: Evidence) -> str:
    return f"{item.support} evidence in {item.title or item.source_id}: “{item.quote}”"


def _place(hit: Hit) -> str:
    title = hit.title or hit.source_id
    return f"{title} › {hit.section}" if hit.section and hit.section != title else title


def _passage(state: State, hit: Hit) -> str:
    """Return the text of a hit from what was read of its source; empty if nothing was yet."""
    for context in state.contexts:
        inside = context.start <= hit.start and hit.end <= context.end
        if context.source_id == hit.source_id and inside:
            return context.text[hit.start - context.start : hit.end - context.start]
    return "(not read)"
