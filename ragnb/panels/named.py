"""Panels by the name of what they show."""

from typing import TYPE_CHECKING, ClassVar

from ragnb.panels.panel import Panel

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = [
    "AnswerPanel",
    "BranchesPanel",
    "BudgetPanel",
    "ChangePanel",
    "DiaryPanel",
    "EvidencePanel",
    "HitsPanel",
    "QuestionsPanel",
    "ReaderPanel",
    "StatePanel",
    "TimelinePanel",
]


class _Named(Panel):
    shows: ClassVar[str]

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, self.shows)


class AnswerPanel(_Named):
    """The answer so far, and plain RAG beside it."""

    shows = "answer"


class BranchesPanel(_Named):
    """The branches of a trace, and two of them side by side."""

    shows = "branches"


class BudgetPanel(_Named):
    """What is spent of what may be spent."""

    shows = "budget"


class ChangePanel(_Named):
    """What the last step changed in the state."""

    shows = "change"


class DiaryPanel(_Named):
    """The run in plain sentences."""

    shows = "diary"


class EvidencePanel(_Named):
    """Quotes, and open conflicts above them."""

    shows = "evidence"


class HitsPanel(_Named):
    """The hits of a search, and how their places moved."""

    shows = "hits"


class QuestionsPanel(_Named):
    """Sub-questions, their short answers, and what is missing."""

    shows = "questions"


class ReaderPanel(_Named):
    """A source with the quote marked in it."""

    shows = "reader"


class StatePanel(_Named):
    """All that the agent knows now."""

    shows = "state"


class TimelinePanel(_Named):
    """Actions over time, evidence, gaps and conflicts."""

    shows = "timeline"
