"""The header of a table: which rows it takes, and the caption above."""

import csv
import re
from collections.abc import Sequence
from typing import Final

__all__ = ["caption_of", "head_lines", "header_rows"]

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
        first = lines[0] if lines else ""
        sign = max(",;\t|", key=first.count)
        rows = [_cells(line, sign) for line in lines]
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


def _cells(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader(line.splitlines(keepends=True), delimiter=sign), [])
    except csv.Error:
        return line.split(sign)


def _value(cell: str) -> bool:
    text = cell.strip()
    return bool(_VALUE.fullmatch(text)) and not _YEAR.fullmatch(text)
