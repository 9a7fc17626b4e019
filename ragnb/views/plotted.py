"""Figures of a run as Plotly figures that also show where Plotly does not."""

from typing import Any

from ragnb.agent.loop import Loop
from ragnb.agent.run import Run
from ragnb.errors import MissingExtraError
from ragnb.views.diary import steps_of
from ragnb.views.figures import growth_figure, latencies_figure, timeline_figure
from ragnb.views.timeline import timeline_html, timeline_text

try:
    from plotly.graph_objects import Figure as _Figure
except ImportError as error:
    raise MissingExtraError("A figure", "plotly", "lab") from error

__all__ = ["RunFigure", "growth", "latencies", "timeline"]

_MIME = "application/vnd.plotly.v1+json"


class RunFigure(_Figure):  # type: ignore[misc]  # plotly ships no types
    """A Plotly figure of a run; without Plotly's renderer its static twin is shown.

    Args:
        found: ``data`` and ``layout`` in Plotly's words.
        twin: What is shown where Plotly isn't, as HTML.
        words: The same in a sentence.
    """

    _ipython_display_ = None  # plotly's own would leave the twin out

    def __init__(self, found: dict[str, Any], *, twin: str, words: str) -> None:
        super().__init__(data=found["data"], layout={**found["layout"], "template": "none"})
        self.__dict__["_ragnb_twin"] = (twin, words)

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        twin, words = self.__dict__["_ragnb_twin"]
        figure = {**self.to_plotly_json(), "config": {"displayModeBar": False, "responsive": True}}
        return {_MIME: figure, "text/html": twin, "text/plain": words}


def timeline(thing: Run | Loop, *, by: str = "time") -> RunFigure:
    """Return actions over time or steps, evidence, gaps and conflicts."""
    found = timeline_figure(steps_of(thing), by=by)
    return RunFigure(found, twin=timeline_html(thing), words=timeline_text(thing))


def latencies(thing: Run | Loop) -> RunFigure:
    """Return the seconds of each step."""
    found = latencies_figure(steps_of(thing))
    return RunFigure(found, twin=timeline_html(thing), words=timeline_text(thing))


def growth(thing: Run | Loop) -> RunFigure:
    """Return evidence, open gaps and conflicts, and tokens after each step."""
    found = growth_figure(steps_of(thing))
    return RunFigure(found, twin=timeline_html(thing), words=timeline_text(thing))
