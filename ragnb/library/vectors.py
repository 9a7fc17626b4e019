"""Unit vectors in an append-only file: exact nearest neighbours by cosine."""

import os
import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragnb.errors import LibraryError

__all__ = ["VectorFile", "best", "unit"]

Floats = NDArray[np.float32]


class VectorFile:
    """Rows of float32, addressed by slot and memory-mapped for reading.

    Which slots are in use is known to the index alone: a row becomes visible with the commit that
    names its slot, so rows that a crash left behind are overwritten by the next writer.

    Args:
        path: The file; it is created by the first `put`.
        durable: Whether rows must survive a loss of power once `put` returns.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self._path = path
        self._durable = durable
        self._lock = threading.Lock()
        self._mapped: Floats | None = None

    def put(self, first: int, rows: Floats) -> None:
        """Write rows of shape (n, dimension) from a slot on."""
        mode = "r+b" if self._path.exists() else "w+b"
        with self._path.open(mode) as file:
            file.seek(first * rows.shape[1] * rows.itemsize)
            file.write(np.ascontiguousarray(rows, dtype="<f4").tobytes())
            file.flush()
            if self._durable:
                os.fsync(file.fileno())

    def rows(self, count: int, dimension: int) -> Floats:
        """Return the first rows, shape (count, dimension), without reading them yet.

        Raises:
            LibraryError: The file holds fewer rows.
        """
        if count == 0:
            return np.empty((0, dimension), dtype=np.float32)
        with self._lock:
            mapped = self._mapped
            if mapped is None or len(mapped) < count or mapped.shape[1] != dimension:
                mapped = self._mapped = self._map(count, dimension)
        return mapped[:count]

    def _map(self, count: int, dimension: int) -> Floats:
        try:
            mapped: Floats = np.memmap(self._path, dtype="<f4", mode="r", shape=(count, dimension))
        except (OSError, ValueError) as error:
            raise LibraryError(
                f"{self._path} should hold {count} vectors and doesn't ({error}). It was changed "
                "by something else: build the index anew."
            ) from error
        return mapped

    def close(self) -> None:
        """Let go of the file; arrays that were handed out stay readable."""
        with self._lock:
            self._mapped = None


def unit(vectors: Floats) -> Floats:
    """Return the rows scaled to length 1; rows of zeros stay zeros.

    >>> unit(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


def best(scores: Floats, count: int) -> NDArray[np.intp]:
    """Return the places of the highest scores, and of all that tie with the last of them.

    >>> sorted(best(np.array([0.5, 0.9, 0.5, 0.1], dtype=np.float32), 2).tolist())
    [0, 1, 2]
    """
    if count >= len(scores):
        return np.arange(len(scores))
    bound = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= bound)
