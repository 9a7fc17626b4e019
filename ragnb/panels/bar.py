"""The head of the inspector: the goal, the controls, and the call that the last click was."""

from typing import TYPE_CHECKING, Final

from ragnb.agent.actions import Approve
from ragnb.agent.policies import policy_names
from ragnb.panels.choice import Choice
from ragnb.panels.pace import busy
from ragnb.panels.tags import button, chip, copier, heading, icon, node, select
from ragnb.views.markup import Html, joined
from ragnb.views.words import short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["SPEEDS", "bar_parts", "head_parts"]

SPEEDS: Final = {"0": "full speed", "0.33": "3 steps/s", "1": "1 step/s", "3": "1 step/3 s"}
"""Seconds between two steps, and how that is called."""


def head_parts(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the goal, which can be edited, and the branches to choose from."""
    goal = loop.state.goal
    field = node("input", type="text", name="goal", value=goal, aria_label="Goal")
    submit = button("Ask this", "goal", data_submit=True)
    edit = node(
        "details",
        node("summary", "edit", aria_label="Edit the goal"),
        node("div", field, submit, _class="row", data_form=True),
        _class="edit",
    )
    branches = {name: short(name, 40) for name in dict.fromkeys([loop.name, *loop.trace.heads])}
    chosen = select(branches, loop.name, name="branch", action="branch")
    return {
        "head/goal": joined([edit, heading(2, short(goal, 400), _class="goal")]),
        "head/branch": node("label", "branch ", chosen, _class="sel"),
        **({"head/trouble": _trouble(choice)} if choice.trouble else {}),
    }


def _trouble(choice: Choice) -> Html:
    close = button("", "dismiss", sign="failed", look="btn bare", name="Dismiss")
    return node("p", icon("failed"), f" {short(choice.trouble, 400)}", close, role="alert")


def bar_parts(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the controls; what can't be done now is disabled."""
    state, player = loop.state, loop.player
    on = busy(loop)
    coming = loop.next
    asks = isinstance(coming, Approve) and coming.answer is None and loop.approve is None
    ended = state.stop is not None
    held = on or ended or asks  # who is asked for a yes or no answers first
    begun = state.entries > 0
    steps = [
        button(
            "", "reset", sign="first", name="Back to step 0", disabled=on or not begun,
            data_key_press="Home",
        ),
        button("Back", "back", sign="back", disabled=on or not begun, data_key_press="ArrowLeft"),
        button("Step", "step", sign="step", disabled=held, data_key_press="ArrowRight"),
        button("Round", "round", sign="round", disabled=held,
               data_key_press="Shift+ArrowRight"),
        button("Run", "run", sign="run", disabled=held,
               data_key_press=None if on else "r,Space"),
        button("", "pause", sign="pause", name="Pause", disabled=not on or player.holding,
               data_key_press="p,Space" if on else None),
        button("", "stop", sign="stop", name="Stop with what there is", disabled=ended),
    ]  # fmt: skip
    ends = [
        button("Answer now", "answer_now", sign="answer", disabled=ended),
        button("Fork", "fork", sign="fork", disabled=on),
    ]
    policies = {name: name for name in dict.fromkeys([loop.policy.name, *policy_names()])}
    policy = select(policies, loop.policy.name, name="policy", action="policy", disabled=on)
    now = f"{player.pace:g}"
    speeds = SPEEDS if now in SPEEDS else {now: f"{now} s between steps", **SPEEDS}
    pace = select(speeds, now, name="speed", action="speed")
    return {
        "bar/steps": node("div", *steps, _class="grp", role="group", aria_label="Steps"),
        "bar/ends": node("div", *ends, _class="grp", role="group", aria_label="Finish or branch"),
        "bar/policy": node("label", "policy ", policy, _class="sel"),
        "bar/speed": node("label", "speed ", pace, _class="sel"),
        "bar/chip": _chip(loop),
        "bar/said": _said(choice),
    }


def _chip(loop: "Loop") -> Html:
    stop = loop.state.stop
    if stop is not None:
        state = "ok" if stop.code == "enough" else "plain"
        return chip(icon("stop"), f"ended: {stop.code.replace('_', ' ')}", state=state)
    if busy(loop):
        if loop.player.holding:
            return chip(icon("pause"), "pausing after this step")
        return chip(icon("run"), "running", state="next")
    return chip(icon("pause"), "waiting for you")


def _said(choice: Choice) -> Html:
    if not choice.said:
        return node("span", "Every click is a call; it is shown here.", _class="m s")
    return node(
        "span", node("code", choice.said, _class="mono"), copier(choice.said), _class="said"
    )
