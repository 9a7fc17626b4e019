"""Which stages an agent asks which model for."""

from collections.abc import Mapping
from typing import Any, Final

from ragnb.errors import InputError
from ragnb.llm.models import Model
from ragnb.llm.prices import Prices, price_table

__all__ = ["ROLES", "model_stages"]

ROLES: Final[dict[str, tuple[str, ...]]] = {
    "route": ("route",),
    "plan": ("plan", "steps"),
    "choose": ("choose",),
    "extract": ("extract",),
    "assess": ("assess", "reflect"),
    "rerank": ("rerank",),
    "answer": ("synthesize",),
}
"""Each role of a model, and the stages that it is asked in; the planner's model routes too, if no
other does."""
_ALL: Final = ("plan", "choose", "extract", "assess", "answer")
"""The roles of a model that is given for everything; a model as ranker is asked for by name."""


def model_stages(
    llm: Any, prices: Prices | None = None, rules: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the stages that ask a model, by the name of their stage.

    Args:
        llm: A chat generator or a name for all roles but rerank, or a mapping of roles (route,
            plan, choose, extract, assess, rerank, answer) to them.
        prices: What a million tokens read and written cost, by the model's name.
        rules: The stages without a model, by the name of their stage, that do a step where the
            model can't; default ones where there is none.

    Raises:
        InputError: There is no such role, or what stands for a model is none.
        MissingIntegrationError: The integration that a name needs is not installed.
    """
    table = price_table(prices)
    roles = dict(llm) if isinstance(llm, Mapping) else dict.fromkeys(_ALL, llm)
    unknown = sorted(set(roles) - set(ROLES))
    if unknown:
        raise InputError(f"There is no role {unknown[0]!r} for a model; there are {list(ROLES)}.")
    models: dict[int, Model] = {}
    made: dict[str, Any] = {}
    for role, spec in roles.items():
        model = models.setdefault(id(spec), Model(spec, table))
        stages = ROLES[role]
        stages = (*stages, "route") if role == "plan" and "route" not in roles else stages
        for stage in stages:
            made[stage] = _twin(stage)(model, (rules or {}).get(stage))
    return made


def _twin(stage: str) -> Any:  # noqa: PLR0911 - one match over the stages
    match stage:
        case "route":
            from ragnb.llm.routing import ModelRouter

            return ModelRouter
        case "steps":
            from ragnb.llm.stepping import ModelStepPlanner

            return ModelStepPlanner
        case "reflect":
            from ragnb.llm.reflecting import ModelReflector

            return ModelReflector
        case "plan":
            from ragnb.llm.planning import ModelPlanner

            return ModelPlanner
        case "choose":
            from ragnb.llm.choosing import ModelChooser

            return ModelChooser
        case "extract":
            from ragnb.llm.extracting import ModelExtractor

            return ModelExtractor
        case "assess":
            from ragnb.llm.assessing import ModelAssessor

            return ModelAssessor
        case "rerank":
            from ragnb.llm.reranking import ModelReranker

            return ModelReranker
        case _:
            from ragnb.llm.writing import ModelSynthesizer

            return ModelSynthesizer
