"""A calculator that reads an expression itself: numbers, signs and a few functions, bounded."""

import re
from collections.abc import Callable, Sequence
from decimal import Context as Precision
from decimal import Decimal, DecimalException, localcontext
from typing import Any, Final

from ragnb.errors import InputError
from ragnb.stages.toolbox.spec import Span, ToolSpec, schema
from ragnb.text.numerals import plain

__all__ = ["CALCULATE", "calculate", "evaluated"]

CALCULATE: Final = ToolSpec(
    name="calculate",
    description=(
        "Works out an arithmetic expression of numbers: + - * / ^, brackets, percent signs, and "
        "min, max, sum, mean, round, abs, sqrt. Use it instead of calculating yourself."
    ),
    parameters=schema(
        ("expression",),
        expression={
            "type": "string",
            "maxLength": 400,
            "description": "Numbers and signs alone, such as (2185 - 2090) / 2090 * 100.",
        },
    ),
    returns="the expression and its value as one line.",
    example={"expression": "(2185 - 2090) * 12"},
    gives="(2185 - 2090) * 12 = 1140",
)
LONGEST: Final = 400
"""Characters of an expression."""
_DEEPEST: Final = 40
_LARGEST: Final = Decimal(10) ** 60
_POWER: Final = 200
_DIGITS: Final = 34
_PART: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:[,_]\d{3})*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+)"
    r"|(?P<name>[A-Za-z]+)|(?P<sign>\*\*|[-+*/^(),%×÷−·]))"
)
_ALIKE: Final = {"×": "*", "·": "*", "÷": "/", "−": "-", "**": "^"}


def calculate(expression: str) -> dict[str, Any]:
    """Work an expression out.

    Raises:
        InputError: It is no expression of numbers, or its value has no bounds.

    >>> calculate("15 % * 2,185")["result"]
    '15 % * 2,185 = 327.75'
    """
    value = plain(evaluated(expression))
    result = f"{' '.join(expression.split())} = {value}"
    span = Span(start=0, end=len(result), says=value)
    return {"result": result, "spans": [span], "about": expression, "title": "calculate"}


def evaluated(expression: str) -> Decimal:
    """Return the value of an expression, to twelve places behind the point.

    Raises:
        InputError: It is no expression of numbers, or its value has no bounds.

    >>> evaluated("2 + 3 * (4 - 1) ^ 2"), evaluated("mean(1, 2, 6) / 3")
    (Decimal('29'), Decimal('1'))
    """
    if len(expression) > LONGEST:
        raise InputError(f"The expression has {len(expression)} characters; {LONGEST} at most.")
    try:
        with localcontext(Precision(prec=_DIGITS)):
            value = _Parser(_parts(expression)).whole()
            rounded = round(value, 12) if abs(value) < Decimal(10) ** 20 else value
            return rounded.normalize() + 0
    except (DecimalException, ZeroDivisionError) as error:
        why = "it divides by zero" if "Division" in type(error).__name__ else "it has no value"
        raise InputError(f"{expression!r} can't be worked out: {why}.") from error


def _parts(expression: str) -> list[str]:
    found: list[str] = []
    at = 0
    text = expression.rstrip().rstrip("=").rstrip()
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise InputError(
                f"{expression!r} is no expression of numbers: {text[at : at + 12].strip()!r} is "
                "neither a number, a sign nor a function."
            )
        said = part.group().strip()
        found.append(_ALIKE.get(said, said))
        at = part.end()
    return found


class _Parser:
    """Reads an expression by descent: sums of products of powers."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.parts, self.at, self.depth = parts, 0, 0

    def whole(self) -> Decimal:
        value = self._sum()
        if self.at < len(self.parts):
            raise InputError(f"The expression goes on behind its end: {self.parts[self.at]!r}.")
        return value

    def _take(self, *signs: str) -> str:
        if self.at < len(self.parts) and self.parts[self.at] in signs:
            self.at += 1
            return self.parts[self.at - 1]
        return ""

    def _sum(self) -> Decimal:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError(f"The expression is nested deeper than {_DEEPEST} levels.")
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = _bounded(value + other if sign == "+" else value - other)
        self.depth -= 1
        return value

    def _product(self) -> Decimal:
        value = self._signed()
        while sign := self._take("*", "/"):
            other = self._signed()
            value = _bounded(value * other if sign == "*" else value / other)
        return value

    def _signed(self) -> Decimal:
        minus = False
        while sign := self._take("-", "+"):
            minus ^= sign == "-"
        value = self._power()
        return -value if minus else value

    def _power(self) -> Decimal:
        value = self._atom()
        while self._take("%"):
            value /= 100
        if self._take("^"):
            exponent = self._signed()
            if abs(exponent) > _POWER:
                raise InputError(f"An exponent is {_POWER} at most; got {plain(exponent)}.")
            value = _bounded(value**exponent)
        return value

    def _atom(self) -> Decimal:
        if self.at == len(self.parts):
            raise InputError("The expression ends where a number is expected.")
        part = self.parts[self.at]
        self.at += 1
        if part == "(":
            value = self._sum()
            self._close()
            return value
        if part[0].isdigit() or part[0] == ".":
            return _bounded(Decimal(part.replace(",", "").replace("_", "")))
        function = _FUNCTIONS.get(part.lower())
        if function is None or not self._take("("):
            known = ", ".join(_FUNCTIONS)
            raise InputError(f"{part!r} can't stand here; numbers, signs and {known} can.")
        given = [self._sum()]
        while self._take(","):
            given.append(self._sum())
        self._close()
        try:
            return _bounded(function(given))
        except (TypeError, ValueError, IndexError) as error:
            raise InputError(f"{part} can't be worked out of {len(given)} numbers.") from error

    def _close(self) -> None:
        if not self._take(")"):
            raise InputError("A bracket is not closed.")


def _bounded(value: Decimal) -> Decimal:
    if not value.is_finite() or abs(value) > _LARGEST:
        raise InputError("A value is larger than 1e60, the limit.")
    return value


def _one(given: Sequence[Decimal]) -> Decimal:
    (value,) = given
    return value


_FUNCTIONS: Final[dict[str, Callable[[list[Decimal]], Decimal]]] = {
    "min": min,
    "max": max,
    "sum": lambda given: sum(given, Decimal(0)),
    "mean": lambda given: sum(given, Decimal(0)) / len(given),
    "round": lambda given: round(given[0], int(given[1]) if given[1:] else 0) + Decimal(0),
    "abs": lambda given: abs(_one(given)),
    "sqrt": lambda given: _one(given).sqrt(),
}
