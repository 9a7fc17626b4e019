"""Read off a question which rows of a table it asks for, by the words that stand in its cells."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ragnb.library.tabular import Table
from ragnb.stages import coverage
from ragnb.stages.toolbox.backing import STRONG, taken_up
from ragnb.stages.toolbox.conditions import amount
from ragnb.stages.toolbox.cues import adds_up, with_quarters
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import terms

__all__ = ["fits", "looked_up", "table_call"]

_ROWS: Final = 2_000
"""Rows whose cells are looked at."""
_COLUMNS: Final = 60
_PARTS: Final = re.compile(r"\d+|\D+")


def fits(question: str, table: Table) -> bool:
    """Tell whether a question asks for something that stands in a table."""
    return table_call(question, [table]) is not None


def table_call(question: str, tables: Sequence[Table]) -> Mapping[str, Any] | None:
    """Return the arguments of `query_table` that a question asks for, or None.

    A cell whose every word stands in the question is a condition on its column; a column whose
    name shares a word with the question is what is asked for. Both must be there, or two of the
    one. What is highest or lowest is worked out; where it is asked which, its row is looked up.

    Of several tables the one that holds most of the question counts, and of equal ones that whose
    name comes last: prices-2025-q2 after prices-2025-q1.

    Args:
        question: A question, or a goal.
        tables: Where to look.
    """
    asked = _words(with_quarters(question))
    read = [(_read(question, asked, table), table) for table in tables]
    found = [(*each, _natural(table.name)) for each, table in read if each is not None]
    best = max(found, key=lambda each: (each[0], each[2]), default=None)
    return best[1] if best else None


def looked_up(question: str, tables: Sequence[Table]) -> Mapping[str, Any] | None:
    """Return the arguments of `query_table` that answer a question as a whole, or None.

    They do if what is asked for is a column of its own or worked out, and if the table's name, its
    columns and the cells take up most of the question's words.
    """
    found = table_call(question, tables)
    if found is None:
        return None
    where = found.get("where") or ()
    held = {each["field"] for each in where}
    asked = [name for name in found.get("columns") or () if name not in held]
    asked += [each["column"] for each in found.get("aggregate") or ()]
    columns = next(table.columns for table in tables if table.name == found["table"])
    about = [found["table"], *columns, *(str(each["value"]) for each in where)]
    return found if asked and taken_up(question, " ".join(about)) >= STRONG else None


def _read(
    question: str, asked: frozenset[str], table: Table
) -> tuple[int, Mapping[str, Any]] | None:
    where: list[dict[str, Any]] = []
    held: set[str] = set()
    for at, column in list(enumerate(table.columns))[:_COLUMNS]:
        cells = {row[at] for row in table.rows[:_ROWS] if row[at]}
        held_whole = [(cell, words) for cell in cells if (words := _words(cell)) and words <= asked]
        inside = [(cell, words) for cell, words in held_whole if amount(cell) is None]
        if inside:
            cell, words = max(inside, key=lambda pair: (len(pair[1]), pair[0]))
            if not words <= held:
                where.append({"field": column, "is": "=", "value": cell})
                held |= words
    named = [name for name in table.columns[:_COLUMNS] if (_words(name) & asked) - held]
    how = adds_up(question)
    numeric = [name for name in named if _numeric(table, name)]
    if not ((where and named) or len(where) > 1 or (how and numeric)):
        return None
    if not _holds(table, where):
        where = where[:1]
    arguments: dict[str, Any] = {"table": table.name}
    if named:
        arguments["columns"] = list(dict.fromkeys([*(each["field"] for each in where), *named]))
    if where:
        arguments["where"] = where
    if how and numeric and (not where or _several(table, where)):
        column = max(numeric, key=lambda name: len(_words(name) & asked))
        if how in {"max", "min"} and _which(question, set(named) - set(numeric)):
            arguments |= {"sort_by": column, "descending": how == "max", "limit": 1}
            return 10 * len(where) + len(held) + len(named), arguments
        arguments.pop("columns")
        arguments["aggregate"] = [{"function": how, "column": column}]
    said = held | {word for name in named for word in _words(name) & asked}
    return 10 * len(where) + len(said | (_words(table.name) & asked)), arguments


def _which(question: str, columns: Collection[str]) -> bool:
    """Tell whether a question asks which thing of a column it is: which depot, which lane."""
    head = coverage.asked(question).head
    return bool(head) and any(head in _words(name) for name in columns)


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return what names are sorted by: numbers in them as numbers.

    >>> _natural("prices-q9") < _natural("prices-q10")
    True
    """
    return tuple((int(part) if part.isdecimal() else 0, part) for part in _PARTS.findall(name))


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    """Return a text's terms; of Chinese the pairs alone, for single characters say little."""
    found = terms(text.replace("_", " ").replace(".csv", ""))
    if is_chinese(text):
        found = [term for term in found if len(term) > 1]
    return frozenset(found)


def _numeric(table: Table, column: str) -> bool:
    at = table.columns.index(column)
    cells = [row[at] for row in table.rows[:_ROWS] if row[at]]
    return bool(cells) and sum(amount(cell) is not None for cell in cells) > len(cells) / 2


def _fitting(table: Table, where: Sequence[Mapping[str, Any]]) -> int:
    place = {name: at for at, name in enumerate(table.columns)}
    return sum(
        all(row[place[each["field"]]] == each["value"] for each in where) for row in table.rows
    )


def _holds(table: Table, where: Sequence[Mapping[str, Any]]) -> bool:
    return _fitting(table, where) > 0


def _several(table: Table, where: Sequence[Mapping[str, Any]]) -> bool:
    return _fitting(table, where) > 1
