"""Vectors of single words, kept once computed; words without meaning of their own have none."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ragnb.errors import LibraryError
from ragnb.library.embedding import StaticEmbedder
from ragnb.text.tokens import STOP, fold, terms, tokens

__all__ = ["surfaces", "text_likeness", "word_likeness"]

_KEPT: dict[str, NDArray[np.float32]] = {}
_LIMIT = 200_000


@lru_cache(maxsize=8192)
def surfaces(text: str) -> Mapping[str, str]:
    """Map terms of a text to the words that they come from; CJK, numbers and stop words have none.

    >>> surfaces("Kept in ADR-012 for reading")
    mappingproxy({'kept': 'kept', 'read': 'reading'})
    """
    found: dict[str, str] = {}
    for token in tokens(text):
        word = fold(token.text)
        if word not in STOP and word.isascii() and word.isalpha():
            found.setdefault(terms(word, stop=True)[0], word)
    return MappingProxyType(found)


def word_likeness(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float32] | None:
    """Return the cosines of words, shape (len(left), len(right)); None without word vectors."""
    try:
        _keep([*left, *right])
    except LibraryError:
        return None
    if not left or not right:
        return np.zeros((len(left), len(right)), dtype=np.float32)
    a = np.stack([_KEPT[word] for word in left])
    b = np.stack([_KEPT[word] for word in right])
    likeness: NDArray[np.float32] = np.round(a @ b.T, 5)
    return likeness


def text_likeness(text: str, others: Sequence[str]) -> list[float] | None:
    """Return the cosines of a text and others; None without word vectors."""
    try:
        vectors = StaticEmbedder().embed([text, *others])
    except LibraryError:
        return None
    return [round(float(value), 5) for value in vectors[1:] @ vectors[0]]


def _keep(words: Sequence[str]) -> None:
    if len(_KEPT) > _LIMIT:
        _KEPT.clear()
    new = sorted({word for word in words if word not in _KEPT})
    if new:
        _KEPT.update(zip(new, StaticEmbedder().embed(new), strict=True))
