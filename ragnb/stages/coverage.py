"""How much of a question a span covers: its own words, those of its place, and words like them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ragnb.stages.wordvectors import surfaces, word_likeness
from ragnb.text.asking import led_in
from ragnb.text.chinese import telling_terms
from ragnb.text.kin import akin, families, opposed
from ragnb.text.lives import told_by_form
from ragnb.text.tokens import CJK, terms
from ragnb.text.values import names, values

__all__ = ["Asked", "Covered", "asked", "cover", "covers", "longest_run", "seen"]

_GENERIC: Final = frozenset(
    terms(
        "happen need use get make take give mean say tell name list kind type thing long amount"
        " made took taken got gave given said told done"
        " year date time number day late old step do go want people person way able first",
        stop=True,
    )
)
"""Terms that say what sort of answer is wanted rather than what it is about."""
_HEAD: Final = re.compile(
    r"\b(?:which|what)\s+(?!(?:is|are|was|were|do|does|did|can|could|should|must|will|would|has|have"
    r"|happens?|happened)\b)(?:\w+\s+){0,2}?(?P<head>[a-z]{3,})\s+"
    r"(?:is|are|was|were|do|does|did|can|could|should|must|may|will|would|has|have|[a-z]+(?:s|ed|t)\b)",
    re.IGNORECASE,
)
_RELATIONS: Final = re.compile(r"\b(?:after|before|during|until|without|against)\b", re.IGNORECASE)
"""Stop words that a question can hang on."""
_PREDICATE: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|being|'s)\s+(?P<word>over|off|down|up|out)\b"
    r"(?=\s*(?:[?.,;!)）]|$|(?:and|or|that|when|once|then|after|before|by|at|on|in)\b))",
    re.IGNORECASE,
)
_MEANS: Final = {"over": "ended", "off": "disabled", "down": "unavailable", "out": "released"}
_ALIKE: Final = 0.5
"""From which cosine on another word counts."""
_ROOT: Final = 5
_LED: Final = 0.5
"""What a word counts by which a case is told before the question; all of them together count half
of the question at most."""
_KIN: Final = 0.6
"""What a word of the same root counts."""
_CJK: Final = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question is about.

    Attributes:
        weights: Its terms, each with how much it tells (0 to 1).
        named: Terms of its names, identifiers, dates and numbers.
        led: Terms that stand only in what is said before the question, and name nothing.
        run: All its terms in order, stop words too.
        head: The term of the noun after "which" or "what", or empty.
        surfaces: Its terms that have a word vector, each with a word that it stands for.
        mass: How much it tells in all, before rarity; about 1 a telling term.
    """

    weights: Mapping[str, float]
    named: frozenset[str]
    led: frozenset[str]
    run: tuple[str, ...]
    head: str
    surfaces: Mapping[str, str]
    mass: float

    def by_rarity(self, rarity: Mapping[str, float]) -> "Asked":
        """Return the same question, each term weighed by how rare it is as well."""
        weights = {term: weight * rarity.get(term, 1.0) for term, weight in self.weights.items()}
        return replace(self, weights=weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """Shares of a question that a span covers, each from 0 to 1.

    Attributes:
        whole: With the words of its headings, title and lead.
        own: By its own words.
        plain: Of the terms that name nothing, whole.
        told: Of the same, by its own words, each weighing alike.
        named: Of the terms that name something, whole.
        head: Whether the noun after "which" or "what" is covered, or there is none.
        mass: How much the question tells in all; about 1 a telling term.
        credit: What each term got, 0 to 1.
    """

    whole: float
    own: float
    plain: float
    told: float
    named: float
    head: bool
    mass: float
    credit: Mapping[str, float]


@lru_cache(maxsize=256)
def asked(text: str) -> Asked:
    """Read what a question is about.

    >>> question = asked("Which insurer covers the goods of Northlark Freight?")
    >>> question.head, sorted(question.named)
    ('insur', ['freight', 'northlark'])
    """
    found = [*names(text), *values(text)]
    named = frozenset(term for value in found for term in terms(value.text))
    weights: dict[str, float] = {}
    for term in telling_terms(text) if _CJK.search(text) else terms(text):
        if _CJK.match(term) and len(term) == 1:
            weights[term] = 0.3
        else:
            weights[term] = 0.35 if term in _GENERIC and term not in named else 1.0
    weights |= dict.fromkeys(_hanging(text), 0.6)
    if not weights:
        weights = dict.fromkeys(terms(text, stop=True), 1.0)
    led = _led(text, frozenset(weights) - named)
    rest = sum(weight for term, weight in weights.items() if term not in led)
    most = _LED * min(1.0, rest / len(led)) if led else 1.0
    weights |= {term: weights[term] * most for term in led}
    head = _HEAD.search(text)
    heads = terms(head["head"]) if head else []
    return Asked(
        weights=weights,
        named=named,
        led=led,
        run=tuple(terms(text, stop=True)),
        head=heads[-1] if heads and heads[-1] not in _GENERIC else "",
        surfaces={
            **{t: w for t, w in surfaces(text).items() if t in weights and t not in named},
            **{term: _MEANS[term] for term in weights if term in _MEANS},
        },
        mass=round(sum(weights.values()), 6),
    )


def _led(text: str, plain: frozenset[str]) -> frozenset[str]:
    """Return those of a question's terms that stand only in what is said before it."""
    lead, question = led_in(text)
    return plain & (seen(lead) - seen(question)) if lead else frozenset()


@lru_cache(maxsize=8192)
def seen(text: str) -> frozenset[str]:
    """Return the terms of a text, with the stop words that a question can hang on.

    >>> sorted(seen("It is over after that. Moved over there."))
    ['after', 'move', 'over']
    """
    return frozenset((*terms(text), *_hanging(text)))


def _hanging(text: str) -> set[str]:
    found = {match.group().lower() for match in _RELATIONS.finditer(text)}
    return found | {match["word"].lower() for match in _PREDICATE.finditer(text)}


def cover(
    question: Asked, span: str, places: Sequence[tuple[str, float]], *, vectors: bool
) -> Covered:
    """Measure how much of a question a span covers.

    Args:
        question: What is asked.
        span: The span's own words.
        places: Texts around it (headings, title, lead), each with what a term there is worth.
        vectors: Whether words of like meaning count, by their static vectors.
    """
    inside = seen(span)
    credit = {term: 1.0 if term in inside else 0.0 for term in question.weights}
    credit.update(_alike(question, span, credit, vectors=vectors))
    own = _share(question.weights, credit)
    plain = {t: w for t, w in question.weights.items() if t not in question.named}
    told = _share(dict.fromkeys(plain.keys() - question.led, 1.0), credit)
    for text, worth in places:
        around = seen(text)
        for term in question.weights:
            if term in around:
                credit[term] = max(credit[term], worth)
    run = longest_run(question.run, terms(span, stop=True), set(question.weights))
    bonus = 0.1 * min(3, max(0, run - 2))
    named = {t: w for t, w in question.weights.items() if t in question.named}
    return Covered(
        whole=min(1.0, round(_share(question.weights, credit) + bonus, 6)),
        own=min(1.0, round(own + bonus, 6)),
        told=round(told, 6),
        plain=round(_share(plain, credit), 6),
        named=round(_share(named, credit), 6),
        head=not question.head or credit.get(question.head, 1.0) > 0,
        mass=question.mass,
        credit=credit,
    )


def covers(question: Asked, covered: Covered) -> tuple[tuple[str, float], ...]:
    """Return the terms of a question that a span covers, each with its share of the question."""
    total = sum(question.weights.values())
    return tuple(
        (term, round(weight * covered.credit[term] / total, 6))
        for term, weight in question.weights.items()
        if total and covered.credit[term]
    )


def _share(weights: Mapping[str, float], credit: Mapping[str, float]) -> float:
    total = sum(weights.values())
    return sum(weight * credit[term] for term, weight in weights.items()) / total if total else 1.0


def _alike(
    question: Asked, span: str, credit: Mapping[str, float], *, vectors: bool
) -> dict[str, float]:
    """Give terms that the span lacks what the likest of its words is worth, up to .7.

    Words that begin alike are kin, and so are those of one family: director and directed,
    mother and son; and what is told by form alone, as by the dates of a life. Opposites are near
    in meaning, but stand for nothing: imports for exports.
    """
    missing = {term: word for term, word in question.surfaces.items() if not credit[term]}
    said = surfaces(span)
    if not missing or not said:
        return {}
    roots = {word[:_ROOT] for word in said.values() if len(word) >= _ROOT}
    known = families()
    told = (*said, *terms(" ".join(told_by_form(span)), stop=True))
    found = {
        term: _KIN
        for term, word in missing.items()
        if word[:_ROOT] in roots or (term in known and any(akin(t, known[term]) for t in told))
    }
    words = sorted(set(said.values()))
    likeness = word_likeness(list(missing.values()), words) if vectors else None
    if likeness is None:
        return found
    for (term, word), row in zip(missing.items(), likeness, strict=True):
        able = [
            float(value)
            for value, each in zip(row, words, strict=True)
            if value >= _ALIKE and not opposed(word, each)
        ]
        if able:
            found[term] = max(found.get(term, 0.0), min(0.7, round(max(able), 5)))
    return found


def longest_run(left: Iterable[str], right: Sequence[str], telling: set[str]) -> int:
    """Return the length of the longest run of terms in both that holds one that tells something."""
    best = 0
    before: dict[int, tuple[int, bool]] = {}
    for term in left:
        now: dict[int, tuple[int, bool]] = {}
        for place, other in enumerate(right):
            if term == other:
                length, tells = before.get(place - 1, (0, False))
                now[place] = (length + 1, tells or term in telling)
                if now[place][1]:
                    best = max(best, length + 1)
        before = now
    return best
