"""The embedded store's retriever: channels searched apart and fused by rank."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import Document, component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.library.embedding import reads
from ragnb.library.store import EmbeddedDocumentStore

__all__ = ["RRF", "WINDOW", "EmbeddedRetriever"]

_CHANNELS: Final = ("bm25", "vector")
RRF: Final = 60
"""How much the first places of a channel count more than the later ones: less, the higher."""
WINDOW: Final = 50
"""How many hits of each channel are fused."""


@component
class EmbeddedRetriever:
    """Search an `EmbeddedDocumentStore` by words and by meaning (reciprocal rank fusion, k = 60).

    Args:
        document_store: The store.
        top_k: How many documents are returned at most.
        channels: Which searches are made: ``bm25``, ``vector``. A store without an embedder leaves
            ``vector`` out.
        window: How many hits of each channel are fused.

    A query in a language that the embedder doesn't read is searched by meaning only where it has
    no words in common with any document, or where ``vector`` alone is asked for.

    Raises:
        InputError: A channel is unknown, or a number is below 1.
    """

    def __init__(
        self,
        document_store: EmbeddedDocumentStore,
        top_k: int = 20,
        channels: Sequence[str] = _CHANNELS,
        window: int = WINDOW,
    ) -> None:
        self.document_store = document_store
        self.top_k = _at_least_one("top_k", top_k)
        self.channels = _known(channels)
        self.window = _at_least_one("window", window)

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, list[Document]]:
        """Return the documents found for a query, best first.

        Args:
            query: The text.
            filters: A Haystack filter that holds within each search.
            top_k: In place of the component's own.
            channels: In place of the component's own.

        Returns:
            Under ``documents``: new documents, each with the fused score and, in
            ``meta["_ranks"]``, its place from 1 and score in each channel that found it.

        Raises:
            FilterError: The filter is malformed.
            InputError: A channel is unknown, or ``top_k`` is below 1.
        """
        wanted = self.top_k if top_k is None else _at_least_one("top_k", top_k)
        asked = self.channels if channels is None else _known(channels)
        known = reads(self.document_store.embedder, query)
        depth = max(self.window, wanted)
        ranks: dict[str, dict[str, list[int | float]]] = {}
        fused: dict[str, float] = {}
        for channel in asked:
            if channel == "vector" and fused and not known:
                continue
            for rank, (name, score) in enumerate(self._search(channel, query, depth, filters), 1):
                ranks.setdefault(name, {})[channel] = [rank, score]
                fused[name] = fused.get(name, 0.0) + 1 / (RRF + rank)
        best = sorted(fused, key=lambda name: (-round(fused[name], 12), name))[:wanted]
        return {
            "documents": [
                replace(
                    document,
                    score=fused[document.id],
                    meta={**document.meta, "_ranks": ranks[document.id]},
                )
                for document in self.document_store.get(best)
            ]
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(
            self,
            document_store=self.document_store,
            top_k=self.top_k,
            channels=list(self.channels),
            window=self.window,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EmbeddedRetriever":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)

    def _search(
        self, channel: str, query: str, depth: int, filters: dict[str, Any] | None
    ) -> list[tuple[str, float]]:
        if channel not in self.document_store.channels:
            return []
        search = {"bm25": self.document_store.bm25, "vector": self.document_store.nearest}[channel]
        return search(query, depth, filters)


def _known(channels: Sequence[str]) -> tuple[str, ...]:
    given = (channels,) if isinstance(channels, str) else tuple(dict.fromkeys(channels))
    if not given or not set(given) <= set(_CHANNELS):
        raise InputError(f"channels are some of {', '.join(_CHANNELS)}; got {list(given)}.")
    return tuple(channel for channel in _CHANNELS if channel in given)


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise InputError(f"{name} must be 1 or more; got {value}.")
    return value
