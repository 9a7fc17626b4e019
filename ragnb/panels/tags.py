"""Tags of live panels: controls and classes, put together by the one builder of the views."""

from typing import Final

from ragnb.views.markup import Child, Html, element, joined

__all__ = [
    "ELEMENTS",
    "ICONS",
    "button",
    "chip",
    "copier",
    "family",
    "head",
    "heading",
    "icon",
    "kind_badge",
    "node",
    "segments",
    "select",
]

# fmt: off
ELEMENTS: Final = frozenset((
    "a", "b", "blockquote", "br", "button", "code", "dd", "details", "div", "dl", "dt", "i",
    "input", "label", "li", "mark", "ol", "option", "p", "select", "span", "summary", "ul",
))
# fmt: on
_LINE: Final = {
    "plan": "M2.5 4h.01M2.5 8h.01M2.5 12h.01M6 4h8M6 8h8M6 12h8",
    "retrieve": "M2.8 7a4.2 4.2 0 1 1 8.4 0a4.2 4.2 0 0 1-8.4 0M10.3 10.3l3.7 3.7",
    "rerank": "M5 13V3M2.2 5.8 5 3l2.8 2.8M11 3v10M8.2 10.2 11 13l2.8-2.8",
    "read": "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.5",
    "extract": "M6.5 4.5C4 5 3 6.5 3 9v2.5h3.5V8.5H4.6M13.5 4.5C11 5 10 6.5 10 9v2.5h3.5V8.5h-1.9",
    "assess": "M2 12a6 6 0 1 1 12 0M8 12l3-4.5",
    "answer": "M2.5 3h11v8H8l-3 2.8V11H2.5z",
    "tool": "M10 2.5a3.5 3.5 0 0 0-3 4.6L2.5 11.6l1.9 1.9L9 9a3.5 3.5 0 0 0 4.5-4.4L11 6.5 9.5 5z",
    "person": "M5.5 5a2.5 2.5 0 1 1 5 0a2.5 2.5 0 0 1-5 0M3 14c0-3 2-5 5-5s5 2 5 5",
    "first": "M4 3v10M13 3 6.5 8l6.5 5z",
    "back": "M11.5 3 5 8l6.5 5z",
    "step": "M4 3l6.5 5L4 13zM13 3v10",
    "round": "M2.5 3.5 7.5 8l-5 4.5zM8.5 3.5l5 4.5-5 4.5z",
    "run": "M4.5 2.5 12.5 8l-8 5.5z",
    "pause": "M5.5 3v10M10.5 3v10",
    "stop": "M4 4h8v8H4z",
    "fork": "M2.4 3.5a1.6 1.6 0 1 1 3.2 0a1.6 1.6 0 0 1-3.2 0M2.4 12.5a1.6 1.6 0 1 1 3.2 0"
    "a1.6 1.6 0 0 1-3.2 0M10.4 5a1.6 1.6 0 1 1 3.2 0a1.6 1.6 0 0 1-3.2 0"
    "M4 5.1v5.8M12 6.6C12 9 4 8 4 10.5",
    "conflict": "M3 6h10M3 10h10M10.5 3l-5 10",
    "check": "m3 8.5 3.3 3.3L13 4.5",
    "copy": "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    "open": "M7 3H3v10h10V9M9.5 3H13v3.5M13 3 7.5 8.5",
    "failed": "m4 4 8 8M12 4l-8 8",
    "edit": "M3 13l.7-3L11 2.7l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3",
}
ICONS: Final = {
    **{name: Html(f'<path d="{path}"/>') for name, path in _LINE.items()},
    "gap": Html('<circle cx="8" cy="8" r="5.5" stroke-dasharray="2.6 2.6"/>'),
    "strong": Html('<circle cx="8" cy="8" r="5" fill="currentColor"/>'),
    "partial": Html(
        '<circle cx="8" cy="8" r="5"/><path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor"/>'
    ),
    "weak": Html('<circle cx="8" cy="8" r="5"/>'),
}
"""Drawings of 16 by 16 that take the colour of the text around them."""
_FAMILY: Final = {
    **dict.fromkeys(("route", "plan", "recall", "choose"), "plan"),
    **dict.fromkeys(("synthesize", "reply"), "answer"),
    **dict.fromkeys(("approve", "edit"), "person"),
    "use_tool": "tool",
}


def node(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Html:
    """Return an element; ``_class`` is its class, ``data_x`` and ``aria_x`` become data-x, aria-x.

    Children that are plain texts are escaped. True gives an attribute without a value, False and
    None leave it out.

    Raises:
        ValueError: The element is not in the list, or the attribute would run a script.
    """
    marks: dict[str, str | int | None] = {}
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        named = key.strip("_").replace("_", "-")
        marks[named] = "" if value is True else value if isinstance(value, str) else f"{value:g}"
    if name not in ELEMENTS or any(key.startswith("on") for key in marks):
        raise ValueError(f"<{name} {' '.join(marks)}> is not in the allow-list of panels")
    return element(name, marks, joined(children))


def heading(level: int, *children: Child, _class: str = "") -> Html:
    """Return a heading that a notebook's table of contents doesn't list."""
    looks = f"h{level} {_class}".strip()
    return node("div", *children, role="heading", aria_level=level, _class=looks)


def head(name: str, *more: Child) -> Html:
    """Return the head of a region: its name, and what stands beside it."""
    return node("div", heading(2, name), *more, _class="hd2")


def icon(name: str) -> Html:
    """Return an icon that only decorates: words beside it say the same."""
    return Html(f'<svg class="i" viewBox="0 0 16 16" aria-hidden="true">{ICONS[name]}</svg>')


def family(kind: str) -> str:
    """Return which colour and icon a kind of action has."""
    return _FAMILY.get(kind, kind)


def kind_badge(kind: str, *, big: bool = False) -> Html:
    """Return the coloured square of a kind of action."""
    name = family(kind)
    return node("span", icon(name), _class=f"kb k-{name}{' big' if big else ''}")


def chip(*children: Child, state: str = "plain") -> Html:
    """Return a pill: a state in its tint, or a value in grey."""
    return node("span", *children, _class=f"chip {state}")


def button(
    text: str,
    action: str,
    *,
    sign: str = "",
    look: str = "btn",
    name: str = "",
    **attributes: str | float | bool | None,
) -> Html:
    """Return a button that does an action; one without text needs a ``name``."""
    label = name or None
    return node(
        "button",
        icon(sign) if sign else None,
        text,
        type="button",
        _class=look if text else f"{look} ico",
        data_action=action,
        aria_label=label,
        title=label,
        **attributes,
    )


def copier(text: str) -> Html:
    """Return a button that copies a text."""
    name = "Copy the call"
    marks = {"aria_label": name, "title": name, "data_copy": text}
    return node("button", icon("copy"), type="button", _class="btn bare ico", **marks)


def select(
    options: dict[str, str], chosen: str, *, name: str, action: str = "", **attributes: str | bool
) -> Html:
    """Return a list to choose from: values and what they are called."""
    items = [
        node("option", text, value=value, selected=value == chosen)
        for value, text in options.items()
    ]
    field = {"data_action": action} if action else {"name": name}
    return node("select", *items, aria_label=name, **field, **attributes)


def segments(
    options: dict[str, str], chosen: str, action: str, *, name: str, mark: str = "data_value"
) -> Html:
    """Return buttons of which one is pressed.

    Args:
        options: Values and what they are called.
        chosen: The value that is pressed; one that there is not for none.
        action: What a click does.
        name: What is chosen, for assistive technology.
        mark: The attribute that holds the value.
    """
    buttons = [
        node("button", text, type="button", data_action=action,
             aria_pressed="true" if value == chosen else "false", **{mark: value})
        for value, text in options.items()
    ]  # fmt: skip
    return node("span", *buttons, _class="seg", role="group", aria_label=name)
