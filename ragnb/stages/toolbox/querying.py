"""Ask a table: choose rows, group them, add them up; from checked data, never a query language."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from ragnb.errors import InputError
from ragnb.library.reading import DOCUMENT_LIMIT
from ragnb.library.tabular import Table, tables
from ragnb.records import Context
from ragnb.stages.toolbox.conditions import WHERE, amount, matching, named, order
from ragnb.stages.toolbox.spec import Span, ToolSpec, schema
from ragnb.text.numerals import plain
from ragnb.text.tokens import fold

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["QUERY_TABLE", "query_table"]

_ADDS: Final[dict[str, Callable[[list[Decimal]], Decimal]]] = {
    "sum": lambda found: sum(found, Decimal(0)),
    "mean": lambda found: sum(found, Decimal(0)) / len(found),
    "median": lambda found: Decimal(median(found)),
    "min": min,
    "max": max,
}
_MOST: Final = 50
_TOLD: Final = 3
"""Columns that say in short what a row holds."""
_TOTALS: Final = frozenset({"total", "totals", "sum", "subtotal", "合计", "总计", "小计", "总和"})
QUERY_TABLE: Final = ToolSpec(
    name="query_table",
    description=(
        "Looks rows up in a table of the library (CSV, Excel, in a text), or counts, adds up and "
        "compares them by group. A wrong table or column is answered with the names there are."
    ),
    parameters=schema(
        ("table",),
        table={"type": "string", "description": "The table's name: its file, and its sheet."},
        columns={
            "type": "array",
            "maxItems": 20,
            "items": {"type": "string"},
            "description": "Columns to show; all if left out.",
        },
        where=WHERE,
        group_by={"type": "array", "maxItems": 3, "items": {"type": "string"}},
        aggregate={
            "type": "array",
            "maxItems": 5,
            "description": "What to work out over the rows, or over each group.",
            "items": {
                "type": "object",
                "properties": {
                    "function": {"enum": ["count", *_ADDS]},
                    "column": {"type": "string", "description": "Not needed for count."},
                },
                "required": ["function"],
                "additionalProperties": False,
            },
        },
        sort_by={"type": "string", "description": "A column, or an aggregate such as sum of eur."},
        descending={"type": "boolean"},
        limit={"type": "integer", "minimum": 1, "maximum": _MOST},
    ),
    returns=(
        "how many rows fit, then the columns' names and a line a row, parted by |; of an aggregate "
        "without groups a sentence."
    ),
    example={
        "table": "prices.csv",
        "columns": ["lane", "eur"],
        "where": [{"field": "plan", "is": "=", "value": "Basic"}],
    },
    gives="prices.csv: 1 of 2 rows\nlane | eur\nOslo | 980",
)


def query_table(
    library: "Library",
    *,
    table: str,
    columns: Sequence[str] | None = None,
    where: Sequence[Mapping[str, Any]] | None = None,
    group_by: Sequence[str] | None = None,
    aggregate: Sequence[Mapping[str, str]] | None = None,
    sort_by: str = "",
    descending: bool = False,
    limit: int = 20,
) -> dict[str, Any]:
    """Ask a table.

    Args:
        library: Where the table is.
        table: Its name.
        columns: What is shown of its rows.
        where: Conditions; see `conditions.holds`.
        group_by: Columns whose equal values make a group.
        aggregate: What is worked out, each a ``function`` and its ``column``.
        sort_by: A column, or an aggregate by its title.
        descending: The largest first.
        limit: Lines at most.

    Returns:
        ``result`` as text, and ``contexts``, the text that the rows stand in.

    Raises:
        InputError: No table or column has that name, or a column holds no numbers.
    """
    known = {each.name: each for each in tables(library)}
    one = known[named(table, list(known), "table")]
    wanted = [_condition(one, each) for each in where or ()]
    place = {name: at for at, name in enumerate(one.columns)}
    numbers = matching(range(len(one.rows)), wanted, lambda row, name: one.rows[row][place[name]])
    contexts = _contexts(library, one, numbers)
    said = f"{one.name}: {len(numbers)} of {len(one.rows)} rows"
    rows = [one.rows[at] for at in numbers]
    if not aggregate and not group_by:
        shown = [named(name, one.columns, "column") for name in columns or one.columns]
        if sort_by:
            by = place[named(sort_by, one.columns, "column")]
            numbers.sort(key=lambda at: order(one.rows[at][by]), reverse=descending)
            rows = [one.rows[at] for at in numbers]
        lines = [[row[place[name]] for name in shown] for row in rows]
        fixed = {each["field"] for each in wanted}
        telling = [place[name] for name in shown if name not in fixed]
        spans = [
            Span(
                source_id=one.source_id,
                start=one.spans[at][0],
                end=one.spans[at][1],
                says=" | ".join(one.rows[at][column] for column in telling[:_TOLD]),
                cells=tuple(zip(one.columns, one.rows[at], strict=True)),
            )
            for at in numbers[:limit]
        ]
        told = {"spans": spans, "about": f"{one.name} {' '.join(shown)} {_where(wanted)}"}
        return {"result": _written(said, shown, lines, limit), "contexts": contexts} | told
    groups = [named(name, one.columns, "column") for name in group_by or ()]
    adds = [_add(one, each) for each in aggregate or ({"function": "count"},)]
    parted: dict[tuple[str, ...], list[tuple[str, ...]]] = {} if groups else {(): []}
    for row in rows:
        if not _is_total(row):
            parted.setdefault(tuple(row[place[name]] for name in groups), []).append(row)
    titles = [*groups, *(_title(each) for each in adds)]
    lines = [
        [*key, *(_added(each, members, place) for each in adds)] for key, members in parted.items()
    ]
    if sort_by or groups:
        by = titles.index(named(sort_by, titles, "column")) if sort_by else 0
        lines.sort(key=lambda line: order(line[by]), reverse=descending)
    if groups:
        return _made(_written(said, titles, lines, limit), one, contexts, wanted, titles)
    left = len(rows) - len(parted[()])
    without = f", without {left} rows of totals," if left else ""
    sentences = [
        f"The {title} in {one.name}{without} {_where(wanted)} is {value}, over "
        f"{len(parted[()])} of {len(one.rows)} rows."
        for title, value in zip(titles, lines[0], strict=True)
    ]
    return _made(" ".join(" ".join(sentences).split()), one, contexts, wanted, titles)


def _made(
    result: str,
    table: Table,
    contexts: list[Context],
    wanted: Sequence[Mapping[str, Any]],
    titles: Sequence[str],
) -> dict[str, Any]:
    """Return a result that stands in no document, with what it rests on."""
    number = re.search(r" is (\S+), over ", result)
    says = number.group(1) if number and len(titles) == 1 else ""
    return {
        "result": result,
        "contexts": contexts,
        "made": True,
        "spans": [Span(start=0, end=len(result), says=says)],
        "about": f"{table.name} {' '.join(titles)} {_where(wanted)} {' '.join(table.columns)}",
        "title": f"{table.name}, worked out by query_table",
    }


def _condition(table: Table, given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**given, "field": named(given["field"], table.columns, "column")}


def _add(table: Table, given: Mapping[str, str]) -> tuple[str, str]:
    function, column = given["function"], given.get("column", "")
    if function == "count":
        return function, ""
    if not column:
        raise InputError(f"{function!r} needs a column; there are {list(table.columns)}.")
    return function, named(column, table.columns, "column")


def _title(add: tuple[str, str]) -> str:
    return f"{add[0]} of {add[1]}" if add[1] else "count of rows"


def _added(add: tuple[str, str], rows: list[tuple[str, ...]], place: Mapping[str, int]) -> str:
    function, column = add
    if function == "count":
        return str(len(rows))
    found = [n for row in rows if (n := amount(row[place[column]])) is not None]
    if not found:
        raise InputError(f"{column!r} holds no numbers in these {len(rows)} rows.")
    return plain(round(_ADDS[function](found), 6).normalize() + 0)


def _is_total(row: Sequence[str]) -> bool:
    return any(fold(cell).strip(" :：") in _TOTALS for cell in row[:2])


def _where(conditions: Sequence[Mapping[str, Any]]) -> str:
    told = [f"{c['field']} {c.get('is', '=')} {c['value']}" for c in conditions]
    return f"where {' and '.join(told)}" if told else ""


def _written(said: str, titles: Sequence[str], lines: Sequence[Sequence[str]], limit: int) -> str:
    shown = [" | ".join(cells) for cells in [titles, *lines[:limit]]]
    more = [f"… and {len(lines) - limit} lines more"] if len(lines) > limit else []
    return "\n".join([said, *(shown if lines else ()), *more])


def _contexts(library: "Library", table: Table, numbers: Sequence[int]) -> list[Context]:
    """Return what the first fitting rows stand in: a small source whole, else around the rows."""
    if not numbers:
        return []
    if len(library.source(table.source_id).text) <= DOCUMENT_LIMIT:
        return [library.read(table.source_id, "document")]
    found: dict[str, Context] = {}
    chunks = library.store.neighbours(table.source_id, 0, 10**9)
    for at in numbers[:3]:
        start = table.spans[at][0]
        inside = [c for c in chunks if int(c.meta["start"]) <= start < int(c.meta["end"])]
        for chunk in inside[:1]:
            context = library.read(chunk.id, "window")
            found[context.id] = context
    return list(found.values())
