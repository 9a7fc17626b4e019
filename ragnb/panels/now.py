"""What the last step did, and what the next one will do: the card with the one filled button."""

from typing import TYPE_CHECKING, Final

from ragnb.agent.actions import Action, Approve, Read, Retrieve
from ragnb.agent.until import Step
from ragnb.panels.tags import button, chip, family, heading, icon, kind_badge, node, select
from ragnb.views.change import changes
from ragnb.views.markup import Html, joined
from ragnb.views.sentences import doing, happened, served
from ragnb.views.words import short

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["CHANNELS", "INTENTS", "SCOPES", "done_parts", "next_parts"]

INTENTS: Final = {
    "broad_recall": "wide look",
    "targeted_followup": "targeted follow-up",
    "conflict_check": "conflict check",
    "reference_hop": "reference hop",
}
CHANNELS: Final = ("bm25", "vector", "reference")
SCOPES: Final = {"window": "window", "section": "section", "document": "document"}
_SHOWN: Final = 5
_STATES: Final = {"conflict": "con", "gap": "gap", "failure": "con"}
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


def done_parts(step: Step | None) -> dict[str, Html]:
    """Return what the last step did and changed."""
    if step is None:
        text = "Nothing has run yet. The goal is the only question so far."
        return {"done/step": node("p", text, _class="m")}
    kind = step.entry.action.kind
    notes = [f"Done · step {step.after.entries}"]
    notes += ["by a person"] if step.entry.by == "person" else []
    notes += ["from the record"] if step.entry.reused else []
    how = step.entry.outcome.value.kind
    failed = how == "failed"
    bad = chip(icon("failed"), how, state="con") if how in {"failed", "refused"} else None
    found = changes(step)
    rows = [_row(*item) for item in found[:_SHOWN]]
    rest = len(found) - _SHOWN
    return {
        "done/step": joined(
            [
                node("p", " · ".join(notes), bad, _class="eye"),
                heading(3, kind_badge(kind), node("span", short(happened(step), 240))),
                node("ul", *rows, _class="chg"),
                node("p", f"and {rest} more, see Change", _class="m s") if rest > 0 else None,
                node("p", button("Try again", "again", sign=family(kind))) if failed else None,
            ]
        )
    }


def _row(sign: str, about: str, words: str) -> Html:
    state = _STATES.get(about.split(" ", maxsplit=1)[0], "")
    if sign == "=":
        return node("li", node("b", sign), node("span", words), _class="m")
    name = node("b", about, _class=state)
    return node("li", node("b", sign, _class=state), node("span", name, " ", short(words, 120)))


def next_parts(loop: "Loop") -> dict[str, Html]:
    """Return the card of what comes next; its class tells which state it is in."""
    action, state = loop.next, loop.state
    number = state.entries + 1
    if action is None:
        return {"next/card": _ended(loop)}
    if loop.player.on:
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
        _why("Why", short(action.reason, 400)) if action.reason else None,
        _why("Serves", chip(icon(sign), serves, state=look)) if serves and sign else None,
        _form(action),
        node(
            "div",
            button("Do this step", "do", sign="step", look="btn pri", data_submit=True),
            select(_ELSE, "", name="Do something else", action="else"),
            node("code", "loop.step()", _class="mono m",
                 data_edited_call="loop.step(replace(loop.next, …))"),
            _class="go",
        ),
    ]  # fmt: skip
    return {"next/card": node("div", *parts, _class="card next", data_form=True)}


def _why(name: str, what: Html | str) -> Html:
    return node("p", node("b", name), node("span", what), _class="why")


def _form(action: Action) -> Html | None:
    if isinstance(action, Read):
        chosen = select(SCOPES, action.scope, name="scope")
        return node("div", node("label", node("span", "how much"), chosen), _class="args")
    if not isinstance(action, Retrieve):
        return None
    query = action.query
    on = set(query.channels or CHANNELS)
    names = [*CHANNELS, *sorted(on - set(CHANNELS))]
    toggles = [
        node("button", name, type="button", _class="tgb", name="channels", value=name,
             data_toggle=True, aria_pressed="true" if name in on else "false")
        for name in names
    ]  # fmt: skip
    text = node("input", type="text", name="query", value=query.text)
    intent = select(INTENTS, query.intent, name="intent")
    filters = node("span", chip(short(str(query.filters), 80))) if query.filters else None
    pressed = node("span", *toggles, role="group", aria_label="channels", _class="tg")
    return node(
        "div",
        node("label", node("span", "query"), text, _class="wide"),
        node("label", node("span", "intent"), intent),
        node("div", node("span", "channels"), pressed),
        node("div", node("span", "filters"), filters) if filters else None,
        _class="args",
    )


def _running(loop: "Loop", action: Action, number: int) -> Html:
    title = doing(action, loop.state)
    for word, now in _NOW.items():
        if title.startswith(word):
            title = now + title.removeprefix(word)
            break
    holds = loop.player.holding
    told = "It pauses when this step ends." if holds else "Pause takes effect when this step ends."
    return node(
        "div",
        node("p", f"Now · step {number} ", _class="eye"),
        heading(3, kind_badge(action.kind, big=True), node("span", title)),
        node("p", told, _class="m s"),
        node(
            "div",
            button("Pause", "pause", sign="pause", look="btn pri", disabled=holds),
            button("Stop", "stop", sign="stop"),
            button("Answer now", "answer_now", sign="answer"),
            _class="go",
        ),
        _class="card next",
    )


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
                 data_open="answer", data_tab_open=True, data_action="look"),
            button("Fork from here", "fork", sign="fork"),
            limit,
            _class="go",
        ),
        _class=f"card ended{' good' if good else ''}",
    )  # fmt: skip
