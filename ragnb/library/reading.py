"""Stretches of a source to be read: a chunk, its window, its section, the whole document."""

from collections.abc import Sequence
from typing import Final, get_args

from haystack import Document

from ragnb.errors import InputError
from ragnb.library.blocks import Heading, headings
from ragnb.library.chunking import structure_of
from ragnb.library.headers import head_lines
from ragnb.library.source import Source
from ragnb.records import Context, Scope, content_id
from ragnb.text.sentences import sentences

__all__ = ["DOCUMENT_LIMIT", "SECTION_LIMIT", "SHORT", "check_scope", "outline", "stretch"]

DOCUMENT_LIMIT: Final = 12_000
"""Characters of a document that are read at once; longer ones come with an outline."""
SECTION_LIMIT: Final = 6_000
"""A section longer than this, subsections included, is read without its subsections."""
SHORT: Final = 3_000
"""A source of so many characters is its own window: what stands beside a hit is seldom far."""
_OUTLINE_LINES: Final = 100
_TOP: Final = 12
"""Lines of a table's file among which its header is looked for."""


def check_scope(scope: str) -> None:
    """Refuse a scope that there is not.

    Raises:
        InputError: It is none of chunk, window, section and document.
    """
    if scope not in get_args(Scope):
        raise InputError(f"scope={scope!r} is unknown. Use one of {', '.join(get_args(Scope))}.")


def stretch(
    source: Source, scope: Scope, *, chunk: Document, window: Sequence[Document] = ()
) -> Context:
    """Return what is read around a chunk: ``text == source.text[start:end]``.

    Args:
        source: The document.
        scope: How much; a section or document over `DOCUMENT_LIMIT` characters is cut to the part
            around the chunk, at line ends where possible.
        chunk: Where to read.
        window: The chunks of the window, the chunk itself among them.
    """
    start, end = int(chunk.meta["start"]), int(chunk.meta["end"])
    section = str(chunk.meta.get("section", ""))
    lines: tuple[str, ...] = ()
    if scope == "document":
        if len(source.text) > DOCUMENT_LIMIT:
            lines = outline(source)
        start, end = _cut(source.text, 0, len(source.text), start, end)
        section = ""
    elif scope == "section":
        first, last = _section(source, start, end, section)
        start, end = _cut(source.text, first, last, start, end)
    elif scope == "window" and len(source.text) <= SHORT:
        start, end, section = *_cut(source.text, 0, len(source.text), start, end), ""
    elif scope == "window":
        start = min(start, *(int(each.meta["start"]) for each in window), start)
        end = max(end, *(int(each.meta["end"]) for each in window), end)
    meta = source.meta
    return Context(
        id=content_id("context", source.id, source.hash, start, end),
        source_id=source.id,
        chunk_id=chunk.id,
        scope=scope,
        start=start,
        end=end,
        text=source.text[start:end],
        title=source.title,
        section=section,
        url=str(meta.get("url", "")),
        page=chunk.meta.get("page"),
        updated=str(meta.get("updated", "")),
        status=str(meta.get("status", "")),
        trust=float(meta.get("trust", 0.5)),
        text_hash=source.hash,
        outline=lines,
        whole=not (source.text[:start].strip() or source.text[end:].strip()),
        header=_header(source) if start and _kind(source) == "table" else "",
    )


def outline(source: Source) -> tuple[str, ...]:
    """List the headings of a source, each with its path and the first sentence below it."""
    marks = headings(source.text, _kind(source))
    lines: list[str] = []
    for index, mark in enumerate(marks[:_OUTLINE_LINES]):
        stop = marks[index + 1].start if index + 1 < len(marks) else mark.end
        body = source.text[mark.start : stop].partition("\n")[2]
        leading = next((body[start:end] for start, end in sentences(body)), "")
        name = " › ".join(part for part in mark.path if part)
        lines.append(f"{name}: {' '.join(leading.split())}" if leading else name)
    if len(marks) > _OUTLINE_LINES:
        lines.append(f"… and {len(marks) - _OUTLINE_LINES} more headings")
    return tuple(lines)


def _header(source: Source) -> str:
    top = source.text.lstrip("\n").split("\n", _TOP)[:_TOP]
    return head_lines(top, "table")[1]


def _kind(source: Source) -> str:
    return structure_of(str(source.meta.get("path") or source.id))


def _section(source: Source, start: int, end: int, name: str) -> tuple[int, int]:
    """Find the section of that name that the chunk at start:end stands in."""
    marks = headings(source.text, _kind(source))
    if not marks:
        return 0, len(source.text)
    if not name:
        return 0, max(end, marks[0].start)
    for index, mark in enumerate(marks):
        inside = mark.start < end and start < mark.end
        if inside and " › ".join(part for part in mark.path if part) == name:
            return min(start, mark.start), max(end, _body_end(mark, marks[index + 1 :]))
    return start, end


def _body_end(mark: Heading, later: Sequence[Heading]) -> int:
    if mark.end - mark.start <= SECTION_LIMIT or not later:
        return mark.end
    return min(mark.end, later[0].start)


def _cut(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    """Cut first:last to the limit so that start:end stays inside, and trim white space."""
    if last - first > DOCUMENT_LIMIT:
        if end - first > DOCUMENT_LIMIT:
            first = max(first, start - max(0, DOCUMENT_LIMIT - (end - start)) // 2)
            line = text.find("\n", first, start)
            first = line + 1 if line >= 0 else first
        limit = first + max(DOCUMENT_LIMIT, end - first)
        if limit < last:
            line = text.rfind("\n", end, limit)
            last = line if line >= 0 else limit
    inside = text[first:last]
    return first + len(inside) - len(inside.lstrip("\n")), first + len(inside.rstrip())
