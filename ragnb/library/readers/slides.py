"""Presentations (pptx): a section a slide, with tables, charts and the speaker's notes."""

import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pptx import Presentation

from ragnb.library.readers.converted import Converted
from ragnb.library.readers.grid import grid
from ragnb.library.readers.markup import escape, flat, heading, join, table
from ragnb.library.readers.package import Package, name_of
from ragnb.library.readers.word import properties

__all__ = ["read"]


def read(data: bytes, suffix: str) -> Converted:
    """Read a presentation; a page is a slide."""
    del suffix
    package = Package(data)
    text = ""
    pages: list[int] = []
    for number, slide in enumerate(Presentation(io.BytesIO(data)).slides, start=1):
        pages.append(len(text))
        written = join(_slide(slide, number))
        text += written + "\n"
    bare = all(re.fullmatch(r"## Slide \d+", line) for line in text.split("\n") if line)
    return Converted(
        text="" if bare else text.rstrip("\n") + "\n",
        note="holds pictures only" if bare else "",
        meta=properties(package),
        pages=tuple(pages),
    )


def _slide(slide: Any, number: int) -> Iterator[str]:
    title = slide.shapes.title
    words = flat(title.text_frame.text) if title is not None and title.has_text_frame else ""
    yield heading(2, words or f"Slide {number}")
    yield from _shapes(slide.shapes, title)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = flat(slide.notes_slide.notes_text_frame.text)
        yield f"Notes: {notes}" if notes else ""


def _shapes(shapes: Iterable[Any], title: Any = None) -> Iterator[str]:
    placed = sorted(shapes, key=lambda shape: (_place(shape.top) // 200_000, _place(shape.left)))
    for shape in placed:
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        elif getattr(shape, "has_table", False) and shape.has_table:
            yield _table(shape.table)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            yield _chart(shape.chart)
        elif shape.has_text_frame and not _footer(shape):
            yield from _text(shape)


def _place(value: int | None) -> int:
    return value or 0


def _footer(shape: Any) -> bool:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind is not None and kind.name in {"SLIDE_NUMBER", "FOOTER", "DATE"}


def _text(shape: Any) -> Iterator[str]:
    lines = [each for each in shape.text_frame.paragraphs if flat(each.text)]
    kind = shape.placeholder_format.type.name if shape.is_placeholder else ""
    for paragraph in lines:
        words = flat(paragraph.text)
        marks = {each.tag.rpartition("}")[2] for each in paragraph._p.iter()}  # noqa: SLF001
        body = kind in {"BODY", "OBJECT", "VERTICAL_BODY"} and len(lines) > 1
        if "buNone" not in marks and (body or marks & {"buChar", "buAutoNum"}):
            mark = "" if re.match(r"\d+[.)]\s", words) else "- "
            yield "  " * paragraph.level + mark + words
        else:
            yield escape(words)


def _table(element: Any) -> str:
    rows = [
        [
            (
                flat(cell.text),
                cell.span_width if cell.is_merge_origin else 1,
                cell.span_height if cell.is_merge_origin else 1,
            )
            for cell in row.cells
            if not cell.is_spanned
        ]
        for row in element.rows
    ]
    return table(grid(rows), heads=None if element.first_row else 1)


def _chart(chart: Any) -> str:
    """Write the numbers of a chart, of whatever kind, as its file keeps them."""
    root = chart._chartSpace  # noqa: SLF001 - chart.plots knows some kinds only
    series = [each for each in root.iter() if name_of(each) == "ser"]
    columns = [(_values(each, "tx"), _values(each, "cat"), _values(each, "val")) for each in series]
    names = max((cat for _, cat, _ in columns), key=len, default=[])
    rows = [["", *(" ".join(label) for label, _, _ in columns)]]
    for index, name in enumerate(names):
        rows.append([name, *(val[index] if index < len(val) else "" for _, _, val in columns)])
    title = next((each for each in root.iter() if name_of(each) == "title"), None)
    words = (
        [each.text or "" for each in title.iter() if name_of(each) == "t"]
        if title is not None
        else []
    )
    return table(rows, heads=1, caption="".join(words) or "Chart")


def _values(series: Any, part: str) -> list[str]:
    found = next((each for each in series if name_of(each) == part), None)
    return (
        [each.text or "" for each in found.iter() if name_of(each) == "v"]
        if found is not None
        else []
    )
