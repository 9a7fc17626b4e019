"""Read off a question which rows of a table it asks for, by the words that stand in its cells."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ragnb.library.tabular import Table
from ragnb.stages.toolbox.conditions import amount
from ragnb.stages.toolbox.cues import adds_up, with_quarters
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import terms

__all__ = ["fits", "table_call"]

_ROWS: Final = 2_000
"""Rows whose cells are looked at."""
_COLUMNS: Final = 60


def fits(question: str, table: Table) -> bool:
    """Tell whether a question asks for something that stands in a table."""
    return table_call(question, [table]) is not None


def table_call(question: str, tables: Sequence[Table]) -> Mapping[str, Any] | None:
    """Return the arguments of `query_table` that a question asks for, or None.

    A cell whose every word stands in the question is a condition on its column; a column whose
    name shares a word with the question is what is asked for. Both must be there, or two of the
    one; of several tables the one that holds most of the question counts.

    Args:
        question: A question, or a goal.
        tables: Where to look.
    """
    asked = _words(with_quarters(question))
    best: tuple[int, str, Mapping[str, Any]] | None = None
    for table in tables:
        found = _read(question, asked, table)
        if found is not None and (best is None or found[0] > best[0]):
            best = (found[0], table.name, found[1])
    return best[2] if best else None


def _read(
    question: str, asked: frozenset[str], table: Table
) -> tuple[int, Mapping[str, Any]] | None:
    where: list[dict[str, Any]] = []
    held: set[str] = set()
    for at, column in list(enumerate(table.columns))[:_COLUMNS]:
        cells = {row[at] for row in table.rows[:_ROWS] if row[at] and amount(row[at]) is None}
        inside = [(cell, words) for cell in cells if (words := _words(cell)) and words <= asked]
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
        arguments.pop("columns")
        arguments["aggregate"] = [{"function": how, "column": column}]
    said = held | {word for name in named for word in _words(name) & asked}
    return 10 * len(where) + len(said | (_words(table.name) & asked)), arguments


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
