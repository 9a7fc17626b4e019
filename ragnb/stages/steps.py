"""Lay out a plan by rule: steps from the template of the goal's kind, and again when one fails."""

from typing import Any

from haystack import component, default_to_dict

from ragnb.library.library import Library
from ragnb.library.tabular import tables
from ragnb.records import PlanStep, SubQuestion
from ragnb.stages.parts import over_library, restored, told_of
from ragnb.stages.plan import Planner
from ragnb.stages.replanning import replanned
from ragnb.stages.templates import laid_out

__all__ = ["StepPlanner"]


@component
class StepPlanner:
    """Lay out the steps for a goal by rule; no model is asked.

    Args:
        planner: Splits the goal into questions; a `Planner` by default.
        library: Whose tables are looked up; without one all questions are searched for.
    """

    version: str = "2"

    def __init__(self, planner: Any = None, library: Library | None = None) -> None:
        self.planner = planner or Planner()
        self.library = library

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
        why: str = "",  # noqa: ARG002 - for a model
        steps: list[PlanStep] | None = None,
        left: int | None = None,
    ) -> dict[str, Any]:
        """Lay out steps.

        Args:
            goal: What the user asks.
            kind: What sort of goal it is, as a route says; empty if nobody classed it.
            fields: Metadata fields of the library; ``field:value`` in the goal becomes a filter.
            filters: Filters for every search, in Haystack's form.
            tools: The tools beside search and read: name, description, parameters, effects.
            again: Whether steps that failed are to be planned anew.
            why: Why they are.
            steps: All steps so far, with their results.
            left: Searches that are left, where they are fewer than the steps; else None.

        Returns:
            ``questions`` of the goal; ``steps``, of a replan those that are over too;
            ``normalized_goal``; ``needs_retrieval``, False for small talk; ``notes``.
        """
        known = [step.question for step in steps or () if step.question]
        planned: dict[str, Any] = self.planner.run(
            goal=goal, fields=fields, filters=filters, again=False, known=known
        )
        bare = str(planned.get("normalized_goal") or goal)
        needed = bool(planned.get("needs_retrieval", True))
        notes: list[str] = []
        made: list[PlanStep] = []
        if again and steps:
            made, notes = replanned(bare, steps, left)
        elif needed:
            by_name = {str(tool.get("name", "")): tool for tool in tools or ()}
            able = self.library is not None and "query_table" in by_name and not filters
            known_tables = tables(self.library) if self.library is not None and able else ()
            made = laid_out(bare, kind, planned["questions"], by_name, known_tables)
            made = _filtered(made, planned["questions"], filters)
        return {
            "questions": list(planned["questions"]),
            "steps": made,
            "normalized_goal": bare,
            "needs_retrieval": needed,
            "notes": notes,
        }

    def fingerprint(self) -> dict[str, Any]:
        """Return what decides on the steps."""
        return {"planner": told_of(self.planner)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        from haystack.core.serialization import component_to_dict

        library = None if self.library is None else self.library.store.to_dict()
        planner = component_to_dict(self.planner, "planner")
        return default_to_dict(self, planner=planner, library=library)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "StepPlanner":
        """Make the component from what `to_dict` returned."""
        parameters = dict(data["init_parameters"])
        parameters["planner"] = restored(parameters["planner"], "planner")
        return over_library(cls, {**data, "init_parameters": parameters})


def _filtered(
    steps: list[PlanStep], questions: list[SubQuestion], standing: dict[str, Any] | None
) -> list[PlanStep]:
    """Give searches the filters that the goal itself names, as ``status:current``."""
    from dataclasses import replace

    found = questions[0].filters if questions else None
    if not found or found == standing:
        return steps
    own = {
        str(part["field"]).removeprefix("meta."): part["value"]
        for part in (found.get("conditions") or [found])
        if part != standing and part.get("operator") == "==" and "field" in part
    }
    return [
        replace(step, arguments={**step.arguments, "filters": own})
        if own and step.tool == "search"
        else step
        for step in steps
    ]
