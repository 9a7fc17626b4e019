"""The reader: the text of a source with the quote marked in it."""

from typing import TYPE_CHECKING

from ragnb.agent.state import State
from ragnb.panels.choice import Choice
from ragnb.panels.sources import AROUND, bounds_of, chunk_of, text_of
from ragnb.panels.tags import button, head, icon, node, segments
from ragnb.panels.turning import turned_to, turns
from ragnb.records import Evidence
from ragnb.views.evidence import source_name
from ragnb.views.markup import Html, joined, visible, web
from ragnb.views.words import evidence_name, short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["reader_parts", "shown_evidence"]


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
    if item is None:
        told = node("p", "No quote yet; once there is one, its source opens here.", _class="m")
        return {"reader/head": head("Reader"), "reader/text": told}
    name = evidence_name(state, item.id)
    turned = turned_to(choice, item)
    text, start = chunk_of(loop, turned) if turned else text_of(loop, item)
    whole = (start, start + len(text))
    bounds = whole if turned else bounds_of(loop, item, choice.scope)
    ways = turns(loop, choice, item, name)
    scopes = segments(
        {scope: scope for scope in AROUND}, "" if turned else choice.scope, "scope", name="Show"
    )
    reaches = bool(turned) or whole[0] <= item.start <= item.end <= whole[1]
    none = node("p", "The text that was read doesn't reach to this quote.", _class="m")
    return {
        "reader/head": head("Reader", scopes),
        "reader/crumb": _crumb(item),
        "reader/text": _marked(text, item, start, name, bounds) if text and reaches else none,
        **({"reader/turns": ways} if ways else {}),
        "reader/foot": _foot(loop, item),
    }


def _crumb(item: Evidence) -> Html:
    """Return where a quote stands, with the way to its file."""
    address = web(item.url)
    named = "" if item.source_id == item.title else short(item.source_id, 80)
    file: Html | None = node("span", named, _class="m") if named else None
    if address:
        file = node("a", icon("open"), " ", named or "open the source", href=address)
    return node("p", node("b", source_name(item)), file, _class="crumb s")


def _marked(text: str, item: Evidence, start: int, name: str, bounds: tuple[int, int]) -> Html:
    """Return a text with the quote marked, as far as it stands between the bounds."""
    first, last = _whole_words(text, bounds[0] - start, bounds[1] - start)
    begin = min(max(item.start - start, first), last)
    end = max(min(item.end - start, last), begin)
    badge = node("span", name, _class="id")
    quote = node("mark", badge, visible(text[begin:end], 4_000), data_id=item.id)
    return node(
        "div",
        "… " if first + start else None,
        visible(text[first:begin], 50_000),
        quote if begin < end else None,
        visible(text[end:last], 50_000),
        " …" if last < len(text) else None,
        _class="txt",
        tabindex="0",
        role="region",
        aria_label="Text of the source",
    )


def _whole_words(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the bounds, moved out to where a word begins and ends."""
    first, last = max(first, 0), min(last, len(text))
    while first > 0 and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    return first, last


def _foot(loop: "Loop", item: Evidence) -> Html:
    state, (text, start) = loop.state, text_of(loop, item)
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
