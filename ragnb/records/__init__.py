"""The nouns of ragnb: plain, frozen values that state, stages, traces and views share.

Ids are hashes of content, so the same thing has the same id on every branch of a run.
"""

from ragnb.records.answer import Answer, Claim, Grounding, OpenQuestion, SourceUse, Uncertainty
from ragnb.records.cost import Budget, StopReason, Usage
from ragnb.records.exchange import Exchange, Message
from ragnb.records.nouns import (
    Conflict,
    Context,
    Evidence,
    Filters,
    Gap,
    GapReason,
    Hit,
    Intent,
    Mention,
    Query,
    Scope,
    SubQuestion,
    Suggestion,
    Support,
    content_id,
)
from ragnb.records.planned import (
    GoalKind,
    NextMove,
    PlanStep,
    Reflection,
    Routing,
    StepStatus,
)

__all__ = [
    "Answer",
    "Budget",
    "Claim",
    "Conflict",
    "Context",
    "Evidence",
    "Exchange",
    "Filters",
    "Gap",
    "GapReason",
    "GoalKind",
    "Grounding",
    "Hit",
    "Intent",
    "Mention",
    "Message",
    "NextMove",
    "OpenQuestion",
    "PlanStep",
    "Query",
    "Reflection",
    "Routing",
    "Scope",
    "SourceUse",
    "StepStatus",
    "StopReason",
    "SubQuestion",
    "Suggestion",
    "Support",
    "Uncertainty",
    "Usage",
    "content_id",
]
