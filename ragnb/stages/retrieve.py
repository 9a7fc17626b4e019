"""Search a library by words, by meaning, and by the names that lead from chunk to chunk."""

from dataclasses import replace
from typing import Any, Final

from haystack import Document, component, default_to_dict
from haystack.utils.filters import document_matches_filter

from ragnb.errors import InputError
from ragnb.library.chains import Chain, follow
from ragnb.library.embedding import reads
from ragnb.library.library import Library
from ragnb.library.linking import references, sentence_naming
from ragnb.library.references import References
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.stages.parts import over_library

__all__ = ["Retriever"]

_RRF: Final = 60
_FILTERED: Final = 200
"""Chains that are looked through where a filter may drop most."""

_UNREAD: Final = (
    "The vectors were made for another language than the query's: where its words are found, "
    "they alone count."
)
_Told = dict[tuple[int, int], tuple[str, str] | None]


@component
class Retriever:
    """Search by ``bm25``, ``vector`` and ``reference``.

    The reference channel begins at the chunks that hold the query's words, that are near to it in
    meaning (where ``vector`` is searched too), or whose source it names; from there it follows
    names, identifiers and links, up to three times. Its order is the result's; what only the other
    channels found comes behind. Without it the others are fused by rank.

    Args:
        library: Where to search.
        top_k: How many chunks are returned at most.
        window: How many hits of each channel are looked at.

    Raises:
        InputError: A number is below 1.
    """

    version: str = "3"

    def __init__(self, library: Library, top_k: int = 20, window: int = 50) -> None:
        if top_k < 1 or window < 1:
            raise InputError(f"top_k and window must be 1 or more; got {top_k} and {window}.")
        self.library = library
        self.top_k = top_k
        self.window = window

    @component.output_types(documents=list[Document], notes=list[str])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, Any]:
        """Return chunks, best first.

        Args:
            query: Words, or a question; names are told by their capitals.
            filters: A Haystack filter that holds for all channels, and for all chunks on a chain.
            top_k: In place of the component's own.
            channels: Some of bm25, vector, reference; all by default.

        Returns:
            ``documents`` with the fused score; ``meta["_ranks"]`` maps each channel that found one
            to [rank from 1, score], and ``meta["_via"]`` lists how names led there, step by step,
            as dictionaries with source_id (empty for the query), name and sentence.
            ``notes`` says so where the vectors don't read the query's language.

        Raises:
            InputError: A channel is unknown, or ``top_k`` is below 1.
        """
        wanted = self.top_k if top_k is None else top_k
        if wanted < 1:
            raise InputError(f"top_k must be 1 or more; got {wanted}.")
        searched = None if not channels else [c for c in channels if c != "reference"]
        depth = max(self.window, wanted)
        first: list[Document] = []
        if searched != []:
            first = self.library.search(query, top_k=depth, filters=filters, channels=searched)
        if channels and "reference" not in channels:
            scored = [_scored(each, 0.0) for each in first[:wanted]]
            return {"documents": scored, "notes": self._notes(query, searched)}
        led = self._refer(query, filters, first, wanted)
        known = {document.id for document in led}
        last = min((document.score or 0.0 for document in led), default=1.0)
        rest = [_scored(each, last) for each in first if each.id not in known]
        return {"documents": [*led, *rest][:wanted], "notes": self._notes(query, searched)}

    def _notes(self, query: str, searched: list[str] | None) -> list[str]:
        """Say where vectors are left aside."""
        asked = searched is None or "vector" in searched
        embedder = self.library.store.embedder
        return [_UNREAD] if asked and embedder is not None and not reads(embedder, query) else []

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        store = self.library.store.to_dict()
        return default_to_dict(self, library=store, top_k=self.top_k, window=self.window)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Retriever":
        """Make the component from what `to_dict` returned."""
        return over_library(cls, data)

    def _refer(
        self, query: str, filters: dict[str, Any] | None, first: list[Document], wanted: int
    ) -> list[Document]:
        """Return the chunks that chains of names end at, best first."""
        index = references(self.library)
        chains = follow(index, query, top_k=_FILTERED if filters else wanted, prior=_near(first))
        names = {index.ids[step.chunk] for chain in chains for step in chain.steps}
        known = {document.id: document for document in self.library.chunks(sorted(names))}
        allowed = self._allowed(known, filters)
        found = {document.id: document for document in first}
        best = chains[0].score if chains else 1.0
        led: list[Document] = []
        told: _Told = {}
        for chain in chains:
            steps = [index.ids[step.chunk] for step in chain.steps]
            if len(led) == wanted or not allowed.issuperset(steps):
                continue
            document = found.get(steps[-1], known[steps[-1]])
            place: list[float] = [len(led) + 1, round(chain.score, 6)]
            meta = {**document.meta, "_ranks": {**_ranks(document), "reference": place}}
            if via := _via(index, chain, query, known, told):
                meta["_via"] = via
            led.append(replace(document, meta=meta, score=round(chain.score / best, 6)))
        return led

    def _allowed(self, known: dict[str, Document], filters: dict[str, Any] | None) -> set[str]:
        """Return the ids of chunks that filters let through, read as the store reads them.

        Haystack's own function refuses all where one document has no date to compare.
        """
        store = self.library.store
        if not filters:
            return set(known)
        if isinstance(store, EmbeddedDocumentStore):
            among = {"field": "id", "operator": "in", "value": sorted(known)}
            both = {"operator": "AND", "conditions": [among, filters]}
            return {each.id for each in store.filter_documents(both)}
        return {
            name
            for name, document in known.items()
            if document_matches_filter(filters=filters, document=document)
        }


def _ranks(document: Document) -> dict[str, list[float]]:
    return dict(document.meta.get("_ranks", {}))


def _near(documents: list[Document]) -> dict[str, float]:
    """Return for the first chunks by vector their place, as 1 falling to 0."""
    places = {d.id: _ranks(d)["vector"][0] for d in documents if "vector" in _ranks(d)}
    whole = max(places.values(), default=1)
    return {name: 1 - (place - 1) / whole for name, place in places.items()}


def _scored(document: Document, below: float) -> Document:
    """Return a chunk with its fused score, below that of the chunks before it."""
    score = sum(1 / (_RRF + place) for place, _ in _ranks(document).values())
    return replace(document, score=round(below * score if below else score, 6))


def _via(
    index: References, chain: Chain, query: str, known: dict[str, Document], told: _Told
) -> list[dict[str, str]]:
    """Say step by step which text names what; ``told`` keeps what was looked up before."""
    via: list[dict[str, str]] = []
    for step in chain.steps:
        if step.name < 0:
            continue
        if step.before is None:
            name = index.written(query, step.name)
            via.append({"source_id": "", "name": name, "sentence": query})
            continue
        for chunk in (step.before.chunk, step.chunk):
            document, key = known[index.ids[chunk]], (chunk, step.name)
            if key not in told:
                told[key] = sentence_naming(document.content or "", index, chunk, step.name)
            if held := told[key]:
                source = str(document.meta.get("source_id", ""))
                via.append({"source_id": source, "name": held[1], "sentence": held[0]})
                break
    return via
