"""Plain RAG beside an agent: what one search and one answer say on the same goal."""

from ragnb.agent.run import Run
from ragnb.records import Usage
from ragnb.steady import is_stable
from ragnb.views.look import GREY, card, icon, muted, paragraph, quote, table
from ragnb.views.markup import Html, tag, visible
from ragnb.views.words import count, seconds, short

__all__ = ["baseline"]

SHOWN = 3
"""Conclusions and missed questions of plain RAG that are shown."""


def baseline(run: Run, plain: Run) -> Html:
    """Return what a plain run says beside a run, what it misses, and both costs."""
    answer = plain.answer
    claims = answer.conclusions if answer else ()
    said = [quote("“", visible(claim.statement, 600), "”") for claim in claims[:SHOWN]]
    if not said:
        said = [paragraph("It draws no conclusion.")]
    if len(claims) > SHOWN:
        said.append(muted(f"and {len(claims) - SHOWN} more"))
    misses = [tag("li", icon("gap"), " ", text) for text in _misses(run, plain)]
    return card(
        paragraph(tag("b", "Plain RAG on the same question")),
        paragraph(muted("one search, one answer, no check")),
        *said,
        tag("ul", *misses, style="margin:4px 0;padding:0 0 0 18px") if misses else None,
        table(("cost", "agent", "plain"), _costs(run, plain)),
        edge=GREY,
    )


def _misses(run: Run, plain: Run) -> list[str]:
    there = {g.source_id for c in (plain.answer.conclusions if plain.answer else ())
             for g in c.groundings}  # fmt: skip
    here: dict[str, str] = {}
    for claim in run.answer.conclusions if run.answer else ():
        for grounding in claim.groundings:
            here[grounding.source_id] = grounding.title or grounding.source_id
    found = [f"quotes nothing from {short(here[key])}" for key in here if key not in there]
    if run.state.conflicts and not plain.state.conflicts:
        found.append(f"does not see {count(len(run.state.conflicts), 'conflict')}")
    if run.answer and plain.answer and run.answer.open_questions and plain.answer.conclusions:
        found.append("does not say what stays open")
    return found[: SHOWN + 2]


def _costs(run: Run, plain: Run) -> list[tuple[str, str, str]]:
    pairs = [
        ("conclusions", _conclusions(run), _conclusions(plain)),
        ("searches", str(run.state.tool_calls), str(plain.state.tool_calls)),
        ("documents read", str(len(run.state.visited)), str(len(plain.state.visited))),
        ("steps", str(run.state.entries), str(plain.state.entries)),
    ]
    spent, there = run.state.spent, plain.state.spent
    if not is_stable():
        pairs.append(("time", seconds(spent.seconds), seconds(there.seconds)))
    if spent.tokens or there.tokens:
        pairs.append(("tokens", f"{spent.tokens:,}", f"{there.tokens:,}"))
    if spent.model_calls or there.model_calls:
        pairs.append(("model calls", f"{spent.model_calls:,}", f"{there.model_calls:,}"))
    if spent.money or there.money or spent.unpriced or there.unpriced:
        pairs.append(("money", _money(spent), _money(there)))
    return pairs


def _money(spent: Usage) -> str:
    more = " and more, price unknown" if spent.money else "price unknown"
    known = f"{spent.money:.4g}" if spent.money or not spent.unpriced else ""
    return known + (more if spent.unpriced else "")


def _conclusions(run: Run) -> str:
    return str(len(run.answer.conclusions)) if run.answer else "0"
