"""The library: documents in, chunks out, anything readable again by its id."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, Final, Self

from haystack import Document

from ragnb.display import bundle
from ragnb.errors import InputError
from ragnb.library.borrowed import BorrowedRetriever, BorrowedStore, Filterable
from ragnb.library.chunking import Chunking
from ragnb.library.embedders import as_embedder
from ragnb.library.files import Paths, Report, Row, scan
from ragnb.library.ingest import need_something, refuse_strangers, take_documents, take_files
from ragnb.library.place import settle
from ragnb.library.retrievers import EmbeddedRetriever
from ragnb.library.shelf import Searches, Shelf, Store
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.library.trust import check_trust

__all__ = ["Library"]

_FIELDS: Final = 8


class Library(Shelf):
    """Documents that can be searched, and read again by id.

    Make one with `from_folder`, `from_documents` or `open`; the constructor takes your own store.

    Args:
        store: Keeps sources, chunks and vectors.
        chunking: How new sources are cut.
        report: What became of the files or documents in it.
        retriever: Searches the store; by default by words and by vectors.

    Raises:
        InputError: The store is not ragnb's own and there is no retriever.

    >>> from haystack import Document
    >>> with Library.from_documents([Document(id="tea", content="Green tea is steamed.")]) as tea:
    ...     hit = tea.search("how is green tea made")[0]
    ...     tea.read(hit.id).text
    'Green tea is steamed.'
    """

    def __init__(
        self,
        store: Store,
        *,
        chunking: Chunking | None = None,
        report: Report | None = None,
        retriever: Searches | None = None,
    ) -> None:
        if retriever is None:
            if not isinstance(store, EmbeddedDocumentStore):
                raise InputError(
                    f"A {type(store).__name__} needs a retriever: Library.over(store, retriever=…)."
                )
            retriever = EmbeddedRetriever(document_store=store)
        super().__init__(store, retriever)
        self.chunking = chunking or Chunking()
        self._report = report

    @classmethod
    def from_folder(
        cls,
        path: Paths,
        *,
        index: str | os.PathLike[str] | None = None,
        chunking: Chunking | None = None,
        embedder: Any = None,
        trust: Mapping[str, float] | None = None,
        progress: bool = False,
    ) -> Self:
        """Read a folder into a library; nothing is written into the folder.

        Args:
            path: A folder, a file, a pattern such as ``"notes/**/*.md"``, or a list of these.
            index: The folder that keeps the library. If it holds one already, only what changed is
                read, as `update` does. Without it the library is temporary.
            chunking: How sources are cut; 120 words without overlap by default.
            embedder: A Haystack text embedder, `HaystackEmbedder` or `Embedder`, in place of the
                word vectors that come with ragnb.
            trust: Folders, patterns or values (``"hr"``, ``"*.eml"``, ``"status=draft"``) to trust
                from 0 to 1; the longest that fits counts, also in later updates.
            progress: Show a progress bar.

        Raises:
            LibraryError: Nothing there can be read, or ``index`` holds something else.
            InputError: A trust is not between 0 and 1.
        """
        rules, found = check_trust(trust), scan(path)
        store, settled = settle(index, chunking, embedder, new=True)
        with ExitStack() as undo:
            undo.callback(store.close)
            refuse_strangers(store, found)
            report = take_files(store, found, settled, rules, drop=True, progress=progress)
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
        embedder: Any = None,
    ) -> Self:
        """Take Haystack documents as whole sources and cut them into chunks.

        Args:
            documents: Their ids become source ids; ``meta`` may name title, updated, status,
                trust, url, aliases and links, and anything that filters shall see.
            index: The folder that keeps the library; without it the library is temporary.
            chunking: How sources are cut.
            embedder: As in `from_folder`.

        Raises:
            InputError: Something is no Document, or two texts have the same id.
            LibraryError: No document has any text.
        """
        store, settled = settle(index, chunking, embedder, new=True)
        with ExitStack() as undo:
            undo.callback(store.close)
            report = take_documents(store, documents, settled)
            need_something(report)
            undo.pop_all()
        return cls(store, chunking=settled, report=report)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, embedder: Any = None) -> Self:
        """Open a library that was kept in a folder.

        Args:
            path: The folder.
            embedder: The one that it was made with, if that is not the default.

        Raises:
            LibraryError: There is no library in that folder, or one of another embedder.
        """
        store, settled = settle(path, None, embedder, new=False)
        return cls(store, chunking=settled)

    @classmethod
    def over(
        cls,
        store: Filterable,
        *,
        retriever: Any,
        source: str = "source_id",
        index: str = "index",
        embedder: Any = None,
    ) -> Self:
        """Read any Haystack document store as a library; only its filters are used.

        Args:
            store: A filled document store.
            retriever: A component over it with ``query`` or ``query_embedding`` → ``documents``.
            source: The field of meta that names a chunk's source; a document without is its own.
            index: The field of meta that counts a source's chunks from 0; ``"split_id"`` for
                chunks of Haystack's DocumentSplitter.
            embedder: The text embedder of the store's vectors, for retrievers that take vectors.

        Raises:
            InputError: The retriever takes neither a query nor, with an embedder, a vector.
        """
        model = None if embedder is None else as_embedder(embedder)
        lent = BorrowedStore(store, source=source, place=index, embedder=model)
        return cls(lent, retriever=BorrowedRetriever(retriever, lent))

    def add(self, what: Paths | Document | Iterable[Document]) -> Report:
        """Add files or documents; a source of the same id is replaced, the others stay.

        Returns:
            What became of each; also kept as `report`.
        """
        items: Any = [what] if isinstance(what, str | os.PathLike | Document) else list(what)
        documents = [item for item in items if isinstance(item, Document)]
        if documents and len(documents) == len(items):
            self._report = take_documents(self._own(), documents, self.chunking)
        elif all(isinstance(item, str | os.PathLike) for item in items):
            self._report = take_files(self._own(), scan(items), self.chunking)
        else:
            raise InputError("add() takes files and folders, or Documents, and not both at once.")
        return self.report

    def update(self, folder: Paths, *, progress: bool = False) -> Report:
        """Bring the library up to date with a folder: changed files are read, gone ones dropped.

        Raises:
            LibraryError: The folder is missing or holds nothing to read; nothing is dropped then.
        """
        found = scan(folder)
        self._report = take_files(self._own(), found, self.chunking, drop=True, progress=progress)
        return self.report

    @property
    def report(self) -> Report:
        """What became of each file or document at the last reading."""
        if self._report is None:
            rows = tuple(Row(path=info.id, status="unchanged") for info in self.sources)
            self._report = Report(rows=rows)
        return self._report

    @property
    def info(self) -> dict[str, Any]:
        """Counts and settings: sources, chunks, generation, index, channels, words, overlap."""
        return {
            "sources": len(self.sources),
            "chunks": self.store.count_documents(),
            "generation": self.generation,
            "index": _place(self.store),
            "channels": self.store.channels,
            "words": self.chunking.words,
            "overlap": self.chunking.overlap,
        }

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "library")

    def __repr__(self) -> str:
        store = self.store
        channels = ", ".join(store.channels)
        model = f" ({store.embedder.name})" if store.embedder else ""
        lines = [
            f"Library: {len(self.sources)} sources, {store.count_documents()} chunks",
            f"  index: {self.info['index']}; channels: {channels}{model}",
        ]
        if self._report is not None:
            counts = Counter(row.status for row in self._report.rows)
            lines.append(f"  report: {', '.join(f'{n} {kind}' for kind, n in counts.items())}")
        if fields := [name for name in self.fields if name != "meta.source_id"]:
            lines.append(
                f"  filters: {', '.join(fields[:_FIELDS])}" + ", …" * (len(fields) > _FIELDS)
            )
        return "\n".join(lines)

    def _own(self) -> EmbeddedDocumentStore:
        if not isinstance(self.store, EmbeddedDocumentStore):
            raise InputError(
                "A library over another store reads it and doesn't fill it. Write to that store "
                "with its own methods."
            )
        return self.store


def _place(store: Store) -> str:
    if isinstance(store, BorrowedStore):
        return type(store.borrowed).__name__
    path = store.to_dict()["init_parameters"].get("path")
    return str(path) if path else "temporary"
