"""An answer: conclusions with numbered quotes, conflicts, what is open, sources, why it ended."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ragnb.agent.state import State
from ragnb.records import Answer, Claim, Evidence, Grounding, OpenQuestion, SourceUse
from ragnb.text.cues import is_chinese
from ragnb.views.conflicts import conflict_parts
from ragnb.views.evidence import meta_line
from ragnb.views.languages import ended, say
from ragnb.views.look import (
    GAP,
    SUPPORT,
    details,
    frame,
    heading,
    icon,
    muted,
    paragraph,
    quote,
    small,
    table,
    title,
    unbroken,
)
from ragnb.views.markup import Html, joined, tag, visible, web
from ragnb.views.words import (
    GAPS,
    NEXT_FOR,
    count,
    day,
    model_cost,
    short,
    standing,
    trust,
    unmarked,
)

__all__ = ["answer_html", "answer_parts"]

FOUND_SHOWN: Final = 5
"""Sources that were only found are listed up to this many; the rest are counted."""
CLAIMS_SHOWN: Final = 20
"""Conclusions that are shown; the rest is counted."""
_QUOTE: Final = 1_200
Badge: TypeAlias = Callable[[Grounding], Html]


def answer_html(answer: Answer) -> str:
    """Return an answer by itself as HTML."""
    return frame(answer_parts(answer))


def _number(item: Grounding) -> Html:
    return tag("b", f"[{item.n}] ")


def answer_parts(
    answer: Answer, state: State | None = None, *, badge: Badge = _number
) -> dict[str, Html]:
    """Return the parts of an answer, in the order of reading.

    Args:
        answer: What is shown.
        state: The state that holds it; it knows sections, dates and conflicts too.
        badge: Draws the number of a quote; a live panel makes it a control.
    """
    zh = is_chinese(answer.goal)
    known = {item.id: item for item in state.evidence} if state else {}
    shown: set[int] = set()
    above = say("Question", zh)
    parts = {"goal": title(short(answer.goal, 400), above=above), "lead": _lead(answer, state)}
    if answer.remarks:
        told = [paragraph(icon("gap"), " ", short(each, 400)) for each in answer.remarks[:10]]
        parts["remarks"] = joined(told)
    if answer.table:
        parts["table"] = _compared(answer.table, zh=zh)
    if answer.conclusions:
        claims = [
            _claim(claim, shown, known, badge, zh=zh) for claim in answer.conclusions[:CLAIMS_SHOWN]
        ]
        rest = len(answer.conclusions) - CLAIMS_SHOWN
        parts["conclusions"] = joined(
            [
                heading(say("Conclusions", zh)),
                tag("ol", *claims, style="margin:0;padding:0 0 0 20px"),
                muted(say("and {} more", zh, rest)) if rest > 0 else None,
            ]
        )
    if state is not None:
        numbers = {each.evidence_id: each.n for each in _groundings(answer)}
        parts |= conflict_parts(state, numbers=numbers)
    if answer.uncertainties:
        parts["uncertain"] = joined(
            [
                heading(icon("weak"), f" {say('Uncertain', zh)}"),
                *_doubts(answer, shown, known, badge),
            ]
        )
    if answer.open_questions:
        several = len(answer.open_questions) > 1
        head = heading(icon("gap"), f" {say('Open questions' if several else 'Open', zh)}")
        opened = [_open(item, state, zh=zh) for item in answer.open_questions]
        parts["open"] = joined([head, *opened])
    if answer.sources:
        parts["sources"] = _sources(answer.sources, zh=zh)
    if answer.stop is not None:
        why = short(ended(answer.stop, zh))
        parts["why"] = joined([heading(say("Why it stopped", zh)), paragraph(why)])
    if state is None and (asked := model_cost(answer.cost)):  # else its run tells it
        parts["cost"] = paragraph(muted(say("What it cost: {}", zh, asked)))
    return parts


def _compared(rows: tuple[tuple[str, str], ...], *, zh: bool) -> Html:
    """Return what is compared, with what the conclusions say of each."""
    cells = [
        (tag("b", short(thing)), unmarked(visible(said, _QUOTE)))
        for thing, said in rows[:CLAIMS_SHOWN]
    ]
    rest = len(rows) - len(cells)
    more = muted(say("and {} more", zh, rest)) if rest else None
    head = (say("thing", zh), say("what is said of it", zh))
    return joined([heading(say("Side by side", zh)), table(head, cells), more])


def _groundings(answer: Answer) -> list[Grounding]:
    claims = [each for claim in answer.conclusions for each in claim.groundings]
    return claims + [each for doubt in answer.uncertainties for each in doubt.groundings]


def _lead(answer: Answer, state: State | None) -> Html:
    if answer.text:
        return paragraph(visible(answer.text), style="white-space:pre-wrap")
    zh = is_chinese(answer.goal)
    quotes = len({each.n for each in _groundings(answer)})
    sure = "Each of {} quotes stands word for word in its source." if quotes > 1 else ""
    sure = "The quote stands word for word in its source." if quotes == 1 else sure
    torn = state is not None and any(item.status != "resolved" for item in state.conflicts)
    if not answer.conclusions and torn:
        text = say("No conclusion: documents disagree, and no rule settles it.", zh)
    elif not answer.conclusions:
        text = say("No conclusion can be grounded in the documents.", zh)
    elif answer.partial:
        number = len(answer.open_questions)
        left = number if zh else count(number, "question stays", "questions stay")
        text = say("Incomplete: {} open." if number else "This is incomplete.", zh, left)
    else:
        number = len(answer.conclusions)
        text = say("Answered: {}.", zh, number if zh else count(number, "conclusion"))
    return paragraph(tag("b", text), f" {say(sure, zh, quotes)}")


def _claim(
    claim: Claim, shown: set[int], known: Mapping[str, Evidence], badge: Badge, *, zh: bool
) -> Html:
    only = claim.groundings[0] if len(claim.groundings) == 1 else None
    same = (
        only is not None and only.n not in shown and _plain(only.quote) == _plain(claim.statement)
    )
    said = None if same else tag("b", unmarked(visible(claim.statement, _QUOTE)))
    hedged = muted(f" · {say('hedged', zh)}") if claim.hedged else None
    if claim.single_source and said is not None:
        hedged = joined([hedged, muted(f" · {say('one source', zh)}")])
    risks = [tag("br")] if claim.risks else []
    risks += [small(say("Mind: {}", zh, short(risk)), tag("br")) for risk in claim.risks[:5]]
    quotes = _quotes(
        claim.groundings, shown, known, badge, strong=same, above=claim.statement, zh=zh
    )
    return tag("li", said, hedged, *risks, *quotes, style="margin:0 0 10px 0")


def _quotes(
    groundings: tuple[Grounding, ...],
    shown: set[int],
    known: Mapping[str, Evidence],
    badge: Badge,
    *,
    zh: bool,
    edge: str = SUPPORT,
    strong: bool = False,
    above: str,
) -> list[Html]:
    """Draw quotes; what reads a row of a table is left out if it stands above them."""
    found = []
    for item in groundings:
        number = badge(item)
        if item.n in shown:
            found.append(quote(number, muted(say("as above", zh)), edge=edge))
            continue
        shown.add(item.n)
        text = joined(["“", visible(item.quote, _QUOTE), "”"])
        evidence = known.get(item.evidence_id)
        where = meta_line(evidence, zh=zh) if evidence else _where(item, zh=zh)
        said = tag("b", text) if strong else text
        row = [] if item.row in above else [tag("br"), small(visible(item.row, _QUOTE))]
        found.append(quote(number, said, *row, tag("br"), where, edge=edge))
    return found


def _where(item: Grounding, *, zh: bool) -> Html:
    name = short(item.title or item.source_id)
    address = web(item.url)
    linked = tag("a", name, href=address) if address else name
    mark = tag("b", f" · {say(standing(item.status), zh)}") if standing(item.status) else None
    return small(icon(item.support), f" {say(item.support, zh)} · ", linked, mark)


def _doubts(
    answer: Answer, shown: set[int], known: Mapping[str, Evidence], badge: Badge
) -> list[Html]:
    found = []
    for doubt in answer.uncertainties[:CLAIMS_SHOWN]:
        statement = visible(doubt.statement, _QUOTE)
        only = doubt.groundings[0] if len(doubt.groundings) == 1 else None
        if only is not None and only.quote and statement.endswith(visible(only.quote, _QUOTE)):
            statement = statement.removesuffix(visible(only.quote, _QUOTE)).rstrip(":： ")
        found.append(paragraph(unmarked(statement), style="margin:4px 0 0 0"))
        found += _quotes(
            doubt.groundings,
            shown,
            known,
            badge,
            edge=GAP,
            above=doubt.statement,
            zh=is_chinese(answer.goal),
        )
    return found


def _open(item: OpenQuestion, state: State | None, *, zh: bool) -> Html:
    hits = {}
    if state is not None:
        hits = {search.query.text: len(search.hits) for search in state.searches}
    why = say(GAPS[item.reason], zh)
    why = f"（{why}）" if zh else f" {why.capitalize()}. "
    named = item.suggested in NEXT_FOR
    advice = say("Next: {}.", zh, say(NEXT_FOR[item.suggested], zh)) if named else ""
    lines = [
        tag("li", short(text), muted(f" {_passages(hits[text], zh=zh)}") if text in hits else None)
        for text in item.searched[:CLAIMS_SHOWN]
    ]
    return joined(
        [
            paragraph(tag("b", short(item.question, 400)), why, muted(advice)),
            details(say("What was searched", zh), tag("ul", *lines, style="margin:2px 0 0 0"))
            if lines
            else None,
        ]
    )


def _passages(number: int, *, zh: bool) -> str:
    return say("{} passages", zh, number) if zh else count(number, "passage")


def _sources(uses: tuple[SourceUse, ...], *, zh: bool) -> Html:
    named = [use for use in uses if use.use != "found"]
    found = [use for use in uses if use.use == "found"]
    rows = [
        (
            ", ".join(str(number) for number in use.quotes) or "–",
            _source(use, zh=zh),
            unbroken(say(use.use, zh)),
            unbroken(day(use.updated, zh=zh) or "–"),
            unbroken(say(trust(use.trust), zh)),
        )
        for use in (*named[:CLAIMS_SHOWN], *found[:FOUND_SHOWN])
    ]
    rest = len(uses) - len(rows)
    cited = sum(use.use == "cited" for use in uses)
    total = say("{} cited, {} read, {} only found", zh, cited, len(named) - cited, len(found))
    more = say("{}; {} of them are not listed.", zh, total, rest) if rest else say("{}.", zh, total)
    head = [say(word, zh) for word in ("quote", "source", "use", "date", "trust")]
    return joined(
        [
            heading(say("Sources", zh)),
            table(head, rows),
            tag("p", more, style="margin:4px 0 0 0;font-size:12px;opacity:0.78"),
        ]
    )


def _source(use: SourceUse, *, zh: bool) -> Html:
    name = short(use.title or use.source_id)
    address = web(use.url)
    page = f", {say('page {}', zh, use.page)}" if use.page is not None else ""
    file = (
        muted(f" {short(use.source_id, 80)}") if use.title and use.title != use.source_id else None
    )
    return joined([tag("a", name, href=address) if address else name, page, file])


def _plain(text: str) -> str:
    return " ".join(unmarked(text).split()).rstrip(".")
