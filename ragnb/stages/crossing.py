"""Do two sources answer one question differently? By the values that each gives for it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.coverage import asked
from ragnb.stages.given import Given, given
from ragnb.stages.links import aliases, named
from ragnb.stages.slots import of_two_things, same, slot
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["Crossed", "Side", "crossing", "names_one", "side"]

Kind: TypeAlias = Literal["number", "date", "name"]
Crossed: TypeAlias = tuple[Evidence, Evidence, Kind]

_KINDS: Final[Mapping[str, Kind]] = {"when": "date", "how_many": "number"}
_SURE: Final = 0.2
"""A value counts from this score on."""
_HALF: Final = 0.5
"""A source that holds so much of the question's names may be about what they name."""
_NEAR: Final = {"who": 0.4, "where": 0.5, "how_many": 0.4}
"""A name, place or number must stand so near to a word of what is asked.

A place may lie in another one, and a text holds many names and numbers.
"""
_ACRONYM: Final = re.compile(r"[A-Z]{2,4}s?")
"""CPU, API or EUR names no one thing."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one source gives for a question.

    Attributes:
        pieces: Its evidence.
        found: The values of the sort that is asked for, the surest first.
        about: Whether it speaks of what the question names.
        belongs: Ids of those of its pieces that belong to the answer.
    """

    pieces: Sequence[Evidence]
    found: Sequence[Given]
    about: bool
    belongs: frozenset[str]


def side(question: SubQuestion, pieces: Sequence[Evidence], belonging: Iterable[str]) -> Side:
    """Look at one source's evidence.

    Args:
        question: What is asked.
        pieces: The source's evidence on it.
        belonging: Ids of the evidence that belongs to the answer.
    """
    belongs = frozenset(item.id for item in pieces) & frozenset(belonging)
    return Side(pieces, given(question, pieces), _about(question, pieces), belongs)


def crossing(question: SubQuestion, left: Side, right: Side) -> Crossed | None:
    """Tell whether two sources disagree on what a plain question asks for.

    They do if what each gives first stands nowhere in the pieces of the other, and both speak of
    the thing that is asked about; or if a sentence of one is a sentence of the other but for one
    value. Where the question names nothing, only what belongs to the answer counts: there its
    words alone tell what a piece is about.

    Returns:
        The two pieces that disagree, and in what; None if they don't.
    """
    nameless = not names_one(question.text)
    kind = _KINDS.get(question.kind, "name")
    if left.found and right.found:
        first, second = left.found[0], right.found[0]
        belong = first.item.id in left.belongs and second.item.id in right.belongs
        if (
            (belong or not nameless)
            and left.about
            and right.about
            and _meant(question, first)
            and _meant(question, second)
            and _comparable(question, first.value, second.value)
            and not _of_others(question, first, second)
            and not any(same(question.kind, first.value, each.value) for each in right.found)
            and not any(same(question.kind, second.value, each.value) for each in left.found)
        ):
            return first.item, second.item, kind
    for a in left.pieces:
        for b in right.pieces:
            both = (a.id in left.belongs) + (b.id in right.belongs)
            if both > nameless and slot(question, a, b):
                return a, b, kind
    return None


def names_one(question: str) -> bool:
    """Tell whether a question names some one thing, so that a source can be about another.

    >>> names_one("When was Oslo founded?"), names_one("How many CPU threads does it take?")
    (True, False)
    """
    return any(not _ACRONYM.fullmatch(value.text) for value in names(question))


def _about(question: SubQuestion, pieces: Sequence[Evidence]) -> bool:
    """Tell whether a source speaks of what a question names; or of its words, if it names nothing.

    Half a name will do where no other name has that half: "the house" for the Short House, but
    not the Short Hotel.
    """
    called = [own for value in names(question.text) if (own := frozenset(terms(value.text)))]
    if not called:
        return _speaks(question, pieces)
    held = {term for item in pieces for term in terms(_place(item))}
    held |= {term for item in pieces for term, _ in item.covers}
    share = sum(len(own & held) / len(own) for own in called) / len(called)
    return share == 1 or (share >= _HALF and not _rivals(called, pieces))


def _place(item: Evidence) -> str:
    return f"{item.quote} {item.title} {item.section}"


def _rivals(called: Iterable[frozenset[str]], pieces: Iterable[Evidence]) -> bool:
    """Tell whether another name shares a word with one of the question's."""
    others = [
        frozenset(terms(value.text))
        for item in pieces
        for text in (item.title, item.quote)
        for value in names(text)
    ]
    return any(
        own & other and not own <= other and not other <= own
        for own in called
        for other in others
        if len(own) > 1
    )


def _speaks(question: SubQuestion, pieces: Sequence[Evidence]) -> bool:
    """Tell whether pieces hold a question's very words; likeness doesn't tell import from export.

    Of four words or more, one may be another.
    """
    wanted = {term for term, weight in asked(question.text).weights.items() if weight >= 1}
    said = {term for item in pieces for term in terms(_place(item))}
    return len(wanted - said) <= len(wanted) // 4


def _meant(question: SubQuestion, one: Given) -> bool:
    least = _NEAR.get(question.kind, 0.0)
    return one.score >= _SURE and (one.near >= least or one.sign > 0)


def _comparable(question: SubQuestion, one: str, other: str) -> bool:
    """Tell whether two values can contradict each other.

    They can't if they are of two measures, such as 20 EUR and 3 days, or if one is a role and the
    other a name.
    """
    if question.kind == "who":
        return one.islower() == other.islower()
    left, right = ({_measure(each) for each in values(text)} for text in (one, other))
    return not left or not right or bool(left & right)


def _measure(value: Value) -> str:
    if value.kind in {"quantity", "duration"}:
        return value.norm.partition(" ")[2]
    return value.norm.partition(" ")[0] if value.kind == "money" else value.kind


def _of_others(question: SubQuestion, first: Given, second: Given) -> bool:
    """Tell whether one of two pieces speaks of another thing than the question.

    A piece does whose source has a title, if neither names what the question names; so does one
    that names the other's source; and so do two that are alike but for names.
    """
    called = [frozenset(terms(value.text)) for value in names(question.text)]
    for one, other in ((first.item, second.item), (second.item, first.item)):
        here = set(terms(_place(one)))
        if called and one.title and not any(own <= here for own in called):
            return True
        known = aliases(other.title, other.source_id)
        if other.title and named(known, one.quote) and not named(known, question.text):
            return True
    return of_two_things(first.item.quote, second.item.quote, first.value, second.value)
