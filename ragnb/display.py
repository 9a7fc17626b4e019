"""The one door upwards: records and runs show themselves without importing what draws them."""

import importlib
from typing import Any

from ragnb.errors import InputError

__all__ = ["render"]

_VIEWS = {
    "answer_text": ("ragnb.views.answer", "answer_text"),
    "answer_markdown": ("ragnb.views.answer", "answer_markdown"),
}


def render(thing: object, view: str) -> Any:
    """Draw a thing with a view of a name.

    Raises:
        InputError: There is no such view.
    """
    if view not in _VIEWS:
        raise InputError(f"There is no view {view!r}; there are {sorted(_VIEWS)}.")
    module, name = _VIEWS[view]
    return getattr(importlib.import_module(module), name)(thing)
