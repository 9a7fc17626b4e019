"""Word documents (docx), also strict ones: headings, lists, tables, text boxes, footnotes."""

import re
from collections.abc import Iterator
from typing import Any, Final

from ragnb.library.readers.converted import Converted
from ragnb.library.readers.grid import grid
from ragnb.library.readers.markup import bold, escape, fence, flat, heading, inside, join, table
from ragnb.library.readers.package import Package, name_of
from ragnb.library.readers.word_styles import Styles, child, value

__all__ = ["read"]

_GONE: Final = frozenset(
    ["del", "moveFrom", "Fallback", "txbxContent", "pPr", "rPr", "instrText", "delText"]
)
_INSIDE: Final = frozenset(
    ["sdt", "sdtContent", "smartTag", "customXml", "ins", "moveTo", "body", "hdr"]
)


_SIGNS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(data: bytes, suffix: str) -> Converted:
    """Read a Word document."""
    del suffix
    package = Package(data)
    writer = _Writer(package)
    root = package.xml("word/document.xml")
    if root is None:
        main = next(
            (n for n in sorted(package.names) if re.search(r"word/document\d*\.xml$", n)), ""
        )
        root = package.xml(main)
    blocks = list(writer.blocks(root)) if root is not None else []
    notes = [*writer.notes("footnotes"), *writer.notes("endnotes")]
    return Converted(text=join([*blocks, *notes]), meta=properties(package))


def properties(package: Package) -> dict[str, Any]:
    """Return title, author and date of an Office package."""
    core = package.xml("docProps/core.xml")
    found: dict[str, Any] = {}
    for each in core if core is not None else ():
        key = {"title": "title", "creator": "author", "modified": "updated"}.get(name_of(each))
        if key and flat(each.text or ""):
            found[key] = flat(each.text)
    return found


class _Writer:
    def __init__(self, package: Package) -> None:
        self.package = package
        self.styles = Styles(package)
        self.code: list[str] = []

    def blocks(self, top: Any) -> Iterator[str]:
        """Write paragraphs and tables in order."""
        for each in top:
            name = name_of(each)
            if name == "p":
                for block in self._paragraph(each):
                    if block or not self.code:
                        yield from self._flush()
                    yield block
            elif name == "tbl":
                yield from self._flush()
                yield self._table(each)
            elif name in _INSIDE:
                yield from self.blocks(each)
        yield from self._flush()

    def notes(self, kind: str) -> Iterator[str]:
        """Write footnotes or endnotes below the text."""
        root = self.package.xml(f"word/{kind}.xml")
        for note in root if root is not None else ():
            words = flat(" ".join(self.text(p) for p in note.iter() if name_of(p) == "p"))
            if words and value(note, "type") in {"", "normal"}:
                yield f"[{value(note, 'id')}] {words}"

    def _flush(self) -> Iterator[str]:
        if self.code:
            yield fence("\n".join(self.code))
            self.code = []

    def _paragraph(self, paragraph: Any) -> Iterator[str]:
        style = self.styles.of(paragraph)
        raw = self.text(paragraph)
        words = "\n".join(filter(None, (flat(line) for line in raw.split("\n"))))
        number = self.styles.list_mark(paragraph, style)
        if style.code and raw.strip():
            self.code.append(raw.rstrip())
        elif style.level and words:
            yield heading(style.level, words)
        elif style.caption:
            yield bold(words)
        elif number and words:
            yield number + words.replace("\n", "\n" + " " * (len(number)))
        else:
            yield escape(words)
        for box in (each for each in paragraph.iter() if name_of(each) == "txbxContent"):
            if not any(name_of(above) == "Fallback" for above in box.iterancestors()):
                yield from self.blocks(box)

    def text(self, top: Any) -> str:
        """Return the text of a paragraph; deleted text, fields' codes and text boxes not."""
        parts: list[str] = []
        for each in top:
            name = name_of(each)
            if name in _GONE or not name:
                continue
            if name == "t":
                parts.append(each.text or "")
            elif name in _SIGNS:
                parts.append(_SIGNS[name])
            elif name == "footnoteReference":
                parts.append(f" [{value(each, 'id')}]")
            else:
                parts.append(self._formula(name, each))
        return "".join(parts)

    def _formula(self, name: str, each: Any) -> str:
        """Write fractions, powers, brackets and sums as one types them; other parts as text."""
        if name == "f" and child(each, "num") is not None:
            over, under = (self.text(child(each, part)) for part in ("num", "den"))
            return f"{_grouped(over)}/{_grouped(under)}"
        if name in {"sup", "sub"}:
            words = self.text(each)
            return ("^" if name == "sup" else "_") + _grouped(words) if words else ""
        if name == "d":
            return f"({self.text(each)})"
        if name == "nary":
            given = child(each, "naryPr")
            sign = child(given, "chr") if given is not None else None
            return (value(sign, "val") if sign is not None else "∫") + self.text(each)
        return self.text(each)

    def _table(self, element: Any) -> str:
        rows: list[list[tuple[str, int, int]]] = []
        heads = 0
        merged: dict[int, str] = {}
        for row in (
            each for each in element.iter() if name_of(each) == "tr" and _owner(each) is element
        ):
            marks = child(row, "trPr")
            heads += (
                marks is not None and child(marks, "tblHeader") is not None and heads == len(rows)
            )
            line: list[tuple[str, int, int]] = []
            place = 0
            for cell in (
                each for each in row.iter() if name_of(each) == "tc" and _row(each) is row
            ):
                given = child(cell, "tcPr")
                span = child(given, "gridSpan") if given is not None else None
                across = int(value(span, "val") or 1) if span is not None else 1
                down = child(given, "vMerge") if given is not None else None
                words = inside(self.blocks(cell))
                if down is not None and value(down, "val") != "restart":
                    words = merged.get(place, words)
                merged[place] = words
                line.append((words, across, 1))
                place += across
            rows.append(line)
        return table(grid(rows), heads=heads if 0 < heads < len(rows) else None)


def _grouped(text: str) -> str:
    return text if len(text) < 2 else f"({text})"


def _owner(row: Any) -> Any:
    return next(each for each in row.iterancestors() if name_of(each) == "tbl")


def _row(cell: Any) -> Any:
    return next(each for each in cell.iterancestors() if name_of(each) == "tr")
