"""The structure of a text: headings, paragraphs, list items, tables and code, by offsets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["Block", "Heading", "blocks", "headings"]

Kind = Literal["front", "heading", "paragraph", "item", "table", "code"]

_FENCE: Final = re.compile(r"[ \t]*(`{3,}|~{3,})")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT: Final = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_ADORNED: Final = re.compile(r"([=\-~^\"'`+*#.:_])\1{2,}[ \t]*$")
_ITEM: Final = re.compile(
    r"[ \t]*(?:[-*+•]|\d{1,9}[.)、]|[（(][一二三四五六七八九十\d]+[)）])[ \t]+\S"
)
_RULE: Final = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_ANCHOR: Final = re.compile(r"\s*\{[#.][^}]*\}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One piece of structure: ``text[start:end]`` starts at a line and ends with ink.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last character that is not white space.
        kind: What it is.
        level: Of a heading 1 to 6, else 0.
        title: Of a heading its words, without marks.
    """

    start: int
    end: int
    kind: Kind
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading, its path from the top, and the section that it opens: ``text[start:end]``."""

    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def blocks(text: str, kind: str = "markdown") -> list[Block]:
    r"""Cut text into blocks, in order; all that is between them is white space.

    Args:
        text: The text, with ``\n`` line ends.
        kind: ``"markdown"`` (also for plain text), ``"rst"``, ``"table"`` (CSV and TSV) or
            ``"code"``, which is parted at blank lines before text that is not indented.

    >>> [(b.kind, b.title or "a\nb"[b.start : b.end]) for b in blocks("# One\n\nTwo\n- three")]
    [('heading', 'One'), ('paragraph', ''), ('item', '')]
    """
    if kind == "table":
        stripped = text.rstrip()
        lead = len(text) - len(text.lstrip("\n"))
        return [Block(start=lead, end=len(stripped), kind="table")] if stripped.strip() else []
    if kind == "code":
        parts = re.finditer(r"[^\n]*\S(?:.*?)(?=\s*\Z|\n[ \t]*\n+(?=[^\s)}\]]))", text, re.DOTALL)
        return [
            Block(start=part.start(), end=part.start() + len(part[0].rstrip()), kind="code")
            for part in parts
        ]
    return list(_Parser(text, rst=kind == "rst").run())


def headings(text: str, kind: str = "markdown") -> list[Heading]:
    """List the headings of text with the sections that they open, in order."""
    marks = [block for block in blocks(text, kind) if block.kind == "heading"]
    found: list[Heading] = []
    path: list[Block] = []
    for index, mark in enumerate(marks):
        path = [above for above in path if above.level < mark.level] + [mark]
        later = (other.start for other in marks[index + 1 :] if other.level <= mark.level)
        found.append(
            Heading(
                title=mark.title,
                level=mark.level,
                path=tuple(each.title for each in path),
                start=mark.start,
                end=next(later, len(text)),
            )
        )
    return found


class _Parser:
    def __init__(self, text: str, *, rst: bool) -> None:
        self.rst = rst
        self.adornments: list[str] = []
        self.lines: list[_Line] = []
        start = 0
        for line in text.split("\n"):
            self.lines.append(_Line(start, line))
            start += len(line) + 1

    def run(self) -> Iterator[Block]:
        at = 0
        while at < len(self.lines):
            if self.lines[at].blank:
                at += 1
                continue
            block, at = self._next(at)
            yield block

    def _next(self, at: int) -> tuple[Block, int]:
        if at == 0 and (end := self._front_end()):
            return self._block(0, end, "front"), end
        line = self.lines[at].text
        if fence := _FENCE.match(line):
            end = self._fence_end(at, fence.group(1))
            return self._block(at, end, "code"), end
        if self._heads(at):
            return self._heading(at)
        if self._tables(at):
            end = at + 2
            while end < len(self.lines) and "|" in self.lines[end].text:
                end += 1
            return self._block(at, end, "table"), end
        item = bool(_ITEM.match(line))
        end = at + 1
        while end < len(self.lines) and not self._interrupts(end):
            end += 1
        return self._block(at, end, "item" if item else "paragraph"), end

    def _interrupts(self, at: int) -> bool:
        line = self.lines[at]
        return (
            line.blank
            or bool(_FENCE.match(line.text) or _ITEM.match(line.text))
            or self._heads(at)
            or self._tables(at)
        )

    def _heads(self, at: int) -> bool:
        line = self.lines[at].text
        if not self.rst and _ATX.match(line):
            return True
        if at + 1 >= len(self.lines) or self.lines[at].blank or _ITEM.match(line):
            return False
        below = self.lines[at + 1].text
        if "|" in line or line.startswith((" ", "\t")) or not re.search(r"\w", line):
            return False
        if self.rst:
            return bool(_ADORNED.match(below)) and len(below.rstrip()) >= len(line.rstrip())
        return bool(_SETEXT.match(below)) and len(below.strip()) >= 2

    def _heading(self, at: int) -> tuple[Block, int]:
        line = self.lines[at].text
        if not self.rst and (mark := _ATX.match(line)):
            level, title, end = len(mark.group(1)), mark.group(2) or "", at + 1
        else:
            title, end = line, at + 2
            sign = self.lines[at + 1].text.strip()[0]
            if self.rst and sign not in self.adornments:
                self.adornments.append(sign)
            level = self.adornments.index(sign) + 1 if self.rst else 1 + (sign == "-")
        title = _ANCHOR.sub("", title.strip()).strip()
        title = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"[*`]+", "", title))
        return self._block(at, end, "heading", level=min(level, 6), title=title), end

    def _tables(self, at: int) -> bool:
        return (
            at + 1 < len(self.lines)
            and "|" in self.lines[at].text
            and "|" in self.lines[at + 1].text
            and bool(_RULE.match(self.lines[at + 1].text))
        )

    def _front_end(self) -> int:
        mark = self.lines[0].text.rstrip()
        if mark not in {"---", "+++"}:
            return 0
        for index, line in enumerate(self.lines[1:200], start=1):
            if line.text.rstrip() == mark:
                return index + 1
            if mark == "---" and not re.match(
                r"\s*$|\s*#|\s+\S|-\s|[\w\"'][^:]*:(\s|$)", line.text
            ):
                return 0
        return 0

    def _fence_end(self, at: int, mark: str) -> int:
        close = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        for index in range(at + 1, len(self.lines)):
            if close.match(self.lines[index].text):
                return index + 1
        return len(self.lines)

    def _block(self, at: int, end: int, kind: Kind, *, level: int = 0, title: str = "") -> Block:
        while self.lines[end - 1].blank:
            end -= 1
        return Block(
            start=self.lines[at].start,
            end=self.lines[end - 1].end,
            kind=kind,
            level=level,
            title=title,
        )
