"""What can be asked of a library: search, read, look up, explain."""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Protocol, Self

from haystack import Document

from ragnb.errors import InputError
from ragnb.library.embedding import Embedder
from ragnb.library.explain import Explanation, explain
from ragnb.library.reading import check_scope, stretch
from ragnb.library.source import Source, SourceInfo, fields_of
from ragnb.records import Context, Filters, Scope

__all__ = ["Searches", "Shelf", "Store"]

_EXAMPLES: Final = 5


class Store(Protocol):
    """What a library asks of the store it reads from."""

    embedder: Embedder | None

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that a query in words can use."""

    @property
    def generation(self) -> int:
        """A number that changes with what is kept."""

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return chunks by id in the given order, without unknown ids."""

    def neighbours(self, source_id: str, first: int, last: int) -> list[Document]:
        """Return a source's chunks from one index to another."""

    def source(self, source_id: str) -> tuple[str, dict[str, Any], str] | None:
        """Return a source's text, meta and hash; None if there is no such source."""

    def sources(self) -> list[tuple[str, dict[str, Any], str]]:
        """Return id, meta and hash of all sources, ordered by id."""

    def drop_source(self, source_id: str) -> None:
        """Delete a source and its chunks."""

    def count_documents(self) -> int:
        """Return the number of chunks."""

    def to_dict(self) -> dict[str, Any]:
        """Return how the store was made, as Haystack writes objects."""

    def close(self) -> None:
        """Let go of what is open."""


class Searches(Protocol):
    """What a library asks of its retriever."""

    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, list[Document]]:
        """Return ``documents``, best first."""


class Shelf:
    """Documents that can be searched, and read again by id.

    Args:
        store: Keeps sources and chunks.
        retriever: Searches them.
    """

    def __init__(self, store: Store, retriever: Searches) -> None:
        self.store = store
        self._retriever = retriever
        self._infos: tuple[int, tuple[SourceInfo, ...]] = (-1, ())
        self._fields: tuple[int, dict[str, tuple[Any, ...]]] = (-1, {})

    def search(
        self,
        text: str,
        *,
        top_k: int = 20,
        filters: Filters | None = None,
        channels: Sequence[str] | None = None,
    ) -> list[Document]:
        """Search the chunks.

        Args:
            text: Words, or a question.
            top_k: How many chunks at most.
            filters: A Haystack filter over chunks; `fields` lists what it can name.
            channels: Some of the store's channels, ``"bm25"`` and ``"vector"``; all by default.

        Returns:
            Chunks, best first, with ``score`` and, in ``meta["_ranks"]``, rank and score in each
            channel that found them.

        Raises:
            InputError: A channel is unknown, or ``top_k`` is below 1.
        """
        some = None if channels is None else list(channels)
        found = self._retriever.run(query=text, filters=filters, top_k=top_k, channels=some)
        return found["documents"]

    def explain(self, query: str, chunk_id: str) -> Explanation:
        """Tell why a query finds a chunk, or doesn't: its channels, and the terms that match.

        Raises:
            InputError: There is no such chunk, or the library lies over a store without terms.
        """
        return explain(self.store, query, chunk_id)

    def read(self, id: str, scope: Scope = "window") -> Context:  # noqa: A002
        """Read a source, or around a chunk.

        Args:
            id: A chunk id or a source id; of a source its beginning is read.
            scope: ``"chunk"``, ``"window"`` (with a chunk on each side; all of a source of up to
                3,000 characters), ``"section"`` or ``"document"``. A document above 12,000
                characters is cut to that and comes with an outline.

        Returns:
            The stretch, with ``text == library.source(source_id).text[start:end]``.

        Raises:
            InputError: The id or the scope is unknown.
        """
        check_scope(scope)
        known = self.store.get([id])
        if known:
            chunk, around = known[0], 1
        else:
            self.source(id)
            chunk, around = self.store.neighbours(id, 0, 0)[0], 2
        source = self.source(str(chunk.meta["source_id"]))
        place = int(chunk.meta["index"])
        window = (
            self.store.neighbours(source.id, max(0, place - 1), place + around)
            if scope == "window"
            else []
        )
        return stretch(source, scope, chunk=chunk, window=window)

    def chunks(self, ids: Sequence[str]) -> list[Document]:
        """Return chunks by id, in the given order; unknown ids are left out."""
        return self.store.get(ids)

    def source(self, source_id: str) -> Source:
        """Return a source with its text.

        Raises:
            InputError: There is no such source.
        """
        kept = self.store.source(source_id)
        if kept is None:
            some = ", ".join(repr(info.id) for info in self.sources[:_EXAMPLES]) or "none"
            raise InputError(
                f"There is no source or chunk {source_id!r} in this library. "
                f"Its {len(self.sources)} sources are in library.sources: {some}, …"
            )
        text, meta, text_hash = kept
        title = str(meta.get("title", ""))
        return Source(id=source_id, text=text, title=title, hash=text_hash, meta=meta)

    def remove(self, source_id: str) -> None:
        """Remove a source and its chunks.

        Raises:
            InputError: There is no such source.
            LibraryError: The store can't be written.
        """
        self.source(source_id)
        self.store.drop_source(source_id)

    @property
    def sources(self) -> tuple[SourceInfo, ...]:
        """All sources without their texts, by id."""
        generation = self.generation
        if self._infos[0] != generation:
            infos = tuple(
                SourceInfo(id=name, title=str(meta.get("title", "")), hash=text_hash, meta=meta)
                for name, meta, text_hash in self.store.sources()
            )
            self._infos = (generation, infos)
        return self._infos[1]

    @property
    def fields(self) -> dict[str, tuple[Any, ...]]:
        """The names that filters can use, as ``meta.status``, each with up to five values."""
        generation = self.generation
        if self._fields[0] != generation:
            self._fields = (generation, fields_of(self.sources))
        return dict(self._fields[1])

    @property
    def generation(self) -> int:
        """A number that grows with each change of the library."""
        return self.store.generation

    def close(self) -> None:
        """Close the store; a temporary library is gone then."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
