"""How near a value stands to the words of a question's relation, such as born or directed."""

import re
from functools import lru_cache
from typing import Final

from ragnb.text.kin import families
from ragnb.text.lives import life
from ragnb.text.tokens import terms
from ragnb.text.values import names

__all__ = ["cues", "cues_in", "near", "nearness_of"]

_AROUND: Final = 8
"""So many words on each side of a value are looked at."""
_ROOT: Final = 5
_SAID: Final = 0.8
"""How near a date of a life stands to a question for its beginning or its end."""


def nearness_of(question: str, span: str, value: str) -> float:
    """Tell how near a value stands behind, or less so before, a word akin to the question's."""
    at = span.find(value)
    if at < 0:
        return 0.0
    if (end := _end_of_life(question, span, at)) is not None:
        return _SAID * end
    return near(question, span[:at], span[at + len(value) :])


def near(question: str, before: str, after: str) -> float:
    """Tell how near what stands between two texts is to a word akin to the question's, 0 to 1.

    A word before it counts more than one behind.

    >>> near("Who directed it?", "a film directed by", "in 1997")
    0.8
    """
    wanted = cues(question)
    left, right = before.split()[-_AROUND:], after.split()[:_AROUND]
    gaps = [len(left) - 1 - at for at, word in enumerate(left) if cues_in(word) & wanted]
    gaps += [2 + at for at, word in enumerate(right) if cues_in(word) & wanted]
    return round(1 / (1 + min(gaps) / 4), 6) if gaps else 0.0


def _end_of_life(question: str, span: str, at: int) -> bool | None:
    """Tell whether a value among the dates of a life is at the end that a question asks for."""
    lived = life(span)
    if lived is None or not lived.born[0] <= at < lived.died[1]:
        return None
    asked = {end for end in ("born", "died") if cues_in(end) & cues(question)}
    return ("born" if at < lived.born[1] else "died") in asked if asked else None


@lru_cache(maxsize=256)
def cues(question: str) -> frozenset[str | int]:
    """Return what stands for the words of a question that name nothing; see `cues_in`."""
    named = {term for value in names(question) for term in terms(value.text)}
    return frozenset(
        cue
        for word in re.findall(r"\w+", question)
        if not set(terms(word)) <= named
        for cue in cues_in(word)
    )


@lru_cache(maxsize=8192)
def cues_in(word: str) -> frozenset[str | int]:
    """Return a word's stems, their beginnings, and the numbers of their families.

    >>> cues_in("directed") & cues_in("director") != frozenset()
    True
    """
    found: set[str | int] = set()
    for term in terms(word):
        found |= {term, *families().get(term, ())}
        if len(term) >= _ROOT:
            found.add(term[:_ROOT])
    return frozenset(found)
