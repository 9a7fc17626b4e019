"""Tell how alike two texts are, and whether they speak of the same facts."""

from functools import lru_cache

from ragnb.text.cues import negated
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["near_duplicate", "overlap", "same_facts"]


def overlap(a: str, b: str) -> float:
    """Give the share of stems that two texts have in common (Jaccard), 0 to 1.

    Stop words count only where a text holds nothing else; two texts without a word are alike.

    >>> overlap("budgets of the plan", "the plan's budget"), overlap("one thing", "another matter")
    (1.0, 0.0)
    """
    left, right = _stems(a), _stems(b)
    shared = len(left & right)
    union = len(left) + len(right) - shared
    return shared / union if union else 1.0


def same_facts(a: str, b: str) -> bool:
    """Tell whether two texts hold the same numbers, dates, identifiers, names and negation.

    Order and repeats don't count. A name that one text gives in a shorter form is the same name.

    >>> same_facts("Is the freeze over?", "Is the freeze not over?")
    False
    >>> same_facts("budget of the 2023 plan", "the budget in the plan for 2023")
    True
    """
    return (
        negated(a) == negated(b)
        and {_fact(value) for value in values(a)} == {_fact(value) for value in values(b)}
        and _same_names(_names(a), _names(b))
    )


def near_duplicate(a: str, b: str, *, cosine: float = 0.0, threshold: float = 0.85) -> bool:
    """Tell whether two queries ask for the same thing in nearly the same words.

    Args:
        a: One query.
        b: The other.
        cosine: Likeness of their vectors, -1 to 1; counts where it is more than the words' overlap.
        threshold: From which likeness on they may be the same; the facts must agree as well.

    >>> near_duplicate("What does ADR-012 decide?", "What does ADR-013 decide?", cosine=0.96)
    False
    """
    return max(overlap(a, b), cosine) >= threshold and same_facts(a, b)


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Give a text's stems; kept, as a new query is compared with each one before it."""
    return frozenset(terms(text)) or frozenset(terms(text, stop=True))


def _fact(value: Value) -> tuple[str, str]:
    return value.kind, value.norm


def _names(text: str) -> set[frozenset[str]]:
    """Give each name as its set of stems."""
    found = (_stems(value.norm) for value in names(text) if value.kind == "name")
    return {name for name in found if name}


def _same_names(a: set[frozenset[str]], b: set[frozenset[str]]) -> bool:
    """Tell whether every name of each side is, in full or in part, one of the other's."""
    return all(any(x <= y or y <= x for y in b) for x in a) and all(
        any(x <= y or y <= x for x in a) for y in b
    )
