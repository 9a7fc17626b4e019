"""The values that a source gives for what is asked, each with how surely it is meant."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_wanted import nearness_zh
from ragnb.stages.links import flat, nearness
from ragnb.stages.wanted import candidates
from ragnb.text.cues import is_chinese
from ragnb.text.lists import list_named, listed
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["KINDS", "Given", "given", "noun_of", "wanted_in"]

KINDS: Final = frozenset({"when", "how_many", "who", "where"})
"""Kinds of questions that want a value."""
_COUNTS: Final = re.compile(
    r"\b(?:how many|number of) (?P<noun>\w+)|\b(?:how many|number of|population)\b", re.IGNORECASE
)
_YEAR: Final = re.compile(r"\byear\b", re.IGNORECASE)
_PEOPLE: Final = frozenset(terms("people inhabitants residents persons citizens"))
_PART: Final = re.compile(r"\b(?:the|these|those|other|another|further|more) $", re.IGNORECASE)
"""What stands before a number of some of them: the 8 gateways whose firmware is old."""
_ELSE: Final = re.compile(
    r"\b(?:aged?|ages? of|under|over) (?:between )?$|\b(?:density|median|average|mean)\b[^.;]*$",
    re.IGNORECASE,
)
"""What stands before a number that counts something else, or nothing."""
_RATE: Final = re.compile(r"^\W*(?:\w+ ){0,3}per\b|^\W*(?:years?|months?|days?)\b", re.IGNORECASE)
_POPULATION: Final = re.compile(r"\bpopulation(?:\s+(?:was|is|of|at)\b|\s*:|\s*\([^()]*\))*\s*$")
_BY: Final = re.compile(r"\bby (?:(?:the|[a-z-]+|[A-Z][a-z]+(?:n|sh|ese|ch)) ){0,3}$")
_WITHIN: Final = re.compile(
    r"\b(?:within|after|before|in|every|for)(?: (?:the|a|another|at (?:least|most)))? $",
    re.IGNORECASE,
)
_NOTE: Final = re.compile(r"\[\s*(?:\d{1,3}|[a-z]|edit)\s*\]")
"""The mark of a footnote, whose number counts nothing."""
_SIGN: Final = 0.2
"""What a sign of a value, or of none, is worth."""
_NO: Final = -3.0
"""The sign of a value that is something else."""
_LONE: Final = -0.5
"""One word is less surely the name of somebody."""
_AROUND: Final = 80
"""So many characters before a value tell what it is."""
_FAR: Final = 12
_NAMED: Final = 0.5
"""What nearness to a name is worth, where the value's sort is told by its list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A value that a piece of evidence gives.

    Attributes:
        item: The piece.
        value: The words.
        near: How near they stand to a word of what is asked, 0 to 1.
        sign: Above 0 where their words say what they are (by Ada Lind; 14 gateways), below 0 where
            they say that they are something else (aged 65; 20 per square mile).
        score: How surely they are meant as the answer.
    """

    item: Evidence
    value: str
    near: float
    sign: float
    score: float


def noun_of(question: SubQuestion) -> str:
    """Return the noun whose closed list a question wants a word of, or an empty string."""
    return "" if question.kind in KINDS else list_named(question.text)


def given(question: SubQuestion, pieces: Sequence[Evidence]) -> list[Given]:
    """List the values of the sort that a question wants, the surest first."""
    noun = noun_of(question)
    found: list[Given] = []
    for item in pieces:
        whole = sum(share for _, share in item.covers)
        text = _NOTE.sub(" ", item.quote)
        for value in dict.fromkeys(wanted_in(question, item.quote)):
            near = _near(question, noun, text, value)
            sign = _sign(question, text, value)
            score = round((near + whole) / 2 + _SIGN * sign, 6)
            found.append(Given(item=item, value=value, near=near, sign=sign, score=score))
    found.sort(key=lambda each: (-each.score, each.item.start, each.item.id))
    return found


def wanted_in(question: SubQuestion, quote: str) -> list[str]:
    """List the values of the sort that a question wants, in the order of a quote.

    Years count where a year is asked for, plain counts where something is counted, and lengths of
    time only where they tell a time. What is called like the thing itself is no answer.
    """
    text, kind = question.text, question.kind
    if noun := noun_of(question):
        for name in names(text):
            quote = re.sub(re.escape(name.text), "_", quote, flags=re.IGNORECASE)
        return listed(noun, quote)
    found = candidates(text, kind, quote)
    if is_chinese(text):
        return [each for each in found if kind in {"who", "where"} or values(each)]
    if kind == "when":
        return _times(text, quote)
    if kind == "how_many":
        bare = _NOTE.sub(" ", quote)
        counts = _COUNTS.search(text)
        sorts = {"number", "quantity"} if counts else {value.kind for value in values(quote)}
        return [
            each
            for each in found
            if each in bare and values(each) and all(v.kind in sorts for v in values(each))
        ]
    own = [called for name in names(text) if len(called := set(terms(name.text))) > 1]
    return [each for each in found if not any(called <= set(terms(each)) for called in own)]


def _times(question: str, quote: str) -> list[str]:
    known = set(terms(question))
    found = [value for value in values(quote) if not set(terms(value.text)) <= known]
    dates = [value for value in found if value.kind == "date"]
    if _YEAR.search(question):
        return [value.text for value in dates if re.search(r"\d{4}", value.norm)]
    return [value.text for value in dates or found if value in dates or _tells_time(value, quote)]


def _tells_time(value: Value, quote: str) -> bool:
    return value.kind == "duration" and bool(_WITHIN.search(quote[: value.start]))


def _near(question: SubQuestion, noun: str, text: str, value: str) -> float:
    if is_chinese(question.text):
        return nearness_zh(question.text, text, value)
    near = nearness(question.text, text, flat(value))
    return max(near, _NAMED * _behind_name(question.text, text, value)) if noun else near


def _behind_name(question: str, text: str, value: str) -> float:
    """Tell how near a value stands behind a word of the question's names, 0 to 1."""
    own = {term for name in names(question) for term in terms(name.text)}
    before, _, _ = flat(text).partition(flat(value))
    last = before.split()[-_FAR:]
    gaps = [len(last) - 1 - at for at, word in enumerate(last) if own & set(terms(word))]
    return round(1 / (1 + min(gaps) / 8), 6) if gaps else 0.0


def _sign(question: SubQuestion, text: str, value: str) -> float:
    """Tell what the words around a value say of it; 0 where they say nothing."""
    before, _, after = text.partition(value)
    before = before[-_AROUND:]
    counts = _COUNTS.search(question.text)
    if question.kind == "how_many" and counts:
        if _PART.search(before) or _ELSE.search(before) or _RATE.search(after):
            return _NO
        next_words = set(terms(" ".join(after.split()[:3])))
        counted = set(terms(counts["noun"])) if counts["noun"] else _PEOPLE
        return float(bool(counted & next_words or _POPULATION.search(before)))
    if question.kind == "who":
        return 1.0 if _BY.search(before) else 0.0 if " " in value else _LONE
    return 0.0
