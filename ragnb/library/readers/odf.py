"""OpenDocument texts, sheets and slides (odt, ods, odp)."""

from collections.abc import Iterator
from typing import Any, Final

from ragnb.errors import LibraryError
from ragnb.library.readers.converted import Converted, SkippedError
from ragnb.library.readers.grid import grid
from ragnb.library.readers.markup import bold, escape, flat, heading, inside, join, table
from ragnb.library.readers.package import Package, name_of
from ragnb.library.readers.word_styles import value

__all__ = ["read"]

_SKIPPED: Final = frozenset(
    [
        "annotation",
        "tracked-changes",
        "sequence-decls",
        "forms",
        "note-citation",
        "table-of-content-source",
    ]
)
_REPEATS: Final = 200
"""A cell or row that is said to repeat more often only fills the sheet up."""


def read(data: bytes, suffix: str) -> Converted:
    """Read an OpenDocument file."""
    package = Package(data)
    if b"encryption-data" in package.bytes("META-INF/manifest.xml"):
        raise SkippedError("encrypted: save it without a password")
    root = package.xml("content.xml")
    if root is None:
        raise LibraryError(f"damaged, or no {suffix} file: it holds no content.xml")
    body = next(each for each in root.iter() if name_of(each) == "body")
    meta: dict[str, Any] = {}
    about = package.xml("meta.xml")
    for each in about.iter() if about is not None else ():
        key = {"title": "title", "date": "updated", "creator": "author"}.get(name_of(each))
        if key and flat(each.text or ""):
            meta[key] = flat(each.text)
    return Converted(text=join(_Writer(root).blocks(body)), meta=meta)


class _Writer:
    def __init__(self, root: Any) -> None:
        styles = (each for each in root.iter() if name_of(each) == "style")
        parents = {value(each, "name"): value(each, "parent-style-name") for each in styles}
        self.parents = parents
        self.kinds = {
            value(each, "name"): [name_of(level) for level in each]
            for each in root.iter()
            if name_of(each) == "list-style"
        }
        self.style = ""
        self.slides = 0

    def blocks(self, top: Any, depth: int = -1) -> Iterator[str]:
        """Write an element's content in order."""
        for each in top:
            name = name_of(each)
            if name in _SKIPPED or not name:
                continue
            if name == "h":
                level = value(each, "outline-level")
                yield heading(int(level) if level.isdigit() else 1, self.text(each))
            elif name == "p":
                yield from self._paragraph(each)
            elif name == "list":
                yield from self._list(each, depth + 1)
            elif name == "table":
                yield from self._table(each)
            elif name == "page":
                self.slides += 1
                yield heading(2, f"Slide {self.slides}")
                yield from self.blocks(each)
            elif name == "notes":
                words = flat(" ".join(self.blocks(each)))
                yield f"Notes: {words}" if words else ""
            else:
                yield from self.blocks(each, depth)

    def _paragraph(self, element: Any) -> Iterator[str]:
        style = value(element, "style-name")
        style = style if style in {"Title", "Subtitle"} else self.parents.get(style) or style
        words = "\n".join(filter(None, map(flat, self.text(element).split("\v"))))
        if style == "Title":
            yield heading(1, words)
        elif style in {"Caption", "Table", "Illustration"}:
            yield bold(words)
        else:
            yield escape(words)
        for box in (each for each in element.iter() if name_of(each) in {"text-box", "note-body"}):
            yield from self.blocks(box)

    def text(self, element: Any) -> str:
        """Return inline text; text boxes and notes are left out, a line break is a vertical tab."""
        parts = [element.text or ""]
        for each in element:
            name = name_of(each)
            if name == "s":
                parts.append(" " * min(int(value(each, "c") or 1), 100))
            elif name == "tab":
                parts.append("\t")
            elif name == "line-break":
                parts.append("\v")
            elif name and name not in _SKIPPED | {"text-box", "note", "object"}:
                parts.append(self.text(each))
            parts.append(each.tail or "")
        return "".join(parts)

    def _list(self, element: Any, depth: int) -> Iterator[str]:
        above, self.style = self.style, value(element, "style-name") or self.style
        kinds = self.kinds.get(self.style, [])
        ordered = depth < len(kinds) and "number" in kinds[depth]
        for number, item in enumerate(element, start=1):
            first = True
            for block in self.blocks(item, depth):
                nested = block.lstrip().startswith(("- ", "1. ")) or not block
                if first and not nested and not block.startswith("#"):
                    mark = f"{number}. " if ordered else "- "
                    yield "  " * depth + mark + block.replace("\n", " ")
                    first = False
                else:
                    yield block
        self.style = above

    def _table(self, element: Any) -> Iterator[str]:
        rows: list[list[tuple[str, int, int]]] = []
        heads = 0
        for row in (each for each in element.iter() if name_of(each) == "table-row"):
            if next(a for a in row.iterancestors() if name_of(a) == "table") is not element:
                continue
            cells: list[tuple[str, int, int]] = []
            for cell in row:
                if name_of(cell) not in {"table-cell", "covered-table-cell"}:
                    continue
                words = inside(self.blocks(cell))
                repeat = int(value(cell, "number-columns-repeated") or 1)
                if name_of(cell) == "covered-table-cell":
                    continue
                across = int(value(cell, "number-columns-spanned") or 1)
                down = int(value(cell, "number-rows-spanned") or 1)
                cells += [(words, across, down)] * (repeat if repeat <= _REPEATS else 1)
            again = int(value(row, "number-rows-repeated") or 1)
            heads += name_of(row.getparent()) == "table-header-rows"
            rows += [cells] * (again if again <= _REPEATS else 1)
        sheet = name_of(element.getparent()) == "spreadsheet"
        written = table(grid(rows), heads=heads or None)
        yield heading(2, value(element, "name")) if sheet and written else ""
        yield written
