"""The tables of a library: CSV files, sheets of workbooks and those in texts, as rows of cells."""

import re
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ragnb.library.blocks import blocks
from ragnb.library.headers import cells_of, header_rows, named, sign_of

if TYPE_CHECKING:
    from ragnb.library.shelf import Shelf
    from ragnb.library.source import Source

__all__ = ["Table", "tables"]

_SEPARATED: Final = (".csv", ".tsv")
_BOOKS: Final = (".xlsx", ".xlsm", ".ods")
_RULED: Final = re.compile(r"^[ \t]*\|[ \t]*:?-+:?[ \t]*\|", re.MULTILINE)
_TEXTS: Final = 2_000
"""Documents up to which tables are looked for in texts too: each is read for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of one source.

    Attributes:
        name: The source's id; of a table in a text or in a workbook with more than one the heading
            or the sheet and its number too.
        source_id: Where it stands.
        columns: What its header says, each column named once.
        rows: Its cells; each row is as long as the header.
        spans: Where each row stands in the source's text: start and end, in code points.
    """

    name: str
    source_id: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...]


_KNOWN: "weakref.WeakKeyDictionary[Shelf, tuple[int, tuple[Table, ...]]]" = (
    weakref.WeakKeyDictionary()
)
_LOCK: Final = threading.Lock()


def tables(library: "Shelf") -> tuple[Table, ...]:
    r"""Return the tables of a library, in the order of its sources.

    They are read again when the library has changed.

    >>> from haystack import Document
    >>> from ragnb.library import Library
    >>> prices = Document(id="prices.csv", content="plan,eur\nBasic,40\nAssured,100\n")
    >>> with Library.from_documents([prices]) as library:
    ...     found = tables(library)[0]
    >>> found.columns, found.rows
    (('plan', 'eur'), (('Basic', '40'), ('Assured', '100')))
    """
    with _LOCK:
        known = _KNOWN.get(library)
        if known is None or known[0] != library.generation:
            ids = [info.id for info in library.sources]
            files = [name for name in ids if name.lower().endswith((*_SEPARATED, *_BOOKS))]
            texts = [name for name in ids if name not in files] if len(ids) <= _TEXTS else []
            found = tuple(
                table for name in (*files, *texts) for table in _tables(library.source(name))
            )
            known = _KNOWN[library] = (library.generation, found)
        return known[1]


def _tables(source: "Source") -> Iterator[Table]:
    if source.id.lower().endswith(_SEPARATED):
        records = list(_records(source.text))
        table = _table(source.id, source.id, [cells for _, _, cells in records], records)
        if table is not None:
            yield table
        return
    if not _RULED.search(source.text):
        return
    book = source.id.lower().endswith(_BOOKS)
    found = list(_sheets(source.text))
    for number, (sheet, start, end) in enumerate(found, start=1):
        lines = list(_lines(source.text, start, end))
        lines = lines[:1] + lines[2:]  # the second line is a rule
        place = f" › {sheet}" if sheet and (len(found) > 1 or not book) else ""
        again = sum(other == sheet for other, _, _ in found[:number])
        count = f" #{again}" if again > 1 else ""
        cells = [cells for _, _, cells in lines]
        table = _table(f"{source.id}{place}{count}", source.id, cells, lines, heads=1)
        if table is not None:
            yield table


def _table(
    name: str,
    source_id: str,
    rows: list[list[str]],
    records: list[tuple[int, int, list[str]]],
    *,
    heads: int = 0,
) -> Table | None:
    if len(rows) < 2:
        return None
    heads = heads or header_rows(rows)
    width = max(len(row) for row in rows)
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    columns = named(filled[:heads], width)
    body = [(record, cells) for record, cells in zip(records, filled, strict=True)][heads:]
    body = [(record, cells) for record, cells in body if any(cells)]
    return Table(
        name=name,
        source_id=source_id,
        columns=tuple(columns),
        rows=tuple(tuple(cells) for _, cells in body),
        spans=tuple((start, end) for (start, end, _), _ in body),
    )


def _records(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Give the records of separated values; line ends inside quotation marks don't part them."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    sign = sign_of(first)
    start = at = 0
    open_quote = False
    for line in text.split("\n"):
        at += len(line) + 1
        open_quote ^= bool(line.count('"') % 2)
        if open_quote and at <= len(text):
            continue
        whole = text[start : at - 1]
        if whole.strip():
            yield start, start + len(whole.rstrip()), cells_of(whole.strip("\n"), sign)
        start = at


def _sheets(text: str) -> Iterator[tuple[str, int, int]]:
    """Give each table of a workbook's text with the sheet it stands on."""
    sheet = ""
    for block in blocks(text):
        if block.kind == "heading":
            sheet = block.title
        elif block.kind == "table":
            yield sheet, block.start, block.end


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[str]]]:
    at = start
    for line in text[start:end].split("\n"):
        yield at, at + len(line), cells_of(line, "|")
        at += len(line) + 1
