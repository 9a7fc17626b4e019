"""Tool calls in words: what is called with what, who proposed it, and what came of it."""

from typing import Final

from ragnb.agent.outcomes import Proposed
from ragnb.agent.state import State, ToolCall
from ragnb.views.look import details, heading, muted, table
from ragnb.views.markup import Html, joined
from ragnb.views.words import count, question_name, short

__all__ = ["call_list", "call_words", "proposed_words"]

SHOWN: Final = 15
"""Calls that are listed; the rest is counted."""
_WHO: Final = {"rules": "Rules", "model": "The model"}
"""Who proposes, in words."""


def call_words(call: ToolCall) -> str:
    """Say what is called with what.

    >>> call_words(ToolCall(id="c", name="search", arguments={"query": "limit for credits"}))
    'search (query: limit for credits)'
    """
    told = ", ".join(f"{short(str(k), 30)}: {_plain(v)}" for k, v in call.arguments.items())
    return f"{short(call.name, 60)} ({short(told, 140)})" if told else short(call.name, 60)


def proposed_words(value: Proposed) -> str:
    """Say who proposed which calls, and which of them can't be used."""
    good = [call_words(call) for call in value.calls if call.status != "invalid"]
    bad = [call for call in value.calls if call.status == "invalid"]
    parts = [f"{_WHO[value.by]} proposed {'; '.join(good) or 'nothing that can be used'}."]
    parts += [f"Not usable: {call_words(call)}. {short(call.result, 200)}" for call in bad]
    return " ".join(parts)


def call_list(state: State) -> Html:
    """Return the tool calls of a state as a folded table."""
    rows = [
        (
            call_words(call),
            question_name(state, call.question_id) if call.question_id else "",
            "waits for a yes" if call.effects and call.status == "proposed" else call.status,
            muted(short(call.result, 120)),
        )
        for call in state.calls[-SHOWN:]
    ]
    rest = len(state.calls) - len(rows)
    more = muted(f"and {rest} before these") if rest else None
    found = table(("call", "for", "came to", "gave"), rows)
    return joined(
        [heading("Tool calls"), details(count(len(state.calls), "tool call"), found, more)]
    )


def _plain(value: object) -> str:
    """Write an argument without the marks of a program."""
    if isinstance(value, dict):
        if {"field", "value"} <= value.keys():
            return f"{value['field']} {value.get('is', '=')} {_plain(value['value'])}"
        if "function" in value:
            return " of ".join(str(v) for v in (value["function"], value.get("column")) if v)
        return ", ".join(f"{key}: {_plain(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return " and ".join(map(_plain, value))
    return short(str(value), 120)
