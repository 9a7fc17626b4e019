"""Evidence: a quote with what it says and where it stands, and in the text around it."""

from collections.abc import Mapping, Sequence
from typing import Final

from ragnb.agent.bills import Bill
from ragnb.agent.state import State
from ragnb.records import Context, Evidence
from ragnb.views.languages import say
from ragnb.views.look import (
    CONFLICT,
    GREY,
    MARK,
    NEXT,
    SUPPORT,
    frame,
    heading,
    icon,
    muted,
    quote,
    small,
    title,
)
from ragnb.views.markup import Html, joined, tag, visible, web
from ragnb.views.words import (
    billed,
    count,
    day,
    evidence_name,
    question_name,
    short,
    standing,
    trust,
)

__all__ = [
    "evidence_html",
    "evidence_parts",
    "evidence_text",
    "fidelity",
    "in_context",
    "meta_line",
    "said_in",
    "source_name",
]

AROUND: Final = 500
"""Characters of the source that are shown before and after a quote."""
SHOWN: Final = 24
"""Quotes that are shown; the rest is counted."""
_QUOTE: Final = 1_200


def evidence_html(item: Evidence, context: Context | None = None) -> str:
    """Return one piece of evidence as HTML, with the text around it if that is given."""
    parts = {"card": _card(item, name="", where="")}
    if context is not None:
        parts["context"] = in_context(item, context)
    return frame(parts)


def evidence_text(item: Evidence) -> str:
    """Return one piece of evidence as plain text."""
    where = " › ".join(part for part in (item.title or item.source_id, item.section) if part)
    notes = [item.support, short(where), standing(item.status), day(item.updated)]
    notes += [] if item.verified else ["not found in the source it names"]
    meta = " · ".join(note for note in notes if note)
    return f"{short(item.in_short)}\n  “{visible(item.quote, _QUOTE)}”\n  {meta}"


def evidence_parts(state: State, costs: Mapping[str, Bill] | None = None) -> dict[str, Html]:
    """Return a head and a card for each quote, by the quote's id; the newest stand first.

    Args:
        state: What holds the evidence.
        costs: What quotes cost, by their ids.
    """
    items = state.evidence
    if not items:
        return {"evidence": joined([heading("Evidence"), muted("No quote is found yet.")])}
    parts = {"evidence": heading("Evidence ", muted(fidelity(items)))}
    old = set(state.assessments[-1].known) if state.assessments else set()
    for item in reversed(items[-SHOWN:]):
        name = evidence_name(state, item.id)
        spent = billed((costs or {}).get(item.id))
        where = " · ".join(t for t in (question_name(state, item.question_id), spent) if t)
        parts[f"evidence-{item.id}"] = _card(item, name=name, where=where, new=item.id not in old)
    if len(items) > SHOWN:
        parts["evidence-more"] = muted(f"and {len(items) - SHOWN} found before these")
    return parts


def in_context(item: Evidence, context: Context, *, name: str = "") -> Html:
    """Return the text around a quote with the quote marked, and how to find it again."""
    start, end = item.start - context.start, item.end - context.start
    head = title(source_name(item), above="In its source")
    if not 0 <= start <= end <= len(context.text):
        return joined([head, muted("The text that was read doesn't reach to this quote.")])
    first, last = max(0, start - AROUND), min(len(context.text), end + AROUND)
    fits = context.text[start:end] == item.quote
    badge = tag("b", f"[{name}] ") if name else None
    body = tag(
        "div",
        "… " if first else None,
        context.text[first:start],
        tag("mark", badge, visible(context.text[start:end], _QUOTE), style=MARK),
        context.text[end:last],
        " …" if last < len(context.text) else None,
        style="margin:0 0 4px 0;padding:8px 12px;background:rgba(128,128,128,0.08);"
        "white-space:pre-wrap",
    )
    sure = [icon("check"), " found word for word"] if fits else [icon("failed"), " differs there"]
    place = f" · characters {item.start:,} to {item.end:,}"
    return joined([head, body, small(*sure, muted(place))])


def meta_line(item: Evidence, *, where: str = "", zh: bool = False) -> Html:
    """Return support, source, date and trust in a line, in an answer's language."""
    notes = [day(item.updated, zh=zh)] if item.updated else []
    holds = "" if standing(item.status) else item.status
    notes += [say(holds[:40], zh)] if holds else []
    notes += [say("trust {}", zh, say(trust(item.trust), zh))]
    notes += [say("hedged", zh)] if item.hedged else []
    copies = len(item.also_in) if zh else count(len(item.also_in), "document")
    notes += [say("also in {}", zh, copies)] if item.also_in else []
    notes += [short(note) for note in item.notes[:3]]
    notes += [where] if where else []
    return small(
        icon(item.support),
        f" {say(item.support, zh)} · ",
        source_name(item),
        tag("b", f" · {say(item.status, zh)}") if standing(item.status) else None,
        muted(f" · {' · '.join(notes)}"),
    )


def source_name(item: Evidence) -> Html:
    """Return the title of a document with the section, as a link where it has an address."""
    name = short(item.title or item.source_id)
    address = web(item.url)
    linked = tag("a", name, href=address) if address else name
    path = [part for part in item.section.split(" › ") if part and part != item.title]
    section = short(" › ".join(path), 80)
    return joined([linked, f" › {section}" if section else None])


def said_in(item: Evidence) -> Html:
    """Return the quote with what it says in bold, where that is a part of it."""
    text = visible(item.quote, _QUOTE)
    says = visible(item.says, _QUOTE) if item.sure else ""
    before, found, after = text.partition(says) if says else (text, "", "")
    if not found or found == text:
        return joined(["“", text, "”"])
    return joined(["“", before, tag("b", found), after, "”"])


def _card(item: Evidence, *, name: str, where: str, new: bool = False) -> Html:
    edge = CONFLICT if not item.verified else NEXT if new else GREY
    edge = SUPPORT if item.verified and not name and item.support == "strong" else edge
    badge = tag("b", f"[{name}] ") if name else None
    row = [tag("br"), small(visible(item.row, _QUOTE))] if item.row else []
    lines = [badge, said_in(item), *row, tag("br"), meta_line(item, where=where)]
    if not item.verified:
        lines += [tag("br"), small(icon("failed"), " ", tag("b", "not found"), _UNVERIFIED)]
    return quote(*lines, edge=edge, dashed=not item.verified)


_UNVERIFIED: Final = " in the source it names; it is shown, but can't support a conclusion"


def fidelity(items: Sequence[Evidence]) -> str:
    """Return how many quotes there are, and how many of them stand in their sources."""
    good = sum(item.verified for item in items)
    quotes = count(len(items), "quote")
    if good == len(items):
        return f"{quotes}, each found word for word in its source"
    return f"{quotes}, {good} of them found word for word in their sources"
