"""How a panel stands in a notebook: as a live panel and its static twin, of which one is seen."""

import sys
from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import display, update_display

from ragnb.records import content_id

__all__ = ["Outputs", "bundle"]

_VIEW: Final = "application/vnd.jupyter.widget-view+json"
_KEPT: Final = 4
"""Displayed copies whose twin is kept up to date; older ones are likely gone."""
_STYLE: Final = """<style>
.jp-OutputArea-child:has(.rb) + .jp-OutputArea-child:has(.ragnb-twin) { display: none }
.jp-OutputArea-child:has(+ .jp-OutputArea-child .ragnb-twin) > .jupyter-widgets:not(:has(*)) {
  display: none }
</style>
"""
"""Hides the twin below a live panel, and what stands in a live panel's place without its kernel.

A sanitizer takes it away where a notebook is not trusted, and there no panel is live.
"""


def bundle(model_id: str, twin: dict[str, str]) -> dict[str, Any]:
    """Return the live panel and its twin as one output."""
    return {**twin, _VIEW: {"version_major": 2, "version_minor": 0, "model_id": model_id}}


class Outputs:
    """Where one panel is displayed."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._drawn = ""

    def __bool__(self) -> bool:
        """Tell whether it was displayed at all."""
        return bool(self._ids)

    def show(self, model_id: str, twin: dict[str, str]) -> None:
        """Display the panel; its twin comes last and can be renewed."""
        *first, last = _outputs(model_id, twin)
        for each in first:
            display(each, raw=True)  # type: ignore[no-untyped-call]
        self._drawn = content_id(*twin.values())
        shown = display(last, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if shown is not None:
            self._ids = [*self._ids, shown.display_id][-_KEPT:]

    def renew(self, model_id: str, twin: dict[str, str]) -> None:
        """Bring displayed twins up to date, so that a saved file shows what is seen."""
        name = content_id(*twin.values())
        if name != self._drawn:
            self._drawn = name
            last = _outputs(model_id, twin)[-1]
            for display_id in self._ids:
                update_display(last, raw=True, display_id=display_id)  # type: ignore[no-untyped-call]


def _outputs(model_id: str, twin: dict[str, str]) -> list[dict[str, Any]]:
    """Return what is displayed, one below the other.

    A bundle with both would do, but JupyterLab never falls back from a live panel to the HTML
    beside it, and draws the panel again when the HTML is renewed.
    """
    both = bundle(model_id, twin)
    if _unseen():
        return [both]
    html = f'{_STYLE}<div class="ragnb-twin">{twin["text/html"]}</div>'
    alone = {_VIEW: both[_VIEW], "text/html": ""}  # nbconvert warns of what it can't show at all
    return [alone, {**twin, "text/html": html}]


def _unseen() -> bool:
    """Tell whether this is VS Code or Colab: no test knows how their pages stack outputs."""
    names = getattr(get_ipython(), "user_ns", {})
    return "google.colab" in sys.modules or "__vsc_ipynb_file__" in names
