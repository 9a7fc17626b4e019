"""Cut what was read into spans that can be quoted: sentences, list items, table rows, lists."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ragnb.library.blocks import Block, blocks
from ragnb.library.chunking import structure_of
from ragnb.library.headers import head_lines
from ragnb.records import Context
from ragnb.text.sentences import sentences

__all__ = ["Span", "cut", "row_at"]

_MARKUP: Final = re.compile(r"<[^<>]*>|!\[[^\]]*\]\([^)]*\)|https?://\S+")
_TAGS: Final = re.compile(
    r"\s*(?:</?(?:blockquote|br|dd|div|dl|dt|h[1-6]|li|ol|p|section|table|tbody|td|th|thead|tr|ul)\b"
    r"[^<>]*>\s*)+",
    re.IGNORECASE,
)
"""Where Markdown holds HTML, no sentence goes on behind one of these."""
_RULE: Final = re.compile(r"[\s|:-]*-[\s|:-]*$")
_TOP: Final = 12
"""Lines of a table among which its header is looked for."""
_LONG_ITEM: Final = 400
_LONG_LIST: Final = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of a text that can be quoted: ``text[start:end]``, and what it stands in.

    Attributes:
        start: Offset of the first character, in code points of the text that was cut.
        end: Offset after the last.
        kind: What it is; ``list`` is several items with the line that leads them in.
        headings: Headings above it within the text, outermost first.
        lead: What it follows on: the sentence before it, a list's first line, a table's header.
    """

    start: int
    end: int
    kind: Literal["sentence", "item", "row", "list"]
    headings: tuple[str, ...] = ()
    lead: str = ""


def cut(text: str, name: str = "", header: str = "") -> list[Span]:
    r"""List the spans of a text that can be evidence; headings alone and front matter can't.

    Args:
        text: What was read.
        name: The source's id; the suffix of a table's file tells that its lines are rows.
        header: The lines that name the columns of such a file, where the text begins below them.

    >>> text = "# Keys\n\nDo this:\n\n- Lock up.\n- Go home."
    >>> [(span.kind, text[span.start : span.end]) for span in cut(text)][:2]
    [('sentence', 'Do this:'), ('item', 'Lock up.')]
    >>> cut(text)[-1].kind, cut(text)[-1].headings
    ('list', ('Keys',))
    """
    found: list[Span] = []
    path: list[Block] = []
    items: list[Block] = []
    lead: tuple[int, int] | None = None
    for block in blocks(text, structure_of(name)):
        if block.kind == "item":
            items.append(block)
        elif items:
            found += _lists(text, items, lead, _titles(path))
            items = []
        if block.kind == "heading":
            path = [above for above in path if above.level < block.level] + [block]
            lead = None
        elif block.kind == "paragraph":
            made = list(_sentences(text, block, _titles(path)))
            found += made
            lead = (made[-1].start, made[-1].end) if made else None
        elif block.kind == "item":
            found += _item(text, block, _titles(path), text[lead[0] : lead[1]] if lead else "")
        elif block.kind == "table":
            found += _rows(text, block, _titles(path), header)
            lead = None
    if items:
        found += _lists(text, items, lead, _titles(path))
    return [span for span in found if _says_something(text[span.start : span.end])]


def row_at(context: Context, start: int, end: int) -> Span | None:
    """Return the row of a table that ``context.text[start:end]`` stands in, if it does in one."""
    spans = cut(context.text, context.source_id, context.header)
    return next((s for s in spans if s.kind == "row" and s.start <= start and end <= s.end), None)


def _says_something(text: str) -> bool:
    """Tell whether there are words left without tags, pictures and addresses."""
    return any(char.isalpha() for char in _MARKUP.sub(" ", text))


def _titles(path: list[Block]) -> tuple[str, ...]:
    return tuple(block.title for block in path if block.title)


def _sentences(text: str, block: Block, headings: tuple[str, ...]) -> Iterator[Span]:
    before = ""
    for start, end in sentences(text[block.start : block.end]):
        for first, last in _between_tags(text, block.start + start, block.start + end):
            yield Span(start=first, end=last, kind="sentence", headings=headings, lead=before)
            before = text[first:last]


def _between_tags(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for tags in _TAGS.finditer(text, start, end):
        if at < tags.start():
            yield at, tags.start()
        at = tags.end()
    if at < end:
        yield at, end


def _item(text: str, block: Block, headings: tuple[str, ...], lead: str) -> Iterator[Span]:
    """Give an item whole, or, if it is long, its sentences."""
    inside = sentences(text[block.start : block.end])
    if not inside:
        return
    if block.end - block.start > _LONG_ITEM and len(inside) > 1:
        pieces = inside
    else:
        pieces = [(inside[0][0], inside[-1][1])]
    before = lead
    for start, end in pieces:
        first, last = block.start + start, block.start + end
        yield Span(start=first, end=last, kind="item", headings=headings, lead=before)
        before = text[first:last]


def _rows(text: str, block: Block, headings: tuple[str, ...], header: str) -> Iterator[Span]:
    """Give a table's rows, with its header as what leads them in."""
    lines = text[block.start : block.end].split("\n")
    heads = 0
    if not header:
        kind = "markdown" if len(lines) > 1 and _RULE.match(lines[1]) else "table"
        heads, header = head_lines(lines[:_TOP], kind)
    at = block.start
    for number, line in enumerate(lines):
        bare = line.strip()
        if number >= heads and any(char.isalnum() for char in bare):
            start = at + line.index(bare)
            end = start + len(bare)
            yield Span(start=start, end=end, kind="row", headings=headings, lead=header)
        at += len(line) + 1


def _lists(
    text: str, items: list[Block], lead: tuple[int, int] | None, headings: tuple[str, ...]
) -> Iterator[Span]:
    """Give runs of items as one span each, cut where they grow too long."""
    first = lead[0] if lead and text[lead[0] : lead[1]].rstrip().endswith((":", "：")) else None
    run: list[Block] = []
    for item in [*items, None]:
        start = run[0].start if first is None and run else first
        full = item is None or (start is not None and item.end - start > _LONG_LIST)
        if run and full:
            if len(run) > 1:
                yield Span(
                    start=run[0].start if start is None else start,
                    end=run[-1].end,
                    kind="list",
                    headings=headings,
                    lead=text[lead[0] : lead[1]] if lead else "",
                )
            run, first = [], None
        if item is not None:
            run.append(item)
