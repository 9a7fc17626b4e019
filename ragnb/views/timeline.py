"""The timeline of a run as a drawing: actions by kind, evidence, gaps and conflicts."""

from collections.abc import Sequence
from typing import Final

from ragnb.agent.loop import Loop
from ragnb.agent.run import Run
from ragnb.agent.state import State
from ragnb.agent.until import Step
from ragnb.steady import is_stable
from ragnb.views.diary import steps_of
from ragnb.views.look import CONFLICT, GAP, KINDS, SUPPORT, frame, muted
from ragnb.views.markup import Html, drawing, joined, shape, tag
from ragnb.views.words import ACTIONS, count, question_name, seconds

__all__ = ["longest", "strip", "timeline_html", "timeline_parts", "timeline_text"]

_WIDE: Final = 1000.0
"""Width of the drawing's own plane; it is stretched to the width that there is."""
_LANE: Final = 20
_TALL: Final = 48
_EDGE: Final = "non-scaling-stroke"
QUESTIONS: Final = 8
"""Questions whose gaps and conflicts are drawn."""


def timeline_html(thing: Run | Loop) -> str:
    """Return the timeline of a run as HTML."""
    return frame(timeline_parts(steps_of(thing)))


def timeline_text(thing: Run | Loop) -> str:
    """Return in one sentence what the timeline shows."""
    return _alt(steps_of(thing))


def timeline_parts(steps: Sequence[Step]) -> dict[str, Html]:
    """Return the timeline as one part: names at the left, one drawing beside them."""
    if not steps:
        return {"timeline": muted("Nothing has run yet; loop.step() begins.")}
    marks = _places(steps)
    kinds = [kind for kind in ACTIONS if any(step.entry.action.kind == kind for step in steps)]
    after = steps[-1].after
    torn = {gap.question_id for gap in after.gaps}
    torn |= {item.question_id for item in after.conflicts}
    asked = [item.id for item in after.questions if item.id in torn][:QUESTIONS]
    names = [(ACTIONS[kind], _LANE) for kind in kinds]
    names += [(f"Evidence, up to {len(after.evidence)}", _TALL)]
    names += [(f"{question_name(after, key)} open", _LANE) for key in asked]
    height = sum(tall for _, tall in names)
    shapes = [*_rounds(steps, marks, height), *_bars(steps, marks, kinds)]
    top = _LANE * len(kinds)
    shapes += _growth(steps, marks, top)
    for row, key in enumerate(asked):
        shapes += _open(after, key, marks, top + _TALL + _LANE * row)
    picture = drawing(
        shapes,
        alt=_alt(steps),
        view=(_WIDE, height),
        width="100%",
        height=height,
        style="vertical-align:top;margin:0",
        stretch=True,
    )
    return {"timeline": joined([_table(names, picture, height), _axis(steps), _legend()])}


def longest(steps: Sequence[Step]) -> str:
    """Say how long a run took, and which kinds of actions took most of it.

    Empty where outputs are to be stable, or nothing took any time.
    """
    took: dict[str, float] = {}
    for step in steps:
        kind = step.entry.action.kind
        took[kind] = took.get(kind, 0.0) + step.entry.outcome.usage.seconds
    total = sum(took.values())
    if is_stable() or not total:
        return ""
    first = sorted(took, key=lambda kind: -took[kind])[:2]
    most = " and ".join(f"{ACTIONS[kind]} ({seconds(took[kind])})" for kind in first)
    return f"{seconds(total)}; most of it {most}"


def strip(steps: Sequence[Step]) -> Html:
    """Return a run as a row of squares, one a step, by the colour of its kind."""
    shapes = [
        shape("rect", x=20 * n, y=0, width=18, height=14, fill=KINDS[step.entry.action.kind])
        for n, step in enumerate(steps)
    ]
    wide = max(20 * len(steps), 1)
    return drawing(
        shapes,
        alt=_alt(steps),
        view=(wide, 14),
        width="100%",
        height=12,
        style=f"vertical-align:top;margin:4px 0;max-width:{min(wide, 540)}px",
        stretch=True,
    )


def _places(steps: Sequence[Step]) -> list[float]:
    """Return where each step begins, and where the last one ends: one more than steps."""
    usages = [step.entry.outcome.usage.seconds for step in steps]
    whole = sum(usages)
    if is_stable() or not whole > 0:
        return [_WIDE * n / len(steps) for n in range(len(steps) + 1)]
    marks = [0.0]
    for usage in usages:
        marks.append(min(marks[-1] + _WIDE * usage / whole, _WIDE))
    return marks


def _bars(steps: Sequence[Step], marks: Sequence[float], kinds: Sequence[str]) -> list[Html]:
    found = [_rule(_LANE * (row + 1)) for row in range(len(kinds))]
    for number, step in enumerate(steps):
        kind = step.entry.action.kind
        bad = step.entry.outcome.value.kind in {"failed", "refused"}
        look = {"fill": "none", "stroke": CONFLICT} if bad else {"fill": KINDS[kind]}
        found.append(
            shape(
                "rect",
                x=min(marks[number], _WIDE - 4),
                y=_LANE * kinds.index(kind) + 4,
                width=max(marks[number + 1] - marks[number] - 2, 4),
                height=_LANE - 7,
                **look,
            )
        )
    return found


def _rounds(steps: Sequence[Step], marks: Sequence[float], height: float) -> list[Html]:
    return [
        _stroke(marks[n + 1], 0, marks[n + 1], height, colour="#888888", width=1, dash="2 3")
        for n, step in enumerate(steps)
        if step.entry.action.kind == "assess"
    ]


def _growth(steps: Sequence[Step], marks: Sequence[float], top: float) -> list[Html]:
    """Draw evidence as steps, strong below partial below weak."""
    most = max((len(step.after.evidence) for step in steps), default=0) or 1
    floor, scale = top + _TALL - 4, (_TALL - 10) / most
    found = [_rule(floor)]
    groups = ((("strong", "partial", "weak"), 0.3), (("strong", "partial"), 0.55), (("strong",), 1))
    for supports, opacity in groups:
        path = [f"M0 {floor:g}"]
        for number, step in enumerate(steps):
            high = sum(item.support in supports for item in step.after.evidence)
            path.append(f"H{marks[number + 1]:.5g}V{floor - scale * high:.5g}")
        path.append(f"H{_WIDE:g}V{floor:g}Z")
        found.append(shape("path", d="".join(path), fill=SUPPORT, opacity=opacity))
    return found


def _open(state: State, question_id: str, marks: Sequence[float], top: float) -> list[Html]:
    """Draw when a question had a gap (dashed) or a conflict (solid)."""
    middle = top + _LANE / 2
    found = [_rule(top + _LANE - 1)]
    spans = [(gap.opened_at, gap.closed_at, GAP, "6 4") for gap in state.gaps
             if gap.question_id == question_id]  # fmt: skip
    spans += [(item.opened_at, item.closed_at, CONFLICT, "") for item in state.conflicts
              if item.question_id == question_id]  # fmt: skip
    for opened, closed, colour, dash in spans:
        height = middle + (3 if dash else -3)
        start, end = _at(marks, opened), _WIDE if closed is None else _at(marks, closed)
        found.append(_stroke(start, height, end, height, colour=colour, width=3, dash=dash))
        found.append(_stroke(start, height, start, height, colour=colour, width=9, round_end=True))
        if closed is not None:
            found.append(_stroke(end, height - 5, end, height + 5, colour=colour, width=2.5))
    return found


def _at(marks: Sequence[float], entry: int) -> float:
    return min(max(marks[min(max(entry, 0), len(marks) - 1)], 5.0), _WIDE - 5)


def _rule(height: float) -> Html:
    return _stroke(0, height, _WIDE, height, colour="rgba(128,128,128,0.25)", width=1)


def _stroke(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    *,
    colour: str,
    width: float,
    dash: str = "",
    round_end: bool = False,
) -> Html:
    more: dict[str, str | float] = {"stroke_dasharray": dash} if dash else {}
    more |= {"stroke_linecap": "round"} if round_end else {}
    return shape(
        "path",
        d=f"M{x1:.5g} {y1:.5g}L{x2:.5g} {y2:.5g}",
        stroke=colour,
        stroke_width=width,
        vector_effect=_EDGE,
        **more,
    )


def _table(names: Sequence[tuple[str, int]], picture: Html, height: int) -> Html:
    base = "padding:0;border:0;text-align:left;vertical-align:middle;font-size:12px;"
    rows = []
    for number, (name, tall) in enumerate(names):
        style = f"{base}height:{tall}px;line-height:{tall}px;width:130px;white-space:nowrap"
        cells = [tag("td", name, style=style)]
        if number == 0:
            style = f"{base}height:{height}px;vertical-align:top"
            cells.append(tag("td", picture, rowspan=len(names), style=style))
        rows.append(tag("tr", *cells, style=f"background:transparent;height:{tall}px"))
    style = (
        "margin:0;border:0;border-collapse:separate;border-spacing:0;width:100%;table-layout:fixed"
    )
    return tag("table", tag("tbody", *rows), style=style)


def _axis(steps: Sequence[Step]) -> Html:
    whole = seconds(sum(step.entry.outcome.usage.seconds for step in steps))
    last = whole or count(len(steps), "step")
    style = (
        "display:flex;justify-content:space-between;margin:0 0 0 130px;font-size:12px;opacity:0.78"
    )
    return tag("div", tag("span", "0"), tag("span", last), style=style)


def _legend() -> Html:
    words = (
        "Evidence: strong below, partial and weak paler. "
        "Dashed: a gap; solid: a conflict; a dot opens it, a bar closes it. "
        "Dotted: a round ends."
    )
    return tag("p", words, style="margin:4px 0 0 0;font-size:12px;opacity:0.78")


def _alt(steps: Sequence[Step]) -> str:
    if not steps:
        return "Nothing has run yet."
    after = steps[-1].after
    kinds = ", ".join(ACTIONS[step.entry.action.kind].lower() for step in steps[:60])
    return (
        f"{count(len(steps), 'step')} in {count(after.round, 'round')}: {kinds}. "
        f"{count(len(after.evidence), 'quote')}, {count(len(after.gaps), 'gap')}, "
        f"{count(len(after.conflicts), 'conflict')}."
    )
