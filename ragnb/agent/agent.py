"""An agent: a library, stages, a policy and a budget, made with one call."""

import copy
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragnb.agent.calls import Stages
from ragnb.agent.components import checked, default_components, fallback
from ragnb.agent.editing import in_words, plain_filters
from ragnb.agent.loop import Loop
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Policy, policy_named
from ragnb.agent.recording import Fingerprints
from ragnb.agent.reusing import Recorder
from ragnb.agent.run import Run
from ragnb.agent.state import ToolCall, start
from ragnb.agent.trace import Trace
from ragnb.agent.until import Step
from ragnb.errors import InputError
from ragnb.llm.prices import Prices
from ragnb.llm.roles import model_stages
from ragnb.records import Budget, Filters

if TYPE_CHECKING:
    from haystack.tools.tool import Tool

    from ragnb.library import Library

__all__ = ["WITH_MODEL", "Agent", "ChangedError"]

WITH_MODEL = Budget(seconds=300.0, reserve=30.0)
"""What a run with a model may spend by default."""


class ChangedError(InputError):
    """A run can't simply go on: what it was made with is another now."""


class Agent:
    """Answers questions from a library, by a policy over replaceable stages.

    Args:
        library: What is searched and read.
        policy: ``"evidence"``, ``"one_shot"``, ``"plan"`` (steps, each looked back at),
            ``"tool_calling"``, ``"routed"`` (as the goal needs), or any object with
            ``decide(state)``.
        stages: Haystack components that take the place of the default ones, by the name of
            their stage: route, plan, steps, choose, retrieve, rerank, read, extract, assess,
            reflect, synthesize, reply.
        tools: Haystack Tools, or a Toolset; each has effects, and needs a person's yes, unless
            `pure` marks it. The library's own tools (search, read, query_table, …) are there
            without being given.
        budget: What a run may spend; with a model 300 seconds by default, 30 of them kept for the
            answer.
        llm: A chat model for planning, choosing tools, extracting, assessing and answering: any
            Haystack chat generator, a name such as ``"openai:gpt-5-mini"`` or ``"http://host:port/v1#NAME"``,
            or a mapping of roles (route, plan, choose, extract, assess, rerank, answer) to them.
        prices: What a million tokens read and written cost, by the model's name, where no price
            library knows.
        approve: Asked before a tool with effects is used; without it the answer is no.

    Raises:
        InputError: A policy, stage or role of that name doesn't exist, or a component has the
            wrong sockets.
        MissingExtraError: The Haystack integration that a model's name needs is not installed.
    """

    def __init__(
        self,
        library: "Library",
        *,
        policy: str | Policy = "evidence",
        stages: Mapping[str, Any] | None = None,
        tools: Iterable["Tool"] = (),
        budget: Budget | None = None,
        llm: Any = None,
        prices: Prices | None = None,
        approve: Callable[[ToolCall], bool] | None = None,
    ) -> None:
        if not hasattr(library, "generation"):
            raise InputError(
                f"The library is {library!r}; expected a ragnb.Library, such as "
                "ragnb.Library.from_folder(…)."
            )
        self.library = library
        self.policy = policy_named(policy)
        self.budget = budget or (Budget() if llm is None else WITH_MODEL)
        self.approve = approve
        self.components = default_components(library, tools)
        if llm is not None:
            self.components |= model_stages(llm, prices, self.components)
        self.components |= checked(stages or {})
        self._fingerprints = Fingerprints(self.components, library)

    def start(
        self, goal: str, *, filters: Filters | None = None, trace: str | Path | None = None
    ) -> Loop:
        """Return a loop at step 0; ``trace`` names a new file that steps are appended to.

        Raises:
            InputError: The goal is empty.
            TraceError: The trace's file exists already, or can't be written.
        """
        goal = in_words(goal, "The goal")
        plain = plain_filters(filters)
        if plain:
            self._known_fields(plain)
        state = start(goal, budget=self.budget, filters=plain)
        return self._loop(Trace(state, trace, config=self._config()))

    def _known_fields(self, part: Mapping[str, Any]) -> None:
        """Raise an InputError where a filter names a field that no document has."""
        for each in part.get("conditions", ()):
            self._known_fields(each)
        field = part.get("field")
        names = {*self.library.fields, "id", "content"}
        if field is not None and not {field, f"meta.{field}"} & names:
            raise InputError(
                f"No document has the field {field!r}; filters can use {sorted(names)}."
            )

    def ask(
        self,
        goal: str,
        *,
        filters: Filters | None = None,
        until: Callable[[Step], bool] | None = None,
    ) -> Run:
        """Run from a goal to its answer, or until a step fires the predicate."""
        return self.start(goal, filters=filters).run(until)

    def resume(self, run: Run, *, despite_changes: bool = False) -> Loop:
        """Return a loop that goes on where a run was cut off; see `Run.resume`.

        Raises:
            ChangedError: The agent or its library is another than the run was made with.
        """
        changes = _changes(run.trace.config, self._config())
        if changes and not despite_changes:
            raise ChangedError(
                f"This run was made with another {', '.join(changes)}. Look at it as it is, or "
                "go on from it with run.resume(agent, despite_changes=True)."
            )
        run.trace.reopen()
        for change in changes:
            run.trace.note(f"Resumed with another {change} than the run began with.")
        for name in run.trace.intents.values():
            run.trace.note(f"It is unknown whether {name} was done before the run was cut off.")
        return self._loop(run.trace, name=run.name, head=run.head)

    def _config(self) -> dict[str, str]:
        return self._fingerprints.all() | {"policy": repr(self.policy)}

    def _loop(self, trace: Trace, *, name: str = "main", head: str = "") -> Loop:
        stages = Stages(library=self.library, components=self.components)
        return Loop(
            trace,
            self.policy,
            Performer(stages, fallback),
            recorder=Recorder(self._fingerprints, trace),
            name=name,
            head=head,
            approve=self.approve,
        )

    def with_policy(self, policy: str | Policy) -> "Agent":
        """Return the same agent under another policy."""
        other = copy.copy(self)
        other.policy = policy_named(policy)
        return other


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the names of what differs, in words."""
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    return [name if name in {"library", "policy"} else f"{name} stage" for name in names]
