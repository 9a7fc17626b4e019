"""Workbooks (xlsx): a section a sheet, a table for each block of cells."""

import datetime as dt
import io
import re
from collections.abc import Iterator
from typing import Any, Final

from openpyxl import load_workbook

from ragnb.library.readers.converted import Converted
from ragnb.library.readers.markup import bold, flat, heading, join, table
from ragnb.library.readers.package import Package
from ragnb.library.readers.word import properties

__all__ = ["cell_text", "read"]

_MOST_CELLS: Final = 2_000_000
"""Cells read of one workbook; the note tells when there were more."""
_MOST_MERGED: Final = 10_000
_Cells = dict[tuple[int, int], str]


def read(data: bytes, suffix: str) -> Converted:
    """Read the values that a workbook shows; formulas count with their stored results."""
    del suffix
    meta = properties(Package(data))
    book = load_workbook(io.BytesIO(data), data_only=True)
    text, note, left = "", "", _MOST_CELLS
    for sheet in book.worksheets:
        cells = _cells(sheet, left)
        left -= len(cells)
        if left <= 0:
            note = f"read up to {_MOST_CELLS:,} cells"
        blocks = [*_tables(cells), *_charts(sheet)]
        if any(blocks):
            hidden = " (hidden)" if sheet.sheet_state != "visible" else ""
            text += join([heading(2, sheet.title + hidden), *blocks]) + "\n"
    return Converted(text=text.rstrip("\n") + "\n" if text else "", note=note, meta=meta)


def cell_text(value: Any) -> str:
    """Write a cell's value as people read it.

    >>> cell_text(3.0), cell_text(0.1 + 0.2), cell_text(True), cell_text(None)
    ('3', '0.3', 'TRUE', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, dt.datetime):
        return (
            value.date().isoformat()
            if value.time() == dt.time()
            else value.isoformat(" ", "seconds")
        )
    return flat(str(value))


def _cells(sheet: Any, most: int) -> _Cells:
    found: _Cells = {}
    for cell in list(sheet._cells.values()):  # noqa: SLF001 - rows would be filled up with blanks
        if cell.value is not None and (words := cell_text(cell.value)):
            found[cell.row, cell.column] = words
            if cell.comment:
                said = re.sub(r"^\[Threaded comment\].*?Comment:", "", flat(cell.comment.text))
                found[cell.row, cell.column] += f" [comment: {said.strip()}]"
        if len(found) > most:
            break
    for merged in sheet.merged_cells.ranges:
        words = found.get((merged.min_row, merged.min_col), "")
        if words and merged.size["rows"] * merged.size["columns"] < _MOST_MERGED:
            for row, column in merged.cells:
                found.setdefault((row, column), words)
    return found


def _tables(cells: _Cells) -> Iterator[str]:
    """Part the cells into blocks that touch, also at corners, and write each."""
    left = set(cells)
    for start in sorted(cells):
        if start not in left:
            continue
        block, edge = {start}, [start]
        left.discard(start)
        while edge:
            row, column = edge.pop()
            near = {(row + r, column + c) for r in (-1, 0, 1) for c in (-2, -1, 0, 1, 2)} & left
            left -= near
            block |= near
            edge += near
        yield _table(cells, block)


def _table(cells: _Cells, block: set[tuple[int, int]]) -> str:
    rows = range(min(r for r, _ in block), max(r for r, _ in block) + 1)
    columns = range(min(c for _, c in block), max(c for _, c in block) + 1)
    grid = [[cells.get((r, c), "") if (r, c) in block else "" for c in columns] for r in rows]
    caption = ""
    while len(grid) > 2 and len(columns) > 1 and len(set(filter(None, grid[0]))) == 1:
        if len(set(filter(None, grid[1]))) == 1 and len(grid) == 3:
            break
        caption = " – ".join(filter(None, (caption, next(filter(None, grid.pop(0))))))
    if len(block) == 1 and re.search(r"[^\W\d_]{3}", grid[0][0]) and len(grid[0][0]) < 120:
        return bold(grid[0][0])
    return table(grid, caption=caption)


def _charts(sheet: Any) -> Iterator[str]:
    for chart in getattr(sheet, "_charts", ()):
        rich = chart.title.tx.rich if chart.title and chart.title.tx else None
        yield bold("".join(run.t for part in rich.p for run in part.r or ())) if rich else ""
