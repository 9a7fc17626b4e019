"""The header of a table: which rows it takes, and the caption above."""

import csv
import re
from collections.abc import Sequence
from typing import Final

__all__ = ["caption_of", "cells_of", "columns_of", "head_lines", "header_rows", "named", "sign_of"]

_VALUE: Final = re.compile(
    r"[-+(]?[$€£¥]?\s?\d[\d\s.,:/%()-]*[%€]?|[-–—]|n/?a|true|false|yes|no", re.IGNORECASE
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_MOST: Final = 3
_CAPTION: Final = re.compile(
    r"(?:table|tab\.|tabelle|tableau|表)\s*[\dA-Z一二三四五六七八九十]|.*[:：]\Z|(\*\*|\*|_)[^*]+\1\Z",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST: Final = 240
_BAR: Final = re.compile(r"(?<!\\)\|")


def header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Guess how many rows at the top of a table are its header: 1, 2 or 3.

    A second row belongs to the header when the first one has gaps or repeats itself over its
    columns, as merged cells do, when the second holds no values, and when the rows below do.

    >>> header_rows([["Site", "2023", ""], ["", "Q1", "Q2"], ["Oslo", "1", "2"]])
    2
    >>> header_rows([["Site", "Q1"], ["Oslo", "1"], ["Rome", "2"]])
    1
    """
    count = 1
    while count < _MOST and count + 1 < len(rows):
        above, row, below = rows[count - 1], rows[count], rows[count + 1 : count + 6]
        filled = [cell.strip() for cell in above if cell.strip()]
        gaps = len(filled) < len(above) or len(set(filled)) < len(filled)
        if not gaps or any(_value(cell) for cell in row) or row == above:
            break
        if not any(_value(cell) for each in below for cell in each):
            break
        if sum(bool(cell.strip()) for cell in row) < 2:
            break
        count += 1
    return count


def head_lines(lines: Sequence[str], kind: str) -> tuple[int, str]:
    r"""Say how many lines at the top of a table are its header, and return what they say.

    Args:
        lines: The first lines (records) of the table.
        kind: ``"table"`` for separated values, else Markdown, whose rule is counted, not returned.

    >>> head_lines(["Site;2023;", ";Q1;Q2", "Oslo;1;2"], "table")
    (2, 'Site;2023;\n;Q1;Q2')
    """
    if kind == "table":
        sign = sign_of(lines[0]) if lines else ","
        rows = [cells_of(line, sign) for line in lines]
        count = header_rows(rows)
        return count, "\n".join(line.rstrip("\r\n") for line in lines[:count])
    written = [line for number, line in enumerate(lines) if number != 1]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in written]
    count = header_rows(rows)
    return count + 1, "\n".join(line.rstrip("\r\n") for line in written[:count])


def caption_of(paragraph: str) -> str:
    """Return a paragraph that announces the table below it, else the empty string.

    >>> caption_of("**Prices**"), caption_of("Table 3. Prices"), caption_of("We met.")
    ('Prices', 'Table 3. Prices', '')
    """
    text = " ".join(paragraph.split())
    return text.strip("*_ ") if len(text) <= _LONGEST and _CAPTION.match(text) else ""


def sign_of(line: str) -> str:
    """Return the sign that parts the cells of a table's first line."""
    return "|" if line.lstrip().startswith("|") else max(",;\t|", key=line.count)


def cells_of(line: str, sign: str) -> list[str]:
    r"""Return the cells of a row, each in one line and without white space around it.

    >>> cells_of('Oslo,"a, b",4', ","), cells_of("| Oslo | a \\| b |", "|")
    (['Oslo', 'a, b', '4'], ['Oslo', 'a | b'])
    """
    quoted = line.startswith('"') or '|"' in line
    if sign == "|" and not quoted:
        bare = line.strip().removeprefix("|").removesuffix("|")
        return [cell.strip().replace("\\|", "|") for cell in _BAR.split(bare)]
    try:
        cells = next(csv.reader(line.splitlines(keepends=True), delimiter=sign), [])
    except csv.Error:
        cells = line.split(sign)
    return [" ".join(cell.split()) for cell in cells]


def named(heads: Sequence[Sequence[str]], width: int) -> list[str]:
    """Name each of a table's columns by the rows of its header, all of them differently.

    >>> named([["Site", "2023", "2023"], ["", "Q1", "Q1"]], 4)
    ['Site', '2023 Q1', '2023 Q1 #2', 'column 4']
    """
    filled = [[*row, *[""] * (width - len(row))] for row in heads]
    columns: list[str] = []
    for number, parts in enumerate(zip(*filled, strict=True), start=1):
        said = " ".join(dict.fromkeys(part for part in parts if part)) or f"column {number}"
        again = sum(other == said or other.startswith(f"{said} #") for other in columns)
        columns.append(f"{said} #{again + 1}" if again else said)
    return columns


def columns_of(header: str, row: str) -> list[tuple[str, str]]:
    r"""Return the cells of a row, each beside the name of its column.

    Args:
        header: The lines of the table's header.
        row: A line of the table.

    >>> columns_of("boat,seats", "4,12"), columns_of("Site;2023;\n;Q1;Q2", "Oslo;1;2")[1]
    ([('boat', '4'), ('seats', '12')], ('2023 Q1', '1'))
    """
    lines = header.split("\n")
    sign = sign_of(lines[0])
    heads, cells = [cells_of(line, sign) for line in lines], cells_of(row, sign)
    columns = named(heads, max(len(each) for each in (*heads, cells)))
    return list(zip(columns, cells, strict=False))


def _value(cell: str) -> bool:
    text = cell.strip()
    return bool(_VALUE.fullmatch(text)) and not _YEAR.fullmatch(text)
