"""AsciiDoc, with its headings, lists, listings and tables written as Markdown."""

import re
from itertools import takewhile
from typing import Final

from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted
from ragnb.library.readers.markup import bold, fence, heading, join, table

__all__ = ["read"]

_HEADING: Final = re.compile(r"(={1,6})\s+(\S.*)$")
_ATTRIBUTE: Final = re.compile(r":([\w-]+):\s*(.*)$")
_ITEM: Final = re.compile(r"\s*(\*{1,5}|-|\.{1,5})\s+(\S.*)$")
_FENCE: Final = re.compile(r"(-{4,}|\.{4,}|`{3,})\s*$")
_CELL: Final = re.compile(
    r"(?:(?<=\s)(?:\d+(?:\.\d+)?\+|\.\d+\+)?[<^>]?(?:\.[<^>])?[aehlmsd]?)?(?<!\\)\|"
)
_OPTIONS: Final = re.compile(r"\[(?:source,\s*([\w+-]+))?[^\]]*\]$")
_NOTHING: Final = re.compile(r"//|[=*_+]{4,}$|\+$|<<<$|'''$")
_DATES: Final = {"revdate": "updated", "date": "updated", "author": "author", "status": "status"}


def read(data: bytes, suffix: str) -> Converted:
    """Read an AsciiDoc text."""
    del suffix
    text, note = decode(data)
    writer = _Writer(text.split("\n"))
    while writer.at < len(writer.lines):
        writer.step()
    return Converted(text=join(writer.blocks), note=note, meta=writer.meta)


class _Writer:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.blocks: list[str] = []
        self.meta: dict[str, str] = {}
        self.caption = self.language = ""
        self.open = False

    def step(self) -> None:
        """Write the next line, or the block that it opens."""
        line = self.lines[self.at].rstrip()
        self.at += 1
        was_open, self.open = self.open, False
        if self._marked(line) or not line.strip() or _NOTHING.match(line):
            return
        self.open = True
        if hit := _ITEM.match(line):
            depth = len(hit[1]) - 1 + (len(line) - len(line.lstrip())) // 2
            self.blocks.append(
                "  " * depth + ("1. " if hit[1][0] == "." else "- ") + _inline(hit[2])
            )
        elif was_open:
            self.blocks[-1] += f"\n{_inline(line)}"
        else:
            self._add(_inline(line))

    def _marked(self, line: str) -> bool:
        if hit := _HEADING.match(line):
            self.blocks.append(heading(len(hit[1]), hit[2]))
        elif hit := _ATTRIBUTE.match(line):
            self.meta |= {_DATES[hit[1]]: hit[2]} if hit[1] in _DATES else {}
        elif _FENCE.match(line):
            self._add(fence("\n".join(self._until(line)), self.language))
            self.language = ""
        elif line.startswith("|==="):
            rows, caption, self.caption = _rows(self._until("|===")), self.caption, ""
            self.blocks.append(table(rows, caption=caption))
        elif line.startswith("|"):
            self.at -= 1
            many = takewhile(lambda each: each.startswith("|"), self.lines[self.at :])
            rows = _rows([each.rstrip().removesuffix("|") for each in many])
            self.at += len(rows)
            self._add(table(rows))
        elif re.match(r"\.[^\s.]", line):
            self.caption = line[1:]
        elif hit := _OPTIONS.match(line):
            self.language = hit[1] or self.language
        else:
            return False
        return True

    def _add(self, block: str) -> None:
        self.blocks += [bold(self.caption), block]
        self.caption = ""

    def _until(self, mark: str) -> list[str]:
        found = list(takewhile(lambda line: not line.startswith(mark), self.lines[self.at :]))
        self.at += len(found) + 1
        return found


def _rows(lines: list[str]) -> list[list[str]]:
    """Give rows of cells: one line each, or as many cells each as the first line has."""
    rows: list[list[str]] = []
    for line in lines:
        if not line.strip():
            continue
        if "|" not in line:
            if rows:
                rows[-1][-1] += f" {_inline(line)}"
            continue
        cells = _CELL.split(f" {line.strip()}")[1:]
        rows.append([_inline(cell.replace("\\|", "|")) for cell in cells])
    width = len(rows[0]) if rows else 0
    if width > 1 and any(len(row) < width for row in rows[1:]):
        flat = [cell for row in rows[1:] for cell in row]
        return [rows[0], *(flat[n : n + width] for n in range(0, len(flat), width))]
    return rows


def _inline(text: str) -> str:
    text = re.sub(r"(?:image::?\S+?|btn:|kbd:|menu:\w*)\[([^\],]*)[^\]]*\]", r"\1", text)
    text = re.sub(r"(?:link:|xref:)?(https?://[^\s\[]+|[\w./#-]+)\[([^\]]+)\]", r"[\2](\1)", text)
    return re.sub(r"<<([^,>]+)(?:,([^>]+))?>>", lambda m: m[2] or m[1], text).strip()
