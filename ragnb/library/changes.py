"""Changes of an index: documents written and deleted, with their terms and vectors.

Each function is to be called inside a transaction; what it changes is seen with its commit.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from haystack import Document
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.embedding import Embedder
from ragnb.library.rows import COLUMNS, indexed_text, row_of
from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFiles, unit

__all__ = ["Prepared", "delete_rows", "prepare", "write_rows"]

_Old: TypeAlias = tuple[int, str, int, int | None]
"""Number, terms, length and slot of a chunk as it was."""
_SET = ", ".join(f"{name} = ?" for name in COLUMNS.split(", "))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A document that is ready to be written.

    Attributes:
        row: The values of its columns.
        vector: Its unit vector; None when it has nothing to compare.
    """

    row: tuple[Any, ...]
    vector: NDArray[np.float32] | None

    @property
    def id(self) -> str:
        """The document's id."""
        return str(self.row[0])


def prepare(
    documents: Sequence[Document], embedder: Embedder | None, recorded: str | None
) -> list[Prepared]:
    """Make rows and vectors of documents: a given embedding is used, others are computed.

    Args:
        documents: What is to be written.
        embedder: Makes the vectors; without one only given embeddings are searchable by vector.
        recorded: The name of the embedder that the index was made with.

    Raises:
        InputError: A document can't be kept.
        LibraryError: Vectors are needed and the index was opened without its embedder.
    """
    rows = [row_of(document) for document in documents]
    bare = [n for n, document in enumerate(documents) if document.embedding is None]
    bare = [n for n in bare if documents[n].content]
    if bare and embedder is None and recorded:
        raise LibraryError(
            f"The index was made with the embedder {recorded!r} and opened without one, so "
            f"{len(bare)} documents can't get vectors. Open it with that embedder to add to it."
        )
    vectors: dict[int, NDArray[np.float32]] = {}
    if bare and embedder is not None:
        made = embedder.embed([indexed_text(documents[n]) for n in bare])
        vectors = dict(zip(bare, unit(np.asarray(made, dtype=np.float32)), strict=True))
    for n, document in enumerate(documents):
        if document.embedding is not None:
            vectors[n] = unit(np.asarray([document.embedding], dtype=np.float32))[0]
    return [
        Prepared(row=row, vector=vectors[n] if n in vectors and vectors[n].any() else None)
        for n, row in enumerate(rows)
    ]


def write_rows(
    database: Database,
    vectors: VectorFiles,
    prepared: Iterable[Prepared],
    policy: DuplicatePolicy,
) -> int:
    """Write documents and return how many were written.

    Raises:
        DuplicateDocumentError: An id is there already and the policy is FAIL or NONE.
        InputError: An embedding has another length than those of the index.
    """
    connection = database.connection
    slots = first = database.fact("slots")
    kept: list[NDArray[np.float32]] = []
    written = chunks = length = 0
    for item in prepared:
        old = _old(connection, item.id)
        if old and policy == DuplicatePolicy.SKIP:
            continue
        if old and policy != DuplicatePolicy.OVERWRITE:
            raise DuplicateDocumentError(f"A document with the id {item.id!r} exists already.")
        slot = None
        if item.vector is not None:
            _check_dimension(database, item)
            slot, slots = slots, slots + 1
            kept.append(item.vector)
        _put(connection, item.row, slot, old)
        written += 1
        chunks += 0 if old else 1
        length += item.row[6] - (old[2] if old else 0)
    if kept:
        vectors.put(database.fact("edition"), first, np.stack(kept))
        database.state(slots=slots)
    database.add(chunks=chunks, length=length)
    return written


def delete_rows(database: Database, ids: Iterable[str]) -> int:
    """Delete documents by id, pass over unknown ones, and return how many are gone."""
    connection = database.connection
    deleted = length = 0
    for name in ids:
        old = _old(connection, name)
        if old:
            _forget(connection, old)
            connection.execute("DELETE FROM chunks WHERE id = ?", [old[0]])
            deleted += 1
            length += old[2]
    database.add(chunks=-deleted, length=-length)
    return deleted


def _old(connection: sqlite3.Connection, name: str) -> _Old | None:
    found: _Old | None = connection.execute(
        "SELECT id, terms, length, slot FROM chunks WHERE document = ?", [name]
    ).fetchone()
    return found


def _put(
    connection: sqlite3.Connection, row: tuple[Any, ...], slot: int | None, old: _Old | None
) -> None:
    """Write one row with its terms; an overwritten document keeps its place."""
    if old:
        _forget(connection, old)
        number: int | None = old[0]
        connection.execute(
            f"UPDATE chunks SET {_SET}, slot = ? WHERE id = ?",  # noqa: S608 (names of columns)
            [*row, slot, number],
        )
    else:
        number = connection.execute(
            f"INSERT INTO chunks ({COLUMNS}, slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            [*row, slot],
        ).lastrowid
    connection.execute("INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)", [number, row[5]])


def _forget(connection: sqlite3.Connection, old: _Old) -> None:
    """Take a chunk's terms out of their index, and log that its slot is free."""
    number, words, _, slot = old
    connection.execute(
        "INSERT INTO chunk_terms (chunk_terms, rowid, terms) VALUES ('delete', ?, ?)",
        [number, words],
    )
    if slot is not None:
        connection.execute("INSERT INTO freed (slot) VALUES (?)", [slot])


def _check_dimension(database: Database, item: Prepared) -> None:
    given = 0 if item.vector is None else len(item.vector)
    dimension = database.fact("dimension")
    if dimension is None:
        database.state(dimension=given)
    elif dimension != given:
        raise InputError(
            f"The embedding of {item.id!r} has {given} numbers and those of this index have "
            f"{dimension}. Embed all documents of an index with one model."
        )
