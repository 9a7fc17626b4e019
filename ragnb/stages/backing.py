"""How well sentences back a claim: whether what it says stands in them."""

from collections.abc import Sequence
from typing import Final

from ragnb.text.tokens import fold, terms
from ragnb.text.values import names, values

__all__ = ["supported"]

_MOST: Final = 3
"""So many sentences together back a claim at most."""
_FACT: Final = 0.3
"""What the claim's numbers count beside its words, and its names as well."""


def supported(claim: str, sentences: Sequence[str]) -> float:
    """Return how well some of the sentences back a claim, 0 to 1.

    Args:
        claim: A statement.
        sentences: What it may rest on: its words in the three that hold most of them together,
            its numbers and names in any.

    >>> supported("Tea is steamed in Uji.", ["In Uji tea is steamed.", "Coffee is roasted."])
    1.0
    >>> supported("Tea is steamed for 45 seconds.", ["Tea is steamed for 30 seconds."]) < 0.8
    True
    """
    said = set(terms(claim))
    held = [said & set(terms(each)) for each in sentences]
    covered: set[str] = set()
    for _ in range(_MOST):
        covered |= max(held, key=lambda each: len(each - covered), default=set())
    words = len(covered) / len(said) if said else 1.0
    text = " ".join(sentences)
    numbers = {value.norm for value in values(text)}
    there = [value.norm in numbers or value.text in text for value in values(claim)]
    flat = fold(text)
    known = [value.norm in flat or set(terms(value.text)) <= covered for value in names(claim)]
    facts = [sum(each) / len(each) if each else 1.0 for each in (there, known)]
    return round((words + _FACT * sum(facts)) / (1 + 2 * _FACT), 6)
