"""What the next step will do: the card with the one filled button, in each of its states."""

import time
from typing import TYPE_CHECKING, Final

from ragnb.agent.actions import Action, Approve
from ragnb.panels.fields import argument_fields, known_fields
from ragnb.panels.pace import busy
from ragnb.panels.tags import button, chip, copier, heading, icon, kind_badge, node, select
from ragnb.views.markup import Html
from ragnb.views.sentences import doing, served
from ragnb.views.words import short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["next_parts"]

_ELSE: Final = {
    "": "Do something else",
    "assess": "Judge the evidence now",
    "plan": "Plan again",
    "answer": "Write the answer",
}
_NOW: Final = {
    "Search ": "Searching ",
    "Split ": "Splitting ",
    "Put ": "Putting ",
    "Read ": "Reading ",
    "Look ": "Looking ",
    "Judge ": "Judging ",
    "Write ": "Writing ",
    "Reply ": "Replying ",
    "Plan ": "Planning ",
    "Use ": "Using ",
    "Ask ": "Asking ",
    "Choose ": "Choosing ",
}


def next_parts(loop: "Loop") -> dict[str, Html]:
    """Return the card of what comes next; its class tells which state it is in."""
    action, state = loop.next, loop.state
    number = state.entries + 1
    if action is None:
        return {"next/card": _ended(loop)}
    if busy(loop):
        return {"next/card": _running(loop, action, number)}
    if isinstance(action, Approve):
        return {"next/card": _waiting(action, number)}
    title = doing(action, state)
    serves = served(action, state)
    torn = "in conflict" in serves
    sign, look = ("conflict", "con") if torn else ("gap", "gap") if serves else ("", "plain")
    parts = [
        node("p", f"Next · step {number} ", _class="eye"),
        heading(3, kind_badge(action.kind, big=True), node("span", title)),
        _why("Why", _sentence(action.reason)) if action.reason else None,
        _why("Serves", chip(icon(sign), serves, state=look)) if serves and sign else None,
        argument_fields(action, known_fields(loop)),
        node(
            "div",
            button("Do this step", "do", sign="step", look="btn pri", data_submit=True),
            select(_ELSE, "", name="Do something else", action="else"),
            node("code", "loop.step()", _class="mono m",
                 data_edited_call="loop.step(replace(loop.next, …))"),
            copier("loop.step()"),
            _class="go",
        ),
    ]  # fmt: skip
    return {"next/card": node("div", *parts, _class="card next", data_form=True)}


def _why(name: str, what: Html | str) -> Html:
    return node("p", node("b", name), node("span", what), _class="why")


def _sentence(text: str) -> str:
    """Return a reason as a sentence: stages may give half a one."""
    told = short(text, 400)
    return f"{told[:1].upper()}{told[1:]}"


def _running(loop: "Loop", action: Action, number: int) -> Html:
    title = doing(action, loop.state)
    for word, now in _NOW.items():
        if title.startswith(word):
            title = now + title.removeprefix(word)
            break
    holds = loop.player.holding
    ago = max(time.monotonic() - loop.player.began, 0.0)
    limit = loop.performer.time_out(loop.state, action)
    told = "It pauses when this step ends" if holds else "Pause takes effect when this step ends"
    most = f"; one attempt may take {limit:.0f} s." if limit >= 1 else "."
    since = f"animation-delay:-{ago:.1f}s"
    bar = node(
        "div",
        node("b", style=f"animation-duration:{limit:.3g}s;{since}"),
        _class="meter timed",
        role="img",
        aria_label=f"time of this step, up to {limit:.0f} s",
    )
    return node(
        "div",
        node("p", f"Now · step {number} ", node("span", _class="chip secs", style=since),
             _class="eye"),
        heading(3, kind_badge(action.kind, big=True), node("span", title)),
        bar if limit else None,
        node("p", f"{told}{most}", _class="m s"),
        node(
            "div",
            button("Pause", "pause", sign="pause", look="btn pri", disabled=holds),
            button("Stop", "stop", sign="stop"),
            button("Answer now", "answer_now", sign="answer"),
            _class="go",
        ),
        _class="card next",
        data_hold=True,
    )  # fmt: skip


def _waiting(action: Approve, number: int) -> Html:
    call = action.call
    given = [
        node("p", node("b", short(name, 60)), node("span", short(str(value), 300)), _class="why")
        for name, value in call.arguments.items()
    ]
    effect = "It has effects outside this notebook, and they can't be taken back."
    waits = chip(icon("person"), "waiting for your yes or no", state="gap")
    return node(
        "div",
        node("p", f"Next · step {number} ", waits, _class="eye"),
        heading(3, kind_badge("approve", big=True), node("span", f"Use {short(call.name)}")),
        _why("Why", short(action.reason, 400)) if action.reason else None,
        _why("Effect", effect if call.effects else "It only reads."),
        *given,
        node(
            "div",
            button("Yes, once", "approve", sign="check", data_value="yes"),
            button("No", "approve", sign="failed", data_value="no"),
            node("span", "No answer counts as no.", _class="m s"),
            _class="go",
        ),
        _class="card waits",
    )


def _ended(loop: "Loop") -> Html:
    state = loop.state
    stop = state.stop
    code = stop.code if stop else "user"
    text = short(stop.text, 400) if stop else ""
    good = code == "enough"
    title = "Answered" if good else f"Stopped: {code.replace('_', ' ')}"
    limit = button("raise the limit", "raise", look="lnk") if code.startswith("budget") else None
    return node(
        "div",
        node("p", f"Ended after step {state.entries}", _class="eye"),
        heading(3, kind_badge("synthesize", big=True), node("span", title)),
        node("p", text),
        node(
            "div",
            node("button", icon("answer"), "Read the answer", type="button", _class="btn pri",
                 data_open="answer", data_action="look"),
            button("Fork from here", "fork", sign="fork"),
            limit,
            _class="go",
        ),
        _class=f"card ended{' good' if good else ''}",
    )  # fmt: skip
