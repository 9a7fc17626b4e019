"""Any Haystack document store as the store of a library, through filters alone."""

from collections.abc import Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, Final, Protocol

from haystack import Document
from haystack.document_stores.errors import DocumentStoreError
from haystack.errors import FilterError

from ragnb.errors import InputError
from ragnb.library.embedding import Embedder, embed_query
from ragnb.library.source import hash_text

__all__ = ["BorrowedRetriever", "BorrowedStore", "Filterable"]

_STARTS: Final = ("start", "split_idx_start")
_KEPT: Final = 32
"""How many sources' texts are kept in memory."""
_OWN: Final = frozenset({"source_id", "index", "start", "end", "section", "context", "page"})


class Filterable(Protocol):
    """What is asked of a Haystack document store."""

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return the matching documents."""

    def count_documents(self) -> int:
        """Return the number of documents."""

    def delete_documents(self, document_ids: list[str]) -> None:
        """Delete documents by id."""

    def to_dict(self) -> dict[str, Any]:
        """Return how the store was made."""


class BorrowedStore:
    """A Haystack document store, read as sources and chunks.

    A source's text is put together from its chunks: at their ``start`` or ``split_idx_start``
    where they fit there, else one below the other. A document without a source is one by itself.

    Args:
        store: The store; it is neither filled nor closed here.
        source: The field of meta that names a chunk's source.
        place: The field of meta that counts the chunks of a source from 0.
        embedder: Makes the vectors of queries, for retrievers that take vectors.
    """

    channels = ("retriever",)

    def __init__(
        self,
        store: Filterable,
        *,
        source: str = "source_id",
        place: str = "index",
        embedder: Embedder | None = None,
    ) -> None:
        self.borrowed = store
        self.embedder = embedder
        self._source = source
        self._place = place
        self._changes = 0
        self._kept: dict[str, tuple[str, list[Document]]] = {}
        self._kept_at = -1

    @property
    def generation(self) -> int:
        """The number of chunks, which is all that any store tells, and of changes made here."""
        return self.count_documents() + 1_000_003 * self._changes

    def count_documents(self) -> int:
        """Return the number of documents."""
        return self.borrowed.count_documents()

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return chunks by id in the given order, without unknown ids and embeddings."""
        found = {each.id: each for each in self._by_id(list(ids))}
        return self.placed([found[name] for name in dict.fromkeys(ids) if name in found])

    def neighbours(self, source_id: str, first: int, last: int) -> list[Document]:
        """Return a source's chunks whose index is from first to last, both included."""
        bounds = [
            {"field": f"meta.{self._source}", "operator": "==", "value": source_id},
            {"field": f"meta.{self._place}", "operator": ">=", "value": first},
            {"field": f"meta.{self._place}", "operator": "<=", "value": last},
        ]
        found = self.borrowed.filter_documents({"operator": "AND", "conditions": bounds})
        if not found and first == 0:
            return self._text(source_id)[1][:1]
        return sorted(self.placed(found), key=lambda chunk: int(chunk.meta["index"]))

    def placed(self, documents: Sequence[Document]) -> list[Document]:
        """Return documents as the chunks they are: with source_id, index, start and end."""
        made = []
        for document in documents:
            chunks = {each.id: each for each in self._text(self._owner(document))[1]}
            own = chunks.get(document.id)
            own_meta = {key: own.meta[key] for key in _OWN & own.meta.keys()} if own else {}
            meta = {**document.meta, **own_meta}
            made.append(replace(document, meta=meta, embedding=None))
        return made

    def source(self, source_id: str) -> tuple[str, dict[str, Any], str] | None:
        """Return a source's text, meta and hash; None if there is no such source."""
        text, chunks = self._text(source_id)
        return (text, _shared(chunks), hash_text(text)) if chunks else None

    def sources(self) -> list[tuple[str, dict[str, Any], str]]:
        """Return id, meta and an empty hash of all sources, ordered by id."""
        first = {"field": f"meta.{self._place}", "operator": "==", "value": 0}
        found = self.borrowed.filter_documents(first) or self.borrowed.filter_documents()
        groups: dict[str, list[Document]] = {}
        for document in found:
            groups.setdefault(self._owner(document), []).append(document)
        return [(name, _shared(chunks), "") for name, chunks in sorted(groups.items())]

    def drop_source(self, source_id: str) -> None:
        """Delete a source's chunks."""
        self.borrowed.delete_documents([chunk.id for chunk in self._text(source_id)[1]])
        self._changes += 1

    def to_dict(self) -> dict[str, Any]:
        """Return how the borrowed store was made."""
        return self.borrowed.to_dict()

    def close(self) -> None:
        """Leave the store as it is: whoever lent it closes it."""

    def _by_id(self, ids: list[str]) -> list[Document]:
        """Return the documents of these ids; some stores filter by one id at a time."""
        if len(ids) > 1:
            try:
                return self.borrowed.filter_documents(
                    {"field": "id", "operator": "in", "value": ids}
                )
            except (DocumentStoreError, FilterError, ValueError):
                pass
        one = [{"field": "id", "operator": "==", "value": name} for name in dict.fromkeys(ids)]
        return [found for each in one for found in self.borrowed.filter_documents(each)]

    def _owner(self, document: Document) -> str:
        return str(document.meta.get(self._source) or document.id)

    def _text(self, source_id: str) -> tuple[str, list[Document]]:
        """Return a source's text and its chunks in order, each with its place in the text."""
        if self._kept_at != (now := self.generation):
            self._kept, self._kept_at = {}, now
        if source_id not in self._kept:
            mine = {"field": f"meta.{self._source}", "operator": "==", "value": source_id}
            alone = {"field": "id", "operator": "==", "value": source_id}
            found = self.borrowed.filter_documents(mine) or self.borrowed.filter_documents(alone)
            found = sorted(found, key=lambda each: (int(each.meta.get(self._place) or 0), each.id))
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[source_id] = _assembled(source_id, found, self._place)
        return self._kept[source_id]


class BorrowedRetriever:
    """A retriever of the borrowed store, called as a library calls its own.

    Args:
        retriever: A component with ``query`` or ``query_embedding`` → ``documents``.
        store: The borrowed store.

    Raises:
        InputError: The component takes neither, or vectors and there is no embedder.
    """

    def __init__(self, retriever: Any, store: BorrowedStore) -> None:
        self.retriever = retriever
        self.store = store
        run = getattr(retriever, "run", None)
        self._taken = frozenset(signature(run).parameters) if callable(run) else frozenset()
        if not self._taken & {"query", "query_embedding"}:
            raise InputError(
                f"{type(retriever).__name__} is no retriever: its run() takes neither 'query' nor "
                "'query_embedding'."
            )
        if "query" not in self._taken and store.embedder is None:
            raise InputError(
                f"{type(retriever).__name__} takes vectors. Pass embedder=… with the text embedder "
                "of the store's vectors."
            )

    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, list[Document]]:
        """Return chunks, best first, with their rank and score in ``meta["_ranks"]``.

        Raises:
            InputError: A channel is asked for that there is not, or ``top_k`` is below 1.
        """
        if channels is not None and set(channels) - set(self.store.channels):
            raise InputError(f"channels are some of {', '.join(self.store.channels)}.")
        if top_k is not None and top_k < 1:
            raise InputError(f"top_k must be 1 or more; got {top_k}.")
        given: dict[str, Any] = {"filters": filters, "top_k": top_k}
        if "query" in self._taken:
            given["query"] = query
        elif self.store.embedder is not None:
            given["query_embedding"] = embed_query(self.store.embedder, query).tolist()
        found = self.retriever.run(**{k: v for k, v in given.items() if k in self._taken})
        placed = self.store.placed(found["documents"][:top_k])
        return {
            "documents": [
                replace(each, meta={**each.meta, "_ranks": {"retriever": [n, each.score or 0.0]}})
                for n, each in enumerate(placed, 1)
            ]
        }


def _assembled(
    source_id: str, chunks: Sequence[Document], place: str
) -> tuple[str, list[Document]]:
    starts = [next((c.meta[n] for n in _STARTS if n in c.meta), None) for c in chunks]
    given = [int(start) for start in starts if start is not None]
    contents = [chunk.content or "" for chunk in chunks]
    text = _laid(contents, given) if len(given) == len(chunks) else None
    if text is None:
        text, given = "", []
        for content in contents:
            given.append(len(text))
            text += content + "\n\n"
        text = text.removesuffix("\n\n")
    placed = []
    for index, (chunk, start) in enumerate(zip(chunks, given, strict=True)):
        end = start + len(chunk.content or "")
        own = {"source_id": source_id, "index": int(chunk.meta.get(place, index))}
        own |= {"start": start, "end": end}
        placed.append(replace(chunk, meta={**chunk.meta, **own}, embedding=None))
    return text, placed


def _laid(contents: Sequence[str], starts: Sequence[int]) -> str | None:
    """Lay contents at their starts; None when two of them disagree about a place."""
    text = ""
    for start, content in sorted(zip(starts, contents, strict=True)):
        text = text.ljust(start) if start > len(text) else text
        overlap = text[start:]
        if overlap[: len(content)] != content[: len(overlap)]:
            return None
        text += content[len(overlap) :]
    return text


def _shared(chunks: Sequence[Document]) -> dict[str, Any]:
    """Return what all chunks of a source say alike."""
    first = dict(chunks[0].meta) if chunks else {}
    return {
        key: value
        for key, value in first.items()
        if key not in _OWN
        and not key.startswith("_")
        and all(chunk.meta.get(key) == value for chunk in chunks)
    }
