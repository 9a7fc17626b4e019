"""What is told by the form of a sentence: when somebody lived, and of which country."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = ["Life", "life", "told_by_form"]

_YEAR: Final = r"\b[12]\d{3}\b"
_LIFE: Final = re.compile(
    rf"\((?P<born>[^()–—]{{0,120}}?{_YEAR}[^()–—]{{0,60}}?)\s*[–—-]\s*"
    rf"(?P<died>[^()–—]{{0,60}}?{_YEAR}[^()–—]{{0,60}})\)"
)
_OF_COUNTRY: Final = re.compile(
    r"\b(?:is|was|an?|the)\s+(?:(?:former|late|retired|young|old|[a-z]+ed)\s+)?"
    r"(?:[A-Z][a-z]+-)?(?:[A-Z][a-z]+(?:can|ian|ish|ese|ch|eek|iss|lian|aeli|ani)|German|Dutch)"
    r"(?:-born)?\s+(?:[a-z]|[A-Z]\w+ [a-z])"
)


class Life(NamedTuple):
    """Where the two ends of a life stand in a text: "(1815 – 1852)"."""

    born: tuple[int, int]
    died: tuple[int, int]


@lru_cache(maxsize=8192)
def life(text: str) -> Life | None:
    """Return where the dates of a life stand, if they are given in brackets after a name.

    >>> text = "Ada Lovelace (10 December 1815 – 27 November 1852) wrote on engines."
    >>> found = life(text)
    >>> text[slice(*found.born)], text[slice(*found.died)]
    ('10 December 1815', '27 November 1852')
    >>> life("The plan (2019 to 2021) was dropped.") is None
    True
    """
    found = _LIFE.search(text)
    return Life(found.span("born"), found.span("died")) if found else None


@lru_cache(maxsize=8192)
def told_by_form(text: str) -> frozenset[str]:
    """Return the words for what a text tells without saying them.

    >>> sorted(told_by_form("Ada Byron (1815–1852) was an English countess."))
    ['born', 'died', 'nationality']
    """
    found = {"born", "died"} if life(text) else set()
    return frozenset(found | ({"nationality"} if _OF_COUNTRY.search(text) else set()))
