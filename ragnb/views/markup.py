"""HTML from text, escaped by default: the one file that puts tags together.

`tag` makes an element of an allow-list from children. A child that is a plain text is made
visible and escaped; only what `tag`, `joined` or `drawing` returned goes in as it is. Styles are
inline and drawings are images, which is what JupyterLab's sanitizer leaves in a notebook that it
does not trust.
"""

import base64
import html
import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias
from urllib.parse import urlsplit

__all__ = [
    "ATTRIBUTES",
    "ELEMENTS",
    "LIMIT",
    "Child",
    "Html",
    "drawing",
    "element",
    "joined",
    "line",
    "shape",
    "tag",
    "visible",
    "web",
]

LIMIT: Final = 2_000
"""Characters of one text that are shown; the rest is counted."""
# fmt: off
ELEMENTS: Final = frozenset((
    "a", "b", "blockquote", "br", "code", "details", "div", "h3", "h4", "img", "li", "mark", "ol",
    "p", "span", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
))
ATTRIBUTES: Final = frozenset((
    "alt", "colspan", "height", "href", "rowspan", "src", "style", "title", "width",
))
# fmt: on
_EMPTY: Final = frozenset({"br", "img"})
_SHAPES: Final = frozenset({"circle", "line", "path", "rect", "svg"})
_BIDI: Final = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HIDDEN: Final = (0xFEFF, 0xFFFE, 0xFFFF, *range(0x80, 0xA0), *range(0xD800, 0xE000))
_SHOWN: Final = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in {0x09, 0x0A}},
    0x7F: "\u2421",
    0x2028: "\n",
    0x2029: "\n",
    **{code: f"[U+{code:04X}]" for code in (*_BIDI, *_HIDDEN)},
}
_MATH: Final = re.compile(r"[$\\]")


class Html(str):
    """Markup that was made here; a plain text is never taken for it."""

    __slots__ = ()


Child: TypeAlias = Html | str | int | None


def visible(text: str, limit: int = LIMIT) -> str:
    r"""Return a text that shows all it holds: no control characters, and not too long.

    Args:
        text: Any text; surrogates and marks that turn the reading direction are named.
        limit: Characters that are kept; how many more there are is said.

    >>> visible("a\x00b\u202ec"), visible("long", limit=2)
    ('a␀b[U+202E]c', 'lo … [2 more characters]')
    """
    rest = len(text) - limit
    if rest > 0:
        text = f"{text[:limit]} … [{rest:,} more characters]"
    return text.replace("\r\n", "\n").translate(_SHOWN)


def line(text: str, limit: int = LIMIT) -> str:
    """Return a text as `visible` does, in one line."""
    return visible(" ".join(text.split()), limit)


def tag(name: str, *children: Child, **attributes: str | int | None) -> Html:
    """Return an element; texts among its children are escaped, None is left out.

    Raises:
        ValueError: The element or an attribute is not in the allow-list.

    >>> tag("b", "1 < 2", title="x")
    '<b title="x">1 &lt; 2</b>'
    """
    if name not in ELEMENTS or not attributes.keys() <= ATTRIBUTES:
        raise ValueError(f"<{name} {' '.join(attributes)}> is not in the allow-list of views")
    return element(name, attributes, joined(children))


def joined(children: Iterable[Child]) -> Html:
    """Return children in a row, texts escaped."""
    return Html("".join(_child(child) for child in children))


def web(url: str) -> str | None:
    """Return an address that a link may lead to, or None: http and https alone.

    >>> web("https://example.org/a"), web("javascript:alert(1)")
    ('https://example.org/a', None)
    """
    if len(url) > LIMIT or visible(url) != url or url.split() != [url]:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.netloc else None


def shape(name: str, *children: Html, **attributes: str | float) -> Html:
    """Return an element of a drawing; ``stroke_width`` stands for ``stroke-width``."""
    if name not in _SHAPES:
        raise ValueError(f"<{name}> is not in the allow-list of drawings")
    named = {
        key.replace("_", "-"): value if isinstance(value, str) else f"{value:.6g}"
        for key, value in attributes.items()
    }
    return element(name, named, Html("".join(children)))


def drawing(
    shapes: Iterable[Html],
    *,
    alt: str,
    view: tuple[float, float],
    width: int | str,
    height: int,
    style: str = "",
    stretch: bool = False,
) -> Html:
    """Return a drawing as an image that holds its own data.

    Args:
        shapes: What `shape` returned.
        alt: What it shows, in words.
        view: Width and height of the drawing's own plane.
        width: Pixels, or a share such as ``"100%"``.
        height: Pixels.
        style: Added to the image's own style.
        stretch: Fit both sides, whatever becomes of the proportions.
    """
    picture = shape(
        "svg",
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {view[0]:g} {view[1]:g}",
        **({"preserveAspectRatio": "none"} if stretch else {}),
    )
    data = base64.b64encode(picture.encode("utf-8", "replace")).decode("ascii")
    wide = width if isinstance(width, str) else f"{width}px"
    return tag(
        "img",
        alt=alt,
        width=width,
        height=height,
        style=f"display:inline-block;width:{wide};height:{height}px;max-width:none;{style}",
        src=f"data:image/svg+xml;base64,{data}",
    )


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    # A notebook sets $…$ and \(…\) as formulas; an element of its own keeps the sign a sign.
    return _MATH.sub(r"<span>\g<0></span>", html.escape(visible(str(child))))


def element(name: str, attributes: Mapping[str, str | int | None], inner: str) -> Html:
    """Return an element that no list was asked for; ``inner`` is markup, values are escaped."""
    marks = "".join(
        f' {key}="{html.escape(visible(str(value), 10**9))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Html(f"<{name}{marks}>")
    return Html(f"<{name}{marks}>{inner}</{name}>")
