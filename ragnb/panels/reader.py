"""The reader: the text of a source with the quote marked in it."""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ragnb.agent.state import State
from ragnb.errors import RagnbError
from ragnb.panels.choice import Choice
from ragnb.panels.tags import button, heading, icon, node
from ragnb.panels.turning import turned_to, turns
from ragnb.records import Evidence, Scope
from ragnb.views.evidence import source_name
from ragnb.views.markup import Html, joined, visible, web
from ragnb.views.words import evidence_name, short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["reader_parts", "shown_evidence"]

AROUND: Final = {"window": 500, "section": 2_500, "document": 40_000}
"""What can be shown of a source, and how many characters before and after a quote where the
library doesn't tell its bounds, or the quote stands outside of them."""


def shown_evidence(state: State, choice: Choice) -> Evidence | None:
    """Return the chosen quote, else the newest that says something, of the chosen question."""
    items = {item.id: item for item in state.evidence}
    if choice.evidence in items:
        return items[choice.evidence]
    fitting = [item for item in items.values() if choice.question in {"", item.question_id}]
    found = fitting or list(items.values())
    firm = [item for item in found if item.support != "weak"]
    return (firm or found)[-1] if found else None


def reader_parts(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the source of a quote around it, and how to see more."""
    state = loop.state
    item = shown_evidence(state, choice)
    head = heading(2, "Reader")
    if item is None:
        told = node("p", "No quote yet; once there is one, its source opens here.", _class="m")
        return {"reader/head": node("div", head, _class="hd2"), "reader/text": told}
    turned = turned_to(loop, choice, item)
    buttons = [
        node("button", scope, type="button", data_action="scope", data_value=scope,
             aria_pressed="true" if choice.scope == scope and not turned else "false")
        for scope in AROUND
    ]  # fmt: skip
    seg = node("span", *buttons, _class="seg", role="group", aria_label="Show")
    name = evidence_name(state, item.id)
    text, start = _text_of(loop, item)
    bounds = turned or _bounds(loop, item, choice.scope)
    ways = turns(loop, choice, item, name)
    return {
        "reader/head": node("div", head, seg, _class="hd2"),
        "reader/crumb": _crumb(item),
        "reader/text": _marked(text, item, start, name, bounds),
        **({"reader/turns": ways} if ways else {}),
        "reader/foot": _foot(state, item, text, start),
    }


def _text_of(loop: "Loop", item: Evidence) -> tuple[str, int]:
    """Return the source's text with where it begins: from the library, else what was read."""
    library = getattr(loop.performer.stages, "library", None)
    if library is not None:
        with suppress(RagnbError):
            text = library.source(item.source_id).text
            if text[item.start : item.end] == item.quote:
                return text, 0
    context = loop.state.context(item.context_id)
    return (context.text, context.start) if context else ("", 0)


def _crumb(item: Evidence) -> Html:
    """Return where a quote stands, with the way to its file."""
    address = web(item.url)
    named = "" if item.source_id == item.title else short(item.source_id, 80)
    file: Html | None = node("span", named, _class="m") if named else None
    if address:
        file = node("a", icon("open"), " ", named or "open the source", href=address)
    return node("p", node("b", source_name(item)), file, _class="crumb s")


def _bounds(loop: "Loop", item: Evidence, scope: Scope) -> tuple[int, int]:
    """Return from where to where a source is shown: the true section where it is known."""
    library = getattr(loop.performer.stages, "library", None)
    if library is not None and item.chunk_id and scope != "document":
        with suppress(RagnbError):
            found = library.read(item.chunk_id, scope)
            if found.start <= item.start and item.end <= found.end:
                return found.start, found.end
    return item.start - AROUND[scope], item.end + AROUND[scope]


def _marked(text: str, item: Evidence, start: int, name: str, bounds: tuple[int, int]) -> Html:
    begin, end = item.start - start, item.end - start
    if not text or not 0 <= begin <= end <= len(text):
        return node("p", "The text that was read doesn't reach to this quote.", _class="m")
    first, last = _paragraph(text, bounds[0] - start, bounds[1] - start)
    begin, end = min(max(begin, first), last), max(min(end, last), first)
    badge = node("span", name, _class="id")
    quote = node("mark", badge, visible(text[begin:end], 4_000), data_id=item.id)
    return node(
        "div",
        "… " if first else None,
        visible(text[first:begin], 50_000),
        quote if begin < end else None,
        visible(text[end:last], 50_000),
        " …" if last < len(text) else None,
        _class="txt",
        tabindex="0",
        role="region",
        aria_label="Text of the source",
    )


def _paragraph(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the bounds, moved out to where a word begins and ends."""
    first, last = max(first, 0), min(last, len(text))
    while first > 0 and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    return first, last


def _foot(state: State, item: Evidence, text: str, start: int) -> Html:
    fits = text[item.start - start : item.end - start] == item.quote
    sure = "found word for word" if fits else "differs from the text"
    sign = node(
        "span", icon("check" if fits else "failed"), f" {sure}", _class="ok" if fits else "con"
    )
    place = node("span", f"characters {item.start:,} to {item.end:,}", _class="m")
    others = []
    for each in state.conflicts:
        pair = (each.first, each.second)
        if item.id in pair:
            key = pair[0] if item.id == pair[1] else pair[1]
            other = evidence_name(state, key)
            others.append(button(f"compare with {other}", "evidence", look="lnk con", data_id=key))
    return node("p", joined([sign, place, *others]), _class="foot s")
