"""The fields in which a person changes the next action's arguments."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ragnb.agent.actions import Action, Read, Retrieve
from ragnb.panels.filtering import filter_fields
from ragnb.panels.sources import library_of
from ragnb.panels.tags import node, select
from ragnb.views.markup import Html

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["CHANNELS", "INTENTS", "SCOPES", "argument_fields", "known_fields"]

INTENTS: Final = {
    "broad_recall": "wide look",
    "targeted_followup": "targeted follow-up",
    "conflict_check": "conflict check",
    "reference_hop": "reference hop",
}
CHANNELS: Final = ("bm25", "vector", "reference")
SCOPES: Final = {"window": "window", "section": "section", "document": "document"}


def known_fields(loop: "Loop") -> Mapping[str, Sequence[Any]]:
    """Return the fields that filters can name; empty for a store that doesn't tell."""
    return getattr(library_of(loop), "fields", None) or {}


def argument_fields(action: Action, known: Mapping[str, Sequence[Any]]) -> Html | None:
    """Return fields for what can be changed of an action; None where nothing can.

    Args:
        action: What comes next.
        known: What `known_fields` gives.
    """
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
    filters = filter_fields(query.filters, known)
    pressed = node("span", *toggles, role="group", aria_label="channels", _class="tg")
    return node(
        "div",
        node("label", node("span", "query"), text, _class="wide"),
        node("label", node("span", "intent"), intent),
        node("div", node("span", "channels"), pressed),
        node("div", node("span", "filters"), filters, _class="filters"),
        _class="args",
    )
