"""The state: one frozen value that holds all that an agent knows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ragnb.display import bundle
from ragnb.records import (
    Answer,
    Budget,
    Conflict,
    Context,
    Evidence,
    Filters,
    Gap,
    Hit,
    PlanStep,
    Query,
    Reflection,
    Routing,
    StopReason,
    SubQuestion,
    Usage,
    content_id,
)

__all__ = [
    "Assessment",
    "Failure",
    "PlanStep",
    "Routing",
    "Search",
    "State",
    "ToolCall",
    "start",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A query and what became of it; ``ranked`` is None until it was reranked."""

    query: Query
    status: Literal["pending", "asked", "refused", "failed"] = "pending"
    hits: tuple[Hit, ...] = ()
    ranked: tuple[Hit, ...] | None = None

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "search")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that was proposed, whether a person allowed it, and what it gave.

    One that is ``invalid`` named no tool that was offered, or arguments that don't fit, and was
    never done; one that is ``refused`` repeats another, or a person said no. ``result`` is what
    came back, or why nothing did.
    """

    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict, hash=False)
    effects: bool = True
    approved: bool | None = None
    status: Literal["proposed", "done", "failed", "refused", "invalid"] = "proposed"
    result: str = ""
    question_id: str = ""
    """The sub-question that it serves."""
    contexts: tuple[str, ...] = ()
    """Ids of the texts behind the result."""

    @classmethod
    def of(
        cls, name: str, arguments: Mapping[str, Any], *, again: int | None = None, **fields: Any
    ) -> "ToolCall":
        """Make a call whose id comes from its tool and arguments.

        ``again`` counts equal calls before it, where such a one is a call of its own.
        """
        told = json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)
        parts = ("call", name, told) if again is None else ("call", name, told, again)
        return cls(id=content_id(*parts), name=name, arguments=dict(arguments), **fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """A verdict, and the evidence that was new to it."""

    verdict: Literal["satisfied", "insufficient", "conflict"]
    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    suggested: str = ""
    reflection: Reflection | None = None
    """Of a policy that plans: the look back at the step that was just done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An action that failed, by its id, and why in plain words."""

    action_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that an agent knows after some entries of its trace."""

    goal: str
    normalized_goal: str = ""
    budget: Budget = field(default_factory=Budget)
    filters: Filters | None = field(default=None, hash=False)
    constraints: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    route: Routing | None = None
    planned: bool = False
    needs_retrieval: bool = True
    questions: tuple[SubQuestion, ...] = ()
    plan_steps: tuple[PlanStep, ...] = ()
    replans: int = 0
    """How often the steps were planned again."""
    replan: str = ""
    """Why the steps are to be planned again; empty while they hold."""
    searches: tuple[Search, ...] = ()
    contexts: tuple[Context, ...] = ()
    reads: tuple[tuple[tuple[str, str], str], ...] = ()
    """What was asked to be read, an id and a scope, and the id of the context that it gave."""
    extracted: tuple[tuple[str, str], ...] = ()
    """Pairs (question id, context id) that were looked through for evidence."""
    evidence: tuple[Evidence, ...] = ()
    excluded: tuple[str, ...] = ()
    """Ids of evidence and sources that a person removed, so that they can't come back."""
    gaps: tuple[Gap, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    assessments: tuple[Assessment, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    failures: tuple[Failure, ...] = ()
    stood_in: tuple[str, ...] = ()
    """For each step that rules did because a model could not be reached: why it could not."""
    unassessed: bool = False
    """Something came in since the last Assess."""
    asking: bool = False
    """A query or a tool call was made since the last Assess."""
    reopened: tuple[str, ...] = ()
    """Questions whose gap a synthesis opened again; this happens once each."""
    answer: Answer | None = None
    closing: StopReason | None = None
    stop: StopReason | None = None
    spent: Usage = field(default_factory=Usage)
    heaviest: Usage = field(default_factory=Usage)
    """What the step with the most tokens cost; the next one may cost as much."""
    steps: int = 0
    """Stage actions and refusals so far."""
    tool_calls: int = 0
    """Searches and uses of a tool so far."""
    refusals: int = 0
    """Refusals in a row."""
    round: int = 0
    entries: int = 0
    """Entries on the path, edits and the stop included."""

    @property
    def open_gaps(self) -> tuple[Gap, ...]:
        """Gaps that are neither closed nor waived."""
        return tuple(gap for gap in self.gaps if gap.closed_at is None and not gap.waived)

    @property
    def open_conflicts(self) -> tuple[Conflict, ...]:
        """Conflicts that nothing has settled yet."""
        return tuple(item for item in self.conflicts if item.status == "open")

    @property
    def blocked(self) -> bool:
        """Whether a disagreement is open, or a gap that keeps its question from an answer."""
        return bool(self.open_conflicts) or any(gap.blocks for gap in self.open_gaps)

    @property
    def asked(self) -> tuple[Query, ...]:
        """Queries that were sent and answered."""
        return tuple(item.query for item in self.searches if item.status == "asked")

    @property
    def pending(self) -> tuple[Query, ...]:
        """Queries that wait to be sent."""
        return tuple(item.query for item in self.searches if item.status == "pending")

    @property
    def visited(self) -> tuple[str, ...]:
        """Ids of the sources that were read, in the order of reading."""
        return tuple(dict.fromkeys(context.source_id for context in self.contexts))

    @property
    def answered(self) -> tuple[str, ...]:
        """Ids of questions that have evidence and neither an open gap nor an open conflict."""
        blocked = {gap.question_id for gap in self.open_gaps if gap.blocks}
        blocked |= {item.question_id for item in self.open_conflicts}
        have = {item.question_id for item in self.evidence}
        return tuple(q.id for q in self.questions if q.id in have and q.id not in blocked)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "state")

    def search(self, query_id: str) -> Search | None:
        """Return the search of a query, or None."""
        return next((item for item in self.searches if item.query.id == query_id), None)

    def question(self, question_id: str) -> SubQuestion | None:
        """Return a sub-question by its id, or None."""
        return next((item for item in self.questions if item.id == question_id), None)

    def call(self, call_id: str) -> ToolCall | None:
        """Return a tool call by its id, or None."""
        return next((item for item in self.calls if item.id == call_id), None)

    def plan_step(self, step_id: str) -> PlanStep | None:
        """Return a step of the plan by its id, or None."""
        return next((item for item in self.plan_steps if item.id == step_id), None)

    def context(self, context_id: str) -> Context | None:
        """Return what was read under an id, or None."""
        return next((item for item in self.contexts if item.id == context_id), None)

    def evidence_for(self, question_id: str) -> tuple[Evidence, ...]:
        """Return the evidence on one sub-question, in the order of finding."""
        return tuple(item for item in self.evidence if item.question_id == question_id)


def start(goal: str, *, budget: Budget | None = None, filters: Filters | None = None) -> State:
    """Return the state before the first step; the goal is its only sub-question."""
    return State(
        goal=goal,
        budget=budget or Budget(),
        filters=filters,
        questions=(SubQuestion.of(goal),),
    )
