"""The one door upwards: records and runs show themselves without importing what draws them."""

import importlib
from collections.abc import Callable
from typing import Any

from ragnb.errors import InputError, MissingExtraError

__all__ = ["bundle", "render", "render_text", "shower"]

_VIEWS = {
    "answer_html": "answer",
    "answer_markdown": "answer_text",
    "answer_text": "answer_text",
    "attribution_html": "attribution",
    "attribution_text": "attribution",
    "attributions_html": "attribution",
    "attributions_text": "attribution",
    "budget_html": "budget",
    "budget_text": "budget",
    "diary_html": "diary",
    "diary_text": "diary",
    "difference_html": "branches",
    "difference_text": "branches",
    "evidence_html": "evidence",
    "evidence_text": "evidence",
    "exchange_html": "exchange",
    "exchange_text": "exchange",
    "growth": "plotted",
    "latencies": "plotted",
    "library_html": "library",
    "library_text": "library",
    "loop_html": "run",
    "loop_text": "run",
    "measures_html": "measures",
    "measures_text": "measures",
    "plan_text": "plan",
    "questions_html": "questions",
    "questions_text": "questions",
    "report_html": "library",
    "report_text": "library",
    "route_html": "plan",
    "route_text": "plan",
    "run_html": "run",
    "run_text": "run",
    "search_html": "hits",
    "search_text": "hits",
    "state_html": "state",
    "state_text": "state",
    "step_html": "step",
    "step_text": "step",
    "timeline": "plotted",
    "timeline_html": "timeline",
    "timeline_text": "timeline",
    "trace_html": "run",
    "trace_text": "run",
}


def render(thing: object, view: str, **options: Any) -> Any:
    """Draw a thing with a view of a name, such as ``"answer_html"`` or ``"diary_text"``.

    Raises:
        InputError: There is no such view.
    """
    if view not in _VIEWS:
        raise InputError(f"There is no view {view!r}; there are {sorted(_VIEWS)}.")
    module = importlib.import_module(f"ragnb.views.{_VIEWS[view]}")
    return getattr(module, view)(thing, **options)


def render_text(thing: object, view: str) -> str:
    """Return a thing as plain text: what `print` shows of it."""
    return str(render(thing, f"{view}_text"))


def bundle(thing: object, view: str) -> dict[str, str]:
    """Return what a notebook shows for a thing: its view as plain text and as HTML.

    Raises:
        InputError: There is no such view.
    """
    kinds = {"text/plain": f"{view}_text", "text/html": f"{view}_html"}
    return {kind: str(render(thing, name)) for kind, name in kinds.items()}


def shower(loop: object) -> Callable[[], None] | None:
    """Return what shows a loop's inspector, or None where only its static twin can be shown."""
    try:
        panels = importlib.import_module("ragnb.panels")
    except MissingExtraError:
        return None
    shows: Callable[[], None] | None = panels.shower(loop)
    return shows
