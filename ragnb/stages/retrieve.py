"""Search a library by words, by meaning, and by the names of sources."""

from dataclasses import replace
from typing import Any, Final

from haystack import Document, component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.library.library import Library
from ragnb.library.names import Names
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.text.sentences import sentences

__all__ = ["Retriever"]

_RRF: Final = 60
_LOOKED_AT: Final = 5
"""Chunks of the first search whose text is looked through for names."""
_FOLLOWED: Final = 8
"""Sources that names lead to, at most."""


@component
class Retriever:
    """Search by ``bm25``, ``vector`` and ``reference``, fused by rank.

    The reference channel follows names: sources that the query names, then those that the best
    chunks name or link to, each by its best chunk.

    Args:
        library: Where to search.
        top_k: How many chunks are returned at most.
        window: How many hits of each channel are fused.

    Raises:
        InputError: A number is below 1.
    """

    version: str = "1"

    def __init__(self, library: Library, top_k: int = 20, window: int = 50) -> None:
        if top_k < 1 or window < 1:
            raise InputError(f"top_k and window must be 1 or more; got {top_k} and {window}.")
        self.library = library
        self.top_k = top_k
        self.window = window
        self._names: tuple[int, Names] | None = None

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, list[Document]]:
        """Return chunks, best first.

        Args:
            query: Words, or a question.
            filters: A Haystack filter that holds for all channels.
            top_k: In place of the component's own.
            channels: Some of bm25, vector, reference; all by default.

        Returns:
            ``documents`` with the fused score; ``meta["_ranks"]`` maps each channel that found one
            to [rank from 1, score], and ``meta["_via"]`` lists how a name led there, as
            dictionaries with source_id (empty for the query), name and sentence.

        Raises:
            InputError: A channel is unknown, or ``top_k`` is below 1.
        """
        wanted = self.top_k if top_k is None else top_k
        if wanted < 1:
            raise InputError(f"top_k must be 1 or more; got {wanted}.")
        searched = None if not channels else [c for c in channels if c != "reference"]
        depth = max(self.window, wanted)
        first = self.library.search(query, top_k=depth, filters=filters, channels=searched or None)
        found = {document.id: document for document in first} if searched != [] else {}
        if not channels or "reference" in channels:
            self._refer(query, filters, first, found)
        fused = [_fused(document) for document in found.values()]
        fused.sort(key=lambda document: (-(document.score or 0.0), document.id))
        return {"documents": fused[:wanted]}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        store = self.library.store.to_dict()
        return default_to_dict(self, library=store, top_k=self.top_k, window=self.window)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Retriever":
        """Make the component from what `to_dict` returned."""
        parameters = dict(data["init_parameters"])
        store = EmbeddedDocumentStore.from_dict(parameters["library"])
        made: Retriever = default_from_dict(
            cls, {**data, "init_parameters": {**parameters, "library": Library(store)}}
        )
        return made

    def _refer(
        self,
        query: str,
        filters: dict[str, Any] | None,
        first: list[Document],
        found: dict[str, Document],
    ) -> None:
        """Add the reference channel's chunks to what was found."""
        rank = 0
        for source_id, via in self._mentioned(query, first).items():
            chunk = self._best(query, source_id, filters)
            if chunk is None:
                continue
            rank += 1
            known = found.get(chunk.id, chunk)
            ranks = dict(known.meta.get("_ranks", {})) if chunk.id in found else {}
            ranks["reference"] = [rank, round(1 / rank, 6)]
            found[chunk.id] = replace(known, meta={**known.meta, "_ranks": ranks, "_via": [via]})

    def _mentioned(self, query: str, first: list[Document]) -> dict[str, dict[str, str]]:
        """Map sources that are named to the first place that names them, best first."""
        names = self._known()
        led: dict[str, dict[str, str]] = {}
        for naming in names.find(query):
            led.setdefault(
                naming.source_id, {"source_id": "", "name": naming.name, "sentence": query}
            )
        for document in first[:_LOOKED_AT]:
            text, own = document.content or "", str(document.meta.get("source_id", ""))
            bounds = sentences(text)
            for naming in names.find(text, source_id=own):
                if naming.source_id == own:
                    continue
                sentence = next(
                    (text[a:b] for a, b in bounds if a <= naming.start < b), naming.name
                )
                led.setdefault(
                    naming.source_id,
                    {"source_id": own, "name": naming.name, "sentence": sentence},
                )
        return dict(list(led.items())[:_FOLLOWED])

    def _known(self) -> Names:
        generation = self.library.generation
        if self._names is None or self._names[0] != generation:
            self._names = (generation, Names(self.library.sources))
        return self._names[1]

    def _best(self, query: str, source_id: str, filters: dict[str, Any] | None) -> Document | None:
        """Return the chunk of a source that fits the query best, or its first."""
        here = {"field": "meta.source_id", "operator": "==", "value": source_id}
        both = {"operator": "AND", "conditions": [here, filters]} if filters else here
        found = self.library.search(query, top_k=1, filters=both)
        if found or filters:
            return found[0] if found else None
        beginning = self.library.store.neighbours(source_id, 0, 0)
        return beginning[0] if beginning else None


def _fused(document: Document) -> Document:
    ranks = document.meta["_ranks"]
    score = sum(1 / (_RRF + int(rank)) for rank, _ in ranks.values())
    return replace(document, score=round(score, 6))
