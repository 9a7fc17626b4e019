"""Haystack filters as SQL conditions, so that a search looks only at what may be found.

A condition means what `haystack.utils.filters.document_matches_filter` means by it, with one
leniency: a document whose value can't be compared with the filter's (a text with a number, a date
that is not in ISO form) doesn't match, where Haystack would guess or refuse the whole search.
"""

import json
import math
import sqlite3
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from haystack.errors import FilterError

__all__ = ["compile_filters", "field_index", "register"]

Sql: TypeAlias = tuple[str, list[Any]]

_COMPARISONS = ("==", "!=", ">", ">=", "<", "<=", "in", "not in")
_SCALARS = "('text', 'integer', 'real', 'true', 'false')"


def compile_filters(filters: dict[str, Any] | None) -> Sql:
    """Return an SQL condition over the table ``chunks`` and its parameters.

    Args:
        filters: A Haystack filter; None or empty for everything.

    Returns:
        The condition, which is never NULL, and the values of its question marks in order.

    Raises:
        FilterError: The filter is malformed.

    >>> compile_filters({"field": "id", "operator": "==", "value": None})
    ('(chunks.document IS NULL)', [])
    """
    return _condition(filters) if filters else ("1", [])


def field_index(field: str) -> str:
    """Return SQL for an index that makes filters by a field fast.

    Raises:
        FilterError: Filters can't name that field.
    """
    target, _ = _column(field)
    name = field.removeprefix("meta.").replace('"', "")
    return f'CREATE INDEX IF NOT EXISTS "chunks_by_{name}" ON chunks ({target})'.replace(
        "chunks.meta", "meta"
    )


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions that compiled filters call."""
    connection.create_function("compare_dates", 2, _compare_dates, deterministic=True)
    connection.create_function("same_json", 2, _same_json, deterministic=True)


def _condition(condition: object) -> Sql:
    if not isinstance(condition, dict):
        raise FilterError(f"A filter is a dictionary; got {condition!r}.")
    return _comparison(condition) if "field" in condition else _logic(condition)


def _logic(condition: dict[str, Any]) -> Sql:
    operator, conditions = _required(condition, "operator", "conditions")
    if operator not in ("AND", "OR", "NOT"):
        raise FilterError(f"Unknown logical operator {operator!r}: use AND, OR or NOT.")
    if not isinstance(conditions, list):
        raise FilterError(f"'conditions' is a list of filters; got {conditions!r}.")
    joined = _join("OR" if operator == "OR" else "AND", [_condition(each) for each in conditions])
    return _negated(joined) if operator == "NOT" else joined


def _comparison(condition: dict[str, Any]) -> Sql:
    field, operator, value = _required(condition, "field", "operator", "value")
    if operator not in _COMPARISONS:
        raise FilterError(
            f"Unknown comparison operator {operator!r}: use one of {', '.join(_COMPARISONS)}."
        )
    target, kind = _column(field)
    if operator in ("==", "!="):
        equal = _equal(target, kind, value)
        return equal if operator == "==" else _negated(equal)
    if operator in ("in", "not in"):
        among = _among(target, kind, value)
        return among if operator == "in" else _negated(among)
    return _ordered(target, kind, operator, value)


def _required(condition: dict[str, Any], *keys: str) -> list[Any]:
    for key in keys:
        if key not in condition:
            raise FilterError(f"'{key}' is missing in the filter {condition!r}.")
    return [condition[key] for key in keys]


def _column(field: object) -> tuple[str, str]:
    """Return SQL for a field's value and for the name of its JSON type."""
    if not isinstance(field, str) or '"' in field or "\x00" in field:
        raise FilterError(f"'field' is a name such as 'meta.author'; got {field!r}.")
    root, _, rest = field.partition(".")
    if field in ("id", "content"):
        return {"id": "chunks.document", "content": "chunks.content"}[field], "'text'"
    if root != "meta" and rest:
        return "NULL", "'null'"
    if field in ("meta", "embedding", "blob", "score", "sparse_embedding"):
        raise FilterError(f"Can't filter by '{field}': use id, content or a field such as meta.x.")
    names = rest.split(".") if rest else [field]
    path = "$" + "".join(f'."{name}"' for name in names).replace("'", "''")
    return f"json_extract(chunks.meta, '{path}')", f"json_type(chunks.meta, '{path}')"


def _equal(target: str, kind: str, value: Any) -> Sql:
    value = value.isoformat() if isinstance(value, datetime) else value
    if value is None:
        return f"({target} IS NULL)", []
    if isinstance(value, str):
        same: Sql = (f"{target} IS ?", [_text(value)])
        if _looks_like_date(value) and _instant(value):
            same = _join("OR", [same, (f"coalesce(compare_dates({target}, ?) = 0, 0)", [value])])
        return f"({same[0]} AND {kind} IS 'text')", same[1]
    if isinstance(value, (bool, int, float)):
        low, high = _around(value)
        return (
            f"({target} BETWEEN ? AND ? AND {target} IS NOT NULL AND {kind} IN {_SCALARS})",
            [low, high],
        )
    return (
        f"(CASE WHEN {kind} IN ('array', 'object') THEN same_json({target}, ?) ELSE 0 END)",
        [_json(value)],
    )


def _among(target: str, kind: str, value: Any) -> Sql:
    if not isinstance(value, list):
        raise FilterError(f"'in' and 'not in' take a list of values; got {value!r}.")
    texts = [each for each in value if isinstance(each, str)]
    others = [each for each in value if not isinstance(each, str) or _looks_like_date(each)]
    parts = [_equal(target, kind, each) for each in others]
    if texts:
        listed = f"{target} IN (SELECT value FROM json_each(?))"  # noqa: S608 (the list is bound)
        parts.append((f"({listed} AND {target} IS NOT NULL AND {kind} IS 'text')", [_json(texts)]))
    return _join("OR", parts)


def _ordered(target: str, kind: str, operator: str, value: Any) -> Sql:
    if value is None:
        return "0", []
    if isinstance(value, (str, datetime)):
        date = value.isoformat() if isinstance(value, datetime) else value
        if _instant(date) is None:
            raise FilterError(f"Texts compare with {operator} only as ISO dates; got {value!r}.")
        compared = f"compare_dates({target}, ?) {operator} 0"
        return f"coalesce({kind} = 'text' AND {compared}, 0)", [date]
    if not isinstance(value, (bool, int, float)):
        raise FilterError(f"{operator} takes a number or an ISO date; got {value!r}.")
    low, high = _around(value)
    bound = low if operator in (">=", "<") else high
    numeric = "('integer', 'real', 'true', 'false')"
    compared = f"{target} {operator} ? AND {target} IS NOT NULL AND {kind} IN {numeric}"
    return f"({compared})", [bound]


def _around(value: float) -> tuple[float, float]:
    """Return the bounds within which SQLite may have read the number.

    Old releases read decimals one step beside the nearest float.
    """
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value, value
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if math.isfinite(number) and not number.is_integer():
        return math.nextafter(number, -math.inf), math.nextafter(number, math.inf)
    return number, number


def _join(word: str, parts: list[Sql]) -> Sql:
    if not parts:
        return ("1" if word == "AND" else "0"), []
    condition = f" {word} ".join(sql for sql, _ in parts)
    return f"({condition})", [value for _, values in parts for value in values]


def _negated(part: Sql) -> Sql:
    return f"(NOT {part[0]})", part[1]


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FilterError(f"A filter's text is not valid Unicode: {value!r}.") from error
    return value


def _json(value: Any) -> str:
    try:
        return _text(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError) as error:
        raise FilterError(f"A filter's value must be JSON data; got {value!r}.") from error


def _looks_like_date(value: str) -> bool:
    """Tell a full ISO date from texts that only start like one, as Haystack does."""
    return (
        len(value) >= 10
        and value[4] == value[7] == "-"
        and (value[:4] + value[5:7] + value[8:10]).isdigit()
        and (len(value) == 10 or value[10] in "Tt ")
    )


@lru_cache(maxsize=4096)
def _instant(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _compare_dates(value: object, other: str) -> int | None:
    """Return -1, 0 or 1; None where the value is no date."""
    first = _instant(value) if isinstance(value, str) else None
    second = _instant(other)
    if first is None or second is None:
        return None
    if first.tzinfo is None or second.tzinfo is None:
        zone = first.tzinfo or second.tzinfo
        first, second = first.replace(tzinfo=zone), second.replace(tzinfo=zone)
    return (first > second) - (first < second)


def _same_json(value: object, other: str) -> bool:
    return isinstance(value, str) and bool(json.loads(value) == json.loads(other))
