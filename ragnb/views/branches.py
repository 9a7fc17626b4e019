"""Two branches side by side: where they part, what each found, and what each cost."""

from collections.abc import Iterable

from ragnb.agent.actions import Action
from ragnb.agent.difference import Difference
from ragnb.records import Evidence
from ragnb.steady import is_stable
from ragnb.views.look import (
    frame,
    heading,
    icon,
    kind_icon,
    muted,
    paragraph,
    side_by_side,
    table,
    title,
)
from ragnb.views.markup import Html, joined, tag
from ragnb.views.sentences import edited_words
from ragnb.views.words import ACTIONS, GAPS, seconds, short

__all__ = ["difference_html", "difference_parts", "difference_text"]

SHOWN = 12
"""Pieces of a list that are shown; the rest is counted."""


def difference_parts(
    found: Difference, *, names: tuple[str, str] = ("this branch", "the other")
) -> dict[str, Html]:
    """Return where two branches part, what differs in what they found, and the cost.

    Args:
        found: The difference.
        names: What the two are called.
    """
    if found.at is None:
        return {"parted": title("The two branches are the same", above="Two branches")}
    head = title(f"They part at step {found.at}", above="Two branches")
    here, there = (short(name, 40) for name in names)
    ways = side_by_side(_way(_big(here), found.ours), _way(_big(there), found.theirs))
    only = [
        _list(f"Quotes only in {here}", (_quote(item) for item in found.evidence_lost)),
        _list(f"Conclusions only in {here}", (_said(c.statement) for c in found.claims_lost)),
        _list(f"Gaps only in {here}", (_said(GAPS[gap.reason]) for gap in found.gaps_closed)),
    ]
    other = [
        _list(f"Quotes only in {there}", (_quote(item) for item in found.evidence_gained)),
        _list(f"Conclusions only in {there}", (_said(c.statement) for c in found.claims_gained)),
        _list(f"Gaps only in {there}", (_said(GAPS[gap.reason]) for gap in found.gaps_opened)),
    ]
    return {
        "parted": head,
        "ways": ways,
        "found": side_by_side(joined(only), joined(other)),
        "cost": joined([heading("Cost"), _cost(found, (here, there))]),
    }


def difference_html(found: Difference) -> str:
    """Return the difference of two branches as HTML."""
    return frame(difference_parts(found))


def difference_text(found: Difference) -> str:
    """Return the difference of two branches as plain text."""
    if found.at is None:
        return "The two branches are the same."
    lines = [
        f"They part at step {found.at}: {_kind(found.ours)} here, {_kind(found.theirs)} there.",
        *(f"− quote here only: {short(item.quote)}" for item in found.evidence_lost[:SHOWN]),
        *(f"+ quote there only: {short(item.quote)}" for item in found.evidence_gained[:SHOWN]),
        *(f"− conclusion here only: {short(c.statement)}" for c in found.claims_lost[:SHOWN]),
        *(f"+ conclusion there only: {short(c.statement)}" for c in found.claims_gained[:SHOWN]),
        *(f"+ gap there only: {GAPS[gap.reason]}" for gap in found.gaps_opened[:SHOWN]),
        *(f"− gap here only: {GAPS[gap.reason]}" for gap in found.gaps_closed[:SHOWN]),
    ]
    return "\n".join(lines)


def _big(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}" if name in {"this branch", "the other"} else name


def _kind(action: Action | None) -> str:
    return ACTIONS[action.kind].lower() if action else "nothing more"


def _way(name: str, action: Action | None) -> Html:
    if action is None:
        return joined([paragraph(tag("b", name)), paragraph(muted("goes no further"))])
    query = getattr(action, "query", None)
    what = f" “{short(query.text)}”" if query else ""
    what = f": {edited_words(action)}" if action.kind == "edit" else what
    return joined(
        [
            paragraph(tag("b", name)),
            paragraph(kind_icon(action.kind), f" {ACTIONS[action.kind]}{what}"),
            paragraph(muted("Why "), short(action.reason, 400)) if action.reason else None,
        ]
    )


def _list(name: str, items: Iterable[Html]) -> Html | None:
    found = list(items)
    if not found:
        return None
    more = tag("li", muted(f"and {len(found) - SHOWN} more")) if len(found) > SHOWN else None
    lines = [tag("li", item) for item in found[:SHOWN]]
    return joined([heading(name), tag("ul", *lines, more, style="margin:0;padding:0 0 0 18px")])


def _quote(item: Evidence) -> Html:
    where = muted(f" · {short(item.title or item.source_id)}")
    return joined([icon(item.support), f" “{short(item.quote, 300)}”", where])


def _said(text: str) -> Html:
    return joined([short(text, 300)])


def _cost(found: Difference, names: tuple[str, str]) -> Html:
    ours, theirs = found.spent, found.spent_there
    rows = [("attempts", str(ours.calls), str(theirs.calls))]
    if not is_stable():
        rows.append(("time", seconds(ours.seconds), seconds(theirs.seconds)))
    if ours.tokens or theirs.tokens:
        rows.append(("tokens", f"{ours.tokens:,}", f"{theirs.tokens:,}"))
    if ours.money or theirs.money:
        rows.append(("money", f"{ours.money:.4g}", f"{theirs.money:.4g}"))
    return table(("cost", *names), rows)
