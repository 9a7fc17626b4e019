"""The elements of an HTML page as Markdown blocks."""

import re
from collections.abc import Iterator
from typing import Any, Final

from ragnb.library.readers.grid import grid
from ragnb.library.readers.markup import bold, escape, fence, flat, heading, inside, table

__all__ = ["blocks_of"]

_DROPPED_NAMES: Final = "script style noscript template svg nav iframe object select button head"
_BLOCK_NAMES: Final = """
    address article aside blockquote body center dd details div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table ul caption
    tbody thead tfoot tr td th
"""
_DROPPED: Final = frozenset(_DROPPED_NAMES.split())
_BLOCKS: Final = frozenset(_BLOCK_NAMES.split())
_MENUS: Final = re.compile(
    r"(?:^|[ -])(?:navbox|noprint|mw-editsection|vector-(?:menu|dropdown|toc|page-toolbar)"
    r"|mw-portlet|breadcrumbs?|cookie-(?:banner|notice)|sr-only|visually-hidden|headerlink)"
)


def blocks_of(top: Any) -> Iterator[str]:
    """Write an element's content as Markdown blocks, in order."""
    yield from _Writer().blocks(top)


class _Writer:
    def blocks(self, top: Any, depth: int = 0) -> Iterator[str]:
        """Collect inline text into paragraphs and hand block elements on."""
        inline: list[str] = [top.text or ""]
        for child in top:
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag in _DROPPED or not tag or _hidden(child):
                pass
            elif tag in _BLOCKS or _holds_blocks(child):
                yield self._paragraph(inline)
                inline = []
                yield from self._block(tag, child, depth)
            else:
                inline.append(self.inline(child))
            inline.append(child.tail or "")
        yield self._paragraph(inline)

    def _paragraph(self, parts: list[str]) -> str:
        lines = (flat(line) for line in "".join(parts).split("\v"))
        return escape("\n".join(line for line in lines if line))

    def inline(self, element: Any) -> str:
        """Write an inline element; a line break becomes a vertical tab."""
        if not isinstance(element.tag, str) or element.tag in _DROPPED:
            return ""
        if element.tag in {"br", "img", "input", "math"}:
            return self._object(element)
        parts = [element.text or ""]
        for child in element:
            parts += [self.inline(child), child.tail or ""]
        text = "".join(parts)
        if element.tag in {"code", "kbd", "samp"} and text.strip():
            return text.replace(text.strip(), f"`{text.strip()}`")
        return text

    def _object(self, element: Any) -> str:
        if element.tag == "br":
            return "\v"
        if element.tag == "math":
            return f" {element.get('alttext') or flat(element.text_content())} "
        if element.tag == "img":
            return f" {element.get('alt') or ''} "
        box = "[x] " if element.get("checked") is not None else "[ ] "
        return box if element.get("type") == "checkbox" else ""

    def _block(self, tag: str, element: Any, depth: int) -> Iterator[str]:
        if re.fullmatch(r"h[1-6]", tag):
            yield heading(int(tag[1]), self.inline(element).replace("\v", " "))
        elif tag == "pre":
            yield fence(element.text_content(), _language(element))
        elif tag in {"ul", "ol"}:
            yield from self._list(element, depth, ordered=tag == "ol")
        elif tag == "dl":
            yield from self._terms(element, depth)
        elif tag == "table":
            yield from self._table(element, depth)
        elif tag in {"figcaption", "caption"}:
            yield bold(self.inline(element))
        elif tag == "blockquote":
            for block in self.blocks(element):
                yield "\n".join(f"> {line}" for line in block.split("\n")) if block else ""
        elif tag != "hr":
            yield from self.blocks(element, depth)

    def _list(self, element: Any, depth: int, *, ordered: bool) -> Iterator[str]:
        start = element.get("start") or "1"
        number = int(start) if start.isdigit() else 1
        for item in element:
            if item.tag in {"ul", "ol"}:
                yield from self._list(item, depth + 1, ordered=item.tag == "ol")
            elif isinstance(item.tag, str) and item.tag not in _DROPPED:
                blocks = [block for block in self.blocks(item, depth + 1) if block.strip()]
                mark = f"{number}. " if ordered else "- "
                number += 1
                first = blocks.pop(0) if blocks and not _marked(blocks[0]) else ""
                if first or blocks:
                    yield "  " * depth + mark + first.replace("\n", "\n" + "  " * depth + "  ")
                yield from blocks

    def _terms(self, element: Any, depth: int) -> Iterator[str]:
        term = ""
        for child in element.xpath("./dt | ./dd | ./div/dt | ./div/dd"):
            words = inside(self.blocks(child, depth))
            if child.tag == "dt":
                if term:
                    yield f"- {term}"
                term = words
            elif words:
                yield f"- {term}: {words}" if term else f"- {words}"
                term = ""
        if term:
            yield f"- {term}"

    def _table(self, element: Any, depth: int) -> Iterator[str]:
        if element.get("role") == "presentation":
            for row in element.xpath("./tr | ./*/tr"):
                for cell in row:
                    yield from self.blocks(cell, depth)
            return
        rows = element.xpath("./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr")
        cells = [
            [
                (
                    inside(self.blocks(c)),
                    _span(c, "colspan"),
                    _span(c, "rowspan"),
                )
                for c in row.xpath("./td | ./th")
            ]
            for row in rows
        ]
        laid = grid(cells)
        heads, width = 0, max(map(len, laid), default=0)
        for row, line in zip(rows, laid, strict=True):
            if heads and len(line) < width:
                break
            if row.getparent().tag != "thead" and (row.xpath("./td") or not row.xpath("./th")):
                break
            heads += 1
        caption = " ".join(self.inline(c) for c in element.xpath("./caption"))
        heads = heads if heads < len(rows) else 1
        yield table(laid, heads=heads or None, caption=caption.replace("\v", " "))


def _hidden(element: Any) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    return (
        element.get("hidden") is not None
        or element.get("role") in {"navigation", "search", "menu"}
        or "display:none" in style
        or bool(_MENUS.search(element.get("class") or ""))
    )


def _holds_blocks(element: Any) -> bool:
    return any(
        isinstance(each.tag, str) and each.tag in _BLOCKS for each in element.iterdescendants()
    )


def _marked(block: str) -> bool:
    return bool(re.match(r"\s*(?:- |\d+\. |\||#|```)", block))


def _span(cell: Any, name: str) -> int:
    value = re.match(r"\s*(\d{1,3})", cell.get(name) or "")
    return max(1, int(value[1])) if value else 1


def _language(element: Any) -> str:
    inner = " ".join(c.get("class") or "" for c in (element, *element.iter("code")))
    hit = re.search(r"lang(?:uage)?-([\w+#-]+)", inner)
    return hit[1] if hit else ""
