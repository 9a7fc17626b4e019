"""How queries and what was read enter the state; each only once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from ragnb.agent.actions import Retrieve
from ragnb.agent.state import Search, State
from ragnb.records import Context, Hit, Query, Scope

__all__ = ["marked", "put_search", "with_contexts", "with_queries"]

_SCOPES: Final = get_args(Scope)


def put_search(state: State, search: Search, **changes: Any) -> State:
    """Return the state with a search in the place of the one with the same query, and changes."""
    old = state.searches
    at = next((n for n, item in enumerate(old) if item.query.id == search.query.id), len(old))
    return replace(state, searches=(*old[:at], search, *old[at + 1 :]), **changes)


def with_queries(state: State, queries: Iterable[Query]) -> State:
    """Return the state with new queries pending; known ones stay as they are."""
    known = {item.query.id for item in state.searches}
    new = {query.id: query for query in queries if query.id not in known}
    if not new:
        return state
    return replace(state, searches=state.searches + tuple(Search(query=q) for q in new.values()))


def with_contexts(state: State, contexts: Iterable[Context], **changes: Any) -> State:
    """Return the state with what was read added, each stretch only once, and with changes.

    Where a wider scope turns out to be the same stretch, that is what it is called from then on.
    """
    found = {item.id: item for item in state.contexts}
    for item in contexts:
        known = found.get(item.id)
        if known is None or _SCOPES.index(known.scope) < _SCOPES.index(item.scope):
            found[item.id] = item
    return replace(state, contexts=tuple(found.values()), **changes)


def marked(
    state: State,
    action: Retrieve,
    status: Literal["asked", "refused", "failed"],
    *,
    hits: tuple[Hit, ...] | None = None,
    **changes: Any,
) -> State:
    """Return the state with the action's query marked, and a pending one that it replaces gone.

    A query that was answered stays so when it is refused a second time. The search gets the hits,
    if there are any to give, and the state the changes.
    """
    search = state.search(action.query.id) or Search(query=action.query)
    if hits is not None:
        search = replace(search, status=status, hits=hits, ranked=None)
    elif not (status == "refused" and search.status == "asked"):
        search = replace(search, status=status)
    state = put_search(state, search, **changes)
    if action.instead_of and action.instead_of != action.query.id:
        kept = tuple(
            item
            for item in state.searches
            if not (item.query.id == action.instead_of and item.status == "pending")
        )
        state = replace(state, searches=kept)
    return state
