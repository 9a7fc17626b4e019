"""The key of an outcome, and what may be reused: so that going back costs nothing.

The key is a hash of the stage (class, version, configuration), of the library's content for the
stages that search or read it, and of what the stage is given. Equal keys mean equal work.
"""

import hashlib
import uuid
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ragnb.agent.actions import Action, UseTool
from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import Failed
from ragnb.agent.state import State
from ragnb.records import content_id
from ragnb.stages.parts import settings_of

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["Fingerprints", "digest", "fits", "occurrence"]

_READS_LIBRARY = frozenset(
    {"plan", "route", "steps", "reflect", "choose", "retrieve", "read", "extract", "reply", "tools"}
)
"""Stages whose work depends on what the library holds, and not on their inputs alone."""


def digest(*parts: Any) -> str:
    """Return a hash of JSON data, records included; 24 hexadecimal digits of BLAKE2b."""
    from pydantic_core import to_json

    return hashlib.blake2b(to_json(parts), digest_size=12).hexdigest()


class Fingerprints:
    """What each stage of an agent is, as far as it can be told.

    A component that can't be described is known by a number of its own, so its outcomes are
    reused in this session only; one over a store that isn't ours is never reused, unless it has
    a ``version`` that a person changes with the documents. `notes` says so.
    """

    def __init__(self, components: Mapping[str, Any], library: "Library | None") -> None:
        self._components = components
        self._library = library
        self._known: dict[str, str | None] = {}
        self._content: tuple[int, str] = (-1, "")
        self.notes: list[str] = []

    def of(self, stage: str) -> str | None:
        """Return a stage's fingerprint; None where its outcomes must not be reused."""
        if stage not in self._known:
            self._known[stage] = self._describe(stage)
        known = self._known[stage]
        if known is None or stage not in _READS_LIBRARY:
            return known
        return f"{known}/{self.content()}"

    def content(self) -> str:
        """Return a hash of what the library holds now."""
        if self._library is None:
            return ""
        generation = self._library.generation
        if self._content[0] != generation:
            parts = sorted((source.id, source.hash) for source in self._library.sources)
            self._content = (generation, digest(parts))
        return self._content[1]

    def deterministic(self, stage: str) -> bool:
        """Return whether a stage gives the same for the same; declared by its component."""
        return bool(getattr(self._components.get(stage), "deterministic", True))

    def all(self) -> dict[str, str]:
        """Return the fingerprint of every stage, and of the library, for comparison later."""
        found = {stage: self.of(stage) or "not reusable" for stage in self._components}
        return {name: value.split("/")[0] for name, value in found.items()} | {
            "library": self.content()
        }

    def _describe(self, stage: str) -> str | None:
        component = self._components.get(stage)
        name = f"{type(component).__module__}.{type(component).__qualname__}"
        version = getattr(component, "version", None)
        if version is None and _over_a_store(component):
            self.notes.append(
                f"{name} searches a store that can't be watched, so its outcomes are not reused; "
                "give it a `version` that changes with the documents."
            )
            return None
        settings = _settings(component)
        if settings is None:
            self.notes.append(
                f"{name} can't be described, so its outcomes are reused in this session only."
            )
            settings = {"object": _nonce(component)}
        return digest(name, version, settings)


def _over_a_store(component: Any) -> bool:
    if type(component).__module__.startswith("ragnb."):
        return False
    parts = [component]
    pipeline = getattr(component, "pipeline", None)
    if pipeline is not None and hasattr(pipeline, "walk"):
        parts += [part for _, part in pipeline.walk()]
    return any(
        hasattr(value, "write_documents")
        for part in parts
        for value in getattr(part, "__dict__", {}).values()
    )


def _settings(component: Any) -> Any:
    """Return a component's own settings, or None where they can't be had as JSON."""
    own = getattr(component, "fingerprint", None)
    if callable(own):
        return own()
    if type(component).__module__.startswith("ragnb.stages"):
        return settings_of(component)
    try:
        from haystack.core.serialization import component_to_dict

        data = component_to_dict(component, "stage")
        digest(data)
    except Exception:  # noqa: BLE001 - a user's to_dict can raise anything
        return None
    return data


_NONCES: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()


def _nonce(component: Any) -> str:
    if component not in _NONCES:
        _NONCES[component] = uuid.uuid4().hex
    return _NONCES[component]


def occurrence(path: Sequence[Entry], key: str) -> int:
    """Return how often an equal call succeeded on a path."""
    return sum(entry.key == key and not isinstance(entry.outcome.value, Failed) for entry in path)


def effect_key(action: UseTool) -> str:
    """Return the key of a tool with effects: its action alone."""
    return content_id("effect", action.call.id)


def fits(state: State, action: Action, entry: Entry) -> bool:
    """Return whether a recorded outcome's usage still fits into the budget."""
    limits, spent, usage = state.budget, state.spent, entry.outcome.usage
    kept = 0.0 if action.kind in {"synthesize", "reply"} else limits.reserve
    return (
        spent.seconds + usage.seconds <= limits.seconds - kept
        and (limits.tokens is None or spent.tokens + usage.tokens <= limits.tokens)
        and (limits.money is None or spent.money + usage.money <= limits.money)
    )
