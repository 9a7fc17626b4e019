"""The border where JSON enters and leaves: pydantic checks every field of a saved run."""

import functools
from typing import TYPE_CHECKING, Annotated, Any

from ragnb.agent.actions import Action
from ragnb.agent.outcomes import Value
from ragnb.agent.state import State
from ragnb.records import Exchange, Usage, content_id

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["LONG", "Texts", "adapters", "exchanges_adapter"]

LONG = 80
"""Characters from which a text is stored once, under the hash of its content."""


@functools.cache
def adapters() -> (
    "tuple[TypeAdapter[Action], TypeAdapter[Value], TypeAdapter[Usage], TypeAdapter[State]]"
):
    """Return what checks and writes actions, outcome values, usage and states."""
    from pydantic import Discriminator, TypeAdapter

    kind = Discriminator("kind")
    return (
        TypeAdapter(Annotated[Action, kind]),
        TypeAdapter(Annotated[Value, kind]),
        TypeAdapter(Usage),
        TypeAdapter(State),
    )


@functools.cache
def exchanges_adapter() -> "TypeAdapter[tuple[Exchange, ...]]":
    """Return what checks and writes what models were asked."""
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Exchange, ...])


class Texts:
    """Long texts of a trace, each stored once under the hash of its content."""

    def __init__(self) -> None:
        self.by_id: dict[str, str] = {}

    def pack(self, data: Any, new: list[tuple[str, str]]) -> Any:
        """Return JSON data with long texts replaced by their ids; ``new`` gets unseen ones."""
        if isinstance(data, str):
            if len(data) < LONG:
                return data
            text_id = content_id("text", data)
            if text_id not in self.by_id:
                self.by_id[text_id] = data
                new.append((text_id, data))
            return {"$text": text_id}
        if isinstance(data, dict):
            return {_escape(key): self.pack(value, new) for key, value in data.items()}
        if isinstance(data, list):
            return [self.pack(value, new) for value in data]
        return data

    def unpack(self, data: Any) -> Any:
        """Return what was packed.

        Raises:
            KeyError: A text is not there.
        """
        if isinstance(data, dict):
            if len(data) == 1 and "$text" in data:
                return self.by_id[data["$text"]]
            return {_unescape(key): self.unpack(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.unpack(value) for value in data]
        return data


def _escape(key: str) -> str:
    return f"${key}" if key.startswith("$") else key


def _unescape(key: str) -> str:
    return key.removeprefix("$")
