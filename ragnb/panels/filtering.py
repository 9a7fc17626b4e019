"""The filters of a query as conditions that a person can leave out, and add to."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ragnb.errors import InputError
from ragnb.panels.tags import node, select
from ragnb.records import Filters
from ragnb.views.markup import Html
from ragnb.views.words import short

__all__ = ["combined", "conditions", "filter_fields", "wanted"]

OPERATORS: Final = {
    "==": "is",
    "!=": "is not",
    ">=": "is at least",
    "<=": "is at most",
    "in": "is one of",
    ">": "is above",
    "<": "is below",
    "not in": "is none of",
}
"""Haystack's comparisons, and how they are read."""
_FIELDS: Final = 30
"""Fields that are offered; a library may have any number."""


def conditions(filters: Filters | None) -> list[Filters]:
    """Return the conditions that must all hold; what is joined by OR or NOT counts as one.

    >>> year = {"field": "meta.year", "operator": "==", "value": 2025}
    >>> conditions({"operator": "AND", "conditions": [year]}) == [year]
    True
    """
    if not filters:
        return []
    if filters.get("operator") == "AND" and isinstance(filters.get("conditions"), list):
        return [each for part in filters["conditions"] for each in conditions(part)]
    return [filters]


def combined(found: Sequence[Filters]) -> Filters | None:
    """Return one filter under which all conditions hold; None for no condition.

    >>> combined([]) is None
    True
    """
    if len(found) < 2:
        return found[0] if found else None
    return {"operator": "AND", "conditions": list(found)}


def _said(condition: Filters) -> str:
    operator = condition.get("operator")
    if operator in {"OR", "NOT", "AND"}:
        inner = [_said(each) for each in condition.get("conditions", ())]
        return f"not {' and '.join(inner)}" if operator == "NOT" else " or ".join(inner)
    name = str(condition.get("field", "")).removeprefix("meta.")
    value = condition.get("value")
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{name} {OPERATORS.get(str(operator), operator)} {shown}"


def filter_fields(filters: Filters | None, known: Mapping[str, Sequence[Any]]) -> Html:
    """Return a toggle for each condition, and fields to add another.

    Args:
        filters: Of the query that comes next.
        known: The fields of the library with examples of their values; empty if nobody knows.
    """
    toggles = [
        node("button", short(_said(each), 80), type="button", _class="tgb", name="filters",
             value=json.dumps(each, sort_keys=True), data_toggle=True, aria_pressed="true",
             title="leave this filter out, or take it back")
        for each in conditions(filters)
    ]  # fmt: skip
    names = {key: key.removeprefix("meta.") for key in list(known)[:_FIELDS]}
    names = {"": "field", **names}
    field = select(names, "", name="filter-field")
    if not known:
        field = node("input", type="text", name="filter-field", aria_label="field")
    operator = select(dict(list(OPERATORS.items())[:5]), "==", name="filter-operator")
    value = node("input", type="text", name="filter-value", aria_label="value")
    row = node("div", field, operator, value, _class="row")
    add = node("details", node("summary", "add"), row, _class="edit")
    return node("div", *toggles, add, _class="tg", role="group", aria_label="filters")


def wanted(
    filters: Filters | None, form: Mapping[str, Any], known: Mapping[str, Sequence[Any]]
) -> Filters | None:
    """Return a query's filters as the fields of its card say.

    Args:
        filters: What was decided.
        form: The fields by name; without those of `filter_fields` nothing changes.
        known: As for `filter_fields`; a value is taken as its examples are.

    Raises:
        InputError: A condition has a field but no value, or the reverse.
    """
    found = conditions(filters)
    kept = form.get("filters")
    if isinstance(kept, list):
        found = [each for each in found if json.dumps(each, sort_keys=True) in kept]
    field = str(form.get("filter-field") or "").strip()
    text = str(form.get("filter-value") or "").strip()
    if bool(field) != bool(text):
        raise InputError("A filter needs a field and a value; one of them is empty.")
    if field:
        operator = str(form.get("filter-operator") or "==")
        values = [_value(part.strip(), known.get(field, ())) for part in text.split(",")]
        many = operator in {"in", "not in"}
        value = values if many else _value(text, known.get(field, ()))
        found.append({"field": field, "operator": operator, "value": value})
    return filters if found == conditions(filters) else combined(found)


def _value(text: str, examples: Sequence[Any]) -> Any:
    """Return a value of the kind that a field holds; without examples a number is a number."""
    kinds = {type(each) for each in examples}
    if kinds and kinds <= {str}:
        return text
    if text.casefold() in {"true", "false"} and (not kinds or bool in kinds):
        return text.casefold() == "true"
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() and "." not in text else number
