"""Two sentences that are one but for a single value."""

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.given import KINDS, wanted_in
from ragnb.stages.links import flat, nearness
from ragnb.text.dates import same_date
from ragnb.text.tokens import STOP, terms
from ragnb.text.values import Value, names, values

__all__ = ["nearly_one", "of_two_things", "same", "slot"]

_ALIKE: Final = 0.6
"""Share of their words that two sentences have in common from which one is nearly the other."""
_RATHER_ALIKE: Final = 0.5
_WORDS: Final = 6
_MOST_WORDS: Final = 100
"""What is longer is no sentence."""
_COVERS: Final = 0.3
_COVERS_ANY: Final = 0.6
"""Where no sort of value is asked for, both must cover so much of the question."""
_LONGEST: Final = 4
_SPELT_ALIKE: Final = 0.8
_CLOSE: Final = 0.01
"""Numbers that differ by less are the same, rounded."""


def slot(question: SubQuestion, first: Evidence, second: Evidence) -> tuple[str, str] | None:
    """Return the two values in which nearly the same sentence differs, if they answer a question.

    Whatever else they name must be the same, for else they speak of two things.

    >>> def said(quote):
    ...     from ragnb.records import Context
    ...     context = Context(id="c", source_id="a", text=quote, scope="document", start=0, end=60)
    ...     return Evidence.of("q", context, 0, 60, covers=(("parish", 0.5),))
    >>> texts = [f"The parish was founded by monks in {year}, it says." for year in (1856, 1900)]
    >>> question = SubQuestion.of("When was the parish founded?", kind="when")
    >>> slot(question, *[said(text) for text in texts])
    ('1856', '1900')
    """
    left, right = _words(first.quote), _words(second.quote)
    fits = (
        min(len(set(left)), len(set(right))) >= _WORDS
        and max(map(len, (left, right))) <= _MOST_WORDS
    )
    if not fits or _overlap(left, right) < _ALIKE:
        return None
    sides = (first, second)
    given = [list(dict.fromkeys(wanted_in(question, each.quote))) for each in sides]
    only = [
        [one for one in mine if not any(same(question.kind, one, other) for other in others)]
        for mine, others in (given, given[::-1])
    ]
    pair: tuple[str, str] | None = None
    if all(len(each) == 1 for each in only):
        pair = only[0][0], only[1][0]
        if not all(map(_bears, (question, question), sides, pair)):
            return None
    elif question.kind not in KINDS and not any(only) and all(map(_covers_any, sides)):
        pair = _replaced(left, right)
    return pair if pair and not of_two_things(first.quote, second.quote, *pair) else None


def nearly_one(first: str, second: str) -> bool:
    """Tell whether two sentences are one but for some words, and speak of the same thing.

    >>> nearly_one("An agent may grant 600 EUR alone.", "An agent may grant 900 EUR alone.")
    True
    """
    left, right = _words(first), _words(second)
    fits = min(len(set(left)), len(set(right))) >= _WORDS
    return fits and _overlap(left, right) >= _ALIKE and not of_two_things(first, second, "", "")


def same(kind: str, one: str, other: str) -> bool:
    """Tell whether two values mean the same for a question of a kind.

    >>> same("when", "5 March 2024", "2024"), same("how_many", "1,500", "1,000")
    (True, False)
    """
    if kind in {"when", "how_many"}:
        return any(_equal(a.kind, a.norm, b.norm) for a in values(one) for b in values(other))
    left, right = set(terms(one)), set(terms(other))
    return left <= right or right <= left or bool(left & right and kind == "where")


def of_two_things(first: str, second: str, value: str, other: str) -> bool:
    """Tell whether two sentences are alike, but each has a name or date that the other lacks.

    Args:
        first: A sentence.
        second: Another.
        value: The words of the first that are compared, and don't count.
        other: Those of the second.

    >>> of_two_things("The 8 gateways in Gdynia are old.", "The 14 gateways in Oslo are old.",
    ...               "8", "14")
    True
    """
    if _overlap(_words(first), _words(second)) < _RATHER_ALIKE:
        return False
    left, right = (
        {each.norm for each in _called(text) if not set(terms(each.text)) & set(terms(own))}
        for text, own in ((first, value), (second, other))
    )
    return bool(left - right) and bool(right - left)


def _called(text: str) -> list[Value]:
    """List what tells which thing, or which time, a sentence speaks of."""
    return [*names(text), *(value for value in values(text) if value.kind == "date")]


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(flat(text).split())


def _overlap(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    one, other = set(left), set(right)
    return len(one & other) / max(1, len(one | other))


def _bears(question: SubQuestion, item: Evidence, value: str) -> bool:
    near = nearness(question.text, item.quote, flat(value))
    return bool(near) or sum(share for _, share in item.covers) >= _COVERS


def _covers_any(item: Evidence) -> bool:
    return round(sum(share for _, share in item.covers), 5) >= _COVERS_ANY


def _replaced(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the only words that stand in the place of others, and those."""
    steps = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    pairs = [(left[a:b], right[c:d]) for step, a, b, c, d in steps if step == "replace"]
    pairs = [pair for pair in pairs if all(set(words) - STOP for words in pair)]
    if len(pairs) != 1 or max(map(len, pairs[0])) > _LONGEST:
        return None
    one, other = (" ".join(words) for words in pairs[0])
    alike = SequenceMatcher(None, one, other).ratio() > _SPELT_ALIKE
    return None if alike else (one, other)


def _equal(kind: str, one: str, other: str) -> bool:
    if kind == "date":
        return same_date(one, other)
    numbers = [re.search(r"-?\d+(?:\.\d+)?", each) for each in (one, other)]
    if not all(numbers):
        return one == other
    a, b = (float(match.group()) for match in numbers if match)
    return abs(a - b) <= _CLOSE * max(abs(a), abs(b))
