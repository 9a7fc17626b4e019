"""A plan with its cursor, the route, and each as the JSON that it is."""

import json
from collections.abc import Mapping
from typing import Any, Final

from ragnb.agent.plans import cursor, waves
from ragnb.agent.state import State
from ragnb.records import PlanStep, Routing
from ragnb.views.look import (
    CONFLICT,
    GREY,
    SUPPORT,
    details,
    frame,
    heading,
    muted,
    paragraph,
    small,
    table,
)
from ragnb.views.markup import Child, Html, joined, tag, visible
from ragnb.views.words import short

__all__ = ["plan_parts", "plan_text", "route_html", "route_text"]

SHOWN: Final = 30
"""Steps that are shown; the rest is counted."""
_STATUS: Final = {"pending": "to do", "done": "done", "failed": "failed", "skipped": "left out"}
_COLOURS: Final = {"pending": GREY, "done": SUPPORT, "failed": CONFLICT, "skipped": GREY}
_JSON: Final = 4_000


def plan_parts(state: State) -> dict[str, Html]:
    """Return the route, the steps of the plan, and the last look back; nothing without a plan."""
    parts: dict[str, Html] = {}
    if state.route is not None:
        parts["route"] = joined([heading("Route"), _route(state.route)])
    if state.plan_steps:
        parts["plan"] = joined([heading("Plan ", muted(_summary(state))), _steps(state)])
        steps = [step.to_dict() for step in state.plan_steps[:SHOWN]]
        parts["plan-json"] = _folded("The plan as JSON", steps)
    looks = [each.reflection for each in state.assessments if each.reflection]
    if looks:
        last = looks[-1]
        said = f"{last.next} after {short(last.step, 20)}: {short(last.reason, 240)}"
        new = paragraph(muted("What is new "), short(last.new, 300) or "nothing")
        parts["reflection"] = joined(
            [
                heading("Last look back"),
                paragraph(said),
                new,
                _folded("The look back as JSON", last.to_dict()),
            ]
        )
    return parts


def plan_text(state: State) -> str:
    """Return the route and the plan as plain text; empty without either."""
    lines = [route_text(state.route)] if state.route else []
    now = cursor(state.plan_steps)
    for step in state.plan_steps[:SHOWN]:
        mark = "→" if step is now else " "
        came = short(step.error or step.result, 100)
        lines.append(
            f"{mark} {step.id} {_STATUS[step.status]}: {short(step.tool, 40)} {_given(step)}"
            + (f" — {came}" if came else "")
        )
    return "\n".join(lines)


def route_html(route: Routing) -> str:
    """Return a route as HTML."""
    return frame({"route": _route(route)})


def route_text(route: Routing) -> str:
    """Return a route as plain text."""
    kind, policy = short(route.kind, 40), short(route.policy, 40)
    return f"Route: {kind}, {route.complexity}, policy {policy}. {short(route.reason)}".strip()


def _route(route: Routing) -> Html:
    line = paragraph(
        tag("b", short(route.policy, 40)),
        muted(f"  for a goal of kind {short(route.kind, 40)}, {route.complexity}"),
    )
    why = paragraph(short(route.reason, 400)) if route.reason else None
    return joined([line, why, _folded("The route as JSON", route.to_dict())])


def _summary(state: State) -> str:
    counts: dict[str, int] = {}
    for step in state.plan_steps:
        counts[_STATUS[step.status]] = counts.get(_STATUS[step.status], 0) + 1
    told = ", ".join(f"{number} {word}" for word, number in counts.items())
    again = state.replans
    return told + (f", planned again {'once' if again == 1 else f'{again} times'}" if again else "")


def _steps(state: State) -> Html:
    now, wave = cursor(state.plan_steps), waves(state.plan_steps)
    rows = [_row(step, state, wave, now is step) for step in state.plan_steps[:SHOWN]]
    rest = len(state.plan_steps) - len(rows)
    more = muted(f"and {rest} more") if rest > 0 else None
    head = ("step", "tool and arguments", "status", "why, and when to plan again")
    return joined([table(head, rows), more])


def _row(step: PlanStep, state: State, wave: Mapping[str, int], here: bool) -> tuple[Child, ...]:  # noqa: FBT001 - a mark
    beside = [
        other.id
        for other in state.plan_steps
        if other.id != step.id and wave[other.id] == wave[step.id]
    ]
    waits = f"after {', '.join(step.depends_on)}" if step.depends_on else ""
    alone = f"independent of {', '.join(beside[:4])}" if beside and not waits else ""
    name = joined([tag("b", f"→ {step.id}" if here else step.id), tag("br")])
    first = joined([name, muted(short(waits or alone, 80))])
    what = joined([tag("b", short(step.tool, 40)), " ", tag("code", _given(step))])
    if step.for_each:
        what = joined([what, muted(f" for each of {short(step.for_each, 20)}")])
    colour = _COLOURS[step.status]
    status = tag(
        "span", _STATUS[step.status], style=f"border-left:3px solid {colour};padding:0 6px"
    )
    tries = muted(f" attempt {step.attempts}") if step.attempts > 1 else None
    came = short(step.error or step.result, 160)
    told = joined([status, tries, tag("br"), small(came)]) if came else joined([status, tries])
    again = muted(f" Plan again if {short(step.replan_when, 120)}.") if step.replan_when else None
    return first, what, told, joined([short(step.reason, 200), again])


def _given(step: PlanStep) -> str:
    told = ", ".join(f"{name}: {value}" for name, value in step.arguments.items())
    return short(told, 160)


def _folded(title: str, data: Any) -> Html:
    text = json.dumps(data, ensure_ascii=False, indent=1, default=str)
    shown = tag("code", visible(text, _JSON), style="white-space:pre-wrap;font-size:12px")
    return details(title, shown)
