"""Unit vectors in append-only files: rows by slot, and the best among scores."""

import os
import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragnb.errors import LibraryError
from ragnb.library.codes import sign_codes, width

__all__ = ["VectorFiles", "best", "unit"]

Floats = NDArray[np.float32]


class VectorFiles:
    """Rows of float32 and their sign codes, addressed by slot and memory-mapped for reading.

    Which slots are in use is known to the index alone: a row becomes visible with the commit that
    names its slot, so rows that a crash left behind are overwritten by the next writer. Compaction
    writes new files, of the next edition, and leaves the old ones to those who still read them.

    Args:
        folder: Where the files are; they are created by the first `put`.
        durable: Whether rows must survive a loss of power once `put` returns.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self._folder = folder
        self._durable = durable
        self._lock = threading.Lock()
        self._mapped: dict[Path, NDArray[np.uint8]] = {}

    def put(self, edition: int, first: int, rows: Floats) -> None:
        """Write rows of shape (n, dimension) from a slot on.

        Raises:
            LibraryError: The disk is full, or the folder can't be written.
        """
        self._write(_vectors(self._folder, edition), first, np.ascontiguousarray(rows, dtype="<f4"))
        self._write(_codes(self._folder, edition), first, sign_codes(rows))

    def rows(self, edition: int, count: int, dimension: int) -> Floats:
        """Return the first rows, shape (count, dimension), without reading them yet.

        Raises:
            LibraryError: The file holds fewer rows.
        """
        found = self._read(edition, _vectors(self._folder, edition), count, dimension * 4)
        return found.view("<f4")

    def codes(self, edition: int, count: int, dimension: int) -> NDArray[np.uint64]:
        """Return the sign codes of the first rows, shape (count, dimension / 64 rounded up).

        Raises:
            LibraryError: The file holds fewer rows.
        """
        found = self._read(edition, _codes(self._folder, edition), count, width(dimension) * 8)
        return found.view("<u8")

    def tidy(self, edition: int) -> None:
        """Remove the files of other editions, as far as the system lets go of them."""
        with self._lock:
            held = self._keep(edition)
        for path in [*self._folder.glob("vectors*.f32"), *self._folder.glob("codes*.u64")]:
            if path not in held:
                try:
                    path.unlink()
                except OSError:  # read by another process, on a system that forbids it
                    continue

    def close(self) -> None:
        """Let go of the files; arrays that were handed out stay readable."""
        with self._lock:
            self._mapped = {}

    def _keep(self, edition: int) -> set[Path]:
        """Let go of what other editions' files are mapped to, and return this one's files."""
        held = {_vectors(self._folder, edition), _codes(self._folder, edition)}
        self._mapped = {path: rows for path, rows in self._mapped.items() if path in held}
        return held

    def _write(self, path: Path, first: int, rows: NDArray[np.float32 | np.uint64]) -> None:
        try:
            with path.open("r+b" if path.exists() else "w+b") as file:
                file.seek(first * rows.shape[1] * rows.itemsize)
                file.write(rows.tobytes())
                file.flush()
                if self._durable:
                    os.fsync(file.fileno())
        except OSError as error:
            raise LibraryError(
                f"{path} can't be written ({error.strerror or error}). The index is as it was "
                "before. Free some space, or name a folder that you may write to."
            ) from error

    def _read(self, edition: int, path: Path, count: int, size: int) -> NDArray[np.uint8]:
        if count == 0:
            return np.empty((0, size), dtype=np.uint8)
        with self._lock:
            mapped = self._mapped.get(path)
            if mapped is None or len(mapped) < count or mapped.shape[1] != size:
                try:
                    mapped = np.memmap(path, dtype=np.uint8, mode="r", shape=(count, size))
                except (OSError, ValueError) as error:
                    raise LibraryError(
                        f"{path} should hold {count} vectors and doesn't ({error}). It was changed "
                        "by something else: build the index anew."
                    ) from error
                self._keep(edition)
                self._mapped[path] = mapped
        return np.asarray(mapped[:count])


def unit(vectors: Floats) -> Floats:
    """Return the rows scaled to length 1; rows of zeros stay zeros.

    >>> unit(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


def best(scores: Floats, count: int, *, slack: float = 0.0) -> NDArray[np.intp]:
    """Return the places of the highest scores, and of all within ``slack`` of the last of them.

    >>> sorted(best(np.array([0.5, 0.9, 0.5, 0.1], dtype=np.float32), 2).tolist())
    [0, 1, 2]
    """
    if count >= len(scores):
        return np.arange(len(scores))
    bound = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= bound - slack)


def _vectors(folder: Path, edition: int) -> Path:
    return folder / (f"vectors-{edition}.f32" if edition else "vectors.f32")


def _codes(folder: Path, edition: int) -> Path:
    return folder / (f"codes-{edition}.u64" if edition else "codes.u64")
