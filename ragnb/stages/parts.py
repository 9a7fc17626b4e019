"""Components inside of others: what decides on what they do, and how they are read back."""

from collections.abc import Mapping
from typing import Any, TypeVar

from haystack import default_from_dict

from ragnb.library.library import Library
from ragnb.library.store import EmbeddedDocumentStore

__all__ = ["over_library", "restored", "settings_of", "told_of"]

_MadeT = TypeVar("_MadeT")


def settings_of(part: Any) -> dict[str, Any]:
    """Return a component's plain settings by name; libraries and other parts are left out.

    >>> from types import SimpleNamespace
    >>> settings_of(SimpleNamespace(strong=1, partial=2, library=object()))
    {'partial': 2, 'strong': 1}
    """
    plain = str | int | float | bool | None
    return {n: value for n, value in sorted(vars(part).items()) if isinstance(value, plain)}


def told_of(part: Any) -> list[Any]:
    """Return what decides on what a part does: its class, its version and its settings."""
    own = getattr(part, "fingerprint", None)
    settings = own() if callable(own) else settings_of(part)
    return [type(part).__qualname__, getattr(part, "version", ""), settings]


def restored(data: Mapping[str, Any], name: str) -> Any:
    """Make a component from what Haystack wrote of it."""
    from haystack.core.serialization import component_from_dict, import_class_by_name

    return component_from_dict(import_class_by_name(data["type"]), dict(data), name)


def over_library(cls: type[_MadeT], data: Mapping[str, Any]) -> _MadeT:
    """Make a component that works over a library, which Haystack wrote down as its store."""
    parameters = dict(data["init_parameters"])
    if parameters.get("library") is not None:
        parameters["library"] = Library(EmbeddedDocumentStore.from_dict(parameters["library"]))
    made: _MadeT = default_from_dict(cls, {**data, "init_parameters": parameters})
    return made
