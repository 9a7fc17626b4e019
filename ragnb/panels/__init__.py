"""Panels: live views of a loop in a notebook; the only package that knows the notebook."""

from ragnb.errors import MissingExtraError

try:
    import anywidget as _anywidget
    import ipywidgets as _ipywidgets
except ImportError as error:
    raise MissingExtraError("Live panels", "anywidget", "lab") from error

from ragnb.panels.named import (
    AnswerPanel,
    BranchesPanel,
    BudgetPanel,
    ChangePanel,
    DiaryPanel,
    EvidencePanel,
    HitsPanel,
    QuestionsPanel,
    ReaderPanel,
    StatePanel,
    TimelinePanel,
)
from ragnb.panels.panel import Inspector, Panel, shower

__all__ = [
    "AnswerPanel",
    "BranchesPanel",
    "BudgetPanel",
    "ChangePanel",
    "DiaryPanel",
    "EvidencePanel",
    "HitsPanel",
    "Inspector",
    "Panel",
    "QuestionsPanel",
    "ReaderPanel",
    "StatePanel",
    "TimelinePanel",
    "shower",
]

del _anywidget, _ipywidgets
