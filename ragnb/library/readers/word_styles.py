"""What the styles and numbering of a Word document say of a paragraph."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from ragnb.library.readers.package import Package, name_of

__all__ = ["Style", "Styles", "child", "value"]


_CODE: Final = re.compile(
    r"(?:source ?)?code(?: ?(?:block|listing|snippet|text))?"
    r"|(?:html )?preformatted(?: text)?|macro text"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What a paragraph is: a heading of a level from 1, a caption, code, or text (0)."""

    level: int = 0
    caption: bool = False
    code: bool = False
    number: str = ""
    depth: int = 0


def child(element: Any, name: str) -> Any:
    """Return the first child with a local name, or None."""
    return next((each for each in element if name_of(each) == name), None)


def value(element: Any, name: str) -> str:
    """Return an attribute by its local name, or the empty string."""
    for key, text in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(text)
    return ""


class Styles:
    """Styles and lists of one document; counts list items as it meets them."""

    def __init__(self, package: Package) -> None:
        root = package.xml("word/styles.xml")
        styles = [each for each in root if name_of(each) == "style"] if root is not None else []
        self._styles = {value(each, "styleId"): each for each in styles}
        self._counts: Counter[tuple[str, int]] = Counter()
        self._formats: dict[tuple[str, int], str] = {}
        self._lists(package.xml("word/numbering.xml"))

    def _lists(self, root: Any) -> None:
        if root is None:
            return
        abstract: dict[str, Any] = {}
        for each in root:
            if name_of(each) == "abstractNum":
                abstract[value(each, "abstractNumId")] = each
        for each in root:
            kind = child(each, "abstractNumId") if name_of(each) == "num" else None
            for level in abstract.get(value(kind, "val"), ()) if kind is not None else ():
                form = child(level, "numFmt") if name_of(level) == "lvl" else None
                if form is not None:
                    key = (value(each, "numId"), int(value(level, "ilvl") or 0))
                    self._formats[key] = value(form, "val")

    def of(self, paragraph: Any) -> Style:
        """Return what a paragraph is by its own marks and by its style and those it is based on."""
        own = child(paragraph, "pPr")
        layers = [own] if own is not None else []
        names: list[str] = []
        named = child(own, "pStyle") if own is not None else None
        at = value(named, "val") if named is not None else ""
        while at in self._styles and len(names) < 20:
            style = self._styles[at]
            title = child(style, "name")
            names.append(value(title, "val").lower() if title is not None else at.lower())
            layer = child(style, "pPr")
            layers += [layer] if layer is not None else []
            base = child(style, "basedOn")
            at = value(base, "val") if base is not None else ""
        number, depth = _numbering(layers)
        return Style(
            level=_level(names, layers),
            caption="caption" in names,
            code=any(_CODE.fullmatch(name) for name in names),
            number=number,
            depth=depth,
        )

    def list_mark(self, paragraph: Any, style: Style) -> str:
        """Return the mark of a list item with its indent, or the empty string."""
        del paragraph
        form = self._formats.get((style.number, style.depth), "bullet")
        if style.number in {"", "0"} or style.level or form == "none":
            return ""
        for deeper in range(style.depth + 1, 9):
            self._counts.pop((style.number, deeper), None)
        self._counts[style.number, style.depth] += 1
        count = self._counts[style.number, style.depth]
        return "  " * style.depth + ("- " if form == "bullet" else f"{count}. ")


def _level(names: list[str], layers: list[Any]) -> int:
    for name in names:
        if name == "title":
            return 1
        if hit := re.fullmatch(r"(?:heading|titre|überschrift|标题) ?(\d)", name):
            return min(int(hit[1]), 6)
    for layer in layers:
        outline = child(layer, "outlineLvl")
        if outline is not None and value(outline, "val").isdigit():
            level = int(value(outline, "val"))
            return level + 1 if level < 6 else 0
    return 0


def _numbering(layers: list[Any]) -> tuple[str, int]:
    number, depth = "", ""
    for layer in layers:
        marks = child(layer, "numPr")
        for each in marks if marks is not None else ():
            if name_of(each) == "numId":
                number = number or value(each, "val")
            elif name_of(each) == "ilvl":
                depth = depth or value(each, "val")
    return number, int(depth or 0)
