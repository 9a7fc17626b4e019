"""The library behind a loop, as far as it is known: texts, sections, and chunks beside a chunk."""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ragnb.errors import RagnbError
from ragnb.records import Evidence, Scope

if TYPE_CHECKING:
    from haystack import Document

    from ragnb.agent.loop import Loop
    from ragnb.library import Library

__all__ = ["AROUND", "bounds_of", "chunk_of", "chunks_beside", "library_of", "text_of"]

AROUND: Final = {"window": 500, "section": 2_500, "document": 40_000}
"""What can be shown of a source, and how many characters before and after a quote where the
library doesn't tell its bounds, or the quote stands outside of them."""


def library_of(loop: "Loop") -> "Library | None":
    """Return the library that a loop searches; None for a run that was opened without one."""
    found: Library | None = getattr(loop.performer.stages, "library", None)
    return found


def text_of(loop: "Loop", item: Evidence) -> tuple[str, int]:
    """Return a quote's source with where it begins: from the library, else what was read."""
    library = library_of(loop)
    if library is not None:
        with suppress(RagnbError):
            text = library.source(item.source_id).text
            if text[item.start : item.end] == item.quote:
                return text, 0
    context = loop.state.context(item.context_id)
    return (context.text, context.start) if context else ("", 0)


def bounds_of(loop: "Loop", item: Evidence, scope: Scope) -> tuple[int, int]:
    """Return from where to where a source is shown: the true section where it is known."""
    library = library_of(loop)
    if library is not None and item.chunk_id and scope != "document":
        with suppress(RagnbError):
            found = library.read(item.chunk_id, scope)
            if found.start <= item.start and item.end <= found.end:
                return found.start, found.end
    return item.start - AROUND[scope], item.end + AROUND[scope]


def chunk_of(loop: "Loop", chunk_id: str) -> tuple[str, int]:
    """Return a chunk's text with where in its source it begins; an empty text if it is gone."""
    library = library_of(loop)
    if library is not None:
        with suppress(RagnbError):
            found = library.read(chunk_id, "chunk")
            return found.text, found.start
    return "", 0


def chunks_beside(loop: "Loop", chunk_id: str) -> "dict[str, Document]":
    """Return a chunk as ``here``, and those ``before`` and ``after`` it in its source."""
    library = library_of(loop)
    if library is None or not (known := library.chunks([chunk_id])):
        return {}
    place = int(known[0].meta["index"])
    found = library.store.neighbours(known[0].meta["source_id"], max(place - 1, 0), place + 1)
    names = {place - 1: "before", place: "here", place + 1: "after"}
    return {names[int(each.meta["index"])]: each for each in found}
