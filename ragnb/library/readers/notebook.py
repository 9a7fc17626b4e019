"""Jupyter notebooks: their texts, code and printed results in order."""

import json
from collections.abc import Iterator
from typing import Any, Final

from ragnb.errors import LibraryError
from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted
from ragnb.library.readers.markup import fence, join

__all__ = ["read"]

_LONGEST: Final = 4000
"""Characters kept of one output."""


def read(data: bytes, suffix: str) -> Converted:
    """Read a notebook; pictures and errors' colours are left out."""
    text, note = decode(data)
    book = json.loads(text)
    if not isinstance(book, dict) or not isinstance(book.get("cells", []), list):
        raise LibraryError(f"damaged, or no {suffix} file: it has no cells")
    cells = book.get("cells") or [c for s in book.get("worksheets", []) for c in s.get("cells", [])]
    info = book.get("metadata", {}).get("language_info", {})
    language = str(info.get("name") or "python")
    blocks = [block for cell in cells for block in _cell(cell, language)]
    return Converted(text=join(blocks), note=note)


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _text(cell.get("source") or cell.get("input"))
    if cell.get("cell_type") != "code":
        yield source.strip("\n")
        return
    yield fence(source, language)
    for output in cell.get("outputs", []):
        data = output.get("data") or {}
        shown = _text(output.get("text") or data.get("text/markdown") or data.get("text/plain"))
        if output.get("output_type") == "error":
            shown = f"{output.get('ename')}: {output.get('evalue')}"
        more = "\n…" if len(shown) > _LONGEST else ""
        yield fence(shown[:_LONGEST].rstrip() + more, "output") if shown.strip() else ""


def _text(value: object) -> str:
    if isinstance(value, list):
        return "".join(str(part) for part in value)
    return value if isinstance(value, str) else ""
