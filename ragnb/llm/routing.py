"""Route with a model: it says what sort of goal it is, code says what that leads to."""

from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.shapes import RouteReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import Routing
from ragnb.stages import Router

__all__ = ["ModelRouter"]

_TOKENS: Final = 200


@component
class ModelRouter(Twin[Router]):
    """Class a goal with a model.

    Rules tell small talk and what is outside the library, and class where the model can't.

    Args:
        generator: Who is asked; see `Twin`. A small model will do.
        rules: The router without a model.
        prices: The user's prices.
    """

    prompt = prompts.ROUTE
    ruled = Router

    @component.output_types(routing=Routing, normalized_goal=str)
    def run(self, goal: str, tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Class a goal; the arguments and what is returned are those of `Router.run`."""
        ruled: dict[str, Any] = self.rules.run(goal, tools)
        if ruled["routing"].kind in {"talk", "outside"}:
            return ruled
        given = f"Request: {ruled['normalized_goal']}"
        reply = structured(self.model, self.prompt, given, RouteReply, tokens=_TOKENS)
        if reply is None:
            return ruled
        simple = reply.kind == "single" and not reply.complex
        routing = Routing(
            kind=reply.kind,
            complexity="simple" if simple else "complex",
            policy="one_shot" if simple else "plan",
            reason=" ".join(reply.reason.split()) or "The model classed it so.",
        )
        return ruled | {"routing": routing}
