"""One bit a dimension: which vectors may be near, at a thirtieth of the reading.

The signs of two vectors differ in the more places, the wider the angle between them. In a large
index the vectors with the fewest differences are looked up and compared exactly.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXACT_LIMIT", "candidates", "sign_codes", "width"]

EXACT_LIMIT: Final = 250_000
"""Up to so many vectors all are compared; above, only the `candidates`."""
_SHARE: Final = 0.02
_LEAST: Final = 1_000
"""How many vectors are compared exactly: a share of all, and at least so many."""
_BLOCK: Final = 16_384
"""Codes that fit in a processor's cache."""


def width(dimension: int) -> int:
    """Return how many 64-bit words hold the code of a vector.

    >>> width(256), width(3)
    (4, 1)
    """
    return -(-dimension // 64)


def sign_codes(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return the signs of vectors, shape (n, dimension), as words of shape (n, width).

    >>> sign_codes(np.array([[1, -1, 1]], dtype=np.float32)).tolist()
    [[5]]
    """
    count, dimension = vectors.shape
    bits = np.zeros((count, width(dimension) * 64), dtype=bool)
    bits[:, :dimension] = vectors > 0
    return np.packbits(bits, axis=1, bitorder="little").view("<u8")


def candidates(
    codes: NDArray[np.uint64], vector: NDArray[np.float32], usable: NDArray[np.bool_] | None
) -> NDArray[np.intp]:
    """Return the places of the vectors that differ from one in the fewest signs.

    Args:
        codes: The codes of all, shape (n, width).
        vector: What is compared with them, shape (dimension,).
        usable: Which places may be returned, shape (n,); None for all.

    Returns:
        At least 1,000 places and 2 % of n, if there are as many.
    """
    own = sign_codes(vector[np.newaxis])[0]
    distances = np.empty(len(codes), dtype=np.uint16)
    for start in range(0, len(codes), _BLOCK):
        ones = _ones(codes[start : start + _BLOCK] ^ own)
        distances[start : start + _BLOCK] = ones.sum(axis=1, dtype=np.uint16)
    if usable is not None:
        distances[~usable] = np.iinfo(np.uint16).max
    wanted = max(_LEAST, int(_SHARE * len(codes)))
    if wanted >= len(codes):
        return np.arange(len(codes)) if usable is None else np.flatnonzero(usable)
    bound = np.partition(distances, wanted)[wanted]
    near = distances <= bound
    return np.flatnonzero(near if usable is None else near & usable)


def _ones(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Count the ones in each word."""
    if hasattr(np, "bitwise_count"):
        counted: NDArray[np.uint8] = np.bitwise_count(words)
        return counted
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1)
    summed: NDArray[np.uint8] = bits.reshape(*words.shape, 64).sum(axis=2, dtype=np.uint8)
    return summed
