"""The rail: a tick a step, what opened or closed above it, and what is spent of the budget."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ragnb.agent.until import Step, round_done
from ragnb.panels.choice import Choice
from ragnb.panels.pace import busy
from ragnb.panels.tags import family, icon, node
from ragnb.steady import is_stable
from ragnb.views.budget import Limit, limits
from ragnb.views.diary import steps_to
from ragnb.views.markup import Html
from ragnb.views.sentences import happened
from ragnb.views.words import ACTIONS, count, question_name, seconds, short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["all_steps", "meter_parts", "rail_parts"]

_TICK = 24
"""Pixels that a tick has at most."""
_MANY = 100
"""Steps from which only rounds are drawn."""


def all_steps(loop: "Loop") -> list[Step]:
    """Return the steps of a loop's whole branch, those that a rewind undid too."""
    return steps_to(loop.trace, loop.tip)


def rail_parts(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the rail: where the loop stands, a group of ticks a round, and the slider."""
    steps, state = all_steps(loop), loop.state
    here = state.entries
    head = node("b", f"Step {here}")
    at_most = "the last" if state.stop else f"of at most {state.budget.steps}"
    parts = {"rail/where": node("p", head, node("span", at_most, _class="m"), _class="rs")}
    group: list[Step] = []
    number = 1
    for step in steps:
        group.append(step)
        if round_done(step) or step is steps[-1]:
            last = step.after.entries
            first, many = group[0].after.entries, len(steps) > _MANY
            now = min(max(here, first - 1), last + 1)  # before, in, or after this round
            key = ("round", number, group[0].entry.id, step.entry.id, now, many, is_stable())
            draw = partial(_round, tuple(group), number, here, many=many)
            parts[f"rail/round-{number}"] = choice.once(key, draw)
            group, number = [], number + 1
            if last >= len(steps):
                break
    left = max(state.budget.steps - state.steps, 0)
    if state.stop is None:
        rest = f"{count(left, 'step')} left, not run yet"
        parts["rail/rest"] = node("div", rest, _class="fut", title=rest)
    if steps:
        parts["rail/slider"] = _slider(steps, here, disabled=busy(loop))
    return parts


def _slider(steps: Sequence[Step], here: int, *, disabled: bool) -> Html:
    told = f"step {here}"
    if here:
        told += f", {short(happened(steps[here - 1]), 120)}"
    return node(
        "input",
        type="range",
        min=0,
        max=len(steps),
        value=str(here),
        data_action="goto",
        aria_label="Step",
        aria_valuetext=told,
        disabled=disabled,
        style=f"--n:{len(steps)}",
    )


def _round(steps: Sequence[Step], number: int, here: int, *, many: bool) -> Html:
    if many:
        inside = steps[0].after.entries <= here <= steps[-1].after.entries
        title = f"round {number}: {count(len(steps), 'step')}"
        mark = f"tk k-assess{' now' if inside else ''}"
        ticks = [node("i", _class=mark, title=title)]
    else:
        ticks = [_tick(step, here) for step in steps]
    marks = [] if many else [_mark(step) for step in steps]
    done = round_done(steps[-1])
    name = "" if many else f"round {number}" if done or len(steps) > 2 else ""
    return node(
        "div",
        node("div", *marks, _class="mk"),
        node("div", *ticks, _class="tks"),
        node("div", name, _class="nm"),
        _class=f"rd{' done' if done else ''}",
        style=f"flex-basis:{_TICK * len(ticks)}px;--n:{len(ticks)}",
    )


def _tick(step: Step, here: int) -> Html:
    kind, number = step.entry.action.kind, step.after.entries
    took = seconds(step.entry.outcome.usage.seconds)
    title = f"{number} {ACTIONS[kind]}: {short(happened(step), 120)} {took}".strip()
    looks = ["tk", f"k-{family(kind)}"]
    looks += ["bad"] if step.entry.outcome.value.kind in {"failed", "refused"} else []
    looks += ["now"] if number == here else ["undone"] if number > here else []
    return node("i", icon(family(kind)), _class=" ".join(looks), title=title)


def _mark(step: Step) -> Html:
    """Say above a tick what opened or closed there: conflicts before answers before gaps."""
    before, after = step.before, step.after
    torn = {item.key for item in after.open_conflicts} - {item.key for item in before.conflicts}
    if torn:
        return node("i", icon("conflict"), _class="con", title="a conflict opened")
    new = [key for key in after.answered if key not in before.answered]
    if new:
        names = ", ".join(question_name(after, key) for key in new)
        return node("i", icon("check"), _class="ok", title=f"{names} answered")
    gaps = {gap.key for gap in after.open_gaps} - {gap.key for gap in before.open_gaps}
    if gaps:
        return node("i", icon("gap"), _class="gap", title=f"{count(len(gaps), 'gap')} opened")
    return node("i")


def meter_parts(loop: "Loop") -> dict[str, Html]:
    """Return a bar for each limit of the budget."""
    found = limits(loop.state, brief=True)
    return {f"budget/{each.name.split()[0]}": _meter(each) for each in found}


def _meter(limit: Limit) -> Html:
    share = min(limit.share or 0.0, 1.0)
    state = {"used up": " con", "nearly used up": " gap"}.get(limit.words, "")
    words = f" {limit.words}" if limit.words else ""
    kept = min(limit.kept, 1 - share)
    spent = node("b", style=f"width:{share:.1%}")
    hatched = node("i", style=f"width:{kept:.1%}", title="kept for the answer") if kept else None
    bar = node(
        "div",
        spent,
        hatched,
        _class="meter",
        role="meter",
        aria_label=limit.name,
        aria_valuenow=f"{share * 100:.0f}",
        aria_valuetext=f"{limit.text}{words}",
    )
    drawn = None if limit.share is None and (is_stable() or limit.name != "time") else bar
    text = node("span", limit.text, words, _class="v")
    return node("div", node("span", limit.name, _class="m"), text, drawn, _class=f"bud{state}")
