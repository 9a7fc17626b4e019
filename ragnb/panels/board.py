"""A board: an ordered map of parts that a browser shows, of which only changed keys travel."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import anywidget
import traitlets

from ragnb.panels._assets import asset, joined

__all__ = ["FRAME", "Board", "patch"]

FRAME: Final = 0.06
"""Seconds between two updates; all that changes in between travels as one."""


def patch(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Any]:
    """Return what turns one ordered map of parts into another.

    Args:
        before: What a browser has, key to HTML.
        after: What it is to have.

    >>> patch({"a": "1", "b": "2"}, {"a": "1", "c": "3"})
    {'set': {'c': '3'}, 'drop': ['b'], 'after': [['c', 'a']]}
    """
    found: dict[str, Any] = {"set": {k: v for k, v in after.items() if before.get(k) != v}}
    drop = [key for key in before if key not in after]
    if drop:
        found["drop"] = drop
    keys = list(after)
    new = [[key, keys[n - 1] if n else None] for n, key in enumerate(keys) if key not in before]
    kept = [key for key in before if key in after]
    if kept != [key for key in keys if key in before]:
        found["order"] = keys
    elif new:
        found["after"] = new
    return found


class Board(anywidget.AnyWidget):
    """Shows parts, and hands on what a person does.

    What it draws is asked for on the thread that made it; `changed` may come on any other.

    Args:
        draw: Returns the parts, key to HTML; ``region/name`` puts a part into a region.
        act: Is given what a person did: ``action``, ``id``, ``value``, ``form``, ``edited``.
        view: What it shows, which the style sheet goes by.
        label: Its name for assistive technology.
        child: A widget that stands among the parts.
    """

    _esm = joined("panel.js")  # as texts: a path would keep every board alive
    _css = asset("panel.css").read_text("utf-8")

    view = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    child = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        draw: Callable[[], Mapping[str, str]],
        act: Callable[[dict[str, Any]], object],
        *,
        view: str,
        label: str,
        child: "anywidget.AnyWidget | None" = None,
    ) -> None:
        self._draw, self._act = draw, act
        self._sent: dict[str, str] = {}
        self._number = 0
        self._thread = threading.get_ident()
        self._events = _running()
        self._due = False
        self._drawn_at = 0.0
        self.shown = False
        """Whether a browser shows it now."""
        name = f"IPY_MODEL_{child.model_id}" if child is not None else ""
        super().__init__(view=view, label=label, child=name)
        self.on_msg(self._hear)

    def changed(self) -> None:
        """Bring browsers up to date, at the latest a frame from now; safe on any thread."""
        if not self.shown:
            return
        here = threading.get_ident() == self._thread
        late = time.monotonic() - self._drawn_at >= FRAME
        if here and (late or self._events is None):
            self.flush()
        elif self._events is not None and not self._due and not self._events.is_closed():
            self._due = True
            self._events.call_soon_threadsafe(self._later)

    def flush(self) -> None:
        """Send what changed since the last time."""
        self._due, self._drawn_at = False, time.monotonic()
        parts = dict(self._draw())
        found = patch(self._sent, parts)
        self._sent = parts
        if found["set"] or len(found) > 1:
            self._number += 1
            self.send({"kind": "parts", "n": self._number, **found})

    def _later(self) -> None:
        if self._events is not None:
            self._events.call_later(FRAME, self._flush_if_due)

    def _flush_if_due(self) -> None:
        if self._due:
            self.flush()

    def _hear(self, _: object, message: dict[str, Any], __: object) -> None:
        self._events = _running() or self._events
        kind = message.get("kind")
        if kind == "ready":
            self._begin()
        elif kind == "gone":
            self.shown = False
        elif kind == "act":
            before = self._number
            self._act(message)
            if self._number == before:  # a browser waits for a reply before it repeats a key
                self._number += 1
                self.send({"kind": "parts", "n": self._number, "set": {}})

    def _begin(self) -> None:
        self.shown = True
        self._sent = dict(self._draw())
        self._number += 1
        order = list(self._sent)
        fresh = {"fresh": True, "set": self._sent, "order": order}
        self.send({"kind": "parts", "n": self._number, **fresh})


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
