"""What came back from an action: one value a kind, in an envelope with its usage."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ragnb.agent.state import ToolCall
from ragnb.records import (
    Answer,
    Conflict,
    Context,
    Evidence,
    Exchange,
    Gap,
    Hit,
    PlanStep,
    Query,
    Reflection,
    Routing,
    SubQuestion,
    Usage,
)

__all__ = [
    "Answered",
    "Assessed",
    "Decided",
    "Edited",
    "Failed",
    "Found",
    "Hits",
    "Outcome",
    "Planned",
    "Proposed",
    "Ranked",
    "Recalled",
    "Refused",
    "Routed",
    "Stopped",
    "TextRead",
    "ToolDone",
    "Value",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """The goal's class and the policy for it."""

    routing: Routing
    normalized_goal: str = ""
    kind: Literal["routed"] = "routed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Sub-questions, first queries and, for a planning policy, steps."""

    questions: tuple[SubQuestion, ...]
    queries: tuple[Query, ...] = ()
    steps: tuple[PlanStep, ...] = ()
    normalized_goal: str = ""
    needs_retrieval: bool = True
    kind: Literal["planned"] = "planned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Memories that bear on the goal."""

    items: tuple[str, ...] = ()
    kind: Literal["recalled"] = "recalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What a query found; ``foreign`` holds the texts of documents that the library lacks."""

    hits: tuple[Hit, ...]
    foreign: tuple[Context, ...] = ()
    notes: tuple[str, ...] = ()
    kind: Literal["hits"] = "hits"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The same hits in a new order, cut to what will be read."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    kind: Literal["ranked"] = "ranked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRead:
    """What was read."""

    context: Context
    kind: Literal["text_read"] = "text_read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Evidence; ``context`` is set where the chunk of a hit itself was looked through."""

    evidence: tuple[Evidence, ...]
    context: Context | None = None
    kind: Literal["found"] = "found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Tool calls that were proposed: by whom, out of which tools, and knowing what.

    ``status`` is the line that says how far the run is, as whoever chose was told it.
    """

    calls: tuple[ToolCall, ...] = ()
    offered: tuple[str, ...] = ()
    status: str = ""
    by: Literal["rules", "model"] = "rules"
    kind: Literal["proposed"] = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a person said about a tool call."""

    allowed: bool
    kind: Literal["decided"] = "decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDone:
    """What a tool gave, the texts behind it, and what of it was looked up as evidence."""

    result: str
    contexts: tuple[Context, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    kind: Literal["tool_done"] = "tool_done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessed:
    """A verdict with all gaps and conflicts that are open now."""

    verdict: Literal["satisfied", "insufficient", "conflict"]
    gaps: tuple[Gap, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    suggested: str = ""
    queries: tuple[Query, ...] = ()
    reflection: Reflection | None = None
    kind: Literal["assessed"] = "assessed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer; its quotes are numbered and its sources listed when it enters the state."""

    answer: Answer
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The end; with the key-less answer from what there is, where there was none yet."""

    answer: Answer | None = None
    kind: Literal["stopped"] = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A person's change was taken."""

    kind: Literal["edited"] = "edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The action failed, why in plain words, and after how many attempts."""

    text: str
    attempts: int = 1
    kind: Literal["failed"] = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The action was not done, by which rule and because of what."""

    rule: Literal["near_duplicate", "not_approved", "repeated"]
    text: str
    like: str = ""
    kind: Literal["refused"] = "refused"


Value: TypeAlias = (
    Routed
    | Planned
    | Recalled
    | Hits
    | Ranked
    | TextRead
    | Found
    | Proposed
    | Decided
    | ToolDone
    | Assessed
    | Answered
    | Stopped
    | Edited
    | Failed
    | Refused
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came back, what it cost, what was remarked on the way, and what models were asked.

    ``provisional`` says that a model could not be reached, so that rules stood in for it: such an
    outcome is replayed, but not reused on another branch.
    """

    value: Value
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    provisional: bool = False
    exchanges: tuple[Exchange, ...] = ()
