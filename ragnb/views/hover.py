"""What a figure says of a step when it is pointed at."""

from ragnb.agent.until import Step
from ragnb.views.markup import visible
from ragnb.views.sentences import happened
from ragnb.views.words import ACTIONS, cost, short

__all__ = ["told"]


def told(step: Step) -> str:
    """Say number and kind, cost, what came out and why; no text can be markup."""
    action = step.entry.action
    spent = cost(step.entry.outcome.usage)
    head = f"<b>{step.after.entries} {ACTIONS[action.kind]}</b> {spent}".strip()
    lines = [_plain(happened(step), 300)]
    lines += [f"Why: {_plain(action.reason, 200)}"] if action.reason else []
    return "<br>".join([head, *lines])


def _plain(text: str, limit: int) -> str:
    """Return a text as Plotly shows it: its few tags taken from it, broken into lines."""
    shown = visible(short(text, limit)).replace("&", "&amp;").replace("<", "&lt;")
    rows, row = [], ""
    for word in shown.split(" "):
        if len(row) + len(word) > 60:
            rows.append(row)
            row = ""
        row = f"{row} {word}".strip()
    return "<br>".join([*rows, row])
