"""The embedded index: one folder with sources, chunks, their terms and their vectors."""

import json
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from haystack import Document

from ragnb.errors import LibraryError
from ragnb.library.changes import delete_rows
from ragnb.library.codes import EXACT_LIMIT
from ragnb.library.compaction import compact, crowded
from ragnb.library.embedding import Embedder
from ragnb.library.filters import field_index
from ragnb.library.live import LiveRows
from ragnb.library.rows import check_text, document_of, meta_json
from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFiles

__all__ = ["Index"]

_DOCUMENT = "document, content, meta, other, embedding"


class Index:
    """The folder of an index: sources, and chunks by id and by place.

    Args:
        path: The folder, made when missing; None for a temporary one that goes with the index.
        embedder: Makes vectors. An index remembers its embedder.
        exact_limit: Up to so many vectors all are compared; above, sign codes choose the likely
            ones.

    Raises:
        LibraryError: The folder holds no index that can be read, or one of another embedder.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | None = None,
        exact_limit: int = EXACT_LIMIT,
    ) -> None:
        self._given_path = None if path is None else str(path)
        self.path = Path(tempfile.mkdtemp(prefix="ragnb-") if path is None else path)
        self.embedder = embedder
        self.exact_limit = exact_limit
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(f"{path} can't be used as a folder ({error}).") from error
        durable = path is not None
        self._database = Database(self.path / "index.sqlite", durable=durable)
        self._vectors = VectorFiles(self.path, durable=durable)
        self._close = weakref.finalize(
            self, _dispose, self._database, self._vectors, None if durable else self.path
        )
        self._live = LiveRows(self._database, self._vectors, exact_limit=exact_limit)
        self._compacted = False
        try:
            _adopt(self._database, embedder)
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

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Commit all that is written inside together, or nothing of it after an error.

        Raises:
            LibraryError: It can't be written: a full disk, a folder for reading only.
        """
        with self._database.writing():
            yield
        if self._compacted and not self._database.writes:
            self._compacted = False
            self._vectors.tidy(self._database.fact("edition"))

    def compact(self) -> int:
        """Free the space of deleted vectors and terms, and return how many vectors that were.

        Writing does this by itself for vectors once a quarter of them is gone. The space of
        deleted texts is used again by later ones.
        """
        with self.writing():
            saved = compact(self._database, self._vectors)
            self._database.connection.execute(
                "INSERT INTO chunk_terms (chunk_terms) VALUES ('optimize')"
            )
            self._compacted = True
        return saved

    def index_field(self, field: str) -> None:
        """Make filters by a field such as ``meta.author`` fast; source_id and index are already.

        Raises:
            FilterError: Filters can't name that field.
        """
        statement = field_index(field)
        with self.writing():
            self._database.connection.execute(statement)

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Return documents by id in the given order, without unknown ids and embeddings."""
        listed = "document IN (SELECT value FROM json_each(?))"
        found = {each.id: each for each in self._documents(listed, [json.dumps(list(ids))])}
        return [found[name] for name in dict.fromkeys(ids) if name in found]

    def neighbours(self, source_id: str, first: int, last: int) -> list[Document]:
        """Return a source's chunks whose ``meta["index"]`` is from first to last, both included."""
        place = "source = ? AND place BETWEEN ? AND ? ORDER BY place, id"
        return self._documents(place, [source_id, first, last])

    def put_source(self, source_id: str, text: str, meta: dict[str, Any], text_hash: str) -> None:
        """Keep a source's whole text, in place of an earlier one; its chunks are left alone."""
        check_text(text, source_id)
        row = [source_id, text_hash, meta_json(meta, source_id), text]
        with self._changing() as database:
            database.connection.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", row)

    def source(self, source_id: str) -> tuple[str, dict[str, Any], str] | None:
        """Return a source's text, meta and hash; None if there is no such source."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT text, meta, hash FROM sources WHERE id = ?", [source_id]
            ).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row else None

    def sources(self) -> list[tuple[str, dict[str, Any], str]]:
        """Return id, meta and hash of all sources, ordered by id."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id, meta, hash FROM sources ORDER BY id").fetchall()
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
        with self.writing():
            yield self._database
            self._database.add(generation=1)
            if crowded(self._database):
                self._compacted |= compact(self._database, self._vectors) > 0

    def _documents(
        self, condition: str, values: list[Any], *, embedding: bool = False
    ) -> list[Document]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_DOCUMENT} FROM chunks WHERE {condition}",  # noqa: S608 (values are bound)
                values,
            ).fetchall()
        return [document_of(row, embedding=embedding) for row in rows]


def _adopt(database: Database, embedder: Embedder | None) -> None:
    """Record the embedder of a new index, and compare it with that of an old one.

    Raises:
        LibraryError: The index was made with another embedder, or without any.
    """
    if embedder is None:
        return
    given = (embedder.name, embedder.dimension)
    if given == (database.fact("embedder"), database.fact("dimension")):
        return
    facts = database.facts()
    if facts["chunks"]:
        recorded = (facts["embedder"], facts["dimension"])
        made = f"{recorded[0]!r} ({recorded[1]} numbers)" if recorded[0] else "no embedder"
        raise LibraryError(
            f"The index in {database.path.parent} was made with {made} and is opened with "
            f"{given[0]!r} ({given[1]} numbers). Open it with its own embedder, or build it "
            "anew in another folder."
        )
    with database.writing() as connection:
        if not connection.execute("SELECT EXISTS (SELECT 1 FROM chunks)").fetchone()[0]:
            connection.execute("DELETE FROM freed")
            edition = database.fact("edition") + 1 if facts["slots"] else facts["edition"]
            database.state(embedder=given[0], dimension=given[1], slots=0, edition=edition)


def _dispose(database: Database, vectors: VectorFiles, temporary: Path | None) -> None:
    database.close()
    vectors.close()
    if temporary is not None:
        shutil.rmtree(temporary, ignore_errors=True)
