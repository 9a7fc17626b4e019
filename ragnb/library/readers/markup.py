"""Markdown that the chunker understands: headings, list items, tables, joined blocks."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ragnb.library.headers import header_rows

__all__ = ["bold", "escape", "fence", "flat", "heading", "inside", "join", "table"]

_LOOKS_MARKED: Final = re.compile(r"(?m)^(\s*)(#{1,6}\s|[=-]{2,}\s*$|`{3,}|~{3,})")


def flat(text: str) -> str:
    r"""Put text on one line, without control characters and doubled spaces.

    >>> flat(" a\xa0\n b\x00\u200b ")
    'a b'
    """
    return " ".join(re.sub(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff\xad]", "", text).split())


def escape(text: str) -> str:
    r"""Keep a paragraph from being taken for a heading or a fence.

    >>> escape("# 5 of us")
    '\\# 5 of us'
    """
    return _LOOKS_MARKED.sub(r"\1\\\2", text)


def heading(level: int, text: str) -> str:
    """Write a heading; empty text gives an empty block."""
    words = flat(text)
    return f"{'#' * min(max(level, 1), 6)} {words}" if words else ""


def bold(text: str) -> str:
    """Write a caption or a label."""
    words = flat(text)
    return f"**{words}**" if words else ""


def fence(text: str, language: str = "") -> str:
    """Write a block of code, fenced so that it can hold fences itself."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{text.strip(chr(10))}\n{mark}" if text.strip() else ""


def inside(blocks: Iterable[str]) -> str:
    """Put blocks into one table cell: without marks, items and rows parted by semicolons.

    >>> inside(["Either:", "- tea", "- milk"])
    'Either: tea; milk'
    """
    text, listed = "", False
    for line in "\n".join(blocks).split("\n"):
        words = flat(line)
        if not words or re.fullmatch(r"[|:\s-]+|[`~]{3,}\w*", words):
            continue
        row = words.startswith("| ")
        item = row or _item(words)
        words = ", ".join(filter(None, map(str.strip, words.split("|")))) if row else words
        words = re.sub(r"^(?:#{1,6}|-)\s+", "", words)
        text += ("; " if listed and item else " " if text else "") + words
        listed = item
    return text


def join(blocks: Iterable[str]) -> str:
    """Put blocks below one another; items of one list stay together."""
    text = ""
    for block in blocks:
        if not block.strip():
            continue
        close = _item(block) and _item(text.rpartition("\n")[2])
        text += ("\n" if close else "\n\n" if text else "") + block.rstrip()
    return text + "\n" if text else ""


def _item(line: str) -> bool:
    return bool(re.match(r"\s*(?:-|\d+\.)\s", line))


def table(rows: Sequence[Sequence[str]], *, heads: int | None = None, caption: str = "") -> str:
    r"""Write a table; header rows become one, empty rows and columns are left out.

    Args:
        rows: Cells; short rows are filled up. A merged cell repeats its text in each place.
        heads: How many rows are the header; guessed where it is not known.
        caption: Stands above in bold.

    >>> print(table([["", "2023", "2023"], ["", "Q1", "Q2"], ["Oslo", "1", "2"]], heads=2))
    |  | 2023 / Q1 | 2023 / Q2 |
    |---|---|---|
    | Oslo | 1 | 2 |
    """
    cells = [[flat(cell) for cell in row] for row in rows]
    width = max(map(len, cells), default=0)
    cells = [row + [""] * (width - len(row)) for row in cells]
    top = [row for row in cells[: heads or 0] if any(row)]
    cells = [row for row in cells if any(row)]
    columns = [column for column in range(width) if any(row[column] for row in cells)]
    cells = [[row[column] for column in columns] for row in cells]
    head = bold(caption)
    if not cells:
        return head
    if len(cells) == 1 or len(columns) == 1:
        return join([head, *(escape(" – ".join(filter(None, row))) for row in cells)]).rstrip()
    count = len(top) if heads else header_rows(cells)
    first = [
        " / ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*cells[:count], strict=True)
    ]
    lines = [_line(first), "|" + "---|" * len(columns), *(_line(row) for row in cells[count:])]
    return (head and f"{head}\n\n") + "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
