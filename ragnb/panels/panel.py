"""A panel: one view of a loop, live in a browser, and as a static twin everywhere else."""

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from IPython.core.getipython import get_ipython

from ragnb.errors import RagnbError
from ragnb.panels.acting import Message, act, opened
from ragnb.panels.board import Board
from ragnb.panels.chart import Chart
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, live_parts, twin, words
from ragnb.panels.outputs import Outputs, bundle
from ragnb.panels.pace import GRACE, must_wait
from ragnb.panels.rail import all_steps
from ragnb.views.figures import timeline_figure

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragnb.agent.loop import Loop

__all__ = ["Inspector", "Panel", "inspector_of", "shower"]

_QUIET: Final = 0.5
"""Seconds without a step after which the twin is brought up to date."""


def _nothing() -> None:
    """Let go of a loop that was never watched."""


class Panel(Board):
    """Shows one view of a loop, and follows it.

    Args:
        loop: What is shown.
        view: Which view: answer, branches, budget, change, diary, evidence, hits, inspector,
            questions, reader, state or timeline.

    Raises:
        InputError: There is no such view.
    """

    def __init__(self, loop: "Loop", view: str = "inspector") -> None:
        self._unwatch: Callable[[], None] = _nothing
        self.chart: Chart | None = None
        self.loop = loop
        self.choice = Choice()
        live_parts(loop, view, self.choice)
        self.chart = self._charted() if view in {"inspector", "timeline"} else None
        self.choice.figure = self.chart is not None
        label = f"{LABELS[view]} of a run"
        super().__init__(self._parts, self._do, view=view, label=label, child=self.chart)
        self._waiting: dict[str, Any] | None = None
        """What was clicked while a step ran, to be done when it ends; the last wish counts."""
        self._outputs = Outputs()
        self._unwatch = loop.player.watch(self._moved)

    def look_at(self, branch: str) -> "Panel":
        """Look at another branch of the same trace.

        Raises:
            InputError: There is no such branch.
        """
        self._look_at(opened(self.loop, branch))
        return self

    def close(self) -> None:
        """Let go of the loop, and take the panel off the page."""
        self._unwatch()
        if self.chart is not None:
            self.chart.close()
        super().close()

    def flush(self) -> None:
        """Send what changed since the last time."""
        super().flush()
        if self.chart is not None:
            self.chart.soon(self._events)

    def _charted(self) -> Chart:
        def draw() -> dict[str, Any]:
            here = self.loop.state.entries
            return timeline_figure(all_steps(self.loop), by=self.choice.by, here=here)

        def clicked(step: int) -> None:
            self._do({"action": "goto", "value": str(step)})

        return Chart(draw, clicked, label="Timeline of the run; the diary says the same in words")

    def twin(self) -> dict[str, str]:
        """Return what shows the panel where no browser code runs: plain text and HTML."""
        view = str(self.view)
        return {
            "text/plain": words(self.loop, view),
            "text/html": twin(self.loop, view, self.choice),
        }

    def _parts(self) -> dict[str, str]:
        return dict(live_parts(self.loop, str(self.view), self.choice))

    def _do(self, raw: dict[str, Any]) -> None:
        message = Message.of(raw)
        if must_wait(self.loop, message.action):
            self._waiting = raw
            if self.loop.player.on:  # else it has ended while this was noted
                return
            self._waiting = None
        self.choice.trouble = ""
        try:
            other = act(self.loop, self.choice, message)
        except RagnbError as error:
            self.choice.trouble = str(error)
            other = self.loop
        self._look_at(other)
        self.flush()

    def _look_at(self, loop: "Loop") -> None:
        if loop is not self.loop:
            self._unwatch()
            self.loop, self._waiting = loop, None
            self._unwatch = loop.player.watch(self._moved)
        self.changed()

    def _moved(self) -> None:
        if self.loop.player.error is not None:
            self.choice.trouble = f"A step failed: {self.loop.player.error}"
        self.changed()
        if self.shown and self._events is not None and not self._events.is_closed():
            self._events.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        """Look again when a step takes long; at rest do what waited for it, then renew the twin."""
        player = self.loop.player
        if self._events is None:
            return
        if player.on:
            if player.once:
                self._events.call_later(GRACE, self.changed)
            return
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._do(waiting)
        elif self._outputs:
            self._events.call_later(_QUIET, self._update_twin, self.loop.head)

    def _update_twin(self, at: str) -> None:
        """Bring displayed twins up to date, once the loop has come to rest where it was."""
        if self.loop.head != at or self.loop.player.on:
            return
        self._outputs.renew(self.model_id, self.twin())

    def _ipython_display_(self) -> None:
        self._outputs.show(self.model_id, self.twin())

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return bundle(self.model_id, self.twin()), {}


class Inspector(Panel):
    """All of a loop in one panel: controls, what comes next, questions, quotes, and the rest.

    Args:
        loop: What is shown.
    """

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "inspector")


_INSPECTORS: "WeakValueDictionary[int, Inspector]" = WeakValueDictionary()


def inspector_of(loop: "Loop") -> Inspector:
    """Return the inspector of a loop; it is made once, and may be displayed often."""
    found = _INSPECTORS.get(id(loop))
    if found is None or found.comm is None or found.loop is not loop:
        found = _INSPECTORS[id(loop)] = Inspector(loop)
    return found


def shower(loop: "Loop") -> "Callable[[], None] | None":
    """Return what shows a loop's inspector; None where no notebook listens."""
    shell = get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    return inspector_of(loop)._ipython_display_
