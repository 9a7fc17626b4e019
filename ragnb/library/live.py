"""Which rows of the vector files are in use; the search among them."""

import json
import threading
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.codes import EXACT_LIMIT, candidates
from ragnb.library.filters import Sql
from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFiles, best

__all__ = ["Allowed", "LiveRows"]

_ROUNDING: Final = 2e-6
"""Scores closer than this may be equal once they are rounded."""
_FILTERS: Final = 8
"""How many filters' results are kept between searches."""

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The chunks that a filter lets through.

    Attributes:
        numbers: Their numbers in the index.
        slots: The slots of those that have a vector, in order.
    """

    numbers: NDArray[np.int64]
    slots: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gone:
    """Slots without an owner: ``mask[slot]`` is True; ``last`` is the log entry read last."""

    edition: int
    last: int
    mask: NDArray[np.bool_]


class LiveRows:
    """The search among the vectors of an index.

    Nothing is read in beforehand: all slots are in use but those in a log of freed ones, of which
    only what is new is read after each change.

    Args:
        database: The index.
        vectors: Its vectors.
        exact_limit: Up to so many vectors all are compared.
    """

    def __init__(
        self, database: Database, vectors: VectorFiles, *, exact_limit: int = EXACT_LIMIT
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._exact_limit = exact_limit
        self._lock = threading.Lock()
        self._gone: _Gone | None = None
        self._allowed: dict[tuple[object, ...], Allowed] = {}

    def nearest(self, vector: Vector, top_k: int, where: Sql) -> list[tuple[str, float]]:
        """Return ids and cosines of the chunks nearest to a vector of shape (dimension,).

        Raises:
            InputError: The vector has another shape, or numbers that are not finite.
            LibraryError: The file of the vectors is damaged.
        """
        edition = self._database.fact("edition")
        try:
            return self._nearest(vector, top_k, where)
        except LibraryError:
            if self._database.fact("edition") == edition:
                raise
            return self._nearest(vector, top_k, where)  # it was compacted between two looks

    def cosine(self, vector: Vector, name: str) -> float | None:
        """Return the cosine of a vector and the chunk of that id; None if it has no vector.

        Raises:
            InputError: The vector has another shape, or numbers that are not finite.
        """
        with self._database.reading() as connection:
            facts = self._database.facts()
            _check(vector, facts["dimension"])
            found = connection.execute(
                "SELECT slot FROM chunks WHERE document = ? AND slot IS NOT NULL", [name]
            ).fetchone()
            length = np.linalg.norm(vector)
            if not found or length == 0.0:
                return None
            rows = self._vectors.rows(facts["edition"], facts["slots"], facts["dimension"])
            return round(float(rows[found[0]] @ (vector / length)), 6) + 0.0

    def allowed(self, where: Sql) -> Allowed | None:
        """Return what a filter lets through; None for everything."""
        if where[0] == "1":
            return None
        key = (self._database.fact("generation"), where[0], repr(where[1]))
        kept = None if self._database.writes else self._allowed.get(key)
        if kept is not None:
            return kept
        pairs = self._database.connection.execute(
            f"SELECT id, coalesce(slot, -1) FROM chunks WHERE {where[0]}",  # noqa: S608
            where[1],
        ).fetchall()
        columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        slots = np.sort(columns[:, 1])
        taken = Allowed(numbers=columns[:, 0].copy(), slots=slots[np.searchsorted(slots, 0) :])
        if not self._database.writes:  # what is not committed may be taken back
            with self._lock:
                fresh = [(k, v) for k, v in self._allowed.items() if k[0] == key[0]]
                self._allowed = dict([*fresh, (key, taken)][-_FILTERS:])
        return taken

    def _nearest(self, vector: Vector, top_k: int, where: Sql) -> list[tuple[str, float]]:
        with self._database.reading() as connection:
            facts = self._database.facts()
            dimension, slots, edition = facts["dimension"], facts["slots"], facts["edition"]
            _check(vector, dimension)
            length = np.linalg.norm(vector)
            if length == 0.0 or top_k < 1 or not slots:
                return []
            rows = self._vectors.rows(edition, slots, dimension)
            query = vector / length
            places, cosines = self._compare(rows, query, edition, self.allowed(where))
            near = best(cosines, top_k, slack=_ROUNDING)
            names = dict(
                connection.execute(
                    "SELECT slot, document FROM chunks WHERE slot IN "
                    "(SELECT value FROM json_each(?))",
                    [json.dumps(places[near].tolist())],
                ).fetchall()
            )
        scores = np.round(cosines[near].astype(np.float64), 6) + 0.0  # no minus zero
        found = [
            (names[int(places[at])], float(score)) for at, score in zip(near, scores, strict=True)
        ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:top_k]

    def _compare(
        self, rows: Vector, query: Vector, edition: int, allowed: Allowed | None
    ) -> tuple[NDArray[np.int64], Vector]:
        """Return slots and their cosines: of all that are allowed, or of the likeliest."""
        gone = self._freed(len(rows), edition)
        slots = allowed.slots if allowed else np.arange(len(rows))
        if len(slots) > self._exact_limit:
            codes = self._vectors.codes(edition, len(rows), len(query))
            usable = None if gone is None else ~gone
            if allowed is not None:
                usable = np.zeros(len(rows), dtype=bool)
                usable[slots] = True
            slots = candidates(codes, query, usable)
            return slots, rows[slots] @ query
        if allowed is not None:
            few = len(slots) * 4 < len(rows)
            return slots, rows[slots] @ query if few else (rows @ query)[slots]
        cosines = rows @ query
        return (slots, cosines) if gone is None else (slots[~gone], cosines[~gone])

    def _freed(self, slots: int, edition: int) -> NDArray[np.bool_] | None:
        """Return which slots have no owner, shape (slots,); None if all have one."""
        kept = self._gone
        if kept is None or kept.edition != edition:
            kept = _Gone(edition=edition, last=0, mask=np.zeros(0, dtype=bool))
        log = self._database.connection.execute(
            "SELECT number, slot FROM freed WHERE number > ? ORDER BY number", [kept.last]
        ).fetchall()
        if log or len(kept.mask) < slots:
            mask = np.zeros(max(slots, len(kept.mask)), dtype=bool)
            mask[: len(kept.mask)] = kept.mask
            mask[[slot for _, slot in log]] = True
            kept = _Gone(edition=edition, last=log[-1][0] if log else kept.last, mask=mask)
        if not self._database.writes:
            self._gone = kept
        return kept.mask[:slots] if kept.last else None


def _check(vector: Vector, dimension: int | None) -> None:
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise InputError(f"A query's vector is a flat list of finite numbers; got {vector!r:.80}.")
    if dimension is not None and len(vector) != dimension:
        raise InputError(
            f"The query's vector has {len(vector)} numbers and those of the index have "
            f"{dimension}. Embed the query with the model of the index."
        )
