"""The pieces of a PDF without running titles and unreadable ones, and with sentences mended."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ragnb.library.readers.markup import flat
from ragnb.library.readers.pdf_page import Piece

__all__ = ["BULLET", "UNKNOWN", "drop_garbled", "drop_running", "mended"]

BULLET: Final = re.compile(
    r"(?:[•◦▪●■‣∙⁃·–➢✓\uf000-\uf0ff]|\(cid:\d+\))\s*(?:\(cid:\d+\)\s*)?(?=\S)"
)
_LONE: Final = re.compile(r"[•◦▪●■‣∙⁃·–➢✓\uf000-\uf0ff]|\(cid:\d+\)")
UNKNOWN: Final = re.compile(r"\(cid:\d+\)")


def drop_running(pages: list[list[Piece]]) -> None:
    """Drop page numbers, and the first or last lines that most pages share."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_shape(piece) for piece in page if piece.edge and not piece.rows})
    often = max(3, len(pages) // 2)
    for page in pages:
        page[:] = [
            piece
            for piece in page
            if piece.rows
            or not (
                piece.edge
                and (
                    seen[_shape(piece)] >= often or re.fullmatch(r"[\W\d]{1,9}", piece.text.strip())
                )
            )
        ]


def drop_garbled(page: list[Piece]) -> int:
    """Count pieces whose font does not tell which letters it shows; the unreadable are dropped."""
    count = 0
    for place, piece in reversed(list(enumerate(page))):
        unknown = sum(len(UNKNOWN.findall(BULLET.sub("", line, count=1))) for line in piece.lines)
        known = len(re.findall(r"\w", UNKNOWN.sub("", piece.text)))
        if unknown <= 0.03 * known or len(piece.text) < 12:
            continue
        count += 1
        if unknown > 0.25 * known:
            del page[place]
    return count


def mended(page: list[Piece]) -> Iterator[Piece]:
    """Join pieces that a sentence runs through, and a bullet with what it belongs to."""
    last: Piece | None = None
    for piece in page:
        lone = last is not None and bool(_LONE.fullmatch(last.text.strip()))
        if last and not (last.rows or piece.rows) and (lone or _runs_on(last, piece)):
            lines = (
                (f"{last.text} {piece.lines[0]}", *piece.lines[1:])
                if lone
                else last.lines + piece.lines
            )
            last = replace(piece, lines=lines, edge=False)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _runs_on(above: Piece, below: Piece) -> bool:
    ends = above.text.rstrip()
    return (
        (above.size, above.bold) == (below.size, below.bold)
        and len(ends) > 40
        and not ends.endswith((".", ":", "!", "?", ";", "。", "：", "！", "？"))
        and bool(re.match(r"[a-zß-ÿ가-힣]", below.text))
    )


def _shape(piece: Piece) -> str:
    return re.sub(r"\d+", "0", flat(piece.text))
