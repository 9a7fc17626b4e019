"""Chunk by chunk through the source that the reader shows."""

from typing import TYPE_CHECKING

from ragnb.panels.choice import Choice
from ragnb.panels.sources import chunks_beside
from ragnb.panels.tags import button, node
from ragnb.records import Evidence

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop
    from ragnb.views.markup import Html

__all__ = ["turn", "turned_to", "turns"]


def turn(loop: "Loop", choice: Choice, item: Evidence, way: str) -> None:
    """Look at the chunk ``before`` or ``after`` the one that is looked at, or back at a quote.

    Args:
        loop: Knows the library.
        choice: Is changed; it stays with the quote from then on.
        item: The quote that the reader began with.
        way: Where to.
    """
    here = turned_to(choice, item) or item.chunk_id
    found = chunks_beside(loop, here).get(way)
    if found is not None:
        choice.evidence, choice.chunk = item.id, found.id
    elif way == "quote":
        choice.chunk = ""


def turned_to(choice: Choice, item: Evidence) -> str:
    """Return the id of the chunk that was turned to from a quote; empty for none."""
    return choice.chunk if choice.evidence == item.id else ""


def turns(loop: "Loop", choice: Choice, item: Evidence, name: str) -> "Html | None":
    """Return the ways to the chunks beside the one that is looked at; None if none is known."""
    turned = turned_to(choice, item)
    near = chunks_beside(loop, turned or item.chunk_id)
    if "here" not in near:
        return None
    ways = [
        button(f"Chunk {way}", "turn", look="lnk", data_value=way, disabled=way not in near)
        for way in ("before", "after")
    ]
    place = node("span", f"chunk {near['here'].meta['index'] + 1} of its source", _class="m")
    back = button(f"Back to {name}", "turn", look="lnk", data_value="quote")
    return node("p", place, *ways, back if turned else None, _class="foot s")
