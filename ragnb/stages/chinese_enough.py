"""What tells that pieces of evidence are enough for a Chinese question."""

import math
from collections.abc import Sequence
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.features import VALUED
from ragnb.stages.fitted import chance
from ragnb.stages.wanted import first_words
from ragnb.text.chinese import beside
from ragnb.text.dates import same_date
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["enough_features_zh", "enough_zh"]

_LACKING: Final = 0.4
"""A question for a date or number is answered by nothing else, nor one on a date by another."""
_SURE: Final = 0.8
_FIXED: Final = frozenset({"date", "identifier"})


def enough_zh(question: SubQuestion, chosen: Sequence[Evidence]) -> float:
    """Return the chance that pieces answer a Chinese question, 0 to 1.

    Args:
        question: What is asked.
        chosen: The pieces, best first; at least one.
    """
    found = chance("enough_zh", enough_features_zh(question, chosen))
    lacks = question.kind in {"when", "how_many"} and not any(_valued(item) for item in chosen)
    return min(found, _LACKING) if lacks or _elsewhere(question, chosen) else found


def _elsewhere(question: SubQuestion, chosen: Sequence[Evidence]) -> bool:
    """Tell whether the question names a date or a code that none of the pieces is of.

    A piece is of what it says, and of what its title, section, file and date say. One that repeats
    nearly the whole question may leave the date to the text around it.
    """
    if max(item.score for item in chosen) >= _SURE:
        return False
    said = " ".join(
        f"{item.title} {item.section} {item.quote} {item.source_id} {item.updated[:10]}"
        for item in chosen
    )
    known = [value for value in values(said) if value.kind in _FIXED]
    return not all(
        any(_same(value, other) for other in known) or value.text in said
        for value in values(question.text)
        if value.kind in _FIXED and any(char.isdigit() for char in value.text)
    )


def _same(one: Value, other: Value) -> bool:
    if one.kind != other.kind:
        return False
    return same_date(one.norm, other.norm) if one.kind == "date" else one.norm == other.norm


def _valued(item: Evidence) -> bool:
    return bool(item.says) and item.says != first_words(item.quote)


def enough_features_zh(question: SubQuestion, chosen: Sequence[Evidence]) -> dict[str, float]:
    """Return what tells whether pieces are enough for a Chinese question.

    Returns:
        ``fact``: whether a word beside the one that asks stands in them or in their titles.
        ``best``: the log odds of the best piece. ``cover`` and ``own``: the shares of the question
        that all pieces, and the best one, cover with their places. ``held``: the share of its
        names, dates and numbers that they hold. ``typed``: whether the best one gives the value
        that is asked for; ``other``: whether none is.
    """
    union: dict[str, float] = {}
    for item in chosen:
        for term, value in item.covers:
            union[term] = max(union.get(term, 0.0), value)
    first = max(chosen, key=lambda item: (item.score, item.id))
    said = " ".join(f"{item.title} {item.section} {item.quote}" for item in chosen)
    fact = [word for word in beside(question.text) if word]
    odds = min(0.999, max(0.001, first.score))
    facts = [set(terms(v.text)) for v in (*names(question.text), *values(question.text))]
    words = {term for item in chosen for term in terms(f"{item.title} {item.quote}")}
    valued = question.kind in VALUED
    return {
        "best": round(math.log(odds / (1 - odds)), 6),
        "cover": round(sum(union.values()), 6),
        "own": round(sum(value for _, value in first.covers), 6),
        "fact": float(any(word in said for word in fact)) if fact else 1.0,
        "held": round(sum(one <= words for one in facts) / len(facts), 6) if facts else 1.0,
        "typed": float(valued and _valued(first)),
        "other": float(not valued),
    }
