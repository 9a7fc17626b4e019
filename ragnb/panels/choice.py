"""What a person chose in one panel: which question, quote, search and branch is looked at."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragnb.records import Scope
from ragnb.views.markup import Html

if TYPE_CHECKING:
    from ragnb.agent.run import Run

__all__ = ["Choice"]


@dataclass(slots=True, kw_only=True)
class Choice:
    """The state of one panel; all else it shows comes from its loop."""

    question: str = ""
    """Id of the question that quotes are filtered by; empty for all."""
    evidence: str = ""
    """Id of the quote that the reader shows; empty for the newest."""
    scope: Scope = "window"
    """How much of the source the reader shows."""
    chunk: str = ""
    """Id of the chunk that the reader turned to; empty for the quote's own place."""
    search: str = ""
    """Id of the query whose hits are shown; empty for the newest."""
    by: str = "time"
    """Whether the timeline goes by ``time`` or by ``step``."""
    branch: str = ""
    """Name of the branch that this one is compared with; empty for none."""
    plain: "Run | None" = None
    """Plain RAG on the same goal, once it was asked for."""
    said: str = ""
    """The call that the last click was."""
    trouble: str = ""
    """Why the last click did nothing."""
    figure: bool = False
    """Whether a live figure stands in the place of the timeline's drawing."""
    kept: dict[tuple[object, ...], Html] = field(default_factory=dict)
    """Parts of steps that are over, which look the same each time, by what they depend on."""

    def once(self, key: tuple[object, ...], draw: Callable[[], Html]) -> Html:
        """Return what was drawn under a key, and draw it if it was not yet."""
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = draw()
        return found
