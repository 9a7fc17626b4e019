"""Cut a source into chunks along its structure; each is a stretch of the source, word for word."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from haystack import Document

from ragnb.errors import InputError
from ragnb.library.blocks import Block, blocks
from ragnb.library.headers import caption_of, head_lines
from ragnb.library.kinds import CODE_SUFFIXES
from ragnb.library.source import Source, plain_meta
from ragnb.text.sentences import sentences
from ragnb.text.tokens import CJK

__all__ = ["Chunking", "Span", "chunk", "spans", "structure_of"]

_WORD: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_STRETCH: Final = 1.5
"""A block up to this many times the wanted size stays whole."""
_THIN: Final = 0.15
"""A chunk below this share of the wanted size takes its first subsection in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """How sources are cut.

    Attributes:
        words: Wanted size; two CJK characters count as one word.
        overlap: Words at a chunk's end that the next one repeats, in whole blocks or sentences.

    Raises:
        InputError: ``words`` below 1, or ``overlap`` not between 0 and ``words``.
    """

    words: int = 120
    overlap: int = 0

    def __post_init__(self) -> None:
        if self.words < 1 or not 0 <= self.overlap < self.words:
            raise InputError(
                f"Chunking(words={self.words}, overlap={self.overlap}) can't be used: "
                "words must be 1 or more, and overlap at least 0 and below words."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a chunk stands: ``text[start:end]``, under which headings, and its table's header."""

    start: int
    end: int
    section: tuple[str, ...] = ()
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    start: int
    end: int
    words: float
    section: tuple[str, ...]
    light: bool = False
    """Headings and front matter: no content by themselves."""
    header: str = ""


def structure_of(path: str) -> str:
    """Name the structure of a file by its suffix, as `blocks` wants it.

    >>> structure_of("a/prices.CSV"), structure_of("notes.txt"), structure_of("a.py")
    ('table', 'markdown', 'code')
    """
    suffix = "." + path.lower().rpartition(".")[2]
    if suffix in CODE_SUFFIXES or suffix in {".json", ".jsonl", ".ndjson"}:
        return "code"
    return {".csv": "table", ".tsv": "table", ".rst": "rst"}.get(suffix, "markdown")


def spans(text: str, kind: str = "markdown", chunking: Chunking | None = None) -> list[Span]:
    r"""Cut text along its structure.

    A chunk begins at a heading, or where the wanted size is reached between two paragraphs, list
    items or table rows; sentences are parted only where one block is too long by itself. All that
    is not white space lies in a chunk.

    Args:
        text: The text, with ``\n`` line ends.
        kind: ``"markdown"``, ``"rst"``, ``"code"`` or ``"table"``.
        chunking: Sizes; 120 words without overlap by default.

    >>> text = "# A\n\nOne.\n\n## B\n\nTwo words.\n"
    >>> [(text[s.start : s.end], s.section) for s in spans(text, chunking=Chunking(words=2))]
    [('# A\n\nOne.', ('A',)), ('## B\n\nTwo words.', ('A', 'B'))]
    """
    settings = chunking or Chunking()
    found: list[Span] = []
    buffer: list[_Unit] = []
    for unit in _units(text, kind, settings):
        heavy = sum(each.words for each in buffer if not each.light)
        total = sum(each.words for each in buffer)
        if buffer and unit.section != buffer[-1].section:
            deeper = unit.section[: len(buffer[-1].section)] == buffer[-1].section
            if heavy and not (deeper and total < _THIN * settings.words):
                found.append(_span(buffer))
                buffer = []
        elif heavy and total + unit.words > settings.words:
            kept = _carried(text, buffer, settings)
            if kept and settings.overlap == 0:
                buffer = buffer[: -len(kept)]
            found.append(_span(buffer))
            buffer = kept
        buffer.append(unit)
    if buffer:
        found.append(_span(buffer))
    return found


def chunk(source: Source, chunking: Chunking | None = None) -> list[Document]:
    """Cut a source into Haystack documents.

    Args:
        source: The source; the suffix of its ``meta["path"]``, or of its id, tells its structure.
        chunking: Sizes.

    Returns:
        Documents in order with ``content == source.text[start:end]`` and meta ``source_id``,
        ``title``, ``section`` (``"A › B"``), ``start``, ``end`` (code points), ``index`` (from 0),
        ``page`` (from 1, where it begins; None without pages), ``context`` (title, section,
        caption and header of its table: what the words stand in),
        ``text_hash`` and the plain values of the source's meta (texts up to 200 characters).
    """
    common = plain_meta(source)
    pages = source.meta.get("pages") or []
    title = source.title
    kind = structure_of(str(source.meta.get("path") or source.id))
    made: list[Document] = []
    for index, span in enumerate(spans(source.text, kind, chunking)):
        path = span.section[1:] if span.section[:1] == (title,) else span.section
        place = " › ".join(part for part in (title, *path) if part)
        identity = f"{source.id}\x1f{source.hash}\x1f{span.start}\x1f{span.end}"
        own = {
            "source_id": source.id,
            "title": title,
            "section": " › ".join(span.section),
            "start": span.start,
            "end": span.end,
            "index": index,
            "page": bisect_right(pages, span.start) if pages else None,
            "context": "\n".join(part for part in (place, span.header) if part),
            "text_hash": source.hash,
        }
        made.append(
            Document(
                id=hashlib.blake2b(identity.encode(), digest_size=8).hexdigest(),
                content=source.text[span.start : span.end],
                meta={**common, **own},
            )
        )
    return made


def _span(buffer: list[_Unit]) -> Span:
    first = next((unit for unit in buffer if not unit.light), buffer[-1])
    return Span(
        start=buffer[0].start,
        end=buffer[-1].end,
        section=first.section or buffer[-1].section,
        header=buffer[0].header,
    )


def _carried(text: str, buffer: list[_Unit], settings: Chunking) -> list[_Unit]:
    """Give the last units that the next chunk begins with."""
    if settings.overlap == 0:
        last = buffer[-1]
        announces = text[last.start : last.end].endswith((":", "：")) and not last.light
        return [last] if announces and any(not unit.light for unit in buffer[:-1]) else []
    kept: list[_Unit] = []
    words = 0.0
    for unit in reversed(buffer[1:]):
        words += unit.words
        if words > settings.overlap or unit.light:
            break
        kept.insert(0, unit)
    return kept


def _units(text: str, kind: str, settings: Chunking) -> Iterator[_Unit]:
    path: list[Block] = []
    before = ""
    for block in blocks(text, kind):
        if block.kind == "heading":
            path = [above for above in path if above.level < block.level] + [block]
        unit = _Unit(
            start=block.start,
            end=block.end,
            words=_words(text[block.start : block.end]),
            section=tuple(each.title for each in path if each.title),
            light=block.kind in {"heading", "front"},
        )
        if block.kind == "table":
            yield from _rows(text, unit, kind, caption_of(before))
        elif unit.words <= _STRETCH * settings.words and not _huge(unit, settings):
            yield unit
        elif block.kind == "code":
            yield from _pieces(text, unit, _lines(text, unit), settings)
        else:
            bounds = [unit.start + start for start, _ in sentences(text[unit.start : unit.end])]
            yield from _pieces(text, unit, bounds, settings)
        before = text[block.start : block.end] if block.kind == "paragraph" else ""


def _rows(text: str, unit: _Unit, kind: str, caption: str) -> Iterator[_Unit]:
    """Part a table into rows; each names the caption, and the header but the part that holds it."""
    bounds = _records(text, unit) if kind == "table" else _lines(text, unit)
    top = [text[a:b] for a, b in zip(bounds, [*bounds[1:], unit.end], strict=True)][:12]
    count, header = head_lines(top, kind)
    whole = "\n".join(part for part in (caption, header) if part)
    for part in _parts(text, unit, [unit.start, *bounds[count:]]):
        yield replace(part, header=caption if part.start == unit.start else whole)


def _pieces(text: str, unit: _Unit, bounds: list[int], settings: Chunking) -> Iterator[_Unit]:
    """Part a long block at the bounds, and what is still far too long at white space."""
    for part in _parts(text, unit, bounds):
        if part.words <= 2 * settings.words and not _huge(part, settings):
            yield part
            continue
        cuts = [part.start]
        for match in re.finditer(r"\s+(?=\S)", text[part.start : part.end]):
            at = part.start + match.end()
            if _words(text[cuts[-1] : at]) >= settings.words:
                cuts.append(at)
        step = 16 * settings.words
        hard = [
            at
            for start, end in zip(cuts, [*cuts[1:], part.end], strict=True)
            for at in range(start, end, step)
        ]
        yield from _parts(text, part, hard)


def _parts(text: str, unit: _Unit, bounds: list[int]) -> Iterator[_Unit]:
    starts = sorted({unit.start, *bounds})
    for start, after in zip(starts, [*starts[1:], unit.end], strict=True):
        end = start + len(text[start:after].rstrip())
        if end > start:
            yield replace(unit, start=start, end=end, words=_words(text[start:end]))


def _lines(text: str, unit: _Unit) -> list[int]:
    inside = text[unit.start : unit.end]
    return [unit.start, *(unit.start + m.end() for m in re.finditer(r"\n(?=[^\n])", inside))]


def _records(text: str, unit: _Unit) -> list[int]:
    """Find the starts of CSV records: line ends inside quotation marks don't count."""
    bounds = [unit.start]
    for start in _lines(text, unit)[1:]:
        if text.count('"', bounds[-1], start) % 2 == 0:
            bounds.append(start)
    return bounds


def _huge(unit: _Unit, settings: Chunking) -> bool:
    return unit.end - unit.start > 16 * settings.words


def _words(text: str) -> float:
    return sum(0.5 if ord(hit[0]) > 0x3000 else 1.0 for hit in _WORD.findall(text))
