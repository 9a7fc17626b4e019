"""The arguments of the next action as a person changed them in its card."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragnb.agent.actions import Action, Read, Retrieve
from ragnb.errors import InputError
from ragnb.panels.filtering import wanted
from ragnb.records import Query

__all__ = ["changed"]


def changed(
    action: Action, form: dict[str, Any], known: Mapping[str, Sequence[Any]]
) -> tuple[Action, str]:
    """Return an action with what the fields of its card hold, and the change as code.

    Args:
        action: What was decided.
        form: The fields by name; what is missing or out of place leaves the action as it is.
        known: The fields that filters can name, with examples of their values.

    Raises:
        InputError: The query is empty, or half of a filter is.
    """
    if isinstance(action, Read) and form.get("scope") in {"window", "section", "document"}:
        return replace(action, scope=form["scope"]), f"scope={form['scope']!r}"
    if not isinstance(action, Retrieve):
        return action, ""
    query = action.query
    text = str(form.get("query") or query.text).strip()
    intent = str(form.get("intent") or query.intent)
    given = form.get("channels")
    channels = tuple(str(name) for name in given) if isinstance(given, list) else query.channels
    if not query.channels and len(channels) == 3:
        channels = ()  # all of them, as it was
    if not text:
        raise InputError("The query is empty; write what to search for.")
    filters = wanted(query.filters, form, known)
    same = (query.text, query.intent, query.channels, query.filters)
    if (text, intent, channels, filters) == same:
        return action, ""
    fields: dict[str, Any] = {"intent": intent, "channels": channels}
    fields |= {"keywords": query.keywords} if query.keywords and text == query.text else {}
    fields |= {"filters": filters} if filters else {}
    made = Query.of(text, query.question_id, **fields)
    instead = action.instead_of or query.id
    shown = "".join(
        f", {name}={value!r}" for name, value in fields.items() if getattr(query, name) != value
    )
    words = f"query=Query.of({text!r}, {query.question_id!r}{shown})"
    return replace(action, query=made, instead_of=instead), words
