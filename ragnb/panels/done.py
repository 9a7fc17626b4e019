"""What the last step did and changed."""

from typing import Final

from ragnb.agent.outcomes import Failed
from ragnb.agent.until import Step
from ragnb.panels.tags import button, chip, family, heading, icon, kind_badge, node
from ragnb.views.change import changes
from ragnb.views.markup import Html, joined
from ragnb.views.sentences import happened
from ragnb.views.words import ACTIONS, short

__all__ = ["done_parts"]

_SHOWN: Final = 5
_STATES: Final = {"conflict": "con", "gap": "gap", "failure": "con"}


def done_parts(step: Step | None) -> dict[str, Html]:
    """Return what the last step did and changed."""
    if step is None:
        text = "Nothing has run yet. The goal is the only question so far."
        return {"done/step": node("p", text, _class="m")}
    kind = step.entry.action.kind
    notes = [f"Done · step {step.after.entries}"]
    notes += ["by a person"] if step.entry.by == "person" else []
    notes += ["from the record"] if step.entry.reused else []
    value = step.entry.outcome.value
    off = value.kind in {"failed", "refused"}
    notes_of = chip(icon("failed"), value.kind, state="con") if off else None
    found = changes(step)
    if isinstance(value, Failed):
        found = [item for item in found if item[1] != "failure"]  # the card says it in full
    rest = len(found) - _SHOWN
    lines = [
        node("p", " · ".join(notes), notes_of, _class="eye"),
        *(_failed(step, value) if isinstance(value, Failed) else [_title(kind, happened(step))]),
        node("ul", *(_row(*item) for item in found[:_SHOWN]), _class="chg"),
        node("p", f"and {rest} more, see Change", _class="m s") if rest > 0 else None,
    ]
    if isinstance(value, Failed):
        lines.append(node("p", button("Try again", "again", sign=family(kind))))
        return {"done/step": node("div", *lines, _class="card bad")}
    return {"done/step": joined(lines)}


def _title(kind: str, text: str) -> Html:
    return heading(3, kind_badge(kind), node("span", short(text, 240)))


def _failed(step: Step, value: Failed) -> list[Html]:
    """Say what failed, and what happens now."""
    kind = step.entry.action.kind
    reason = short(value.text.removeprefix(f"{kind} failed: "), 300).rstrip(".")
    tries = f" {value.attempts} attempts were made." if value.attempts > 1 else ""
    goes = "" if step.after.stop else " The run goes on without it."
    told = f"{reason[:1].upper()}{reason[1:]}.{tries}{goes}"
    return [_title(kind, f"{ACTIONS[kind]} failed"), node("p", told)]


def _row(sign: str, about: str, words: str) -> Html:
    state = _STATES.get(about.split(" ", maxsplit=1)[0], "")
    if sign == "=":
        return node("li", node("b", sign), node("span", words), _class="m")
    name = node("b", about, _class=state)
    return node("li", node("b", sign, _class=state), node("span", name, " ", short(words, 120)))
