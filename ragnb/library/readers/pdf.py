"""PDF: paragraphs in reading order, headings by their type size, ruled tables, page numbers."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect

from ragnb.errors import LibraryError
from ragnb.library.readers.converted import Converted, SkippedError
from ragnb.library.readers.markup import flat, heading, table
from ragnb.library.readers.pdf_clean import BULLET, UNKNOWN, drop_garbled, drop_running, mended
from ragnb.library.readers.pdf_page import Piece, pieces
from ragnb.text.tokens import CJK

__all__ = ["read"]

_SENTENCE_ENDS: Final = (".", "。", ",", ";", "，", "；")


def read(data: bytes, suffix: str) -> Converted:
    """Read a PDF; pages without a text layer are told in the note."""
    try:
        with pdfplumber.open(io.BytesIO(data), laparams={"line_margin": 0.75}) as book:
            pages = [list(pieces(page)) for page in book.pages]
            meta = _about(book.metadata or {})
    except Exception as error:
        cause = error.args[0] if error.args else error
        if isinstance(error, PDFPasswordIncorrect) or isinstance(cause, PDFPasswordIncorrect):
            raise SkippedError("encrypted: save it without a password") from error
        raise LibraryError(f"damaged, or no {suffix} file: {type(cause).__name__}") from error
    drop_running(pages)
    garbled = sum(map(drop_garbled, pages))
    pages = [list(mended(page)) for page in pages]
    bare = sum(not page for page in pages)
    if bare == len(pages):
        raise SkippedError(
            f"scanned: none of its {len(pages)} pages has a text layer; make one with an OCR "
            "program, such as ocrmypdf"
        )
    note = f"{bare} of {len(pages)} pages have no text layer (pictures or blank)" if bare else ""
    if garbled:
        note = "; ".join(
            filter(None, (note, f"{garbled} stretches use fonts that do not tell their letters"))
        )
    levels = _levels(piece for page in pages for piece in page)
    text = ""
    starts: list[int] = []
    for page in pages:
        starts.append(len(text))
        for piece in page:
            block = _written(piece, levels)
            text += f"{block}\n\n" if block else ""
    return Converted(text=text.rstrip() + "\n", note=note, meta=meta, pages=tuple(starts))


def _about(told: dict[str, Any]) -> dict[str, Any]:
    meta: dict[str, Any] = {}
    title = flat(str(told.get("Title") or ""))
    if title and not re.search(
        r"\.(?:docx?|tex|dvi|indd|pptx?)$|^untitled|^microsoft", title.lower()
    ):
        meta["title"] = title
    if author := flat(str(told.get("Author") or "")):
        meta["author"] = author
    date = re.match(r"D:(\d{4})(\d\d)(\d\d)", str(told.get("ModDate") or told.get("CreationDate")))
    if date:
        meta["updated"] = "-".join(date.groups())
    return meta


def _levels(found: Iterable[Piece]) -> dict[float, int]:
    """Map type sizes of headings to levels; 0 is the size of the body text."""
    weights: Counter[float] = Counter()
    heads: Counter[float] = Counter()
    for piece in found:
        weights[piece.size] += len(piece.text)
        if not piece.rows and _short(piece):
            heads[piece.size] += 1
    body = weights.most_common(1)[0][0] if weights else 0.0
    sizes = {size: count for size, count in heads.items() if size > 1.1 * body}
    kept = sorted(sizes, key=lambda size: sizes[size], reverse=True)[:4]
    return {**{size: 1 + sum(each > size for each in kept) for size in sizes}, body: 0}


def _short(piece: Piece) -> bool:
    words = piece.text.strip()
    return (
        len(piece.lines) <= 3
        and 2 <= len(words) <= 160
        and bool(re.search(r"[^\W\d_]{2}", words))
        and not words.endswith(_SENTENCE_ENDS)
        and not BULLET.match(words)
    )


def _written(piece: Piece, levels: dict[float, int]) -> str:
    if piece.rows:
        return table([[UNKNOWN.sub("•", cell) for cell in row] for row in piece.rows])
    level = levels.get(piece.size, 0)
    number = re.match(r"\d{1,2}((?:\.\d{1,2})+)\.?\s+[^\W\d_]", piece.text)
    if number and (level or piece.bold) and _short(piece):
        return heading(1 + number[1].count("."), " ".join(piece.lines))
    if level and _short(piece):
        return heading(level, " ".join(piece.lines))
    deepest = max(levels.values(), default=0)
    if piece.bold and _short(piece) and len(piece.lines) == 1 and not level:
        numbered = re.match(r"\d+(?:\.\d+)*\.?\s+\S|[A-Z]", piece.text)
        if numbered and piece.size >= min(size for size, n in levels.items() if n == 0):
            return heading(min(deepest + 1, 6), piece.text)
    return "\n".join(_paragraphs(piece.lines))


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to paragraphs; a bullet begins an item, a hyphen at a line's end is mended."""
    current = ""
    for line in map(flat, lines):
        if BULLET.match(line) or re.match(r"\(?(?:\d{1,2}|[a-z])[.)]\s", line):
            if current:
                yield current
            current = BULLET.sub("- ", line, count=1)
        elif re.search(r"[^\W\d_]-$", current) and re.match(r"[a-zß-ÿ]", line):
            current = current[:-1] + line
        else:
            close = bool(
                re.search(f"[{CJK}，。、；：）]$", current) and re.match(f"[{CJK}（]", line)
            )
            current += ("" if close or not current else " ") + line
    if current:
        yield re.sub(r"^#", r"\\#", UNKNOWN.sub("\ufffd", current))
