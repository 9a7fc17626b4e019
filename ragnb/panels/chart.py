"""A live Plotly figure: the library is sent once a page, then only the tails of traces."""

import asyncio
import gzip
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import anywidget
import traitlets

from ragnb.panels._assets import joined

__all__ = ["Chart", "growth_of"]

_MOMENT: Final = 0.03
"""Seconds that a figure waits for other updates."""


@cache
def _library() -> bytes:
    from plotly.offline import get_plotlyjs

    text: str = get_plotlyjs()
    return gzip.compress(text.encode("utf-8"), 6)


def growth_of(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what makes one figure of another: tails where arrays only grew, else whole traces.

    Args:
        before: ``data`` and ``layout`` that a browser has.
        after: The same as it is to be.

    >>> old, new = {"x": [1], "name": "a"}, {"x": [1, 2], "name": "a"}
    >>> growth_of({"data": [old], "layout": {}}, {"data": [new], "layout": {}})
    {'tails': {0: {'x': [2]}}}
    """
    found: dict[str, Any] = {}
    if before["layout"] != after["layout"]:
        found["layout"] = after["layout"]
    known = before["data"]
    for place, trace in enumerate(after["data"]):
        if place < len(known) and known[place] == trace:
            continue
        tails = _tails(known[place], trace) if place < len(known) else None
        kind = "whole" if tails is None else "tails"
        found.setdefault(kind, {})[place] = trace if tails is None else tails
    if len(known) > len(after["data"]):
        found["count"] = len(after["data"])
    return found


def _tails(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any] | None:
    """Return what grew at the end of the arrays; None if anything else changed."""
    if before.keys() != after.keys():
        return None
    found: dict[str, Any] = {}
    for key, value in after.items():
        old = before[key]
        if old == value:
            continue
        if isinstance(value, list) and isinstance(old, list) and value[: len(old)] == old:
            found[key] = value[len(old) :]
        elif isinstance(value, dict) and isinstance(old, dict):
            inner = _tails(old, value)
            if inner is None:
                return None
            found[key] = inner
        else:
            return None
    return found


class Chart(anywidget.AnyWidget):
    """Shows a figure, and hands on which step was clicked.

    Args:
        draw: Returns ``data`` and ``layout`` in Plotly's words.
        clicked: Is given the number of a step.
        label: Its name for assistive technology.
    """

    _esm = joined("chart.js")

    label = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        draw: Callable[[], dict[str, Any]],
        clicked: Callable[[int], object],
        *,
        label: str = "Timeline",
    ) -> None:
        self._draw, self._clicked = draw, clicked
        self._sent: dict[str, Any] = {"data": [], "layout": {}}
        self._number = 0
        self._shown = 0
        self._due = False
        super().__init__(label=label)
        self.on_msg(self._hear)

    def soon(self, events: asyncio.AbstractEventLoop | None) -> None:
        """Send what is new in a moment, so that what is drawn as text comes first.

        Args:
            events: What runs callbacks later; without it all is sent now.
        """
        if events is None or events.is_closed():
            self.flush()
        elif self._shown and not self._due:
            self._due = True
            events.call_soon_threadsafe(events.call_later, _MOMENT, self.flush)

    def flush(self) -> None:
        """Send what is new since the last time."""
        self._due = False
        if not self._shown:
            return
        figure = self._draw()
        found = growth_of(self._sent, figure)
        self._sent = figure
        if found:
            self._number += 1
            self.send({"kind": "figure", "n": self._number, **found})

    def _hear(self, _: object, message: dict[str, Any], __: object) -> None:
        match message.get("kind"):
            case "ready":
                self._shown += 1
                self._sent = self._draw()
                self._number += 1
                self.send({"kind": "figure", "n": self._number, "fresh": True, **self._sent})
            case "gone":
                self._shown = max(self._shown - 1, 0)
            case "library":
                self.send({"kind": "library"}, buffers=[_library()])
            case "point" if isinstance(message.get("step"), int):
                self._clicked(message["step"])
            case _:
                pass
