"""Tell copies of one wording from the same statement in other words."""

from ragnb.text.tokens import terms

__all__ = ["same_wording"]

_COPY = 0.9


def same_wording(a: str, b: str) -> bool:
    """Tell whether two quotes are copies: nearly all of their words are the same, stop words too.

    >>> same_wording("It must be reported.", "It must be reported!")
    True
    >>> same_wording("A customer must report it.", "Customers have to report it.")
    False
    """
    left, right = set(terms(a, stop=True)), set(terms(b, stop=True))
    union = left | right
    return not union or len(left & right) / len(union) >= _COPY
