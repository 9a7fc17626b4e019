"""An agent: a library, stages, a policy and a budget, made with one call."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragnb.agent.calls import Stages
from ragnb.agent.components import checked, default_components, fallback
from ragnb.agent.loop import Loop
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Policy, policy_named
from ragnb.agent.run import Run
from ragnb.agent.state import start
from ragnb.agent.trace import Trace
from ragnb.agent.until import Step
from ragnb.errors import InputError
from ragnb.records import Budget, Filters

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["Agent"]


class Agent:
    """Answers questions from a library, by a policy over replaceable stages.

    Args:
        library: What is searched and read.
        policy: ``"evidence"``, ``"one_shot"``, or any object with ``decide(state)``.
        stages: Haystack components that take the place of the default ones, by the name of
            their stage: plan, retrieve, rerank, read, extract, assess, synthesize, reply.
        budget: What a run may spend.

    Raises:
        InputError: A policy or stage of that name doesn't exist, or a component has the wrong
            sockets.
    """

    def __init__(
        self,
        library: "Library",
        *,
        policy: str | Policy = "evidence",
        stages: Mapping[str, Any] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.library = library
        self.policy = policy_named(policy)
        self.budget = budget or Budget()
        self.components = default_components(library) | checked(stages or {})

    def start(
        self, goal: str, *, filters: Filters | None = None, trace: str | Path | None = None
    ) -> Loop:
        """Return a loop at step 0; ``trace`` names a new file that steps are appended to.

        Raises:
            InputError: The goal is empty.
            TraceError: The trace's file exists already, or can't be written.
        """
        if not goal.strip():
            raise InputError(f"The goal is {goal!r}; expected a question or a request in words.")
        state = start(goal.strip(), budget=self.budget, filters=filters)
        stages = Stages(library=self.library, components=self.components)
        return Loop(Trace(state, trace), self.policy, Performer(stages, fallback))

    def ask(
        self,
        goal: str,
        *,
        filters: Filters | None = None,
        until: Callable[[Step], bool] | None = None,
    ) -> Run:
        """Run from a goal to its answer, or until a step fires the predicate."""
        return self.start(goal, filters=filters).run(until)

    def with_policy(self, policy: str | Policy) -> "Agent":
        """Return the same agent under another policy."""
        other = Agent(self.library, policy=policy, budget=self.budget)
        other.components = self.components
        return other
