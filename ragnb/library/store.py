"""The embedded document store: BM25, vectors, filters and source texts in one folder on disk."""

import json
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from haystack import Document, default_from_dict, default_to_dict
from haystack.document_stores.types import DuplicatePolicy
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.changes import delete_rows, prepare, write_rows
from ragnb.library.embedding import Embedder
from ragnb.library.filters import compile_filters
from ragnb.library.lexical import search_terms
from ragnb.library.live import LiveRows, adopt
from ragnb.library.rows import check_text, document_of, meta_json
from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFile
from ragnb.text.tokens import terms

__all__ = ["EmbeddedDocumentStore"]

_DOCUMENT = "document, content, meta, other, embedding"


class EmbeddedDocumentStore:
    """A Haystack document store in a folder: nothing to install, nothing to start.

    Any thread and any process may read while one writes. All that is written inside one
    ``with store.writing():`` is there after a crash, or none of it.

    Args:
        path: The folder, made when missing; None for a temporary one that goes with the store.
        embedder: Makes vectors of documents that come without one, and of queries. Without it
            search is by words, and by vectors that are given. An index remembers its embedder.

    Raises:
        LibraryError: The folder holds no index that can be read, or one of another embedder.

    >>> with EmbeddedDocumentStore() as store:
    ...     store.write_documents([Document(id="a", content="The sea is salty.")])
    ...     [name for name, score in store.bm25("salty water")]
    1
    ['a']
    """

    def __init__(self, path: str | Path | None = None, *, embedder: Embedder | None = None) -> None:
        self._given_path = None if path is None else str(path)
        self.path = Path(tempfile.mkdtemp(prefix="ragnb-") if path is None else path)
        self.embedder = embedder
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(f"{path} can't be used as a folder ({error}).") from error
        durable = path is not None
        self._database = Database(self.path / "index.sqlite", durable=durable)
        self._vectors = VectorFile(self.path / "vectors.f32", durable=durable)
        self._close = weakref.finalize(
            self, _dispose, self._database, self._vectors, None if durable else self.path
        )
        self._live = LiveRows(self._database, self._vectors)
        try:
            adopt(self._database, embedder)
        except LibraryError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files; a temporary index is removed."""
        self._close()

    @property
    def generation(self) -> int:
        """A number that grows with each change, whoever made it."""
        return int(self._database.fact("generation"))

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that a query in words can use: bm25, and vector with an embedder."""
        return ("bm25", "vector") if self.embedder else ("bm25",)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit all that is written inside together, or nothing of it after an error."""
        with self._database.writing():
            yield

    def to_dict(self) -> dict[str, Any]:
        """Return how the store was made, as Haystack writes objects; not what it holds."""
        return default_to_dict(self, path=self._given_path, embedder=self.embedder)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EmbeddedDocumentStore":
        """Open the store that `to_dict` described."""
        return default_from_dict(cls, data)

    def count_documents(self) -> int:
        """Return the number of documents."""
        return int(self._database.connection.execute("SELECT count(*) FROM chunks").fetchone()[0])

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Return the matching documents in the order of writing, with given embeddings.

        Raises:
            FilterError: The filter is malformed.
        """
        condition, values = compile_filters(filters)
        return self._documents(f"{condition} ORDER BY id", values, embedding=True)

    def write_documents(
        self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """Write documents, all or none, and return how many were written.

        Args:
            documents: Haystack documents; ``meta["source_id"]`` and ``meta["index"]`` say where
                a chunk stands.
            policy: What to do with an id that is there already; NONE is FAIL.

        Raises:
            DuplicateDocumentError: An id is there already.
            InputError: Something is no document, or can't be kept.
            LibraryError: The index was opened without its embedder, which is needed here.
        """
        given: object = documents
        if not isinstance(given, list) or not all(isinstance(each, Document) for each in given):
            raise InputError(f"write_documents() takes a list of Documents; got {given!r:.80}.")
        prepared = prepare(documents, self.embedder, self._database.fact("embedder"))
        with self._changing():
            return write_rows(self._database, self._vectors, prepared, policy)

    def delete_documents(self, document_ids: list[str]) -> None:
        """Delete documents by id; unknown ids are passed over."""
        with self._changing():
            delete_rows(self._database, document_ids)

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return documents by id in the given order, without unknown ids and embeddings."""
        listed = "document IN (SELECT value FROM json_each(?))"
        found = {each.id: each for each in self._documents(listed, [json.dumps(list(ids))])}
        return [found[name] for name in dict.fromkeys(ids) if name in found]

    def neighbours(self, source_id: str, first: int, last: int) -> list[Document]:
        """Return a source's chunks whose ``meta["index"]`` is from first to last, both included."""
        place = "source = ? AND place BETWEEN ? AND ? ORDER BY place, id"
        return self._documents(place, [source_id, first, last])

    def bm25(
        self, query: str, top_k: int = 50, filters: dict[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """Return ids and scores of the chunks that share words with the query, best first.

        Scores are above 0 and rounded to 1e-6; equal ones are ordered by id.

        Raises:
            FilterError: The filter is malformed.
        """
        where = compile_filters(filters)
        with self._database.reading() as connection:
            return search_terms(
                connection,
                terms(query),
                top_k=top_k,
                where=where,
                size=(self._live.count(), self._database.fact("length")),
            )

    def nearest(
        self,
        query: str | Sequence[float] | NDArray[np.float32],
        top_k: int = 50,
        filters: dict[str, Any] | None = None,
    ) -> list[tuple[str, float]]:
        """Return ids and cosines (-1 to 1) of the chunks nearest to a text or a vector.

        The search is exact; scores are rounded to 1e-6 and equal ones ordered by id.

        Raises:
            FilterError: The filter is malformed.
            InputError: The vector has another length than those of the index.
            LibraryError: A text was given and the store has no embedder.
        """
        if isinstance(query, str):
            if self.embedder is None:
                raise LibraryError(
                    "A text can't be compared by vector in an index that was opened without an "
                    "embedder. Pass embedder=StaticEmbedder(), or a vector."
                )
            query = self.embedder.embed([query])[0]
        vector = np.asarray(query, dtype=np.float32)
        return self._live.nearest(vector, top_k, compile_filters(filters))

    def put_source(self, source_id: str, text: str, meta: dict[str, Any], text_hash: str) -> None:
        """Keep a source's whole text, in place of an earlier one; its chunks are left alone."""
        check_text(text, source_id)
        row = [source_id, text_hash, meta_json(meta, source_id), text]
        with self._changing() as database:
            database.connection.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", row)

    def source(self, source_id: str) -> tuple[str, dict[str, Any], str] | None:
        """Return a source's text, meta and hash; None if there is no such source."""
        row = self._database.connection.execute(
            "SELECT text, meta, hash FROM sources WHERE id = ?", [source_id]
        ).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row else None

    def sources(self) -> list[tuple[str, dict[str, Any], str]]:
        """Return id, meta and hash of all sources, ordered by id."""
        rows = self._database.connection.execute("SELECT id, meta, hash FROM sources ORDER BY id")
        return [(name, json.loads(meta), text_hash) for name, meta, text_hash in rows]

    def drop_source(self, source_id: str) -> None:
        """Delete a source's text and its chunks; an unknown id is passed over."""
        with self._changing() as database:
            rows = database.connection.execute(
                "SELECT document FROM chunks WHERE source = ?", [source_id]
            ).fetchall()
            delete_rows(database, [name for (name,) in rows])
            database.connection.execute("DELETE FROM sources WHERE id = ?", [source_id])

    @contextmanager
    def _changing(self) -> Iterator[Database]:
        with self._database.writing():
            yield self._database
            self._database.add("generation", 1)

    def _documents(
        self, condition: str, values: list[Any], *, embedding: bool = False
    ) -> list[Document]:
        rows = self._database.connection.execute(
            f"SELECT {_DOCUMENT} FROM chunks WHERE {condition}",  # noqa: S608 (values are bound)
            values,
        )
        return [document_of(row, embedding=embedding) for row in rows]


def _dispose(database: Database, vectors: VectorFile, temporary: Path | None) -> None:
    database.close()
    vectors.close()
    if temporary is not None:
        shutil.rmtree(temporary, ignore_errors=True)
