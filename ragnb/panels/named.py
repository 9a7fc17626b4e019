"""Panels by the name of what they show."""

from typing import TYPE_CHECKING

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


class AnswerPanel(Panel):
    """The answer so far, and plain RAG beside it."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "answer")


class BranchesPanel(Panel):
    """The branches of a trace, and two of them side by side."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "branches")


class BudgetPanel(Panel):
    """What is spent of what may be spent."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "budget")


class ChangePanel(Panel):
    """What the last step changed in the state."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "change")


class DiaryPanel(Panel):
    """The run in plain sentences."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "diary")


class EvidencePanel(Panel):
    """Quotes, and open conflicts above them."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "evidence")


class HitsPanel(Panel):
    """The hits of a search, and how their places moved."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "hits")


class QuestionsPanel(Panel):
    """Sub-questions, their short answers, and what is missing."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "questions")


class ReaderPanel(Panel):
    """A source with the quote marked in it."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "reader")


class StatePanel(Panel):
    """All that the agent knows now."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "state")


class TimelinePanel(Panel):
    """Actions over time, evidence, gaps and conflicts."""

    def __init__(self, loop: "Loop") -> None:
        super().__init__(loop, "timeline")
