"""The library: documents in, chunks out, anything readable again by its id."""

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Final, Self

from haystack import Document

from ragnb.errors import InputError
from ragnb.library.chunking import Chunking
from ragnb.library.files import Paths, Report, Row, scan
from ragnb.library.ingest import need_something, refuse_strangers, take_documents, take_files
from ragnb.library.place import settle
from ragnb.library.reading import check_scope, stretch
from ragnb.library.retrievers import EmbeddedRetriever
from ragnb.library.source import Source, SourceInfo, fields_of
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.records import Context, Filters, Scope

__all__ = ["Library"]

_EXAMPLES: Final = 5


class Library:
    """Documents that can be searched, and read again by id.

    Make one with `from_folder`, `from_documents` or `open`; the constructor takes a store of your
    own making, for instance one with another embedder.

    Args:
        store: Keeps sources, chunks and vectors.
        chunking: How new sources are cut.
        report: What became of the files or documents in it.

    >>> from haystack import Document
    >>> with Library.from_documents([Document(id="tea", content="Green tea is steamed.")]) as tea:
    ...     hit = tea.search("how is green tea made")[0]
    ...     tea.read(hit.id).text
    'Green tea is steamed.'
    """

    def __init__(
        self,
        store: EmbeddedDocumentStore,
        *,
        chunking: Chunking | None = None,
        report: Report | None = None,
    ) -> None:
        self.store = store
        self.chunking = chunking or Chunking()
        self._retriever = EmbeddedRetriever(document_store=store)
        self._report = report
        self._infos: tuple[int, tuple[SourceInfo, ...]] = (-1, ())

    @classmethod
    def from_folder(
        cls,
        path: Paths,
        *,
        index: str | os.PathLike[str] | None = None,
        chunking: Chunking | None = None,
        progress: bool = False,
    ) -> Self:
        """Read a folder into a library; nothing is written into the folder.

        Args:
            path: A folder, a file, a pattern such as ``"notes/**/*.md"``, or a list of these.
            index: The folder that keeps the library. If it holds one already, only what changed is
                read, as `update` does. Without it the library is temporary.
            chunking: How sources are cut; 120 words without overlap by default.
            progress: Show a progress bar.

        Raises:
            LibraryError: Nothing there can be read, or ``index`` holds something else.
        """
        found = scan(path)
        store, settled = settle(index, chunking, new=True)
        with ExitStack() as undo:
            undo.callback(store.close)
            refuse_strangers(store, found)
            report = take_files(store, found, settled, drop=True, progress=progress)
            need_something(report)
            undo.pop_all()
        return cls(store, chunking=settled, report=report)

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[Document],
        *,
        index: str | os.PathLike[str] | None = None,
        chunking: Chunking | None = None,
    ) -> Self:
        """Take Haystack documents as whole sources and cut them into chunks.

        Args:
            documents: Their ids become source ids; ``meta`` may name title, updated, status,
                trust, url, aliases and links, and anything that filters shall see.
            index: The folder that keeps the library; without it the library is temporary.
            chunking: How sources are cut.

        Raises:
            InputError: Something is no Document, or two texts have the same id.
            LibraryError: No document has any text.
        """
        store, settled = settle(index, chunking, new=True)
        with ExitStack() as undo:
            undo.callback(store.close)
            report = take_documents(store, documents, settled)
            need_something(report)
            undo.pop_all()
        return cls(store, chunking=settled, report=report)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a library that was kept in a folder.

        Raises:
            LibraryError: There is no library in that folder.
        """
        store, settled = settle(path, None, new=False)
        return cls(store, chunking=settled)

    def add(self, what: Paths | Document | Iterable[Document]) -> Report:
        """Add files or documents; a source of the same id is replaced, the others stay.

        Returns:
            What became of each; also kept as `report`.
        """
        items: Any = [what] if isinstance(what, str | os.PathLike | Document) else list(what)
        documents = [item for item in items if isinstance(item, Document)]
        if documents and len(documents) == len(items):
            self._report = take_documents(self.store, documents, self.chunking)
        elif all(isinstance(item, str | os.PathLike) for item in items):
            self._report = take_files(self.store, scan(items), self.chunking)
        else:
            raise InputError("add() takes files and folders, or Documents, and not both at once.")
        return self.report

    def update(self, folder: Paths, *, progress: bool = False) -> Report:
        """Bring the library up to date with a folder: changed files are read, gone ones dropped.

        Raises:
            LibraryError: The folder is missing or holds nothing to read; nothing is dropped then.
        """
        found = scan(folder)
        self._report = take_files(self.store, found, self.chunking, drop=True, progress=progress)
        return self.report

    def remove(self, source_id: str) -> None:
        """Remove a source and its chunks.

        Raises:
            InputError: There is no such source.
        """
        self.source(source_id)
        self.store.drop_source(source_id)

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
            channels: Some of ``"bm25"`` and ``"vector"``; all that there are by default.

        Returns:
            Chunks, best first, with ``score`` and, in ``meta["_ranks"]``, rank and score in each
            channel that found them.

        Raises:
            InputError: A channel is unknown, or ``top_k`` is below 1.
        """
        given = None if channels is None else list(channels)
        found = self._retriever.run(query=text, filters=filters, top_k=top_k, channels=given)
        return found["documents"]

    def read(self, id: str, scope: Scope = "window") -> Context:  # noqa: A002
        """Read a source, or around a chunk.

        Args:
            id: A chunk id or a source id; of a source its beginning is read.
            scope: ``"chunk"``, ``"window"`` (with a chunk on each side), ``"section"`` or
                ``"document"``. A document above 12,000 characters is cut to that and comes with
                an outline.

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
        return fields_of(self.sources)

    @property
    def report(self) -> Report:
        """What became of each file or document at the last reading."""
        if self._report is None:
            rows = tuple(Row(path=info.id, status="unchanged") for info in self.sources)
            self._report = Report(rows=rows)
        return self._report

    @property
    def generation(self) -> int:
        """A number that grows with each change of the library."""
        return self.store.generation

    @property
    def info(self) -> dict[str, Any]:
        """Counts and settings: sources, chunks, generation, index, channels, words, overlap."""
        return {
            "sources": len(self.sources),
            "chunks": self.store.count_documents(),
            "generation": self.generation,
            "index": self.store.to_dict()["init_parameters"]["path"] or "temporary",
            "channels": self.store.channels,
            "words": self.chunking.words,
            "overlap": self.chunking.overlap,
        }

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

    def __repr__(self) -> str:
        return f"Library({len(self.sources)} sources, {self.store.count_documents()} chunks)"
