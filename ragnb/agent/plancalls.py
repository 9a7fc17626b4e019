"""Calls of the stages that class a goal, lay out steps and look back at one."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ragnb.agent.outcomes import Assessed, Planned, Routed, Value
from ragnb.agent.repairing import repaired
from ragnb.agent.sockets import listed, sockets, taken_by
from ragnb.llm.metering import note
from ragnb.records import Routing
from ragnb.records.planned import OWN_TOOLS

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["PlanCalls"]


class PlanCalls:
    """What the stages of a planning policy are given, and what becomes of what they give."""

    library: "Library"
    components: Mapping[str, Any]

    def effects(self, tool: str) -> bool:
        """Return whether a tool has effects; one that nobody knows counts as having them."""
        runner = self.components.get("tools")
        return runner is None or bool(runner.effects(tool))

    def _route(self, component: Any, *, goal: str, to: str) -> Value:
        if to:
            return Routed(routing=Routing(kind="single", policy=to, reason="A person chose it."))
        taken, _ = taken_by(component, {"goal": goal, "tools": self.tool_specs()})
        result = sockets(component.run(**taken), "routing")
        goal = str(result.get("normalized_goal") or "")
        return Routed(routing=result["routing"], normalized_goal=goal)

    def _lay_out(self, component: Any, **given: Any) -> Value:
        done, tools = given["steps"], self.tool_specs()
        fields = sorted(self.library.fields)
        wanted = given | {"fields": fields, "tools": tools, "steps": list(done)}
        taken, _ = taken_by(component, wanted)
        result = sockets(component.run(**taken), "questions", "steps")
        over = tuple(step for step in result["steps"] if step.status != "pending")
        steps, notes = repaired(
            [step for step in result["steps"] if step.status == "pending"],
            tools=[tool["name"] for tool in tools],
            fields=fields,
            before=[step.id for step in over],
        )
        changes = {str(tool["name"]): bool(tool["effects"]) for tool in tools}
        steps = tuple(replace(step, effects=changes.get(step.tool, False)) for step in steps)
        for text in (*result.get("notes", ()), *notes):
            note(text)
        return Planned(
            questions=tuple(result["questions"]),
            steps=(*over, *steps),
            normalized_goal=result.get("normalized_goal", ""),
            needs_retrieval=result.get("needs_retrieval", True),
        )

    def tool_specs(self) -> list[dict[str, Any]]:
        """Return what can be said of the tools beside search and read."""
        runner = self.components.get("tools")
        specs: Mapping[str, Any] = getattr(runner, "specs", None) or getattr(runner, "tools", {})
        return [
            {
                "name": name,
                "description": str(spec.description),
                "parameters": dict(spec.parameters),
                "effects": self.effects(name),
            }
            for name, spec in specs.items()
            if name not in {*OWN_TOOLS, "finish"}
        ]

    def _reflect(self, component: Any, **given: Any) -> Value:
        from ragnb.stages import compose

        known = ("goal", "questions", "evidence", "gaps", "conflicts", "searches")
        partial = compose(**{name: given[name] for name in known})
        given = listed(given) | {"partial": [claim.statement for claim in partial.conclusions]}
        taken, _ = taken_by(component, given)
        result = sockets(component.run(**taken), "verdict", "gaps", "conflicts", "reflection")
        look = result["reflection"]
        return Assessed(
            verdict=result["verdict"],
            gaps=tuple(result["gaps"]),
            conflicts=tuple(result["conflicts"]),
            suggested=f"{look.next} {look.step}: {look.reason}".strip(": "),
            reflection=look,
        )
