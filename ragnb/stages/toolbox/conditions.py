"""Conditions of a query as checked data: a field, a comparison, a value; never a query language."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from ragnb.errors import InputError
from ragnb.text.dates import dates
from ragnb.text.numerals import number
from ragnb.text.tokens import fold
from ragnb.text.values import values

__all__ = ["COMPARISONS", "WHERE", "amount", "holds", "matching", "named", "order"]

COMPARISONS: Final = ("=", "!=", ">", ">=", "<", "<=", "contains", "in")
WHERE: Final[dict[str, Any]] = {
    "type": "array",
    "maxItems": 8,
    "description": "Conditions that all must hold.",
    "items": {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "A field or column by its name."},
            "is": {"enum": list(COMPARISONS), "description": "The comparison; = if left out."},
            "value": {
                "description": "A text, number, ISO date or boolean; a list of them for in.",
                "type": ["string", "number", "boolean", "array"],
                "items": {"type": ["string", "number", "boolean"]},
            },
        },
        "required": ["field", "value"],
        "additionalProperties": False,
    },
}
"""The JSON Schema of conditions."""
_MEASURES: Final = frozenset({"money", "percent", "quantity", "number"})
_DIGITS: Final = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_ISO: Final = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[T ].*)?)?")


def amount(value: Any) -> Decimal | None:
    """Return the number that a cell holds, with or without a unit; None if it is no number.

    >>> amount("1,285"), amount("EUR 40"), amount("12 %"), amount("40 ft"), amount("2025-04-01")
    (Decimal('1285'), Decimal('40'), Decimal('12'), Decimal('40'), None)
    """
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip()
    plain = number(text) if re.search(r"\d", text) else None
    if plain is not None:
        return plain
    found = values(text)
    if len(found) != 1 or found[0].text.strip() != text or found[0].kind not in _MEASURES:
        return None
    digits = _DIGITS.search(text)
    return number(digits.group()) if digits else None


def order(value: Any) -> tuple[int, Any]:
    """Return what values are sorted by: numbers first, then dates, then texts; blanks last."""
    text = "" if value is None else str(value).strip()
    if not text:
        return (3, "")
    if (measure := amount(value)) is not None:
        return (0, measure)
    if (day := _day(text)) is not None:
        return (1, day)
    return (2, fold(text))


def holds(value: Any, comparison: str, wanted: Any) -> bool:
    """Tell whether a value stands in a comparison to another.

    Numbers compare as numbers and dates as dates, whatever their form; texts are equal without
    regard to case and accents, and have no order: a comparison of different kinds never holds.

    >>> holds("1,285 EUR", ">", 1000), holds("1 April 2025", "=", "2025-04-01")
    (True, True)
    >>> holds("Basic", ">", 3), holds("Rotterdam-Oslo", "contains", "oslo")
    (False, True)
    """
    if comparison == "in":
        many = wanted if isinstance(wanted, list) else [wanted]
        return any(_equal(value, each) for each in many)
    if isinstance(wanted, list):
        raise InputError(f"A list of values goes with 'in', not with {comparison!r}.")
    if comparison == "contains":
        return fold(str(wanted).strip()) in fold(str(value))
    if comparison in {"=", "!="}:
        return _equal(value, wanted) == (comparison == "=")
    first, second = order(value), order(wanted)
    if first[0] != second[0] or first[0] > 1:
        return False
    return _ORDERS[comparison](first[1], second[1])


def named(name: str, known: Sequence[str], what: str) -> str:
    """Return the known name that is meant, without regard to case, spaces and underscores.

    Raises:
        InputError: None is, or several are.

    >>> named("Freight EUR", ["lane", "freight_eur"], "column")
    'freight_eur'
    """
    if name in known:
        return name
    alike = [each for each in known if _bare(each) == _bare(name)]
    if len(alike) == 1:
        return alike[0]
    told = ", ".join(repr(each) for each in known[:40]) or "none"
    raise InputError(f"There is no {what} {name!r}; there are {told}.")


def matching(
    rows: Iterable[Any], where: Sequence[Mapping[str, Any]], value: Callable[[Any, str], Any]
) -> list[Any]:
    """Return the rows that all conditions hold for; ``value`` looks a field up in a row."""
    return [
        row
        for row in rows
        if all(holds(value(row, c["field"]), c.get("is", "="), c["value"]) for c in where)
    ]


def _equal(value: Any, wanted: Any) -> bool:
    first, second = order(value), order(wanted)
    if first[0] == second[0]:
        return bool(first[1] == second[1])
    return fold(str(value).strip()) == fold(str(wanted).strip())


def _day(text: str) -> str | None:
    """Return a date as ISO text, if the whole value is one."""
    if _ISO.fullmatch(text):
        return text
    whole = (norm for start, end, norm in dates(text) if (start, end) == (0, len(text)))
    return next((norm for norm in whole if _ISO.fullmatch(norm)), None)


def _bare(name: str) -> str:
    return re.sub(r"[\s_\-./]+", "", fold(name))


_ORDERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
