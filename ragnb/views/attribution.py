"""Where runs lost what they needed: a line for each need of one run, a bar a stage for many."""

from typing import Final

from ragnb.evaluate.attribution import Attribution, Fate
from ragnb.evaluate.attributions import Attributions
from ragnb.evaluate.following import KEPT
from ragnb.views.look import (
    CONFLICT,
    GAP,
    SUPPORT,
    bar,
    frame,
    icon,
    muted,
    paragraph,
    small,
    table,
    title,
    unbroken,
)
from ragnb.views.markup import Child, Html, joined, tag
from ragnb.views.words import count, short

__all__ = [
    "attribution_html",
    "attribution_text",
    "attributions_html",
    "attributions_text",
]

SHOWN: Final = 20
"""Needs that are listed; the rest is counted."""


def attribution_html(found: Attribution) -> str:
    """Return what became of each thing needed, as HTML."""
    rows = [_row(fate) for fate in found.fates[:SHOWN]]
    parts = {
        "goal": title(short(found.goal, 400), above="Where what is needed was lost"),
        "verdict": paragraph(_verdict(found)),
    }
    if rows:
        parts["needs"] = table(("needed", "source", "lost", "why"), rows)
    if len(found.fates) > SHOWN:
        parts["more"] = muted(f"and {len(found.fates) - SHOWN} more")
    for number, statement in enumerate(found.overstated):
        said = (icon("conflict"), " Overstated: ", short(statement, 300))
        parts[f"overstated-{number}"] = paragraph(*said)
    return frame(parts)


def attribution_text(found: Attribution) -> str:
    """Return what became of each thing needed, as plain text."""
    lines = [short(found.goal, 400), _verdict(found)]
    lines += [
        f"{fate.stage}: {_needed(fate)} ({short(fate.need.source, 80)}). {short(fate.detail)}"
        for fate in found.fates[:SHOWN]
    ]
    if len(found.fates) > SHOWN:
        lines.append(f"and {len(found.fates) - SHOWN} more")
    lines += [f"overstated: {short(statement, 300)}" for statement in found.overstated]
    return "\n".join(lines)


def attributions_html(found: Attributions) -> str:
    """Return where the misses of many runs are lost, as HTML: a row a stage."""
    stages = found.stages()
    most = max((each.needs for each in stages if each.stage != KEPT), default=0)
    rows: list[tuple[Child, ...]] = []
    for each in stages:
        kept = each.stage == KEPT
        share = (
            None
            if kept
            else bar(each.needs / most if most else 0, colour=GAP, alt=f"{each.needs} of {most}")
        )
        name = joined([icon("check"), " kept"]) if kept else unbroken(each.stage)
        rows.append((name, each.needs, share, each.runs, each.satisfied))
    head = ("lost at", "needs", "", "runs, earliest", "of them called enough")
    above = f"{count(len(found.items), 'run')}, {count(_needs(found), 'need')}"
    parts = {
        "head": title("Where the misses are lost", above=above),
        "stages": table(head, rows),
        "note": muted("A run counts at the earliest stage that lost something it needs."),
    }
    return frame(parts)


def attributions_text(found: Attributions) -> str:
    """Return where the misses of many runs are lost, as a table in plain text."""
    lines = [f"{'lost at':<20}{'needs':>7}{'runs':>7}{'called enough':>15}"]
    lines += [
        f"{each.stage:<20}{each.needs:>7}{each.runs:>7}{each.satisfied:>15}"
        for each in found.stages()
    ]
    return "\n".join(lines)


def _needs(found: Attributions) -> int:
    return sum(len(each.fates) for _, each in found.items)


def _needed(fate: Fate) -> str:
    return f"“{short(fate.need.quote, 200)}”" if fate.need.quote else "any part"


def _verdict(found: Attribution) -> str:
    kept = len(found.fates) - len(found.lost)
    told = f"{kept} of {count(len(found.fates), 'need')} in the answer"
    if not found.fates:
        told = "Nothing in the documents answers it"
    end = f"ended: {found.stop}" if found.stop else "not ended"
    judged = ", called enough" if found.satisfied and found.lost else ""
    return f"{told}; {end}{judged}."


def _row(fate: Fate) -> tuple[Child, ...]:
    kept = fate.stage == KEPT
    edge = SUPPORT if kept else CONFLICT
    stage = tag("span", fate.stage, style=f"white-space:nowrap;border-bottom:2px solid {edge}")
    where: Html = small(short(fate.need.source, 80))
    return _needed(fate), where, stage, muted(short(fate.detail, 300))
