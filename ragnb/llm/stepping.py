"""Lay out steps with a model: it plans, code sees to it that the steps serve the goal."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.metering import note
from ragnb.llm.shapes import StepReply, StepsReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import PlanStep, SubQuestion
from ragnb.stages import StepPlanner
from ragnb.text import terms

__all__ = ["ModelStepPlanner"]

_TOKENS: Final = 1500
_COVERED: Final = 0.5
"""Share of the goal's terms that the steps must have between them."""


@component
class ModelStepPlanner(Twin[StepPlanner]):
    """Lay out the steps for a goal with a model.

    Rules tell small talk, cut a plan to what the budget allows, and plan where the model can't or
    its steps leave out most of the goal. A tool with effects is planned only for a goal that asks
    for something to be done.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The planner of steps without a model.
        prices: The user's prices.
    """

    prompt = prompts.STEPS
    ruled = StepPlanner

    @component.output_types(
        questions=list[SubQuestion],
        steps=list[PlanStep],
        normalized_goal=str,
        needs_retrieval=bool,
        notes=list[str],
    )
    def run(  # noqa: PLR0917 - sockets
        self,
        goal: str,
        kind: str = "",
        fields: list[str] | None = None,
        filters: dict[str, Any] | None = None,
        tools: list[dict[str, Any]] | None = None,
        again: bool = False,  # noqa: FBT001, FBT002 - a socket
        why: str = "",
        steps: list[PlanStep] | None = None,
        left: int | None = None,
    ) -> dict[str, Any]:
        """Lay out steps; the arguments and what is returned are those of `StepPlanner.run`."""
        ruled: dict[str, Any] = self.rules.run(
            goal, kind, fields, filters, tools, again, why, steps, left
        )
        if not ruled["needs_retrieval"] or left is not None:
            return ruled
        bare, able = ruled["normalized_goal"], tools or []
        given = prompts.steps(bare, kind, able, fields or (), steps or (), why)
        reply = structured(self.model, self.prompt, given, StepsReply, tokens=_TOKENS)
        if reply is None:
            return ruled
        over = [step for step in steps or () if step.status != "pending"]
        made = _made(reply.steps, {str(tool["name"]): tool for tool in able}, kind)
        asked = set(terms(bare))
        told = [f"{step.question} {json.dumps(step.arguments)}" for step in (*over, *made)]
        said = {term for text in told for term in terms(text)}
        if not made or len(asked & said) < _COVERED * len(asked):
            note("Rules made the steps, for the model's leave out most of the goal.")
            return ruled
        return ruled | {"steps": [*over, *made], "notes": []}


def _made(
    replies: Sequence[StepReply], tools: Mapping[str, Mapping[str, Any]], kind: str
) -> list[PlanStep]:
    made: list[PlanStep] = []
    for item in replies:
        tool = " ".join(item.tool.split())
        if kind != "action" and tools.get(tool, {}).get("effects"):
            note(f"Step {item.id} was left out: the goal does not ask for {tool}.")
            continue
        made.append(
            PlanStep(
                id=item.id.strip(),
                tool=tool,
                arguments=_arguments(item, tools.get(tool, {})),
                depends_on=tuple(each.strip() for each in item.depends_on if each.strip()),
                for_each=item.for_each.strip(),
                question=" ".join(item.question.split()),
                reason=" ".join(item.reason.split()),
                replan_when=" ".join(item.replan_when.split()),
            )
        )
    return made


def _arguments(item: StepReply, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step's arguments: of a search all but the query are filters."""
    pairs = {each.name.strip(): each.value for each in item.arguments if each.name.strip()}
    if item.tool.strip() == "search":
        query = pairs.pop("query", "")
        return {"query": query, "filters": pairs} if pairs else {"query": query}
    shapes = dict(tool.get("parameters") or {}).get("properties") or {}
    return {name: _typed(value, shapes.get(name) or {}) for name, value in pairs.items()}


def _typed(value: str, shape: Mapping[str, Any]) -> Any:
    """Return a value as the tool takes it: what is no text is read as JSON."""
    if shape.get("type", "string") == "string":
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
