"""The closed union of actions: what a policy, or a person, can ask to be done.

``reason`` is for people; it never counts when actions are compared.
"""

from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from ragnb.agent.state import ToolCall
from ragnb.records import Budget, Filters, Query, Scope, StopReason, SubQuestion, content_id

__all__ = [
    "Action",
    "Approve",
    "Assess",
    "Choose",
    "Edit",
    "Extract",
    "Plan",
    "Read",
    "Recall",
    "Reply",
    "Rerank",
    "Retrieve",
    "Route",
    "Stop",
    "Synthesize",
    "UseTool",
    "action_id",
]


def _reason() -> str:
    return field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Class the goal and pick a policy for it; ``to`` is a policy that a person picks."""

    to: str = ""
    kind: Literal["route"] = "route"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Split the goal into sub-questions with first queries, or with the ``steps`` of a plan.

    ``again`` is a replan, and ``why`` what led to it.
    """

    again: bool = False
    steps: bool = False
    why: str = ""
    kind: Literal["plan"] = "plan"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Look up memories that bear on the goal."""

    kind: Literal["recall"] = "recall"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieve:
    """Send a query; ``instead_of`` names a pending query that it replaces.

    ``for_call`` is the id of the tool call that is carried out by it, if one is.
    """

    query: Query
    instead_of: str = ""
    for_call: str = ""
    kind: Literal["retrieve"] = "retrieve"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerank:
    """Put the hits of a query in a better order and cut them to what will be read."""

    query_id: str
    kind: Literal["rerank"] = "rerank"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Read around a chunk, or a source: its window, its section or the document.

    ``for_call`` is the id of the tool call that is carried out by it, if one is.
    """

    id: str
    scope: Scope = "window"
    for_call: str = ""
    kind: Literal["read"] = "read"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Look for evidence on a question in what was read, or in the chunk of a hit."""

    question_id: str
    context_id: str
    kind: Literal["extract"] = "extract"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """Ask which tools to use next."""

    kind: Literal["choose"] = "choose"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Ask a person whether a tool call may be done; None waits, and no answer means no."""

    call: ToolCall
    answer: bool | None = None
    kind: Literal["approve"] = "approve"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class UseTool:
    """Do a tool call."""

    call: ToolCall
    kind: Literal["use_tool"] = "use_tool"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assess:
    """Judge whether the evidence is enough, what is missing and what disagrees.

    ``step`` names the step of a plan that is looked back at.
    """

    step: str = ""
    kind: Literal["assess"] = "assess"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesize:
    """Write the answer; ``closing`` is why the run is being closed."""

    closing: StopReason
    kind: Literal["synthesize"] = "synthesize"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Answer without retrieval, and claim nothing about the documents."""

    kind: Literal["reply"] = "reply"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """End the run."""

    why: StopReason
    kind: Literal["stop"] = "stop"
    reason: str = _reason()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What a person changes by hand; None leaves a field as it is.

    ``waive`` names gaps by (question id, reason); ``resolve`` settles conflicts by
    (question id, first evidence, second evidence, winner). ``route`` is the name of a policy.
    """

    goal: str | None = None
    filters: Filters | None = field(default=None, hash=False)
    questions: tuple[SubQuestion, ...] | None = None
    pending: tuple[Query, ...] | None = None
    budget: Budget | None = None
    recalled: tuple[str, ...] | None = None
    drop_evidence: tuple[str, ...] = ()
    exclude_sources: tuple[str, ...] = ()
    waive: tuple[tuple[str, str], ...] = ()
    resolve: tuple[tuple[str, str, str, str], ...] = ()
    route: str | None = None
    kind: Literal["edit"] = "edit"
    reason: str = _reason()


Action: TypeAlias = (
    Route
    | Plan
    | Recall
    | Retrieve
    | Rerank
    | Read
    | Extract
    | Choose
    | Approve
    | UseTool
    | Assess
    | Synthesize
    | Reply
    | Stop
    | Edit
)


def action_id(action: Action) -> str:
    """Return an id that equal actions share; the reason is no part of it."""
    return content_id(
        action.kind,
        *(repr(getattr(action, item.name)) for item in fields(action) if item.name != "reason"),
    )
