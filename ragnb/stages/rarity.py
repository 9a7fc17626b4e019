"""How much each word of a question tells, by how rare it is in the library."""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

__all__ = ["Rarity"]

_LEAST: Final = 0.1
"""What a word in every chunk still tells."""
_KNOWN: Final = 200
"""In a library of fewer chunks, rarity is hardly known, and counts by so much less."""


class Rarity:
    """Weights of index terms, from 0.1 for one in every chunk to 1 for one in none.

    Args:
        library: Whose chunks are counted; without one, or over a store that doesn't count its
            terms, every term weighs 1.

    >>> Rarity(None).of(["tea"])
    {'tea': 1.0}
    """

    def __init__(self, library: Any = None) -> None:
        self._library = library
        count = getattr(getattr(library, "store", None), "frequencies", None)
        self._count = lru_cache(maxsize=256)(self._counted) if count else None

    def of(self, words: Iterable[str]) -> Mapping[str, float]:
        """Return the weight of each term."""
        asked = tuple(sorted(set(words)))
        if self._count is None:
            return dict.fromkeys(asked, 1.0)
        return self._count(asked, self._library.generation)

    def _counted(self, asked: tuple[str, ...], _generation: int) -> dict[str, float]:
        store = self._library.store
        found, size = store.frequencies(asked), max(1, store.count_documents())
        most, known = math.log(1 + size), min(1.0, size / _KNOWN)
        rare = {term: math.log(1 + size / (1 + found.get(term, 0))) / most for term in asked}
        return {
            term: round(max(_LEAST, 1 - known * (1 - min(1.0, value))), 6)
            for term, value in rare.items()
        }
