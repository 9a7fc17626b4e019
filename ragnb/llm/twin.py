"""What all stages with a model have in common: who is asked, by which prompt, and who stands in."""

from typing import Any, ClassVar, Generic, TypeVar

from ragnb.llm.models import Model, describe
from ragnb.llm.prices import Prices
from ragnb.llm.prompts import Prompt
from ragnb.stages.parts import restored, told_of

__all__ = ["Twin"]

_RulesT = TypeVar("_RulesT")


class Twin(Generic[_RulesT]):
    """A stage that asks a model, with the stage without one inside.

    Args:
        generator: A Haystack chat generator, a name as `generator_of` takes it, or a `Model`.
        rules: The stage without a model; it does the step where the model can't. None makes the
            default one.
        prices: The user's prices, a million tokens read and written, by the model's name.
    """

    prompt: ClassVar[Prompt]
    ruled: ClassVar[Any]
    """The class of the stage without a model."""
    timeout: float = 60.0
    """Seconds that an attempt may take."""
    retries: int = 2
    """Attempts after the first, where the model's server is busy or broken."""
    deterministic: bool = False

    def __init__(
        self, generator: Any, rules: _RulesT | None = None, prices: Prices | None = None
    ) -> None:
        self.model = generator if isinstance(generator, Model) else Model(generator, prices)
        self.rules: _RulesT = rules or self.ruled()

    @property
    def version(self) -> str:
        """The version of the stage and of its prompt."""
        return f"1/{self.prompt.version}"

    def fingerprint(self) -> dict[str, Any] | None:
        """Return what decides on the stage's outcomes, without keys; None if that can't be told."""
        model = describe(self.model.generator)
        if model is None:
            return None
        return {"model": model, "rules": told_of(self.rules)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; keys are named, and never in it."""
        from haystack import default_to_dict
        from haystack.core.serialization import component_to_dict

        generator = component_to_dict(self.model.generator, "generator")
        part: Any = self.rules
        rules = part.to_dict()
        prices = {name: list(pair) for name, pair in self.model.prices.items()}
        return default_to_dict(self, generator=generator, rules=rules, prices=prices)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Twin[Any]":
        """Make the component from what `to_dict` returned."""
        from haystack import default_from_dict

        given = dict(data["init_parameters"])
        given["generator"] = restored(given["generator"], "generator")
        given["rules"] = cls.ruled.from_dict(given["rules"])
        given["prices"] = {name: tuple(pair) for name, pair in given["prices"].items()}
        made: Twin[Any] = default_from_dict(cls, data | {"init_parameters": given})
        return made
