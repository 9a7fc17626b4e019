"""Figures of a run as plain data, in Plotly's own words: timeline, latencies and growth.

Traces only ever grow at their end while a run goes on, so that a live figure can be sent in pieces.
"""

from collections.abc import Sequence
from typing import Any, Final

from ragnb.agent.state import State
from ragnb.agent.until import Step, round_done
from ragnb.records import Conflict, Gap
from ragnb.steady import is_stable
from ragnb.views.hover import told
from ragnb.views.look import CONFLICT, GAP, KINDS, SUPPORT
from ragnb.views.words import ACTIONS, GAPS, question_name

__all__ = ["growth_figure", "latencies_figure", "timeline_figure"]

_TEXT: Final = "#7d828a"
_GRID: Final = "rgba(128,128,128,0.25)"
_SUPPORTS: Final = (("strong", 1.0), ("partial", 0.55), ("weak", 0.3))
_HEIGHT: Final = 380
_OVER: Final = {"y4": "y", "y5": "y2", "y6": "y3"}
"""Axes from 0 to 1 that lie over the others: lines from top to bottom stand on them."""
Figure = dict[str, Any]


def timeline_figure(steps: Sequence[Step], *, by: str = "time", here: int | None = None) -> Figure:
    """Return actions as bars by kind, evidence as stacked steps, gaps and conflicts below.

    Args:
        steps: The steps of a run.
        by: ``"time"`` draws seconds, ``"step"`` gives each step the same width; where outputs are
            to be stable it is always steps.
        here: After how many steps a line says that this is now; None for no line.
    """
    marks, unit = _marks(steps, by)
    kinds = list(dict.fromkeys(step.entry.action.kind for step in steps))
    names = [ACTIONS[kind] for kind in ACTIONS if kind in kinds]
    asked = list(dict.fromkeys(key for step in steps for key in _torn(step)))
    last = steps[-1].after if steps else None
    rows = [question_name(last, key) for key in asked if last is not None]
    data = [
        *(_rounds(steps, marks, axis) for axis in _OVER),
        *_evidence(steps, marks),
        _spans(steps, marks, "gaps"),
        _spans(steps, marks, "conflicts"),
        *(_bars(steps, marks, kind) for kind in kinds),
    ]
    layout = _layout(unit)
    layout["yaxis"] |= {
        "domain": [0.5, 1],
        "type": "category",
        "categoryorder": "array",
        "categoryarray": names[::-1],
        "dtick": 1,
        "range": [-0.5, max(len(names), 1) - 0.5],
    }
    layout["yaxis2"] = _axis("evidence") | {"domain": [0.24, 0.46], "rangemode": "tozero"}
    layout["yaxis3"] = _axis("open") | {
        "domain": [0, 0.2],
        "type": "category",
        "categoryorder": "array",
        "categoryarray": sorted(rows, reverse=True),
        "dtick": 1,
        "range": [-0.6, max(len(rows), 1) - 0.4],
    }
    for axis, below in _OVER.items():
        own = {"visible": False, "fixedrange": True, "range": [0, 1], "overlaying": below}
        layout[axis.replace("y", "yaxis")] = own
    layout["xaxis"]["anchor"] = "y3"
    if here is not None and here < len(steps):
        line = {"color": _TEXT, "width": 1.5}
        ends = {"y0": 0, "y1": 1, "x0": marks[here], "x1": marks[here]}
        layout["shapes"] = [{"type": "line", "yref": "paper", "line": line, **ends}]
    return {"data": data, "layout": layout}


def latencies_figure(steps: Sequence[Step]) -> Figure:
    """Return the seconds of each step as a bar; zero where outputs are to be stable."""
    kinds = list(dict.fromkeys(step.entry.action.kind for step in steps))
    data = []
    for kind in kinds:
        found = [step for step in steps if step.entry.action.kind == kind]
        data.append(
            {
                "type": "bar",
                "name": ACTIONS[kind],
                "x": [step.after.entries for step in found],
                "y": [_seconds(step) for step in found],
                "customdata": [step.after.entries for step in found],
                "hovertext": [told(step) for step in found],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "marker": {"color": KINDS[kind]},
            }
        )
    layout = _layout("step")
    layout["yaxis"] |= {"title": {"text": "seconds"}, "rangemode": "tozero"}
    layout["barmode"] = "stack"
    return {"data": data, "layout": layout}


def growth_figure(steps: Sequence[Step]) -> Figure:
    """Return how much evidence there is after each step, what is open, and tokens where spent."""
    numbers = list(range(1, len(steps) + 1))
    data = _evidence(steps, numbers)
    for trace in data:
        del trace["yaxis"]
    for name, colour, dash, counts in (
        ("open gaps", GAP, "dash", [len(step.after.open_gaps) for step in steps]),
        ("open conflicts", CONFLICT, "solid", [len(step.after.open_conflicts) for step in steps]),
    ):
        line = {"color": colour, "dash": dash, "shape": "hv", "width": 2}
        data.append(_line(name, numbers, counts) | {"line": line})
    layout = _layout("step")
    layout["yaxis"] |= {"title": {"text": "quotes"}, "rangemode": "tozero"}
    tokens = [step.after.spent.tokens for step in steps]
    if any(tokens):
        line = {"color": _TEXT, "dash": "dot", "width": 2}
        data.append(_line("tokens", numbers, tokens) | {"line": line, "yaxis": "y2"})
        layout["yaxis2"] = _axis("tokens") | {"overlaying": "y", "side": "right"}
    return {"data": data, "layout": layout}


def _line(name: str, x: Sequence[float], y: Sequence[float]) -> Figure:
    return {"type": "scatter", "mode": "lines", "name": name, "x": list(x), "y": list(y)}


def _seconds(step: Step) -> float:
    return 0.0 if is_stable() else round(step.entry.outcome.usage.seconds, 4)


def _marks(steps: Sequence[Step], by: str) -> tuple[list[float], str]:
    """Return where each step begins and the last one ends, and the unit of that."""
    if by == "step" or is_stable():
        return [float(number) for number in range(len(steps) + 1)], "step"
    marks = [0.0]
    for step in steps:
        marks.append(round(marks[-1] + step.entry.outcome.usage.seconds, 4))
    return marks, "seconds"


def _bars(steps: Sequence[Step], marks: Sequence[float], kind: str) -> Figure:
    found = [(n, step) for n, step in enumerate(steps) if step.entry.action.kind == kind]
    bad = [step.entry.outcome.value.kind in {"failed", "refused"} for _, step in found]
    return {
        "type": "bar",
        "orientation": "h",
        "name": ACTIONS[kind],
        "y": [ACTIONS[kind]] * len(found),
        "x": [round(marks[n + 1] - marks[n], 4) for n, _ in found],
        "base": [marks[n] for n, _ in found],
        "width": 0.7,
        "customdata": [step.after.entries for _, step in found],
        "hovertext": [told(step) for _, step in found],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "color": [CONFLICT if wrong else KINDS[kind] for wrong in bad],
            "pattern": {"shape": ["/" if wrong else "" for wrong in bad]},
            "line": {"width": 2, "color": KINDS[kind]},  # a step that took no time is seen, too
        },
    }


def _rounds(steps: Sequence[Step], marks: Sequence[float], axis: str) -> Figure:
    """Return a dotted line from top to bottom where each round ends."""
    ends = [marks[n + 1] for n, step in enumerate(steps) if round_done(step)]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "round ends",
        "x": [x for end in ends for x in (end, end, None)],
        "y": [y for _ in ends for y in (0, 1, None)],
        "yaxis": axis,
        "hoverinfo": "skip",
        "showlegend": False,
        "line": {"dash": "dot", "width": 1, "color": _TEXT},
    }


def _evidence(steps: Sequence[Step], marks: Sequence[float]) -> list[Figure]:
    ends = list(marks)[-len(steps) :] if steps else []
    found = []
    for support, strength in _SUPPORTS:
        counts = [sum(item.support == support for item in s.after.evidence) for s in steps]
        fill = f"rgba(47,143,91,{strength})"
        found.append(
            _line(support, ends, counts)
            | {
                "yaxis": "y2",
                "stackgroup": "evidence",
                "fillcolor": fill,
                "line": {"shape": "hv", "width": 0.5, "color": SUPPORT},
                "hovertemplate": f"{support} quotes: %{{y}}<extra></extra>",
            }
        )
    return found


def _torn(step: Step) -> list[str]:
    after = step.after
    return [gap.question_id for gap in after.gaps] + [c.question_id for c in after.conflicts]


def _gaps(state: State) -> list[Gap]:
    """Return the gaps, but for those that only say that there is a conflict: it has its line."""
    torn = {item.question_id for item in state.conflicts}
    return [
        gap for gap in state.gaps if gap.reason != "source_conflict" or gap.question_id not in torn
    ]


def _spans(steps: Sequence[Step], marks: Sequence[float], what: str) -> Figure:
    """Return lines from where something opened (a ring) to where it closed (a bar), or to now."""
    gaps = what == "gaps"
    x: list[float | None] = []
    y: list[str | None] = []
    told: list[str | None] = []
    last = steps[-1].after if steps else None
    found: Sequence[Gap | Conflict] = ()
    if last is not None:
        found = _gaps(last) if gaps else last.conflicts
    sign: list[str] = []
    sizes: list[int] = []
    for item in found:
        begin = marks[min(item.opened_at, len(steps))]
        end = marks[-1] if item.closed_at is None else marks[min(item.closed_at, len(steps))]
        row = question_name(last, item.question_id) if last else ""
        why = GAPS[item.reason] if isinstance(item, Gap) else "sources disagree"
        open_now = "still open" if item.closed_at is None else f"closed at {item.closed_at}"
        words = f"{row}: {why}, opened at {item.opened_at}, {open_now}"
        x += [begin, end, None]
        y += [row, row, None]
        told += [words, words, None]
        sign += ["circle-open", "circle-open" if item.closed_at is None else "line-ns-open", "x"]
        sizes += [8, 0 if item.closed_at is None else 9, 0]
    line = {"color": GAP if gaps else CONFLICT, "width": 3, "dash": "dash" if gaps else "solid"}
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": what,
        "x": x,
        "y": y,
        "yaxis": "y3",
        "hovertext": told,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "line": line,
        "marker": {"symbol": sign, "size": sizes},
    }


def _axis(title: str) -> Figure:
    return {
        "title": {"text": title, "standoff": 4, "font": {"size": 12}},
        "gridcolor": _GRID,
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
        "anchor": "x",
    }


def _layout(unit: str) -> Figure:
    return {
        "height": _HEIGHT,
        "autosize": True,
        "barmode": "overlay",
        "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": _TEXT, "size": 12},
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "y": -0.1, "x": 0, "traceorder": "normal"},
        "uirevision": "kept",
        "xaxis": {"ticksuffix": " s" if unit == "seconds" else "", "gridcolor": _GRID,
                  "zeroline": False, "rangemode": "tozero", "automargin": True},
        "yaxis": _axis("") | {"title": {"text": ""}},
    }  # fmt: skip
