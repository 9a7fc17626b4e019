"""The pieces of a PDF page in reading order: boxes of lines, and ruled tables."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pdfminer.layout import LTChar, LTTextBox

from ragnb.library.readers.markup import flat

__all__ = ["Piece", "pieces"]

_EDGE: Final = 0.09
"""Share of a page's height at its top and foot where running titles stand."""


_BOLD: Final = re.compile(r"bold|black|heavy|medi|demi|[a-z]bx\d|bd$|[-,]bd")
_SIGNS: Final = re.compile(r"dingbat|wingding")
_RIGHT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LEFT_RUN: Final = re.compile(r"[A-Za-z0-9](?:[\w.,:/%@+ -]*[A-Za-z0-9%])?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Lines that belong together, or a table.

    Attributes:
        lines: Its lines from top to bottom.
        size: The type size of most of it, in half points.
        bold: Whether most of it is bold.
        edge: Whether it stands at the top or the foot of its page.
        rows: Of a table its cells.
    """

    lines: tuple[str, ...]
    size: float = 0.0
    bold: bool = False
    edge: bool = False
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)


def pieces(page: Any) -> Iterator[Piece]:
    """Give the pieces of a pdfplumber page, and forget what was computed for it."""
    tables = _tables(page)
    shown: set[int] = set()
    for box in (each for each in page.layout if isinstance(each, LTTextBox)):
        for run in _runs(list(box)):
            kept: list[Any] = []
            for line in run:
                inside = next(
                    (n for n, (area, _) in enumerate(tables) if _within(line, area, page)), None
                )
                if inside is None:
                    kept.append(line)
                elif inside not in shown:
                    if kept:
                        yield _piece(kept, page)
                        kept = []
                    shown.add(inside)
                    yield Piece(lines=(), rows=tables[inside][1])
            if kept and any(flat(line.get_text()) for line in kept):
                yield _piece(kept, page)
    page.close()


def _tables(page: Any) -> list[tuple[tuple[float, ...], tuple[tuple[str, ...], ...]]]:
    if len(page.lines) + len(page.rects) + len(page.curves) < 4:
        return []
    found = []
    for each in page.find_tables():
        rows = tuple(tuple(flat(cell or "") for cell in row) for row in each.extract())
        full = sum(bool(cell) for row in rows for cell in row)
        width = max(map(len, rows), default=0)
        if len(rows) > 1 and width > 1 and full >= 0.4 * len(rows) * width:
            found.append((each.bbox, rows))
    return found


def _within(line: Any, area: tuple[float, ...], page: Any) -> bool:
    across, down = (line.x0 + line.x1) / 2, page.height - (line.y0 + line.y1) / 2
    left, top, right, bottom = area
    return bool(left - 1 <= across <= right + 1 and top - 1 <= down <= bottom + 1)


def _runs(lines: list[Any]) -> Iterator[list[Any]]:
    """Part a box where its type changes: a heading may stand close to its text."""
    run: list[Any] = []
    for line in lines:
        if not flat(line.get_text()):
            continue
        if run and _type(run[-1]) != _type(line):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _type(line: Any) -> tuple[float, bool, bool]:
    """Return a line's type size, and whether most of it is bold, or italic."""
    sizes: Counter[float] = Counter()
    heavy = slanted = total = 0
    for char in line:
        if isinstance(char, LTChar) and char.get_text().strip():
            sizes[round(2 * char.size) / 2] += 1
            name = char.fontname.lower()
            heavy += bool(_BOLD.search(name))
            slanted += "ital" in name or "obli" in name
            total += 1
    return (
        (sizes.most_common(1)[0][0] if sizes else 0.0),
        heavy > 0.8 * total,
        slanted > 0.9 * total,
    )


def _words(line: Any) -> str:
    """Return a line's text; one that runs from right to left is put into its spoken order."""
    drawn = (
        "•" if _SIGNS.search(getattr(each, "fontname", "").lower()) else each.get_text()
        for each in line
    )
    text = re.sub(r"•(?:\s*•)+", "•", "".join(drawn))
    if 2 * len(_RIGHT.findall(text)) <= len(re.sub(r"[\W\d_]", "", text)):
        return text
    turned = "".join(reversed([each.get_text() for each in line]))
    turned = _LEFT_RUN.sub(lambda run: run[0][::-1], turned)
    return turned.translate(str.maketrans("()[]«»", ")(][»«"))


def _piece(lines: list[Any], page: Any) -> Piece:
    size, bold, _ = _type(lines[0])
    middle = (lines[0].y1 + lines[-1].y0) / 2 / max(float(page.height), 1.0)
    return Piece(
        lines=tuple(flat(_words(line)) for line in lines),
        size=size,
        bold=bold,
        edge=len(lines) <= 2 and not _EDGE < middle < 1 - _EDGE,
    )
