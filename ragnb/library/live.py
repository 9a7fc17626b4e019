"""Which rows of the vector file are in use, kept between searches; and the search among them."""

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.embedding import Embedder
from ragnb.library.filters import Sql
from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFile, best

__all__ = ["LiveRows", "adopt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Snapshot:
    generation: int
    count: int
    numbers: NDArray[np.int64]
    slots: NDArray[np.int64]


class LiveRows:
    """The rows of one generation, read once, and the search among them.

    Args:
        database: The index.
        vectors: Its vectors.
    """

    def __init__(self, database: Database, vectors: VectorFile) -> None:
        self._database = database
        self._vectors = vectors
        self._kept: _Snapshot | None = None

    def count(self) -> int:
        """Return the number of chunks."""
        return self._snapshot().count

    def nearest(
        self, vector: NDArray[np.float32], top_k: int, where: Sql
    ) -> list[tuple[str, float]]:
        """Return ids and cosines of the chunks nearest to a vector of shape (dimension,).

        Raises:
            InputError: The vector has another shape, or numbers that are not finite.
            LibraryError: The file of the vectors is damaged.
        """
        with self._database.reading() as connection:
            dimension = self._database.fact("dimension")
            _check(vector, dimension)
            numbers, slots = self._rows_in_use(where)
            length = np.linalg.norm(vector)
            if length == 0.0 or top_k < 1 or not len(slots):
                return []
            rows = self._vectors.rows(int(slots[-1]) + 1, dimension)
            query = vector / length
            few = len(slots) * 4 < len(rows)
            cosines = rows[slots] @ query if few else (rows @ query)[slots]
            scores = np.round(cosines.astype(np.float64), 6) + 0.0  # no minus zero
            places = best(scores, top_k)
            names = dict(
                connection.execute(
                    "SELECT id, document FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
                    [json.dumps(numbers[places].tolist())],
                ).fetchall()
            )
        found = [(names[int(numbers[place])], float(scores[place])) for place in places]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:top_k]

    def _rows_in_use(self, where: Sql) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return numbers and slots of the chunks that a filter lets through, by slot."""
        snapshot = self._snapshot()
        if where[0] == "1":
            return snapshot.numbers, snapshot.slots
        found = self._database.connection.execute(
            f"SELECT id FROM chunks WHERE slot IS NOT NULL AND {where[0]}",  # noqa: S608
            where[1],
        )
        allowed = np.isin(snapshot.numbers, np.array([row[0] for row in found], dtype=np.int64))
        return snapshot.numbers[allowed], snapshot.slots[allowed]

    def _snapshot(self) -> _Snapshot:
        generation = self._database.fact("generation")
        kept = self._kept
        if kept is not None and kept.generation == generation and not self._database.writes:
            return kept
        connection = self._database.connection
        pairs = connection.execute(
            "SELECT id, slot FROM chunks WHERE slot IS NOT NULL ORDER BY slot"
        ).fetchall()
        columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        taken = _Snapshot(
            generation=generation,
            count=connection.execute("SELECT count(*) FROM chunks").fetchone()[0],
            numbers=columns[:, 0].copy(),
            slots=columns[:, 1].copy(),
        )
        if not self._database.writes:  # what is not committed may be taken back
            self._kept = taken
        return taken


def adopt(database: Database, embedder: Embedder | None) -> None:
    """Record the embedder of a new index, and compare it with that of an old one.

    Raises:
        LibraryError: The index was made with another embedder, or without any.
    """
    if embedder is None:
        return
    with database.writing() as connection:
        recorded = (database.fact("embedder"), database.fact("dimension"))
        given = (embedder.name, embedder.dimension)
        if recorded == given:
            return
        if connection.execute("SELECT EXISTS (SELECT 1 FROM chunks)").fetchone()[0]:
            made = f"{recorded[0]!r} ({recorded[1]} numbers)" if recorded[0] else "no embedder"
            raise LibraryError(
                f"The index in {database.path.parent} was made with {made} and is opened with "
                f"{given[0]!r} ({given[1]} numbers). Open it with its own embedder, or build it "
                "anew in another folder."
            )
        database.state(embedder=given[0], dimension=given[1], slots=0)


def _check(vector: NDArray[np.float32], dimension: int | None) -> None:
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise InputError(f"A query's vector is a flat list of finite numbers; got {vector!r:.80}.")
    if dimension is not None and len(vector) != dimension:
        raise InputError(
            f"The query's vector has {len(vector)} numbers and those of the index have "
            f"{dimension}. Embed the query with the model of the index."
        )
