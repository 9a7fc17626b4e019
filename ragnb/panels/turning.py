"""Chunk by chunk through the source that the reader shows."""

from contextlib import suppress
from typing import TYPE_CHECKING

from ragnb.errors import RagnbError
from ragnb.panels.choice import Choice
from ragnb.panels.tags import button, node
from ragnb.records import Evidence

if TYPE_CHECKING:
    from haystack import Document

    from ragnb.agent.loop import Loop
    from ragnb.views.markup import Html

__all__ = ["turn", "turned_to", "turns"]


def turn(loop: "Loop", choice: Choice, item: Evidence, way: str) -> None:
    """Look at the chunk ``before`` or ``after`` the one that is looked at, or back at a quote.

    Args:
        loop: Knows the library.
        choice: Is changed; it stays with the quote's source from then on.
        item: The quote that the reader began with.
        way: Where to.
    """
    choice.evidence = item.id
    if way == "quote":
        choice.chunk = ""
    elif found := _near(loop, choice.chunk or item.chunk_id).get(way):
        choice.chunk = found.id


def turned_to(loop: "Loop", choice: Choice, item: Evidence) -> tuple[int, int] | None:
    """Return from where to where the chunk stands that was turned to; None if none was."""
    library = getattr(loop.performer.stages, "library", None)
    if library is not None and choice.chunk:
        with suppress(RagnbError):
            found = library.read(choice.chunk, "chunk")
            if found.source_id == item.source_id:
                return found.start, found.end
    return None


def turns(loop: "Loop", choice: Choice, item: Evidence, name: str) -> "Html | None":
    """Return the ways to the chunks beside the one that is looked at; None if none is known."""
    near = _near(loop, choice.chunk or item.chunk_id)
    if "here" not in near:
        return None
    ways = [
        button(f"Chunk {way}", "turn", look="lnk", data_value=way, disabled=way not in near)
        for way in ("before", "after")
    ]
    place = node("span", f"chunk {near['here'].meta['index'] + 1} of its source", _class="m")
    back = button(f"Back to {name}", "turn", look="lnk", data_value="quote")
    return node("p", place, *ways, back if choice.chunk else None, _class="foot s")


def _near(loop: "Loop", chunk_id: str) -> "dict[str, Document]":
    """Return a chunk as ``here``, and those ``before`` and ``after`` it."""
    library = getattr(loop.performer.stages, "library", None)
    if library is None or not (known := library.chunks([chunk_id])):
        return {}
    place = int(known[0].meta["index"])
    found = library.store.neighbours(known[0].meta["source_id"], max(place - 1, 0), place + 1)
    names = {place - 1: "before", place: "here", place + 1: "after"}
    return {names[int(each.meta["index"])]: each for each in found}
