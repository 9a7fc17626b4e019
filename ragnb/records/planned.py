"""How a goal is gone about: the route that was taken, the steps of a plan, a look back at one."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from ragnb.display import bundle

__all__ = [
    "MOST_STEPS",
    "OWN_TOOLS",
    "REMOVED",
    "SHORT",
    "GoalKind",
    "NextMove",
    "PlanStep",
    "Reflection",
    "Routing",
    "StepStatus",
]

MOST_STEPS: Final = 12
"""Steps of one plan at most."""
OWN_TOOLS: Final = ("search", "read")
"""Tools of a plan that are stages of the agent itself."""
REMOVED: Final = "A person removed what it rested on."
"""Why a step that was done counts as failed after an edit."""
SHORT: Final = "Fewer searches are left than steps."
"""Why a plan is cut to what the budget still allows."""

GoalKind: TypeAlias = Literal["single", "comparison", "data", "action", "talk", "outside"]
"""What is wanted: an answer to one question · a comparison across documents · data looked up or
summed up · something done · small talk, or what the agent is and holds · nothing that is here."""
StepStatus: TypeAlias = Literal["pending", "done", "failed", "skipped"]
NextMove: TypeAlias = Literal["continue", "retry", "replan", "finish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """How a goal was classed, and which policy that led to."""

    kind: str
    """One of `GoalKind`."""
    complexity: Literal["simple", "complex"] = "complex"
    policy: str = "evidence"
    reason: str = ""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "route")

    def to_dict(self) -> dict[str, Any]:
        """Return the route as plain JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """A step of a plan: which tool, with which arguments, after which other steps.

    In ``question`` and in texts of ``arguments``, ``{s1}`` stands for what step s1 found, and
    ``{item}`` for the item that a step is done for.
    """

    id: str
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict, hash=False)
    depends_on: tuple[str, ...] = ()
    reason: str = ""
    replan_when: str = ""
    for_each: str = ""
    """The step whose list this one is done for, item by item."""
    question: str = ""
    """The question that the step serves; its evidence is judged by it."""
    question_id: str = ""
    effects: bool = False
    """Whether the tool changes something outside, and so needs a person's yes."""
    status: StepStatus = "pending"
    attempts: int = 1
    result: str = ""
    """What came of it, in words."""
    found: tuple[str, ...] = ()
    """What later steps may use: names, or the items of a list."""
    error: str = ""
    """Why it failed or was skipped, as it may be said in the answer."""

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON data, without what is empty."""
        data = asdict(self) | {"depends_on": list(self.depends_on), "found": list(self.found)}
        return {
            name: value
            for name, value in data.items()
            if value or name in {"arguments", "depends_on"}
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """A look back at one step of a plan: what is new, and what to do next."""

    step: str
    status: StepStatus
    next: NextMove = "continue"
    new: str = ""
    """What is new since the last look; without it, going on is refused."""
    reason: str = ""
    result: str = ""
    found: tuple[str, ...] = ()
    error: str = ""
    tool: str = ""
    """For another attempt: the tool; empty for the same."""
    arguments: dict[str, Any] = field(default_factory=dict, hash=False)
    """For another attempt: its arguments."""

    def to_dict(self) -> dict[str, Any]:
        """Return the reflection as plain JSON data, without what is empty."""
        data = asdict(self) | {"found": list(self.found)}
        return {name: value for name, value in data.items() if value or name in {"step", "new"}}
