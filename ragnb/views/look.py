"""The tokens of the static twin, and the parts that every view is put together from.

Text takes no colour, so that it follows the notebook's theme; what is muted is less opaque; icons
and edges are in mid tones that can be told from white and from black.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from ragnb.views.markup import Child, Html, drawing, joined, shape, tag

__all__ = [
    "CONFLICT",
    "GAP",
    "GREY",
    "KINDS",
    "MARK",
    "NEXT",
    "SUPPORT",
    "Icon",
    "bar",
    "card",
    "details",
    "frame",
    "heading",
    "icon",
    "kind_icon",
    "muted",
    "paragraph",
    "quote",
    "side_by_side",
    "small",
    "table",
    "title",
    "unbroken",
]

SUPPORT: Final = "#2f8f5b"
GAP: Final = "#a9770f"
CONFLICT: Final = "#d14a3f"
NEXT: Final = "#3f7ee8"
GREY: Final = "rgba(128,128,128,0.6)"
MARK: Final = "background:rgba(255,200,40,0.38);color:inherit"
_THIN: Final = "1px solid rgba(128,128,128,0.3)"
_LINE: Final = "1px solid rgba(128,128,128,0.5)"
_GROUND: Final = "rgba(128,128,128,0.08)"
_PLAN: Final = "#7a55d8"
_SAID: Final = "#cf4a9c"
_PERSON: Final = "#7d828a"
KINDS: Final = {
    "route": _PLAN,
    "plan": _PLAN,
    "recall": _PLAN,
    "choose": _PLAN,
    "retrieve": "#3f7ee8",
    "rerank": "#2c88a6",
    "read": "#1fa06d",
    "extract": "#a98c1c",
    "assess": "#b85a1e",
    "use_tool": "#8d6f52",
    "synthesize": _SAID,
    "reply": _SAID,
    "approve": _PERSON,
    "edit": _PERSON,
    "stop": _PERSON,
}
"""The colour of each kind of action."""

Icon: TypeAlias = Literal["strong", "partial", "weak", "gap", "conflict", "check", "failed"]
_WORDS: Final[dict[Icon, str]] = {
    "strong": "strong support",
    "partial": "partial support",
    "weak": "weak support",
    "gap": "open",
    "conflict": "conflict",
    "check": "answered",
    "failed": "failed",
}
_INSIDE: Final = {
    "strong": "M2.5 8a5.5 5.5 0 0 1 11 0a5.5 5.5 0 0 1 -11 0z",
    "partial": "M8 2.5a5.5 5.5 0 0 1 0 11z",
}
_STROKES: Final = {
    "conflict": "M3 6h10M3 10h10M10.5 3l-5 10",
    "check": "M3 8.5l3.5 3.5 6.5-8",
    "failed": "M4 4l8 8M12 4l-8 8",
}
_ROOT: Final = (
    "font-size:13px;line-height:1.5;max-width:1080px;font-family:system-ui,sans-serif;"
    "text-align:left;overflow-wrap:anywhere;word-break:break-word"
)
_CELL: Final = "padding:3px 10px 3px 0;text-align:left;vertical-align:top;font-size:12px;"


def frame(parts: "dict[str, Html]") -> Html:
    """Return the parts of a view, in their order, as one block."""
    return tag("div", *parts.values(), style=_ROOT)


def title(*children: Child, above: str = "") -> Html:
    """Return the head of a view; ``above`` says in small what it is."""
    small_one = tag("p", above, style="margin:0;font-size:12px;opacity:0.78") if above else None
    style = "margin:0 0 10px 0;font-size:15px;font-weight:600;line-height:1.35"
    return joined([small_one, tag("h3", *children, style=style)])


def heading(*children: Child) -> Html:
    """Return the head of a part."""
    style = "margin:16px 0 4px 0;font-size:13px;font-weight:600;line-height:1.4"
    return tag("h4", *children, style=style)


def paragraph(*children: Child, style: str = "") -> Html:
    """Return a paragraph."""
    return tag("p", *children, style=f"margin:0 0 4px 0;{style}")


def small(*children: Child) -> Html:
    """Return secondary text."""
    return tag("span", *children, style="font-size:12px")


def muted(*children: Child) -> Html:
    """Return text that stands back."""
    return tag("span", *children, style="font-size:12px;font-weight:normal;opacity:0.78")


def unbroken(text: str) -> Html:
    """Return a short secondary text that is not broken into lines."""
    style = "font-size:12px;font-weight:normal;opacity:0.78;white-space:nowrap"
    return tag("span", text, style=style)


def quote(*children: Child, edge: str = GREY, dashed: bool = False) -> Html:
    """Return a block with a rule at its left."""
    kind = "dashed" if dashed else "solid"
    style = (
        f"margin:4px 0 2px 0;padding:2px 8px 2px 10px;border-left:3px {kind} {edge};"
        f"font-style:normal;background:{_GROUND}"
    )
    return tag("blockquote", *children, style=style)


def card(*children: Child, edge: str = GREY) -> Html:
    """Return a box with an edge that tells its state."""
    style = f"margin:0 0 8px 0;padding:8px 12px;border:{_LINE};border-left:4px solid {edge}"
    return tag("div", *children, style=style)


def details(summary: str, *children: Child) -> Html:
    """Return what is folded away until it is asked for."""
    return tag(
        "details",
        tag("summary", summary, style="cursor:pointer"),
        *children,
        style="margin:2px 0 4px 0",
    )


def side_by_side(*blocks: Html, least: int = 260, first: int = 0) -> Html:
    """Return blocks beside each other where there is room, else one below the other.

    Args:
        blocks: What stands beside each other.
        least: Pixels that a block needs to stand beside another.
        first: Pixels that the first one needs, if not as many.
    """
    wide = [first or least, *(least for _ in blocks[1:])]
    inner = [
        tag("div", block, style=f"flex:{width} 1 {width}px;min-width:0")
        for block, width in zip(blocks, wide, strict=True)
    ]
    return tag("div", *inner, style="display:flex;flex-wrap:wrap;gap:0 20px;align-items:flex-start")


def table(head: Sequence[str], rows: Iterable[Sequence[Child]]) -> Html:
    """Return a table that looks the same whatever the notebook does to tables."""
    plain = "background:transparent"
    th = f"{_CELL}font-weight:normal;white-space:nowrap;border:0;border-bottom:{_LINE};opacity:0.78"
    td = f"{_CELL}border:0;border-bottom:{_THIN}"
    cells = [tag("th", name, style=th) for name in head]
    lines = [tag("tr", *(tag("td", c, style=td) for c in row), style=plain) for row in rows]
    return tag(
        "table",
        tag("thead", tag("tr", *cells, style=plain)) if head else None,
        tag("tbody", *lines),
        style="margin:0;border:0;border-collapse:collapse;width:100%;max-width:820px;"
        "table-layout:auto",
    )


def icon(name: Icon) -> Html:
    """Return a small drawing that tells a state."""
    colours = {"gap": GAP, "conflict": CONFLICT, "failed": CONFLICT, "weak": "#888888"}
    colour = colours.get(name, SUPPORT)
    around: dict[str, str | float] = {"fill": "none", "stroke": colour, "stroke_width": 2}
    if name == "gap":
        around["stroke_dasharray"] = "2.6 2.6"
    shapes = []
    if name in {"strong", "partial", "weak", "gap"}:
        shapes.append(shape("circle", cx=8, cy=8, r=5.5, **around))
    if name in _INSIDE:
        shapes.append(shape("path", d=_INSIDE[name], fill=colour))
    if name in _STROKES:
        shapes.append(shape("path", d=_STROKES[name], **around))
    return _small_drawing(shapes, _WORDS[name])


def kind_icon(kind: str) -> Html:
    """Return the square of an action's kind."""
    square = shape("rect", x=2, y=2, width=12, height=12, rx=2, fill=KINDS.get(kind, _PERSON))
    return _small_drawing([square], kind.replace("_", " "))


def bar(share: float, *, colour: str, alt: str) -> Html:
    """Return a bar that is filled up to a share from 0 to 1."""
    filled = 120 * min(max(share, 0.0), 1.0)
    shapes = [
        shape("rect", x=0, y=0, width=120, height=5, fill="#888", opacity=0.25),
        shape("rect", x=0, y=0, width=filled, height=5, fill=colour),
    ]
    return drawing(shapes, alt=alt, view=(120, 5), width=120, height=5, style="vertical-align:2px")


def _small_drawing(shapes: list[Html], alt: str) -> Html:
    return drawing(
        shapes, alt=alt, view=(16, 16), width=13, height=13, style="vertical-align:-2px;margin:0"
    )
