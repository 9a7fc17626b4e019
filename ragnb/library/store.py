"""The embedded document store: Haystack's protocol over the index, and the searches."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document, default_from_dict, default_to_dict
from haystack.document_stores.types import DuplicatePolicy
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.changes import delete_rows, prepare, write_rows
from ragnb.library.codes import EXACT_LIMIT
from ragnb.library.embedding import Embedder, embed_query
from ragnb.library.filters import compile_filters
from ragnb.library.index import Index
from ragnb.library.lexical import TermMatch, match_terms, search_terms, term_frequencies
from ragnb.text.chinese import query_terms

__all__ = ["EmbeddedDocumentStore"]

_Vector = str | Sequence[float] | NDArray[np.float32]


class EmbeddedDocumentStore(Index):
    """A Haystack document store in a folder: nothing to install, nothing to start.

    Any thread and any process may read while one writes. All that is written inside one
    ``with store.writing():`` is there after a crash, or none of it.

    Args:
        path: The folder, made when missing; None for a temporary one that goes with the store.
        embedder: Makes vectors of documents that come without one, and of queries. Without it
            search is by words, and by vectors that are given. An index remembers its embedder.
        exact_limit: Up to so many vectors all are compared; above, one bit a dimension chooses at
            least 2 % of them, which are compared exactly.

    Raises:
        LibraryError: The folder holds no index that can be read, or one of another embedder.

    >>> with EmbeddedDocumentStore() as store:
    ...     store.write_documents([Document(id="a", content="The sea is salty.")])
    ...     [name for name, score in store.bm25("salty water")]
    1
    ['a']
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | None = None,
        exact_limit: int = EXACT_LIMIT,
    ) -> None:
        super().__init__(path, embedder=embedder, exact_limit=exact_limit)

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that a query in words can use: bm25, and vector with an embedder."""
        return ("bm25", "vector") if self.embedder else ("bm25",)

    def to_dict(self) -> dict[str, Any]:
        """Return how the store was made, as Haystack writes objects; not what it holds."""
        return default_to_dict(
            self, path=self._given_path, embedder=self.embedder, exact_limit=self.exact_limit
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "EmbeddedDocumentStore":
        """Open the store that `to_dict` described."""
        return default_from_dict(cls, data)

    def count_documents(self) -> int:
        """Return the number of documents."""
        return int(self._database.fact("chunks"))

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
                a chunk stands, ``meta["context"]`` is searched with the content.
            policy: What to do with an id that is there already; NONE is FAIL.

        Raises:
            DuplicateDocumentError: An id is there already.
            InputError: Something is no document, or can't be kept.
            LibraryError: The index was opened without its embedder, which is needed here, or
                can't be written.
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
                query_terms(query),
                top_k=top_k,
                where=where,
                allowed=self._live.allowed(where),
                size=self._size(),
            )

    def nearest(
        self, query: _Vector, top_k: int = 50, filters: dict[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """Return ids and cosines (-1 to 1) of the chunks nearest to a text or a vector.

        Up to `exact_limit` vectors the search is exact; above, cosines are, and a chunk may be
        missed. Scores are rounded to 1e-6 and equal ones ordered by id.

        Raises:
            FilterError: The filter is malformed.
            InputError: The vector has another length than those of the index.
            LibraryError: A text was given and the store has no embedder.
        """
        where = compile_filters(filters)
        return self._live.nearest(self._as_vector(query), top_k, where)

    def matches(self, query: str, chunk_id: str) -> list[TermMatch]:
        """Return which terms of a query stand in a chunk; their scores add up to its BM25."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT terms FROM chunks WHERE document = ?", [chunk_id]
            ).fetchone()
            return (
                match_terms(connection, query_terms(query), row[0], size=self._size())
                if row
                else []
            )

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Return in how many documents each index term stands; those in none are left out."""
        return term_frequencies(self._database.connection, words)

    def cosine(self, query: _Vector, chunk_id: str) -> float | None:
        """Return the cosine of a text or vector and a chunk; None if the chunk has no vector.

        Raises:
            InputError: The vector has another length than those of the index.
            LibraryError: A text was given and the store has no embedder.
        """
        return self._live.cosine(self._as_vector(query), chunk_id)

    async def count_documents_async(self) -> int:
        """Do `count_documents` on another thread."""
        return await asyncio.to_thread(self.count_documents)

    async def filter_documents_async(self, filters: dict[str, Any] | None = None) -> list[Document]:
        """Do `filter_documents` on another thread."""
        return await asyncio.to_thread(self.filter_documents, filters)

    async def write_documents_async(
        self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE
    ) -> int:
        """Do `write_documents` on another thread."""
        return await asyncio.to_thread(self.write_documents, documents, policy)

    async def delete_documents_async(self, document_ids: list[str]) -> None:
        """Do `delete_documents` on another thread."""
        await asyncio.to_thread(self.delete_documents, document_ids)

    def _as_vector(self, query: _Vector) -> NDArray[np.float32]:
        if not isinstance(query, str):
            return np.asarray(query, dtype=np.float32)
        if self.embedder is None:
            raise LibraryError(
                "A text can't be compared by vector in an index that was opened without an "
                "embedder. Pass embedder=StaticEmbedder(), or a vector."
            )
        return embed_query(self.embedder, query)

    def _size(self) -> tuple[int, int]:
        """Return the number of chunks, and of terms in all of them."""
        facts = self._database.facts()
        return int(facts["chunks"]), int(facts["length"])
