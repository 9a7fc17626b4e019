"""What a model's statement holds that the quotes it cites do not."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from ragnb.text import fold, names, negated, terms, values
from ragnb.text.locate import locate

__all__ = ["cleaned", "marks", "misquoted", "risks", "unfounded"]

_CITES: Final = re.compile(r"\s*[\[(（【](?:E?\d{1,3}(?:\s*[,;，、]\s*)?)+[\])）】]", re.IGNORECASE)
_MARK: Final = re.compile(r"^\W*E?\s*(\d{1,3})\W*$", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s)\]>\"']+", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[“\"«「]([^“”\"«»「」]{12,})[”\"»」]")


def cleaned(statement: str) -> str:
    """Return a statement in one line, without control characters and marks of citations.

    >>> cleaned("The limit is 5 [E1, E2].")
    'The limit is 5.'
    """
    text = "".join(
        c for c in statement if not unicodedata.category(c).startswith("C") or c in "\n\t"
    )
    return " ".join(_CITES.sub("", text).split())


def marks(cites: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the marks that citations name, and those citations that name none.

    >>> marks(["E1", "[2]", "the handbook"])
    (['E1', 'E2'], ['the handbook'])
    """
    good: dict[str, None] = {}
    bad: list[str] = []
    for cite in cites:
        found = _MARK.match(cite)
        if found is None:
            bad.append(cite)
        else:
            good[f"E{int(found[1])}"] = None
    return list(good), bad


def unfounded(statement: str, question: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers, dates, identifiers and addresses that stand in none of the quotes.

    What the question names itself is given.

    >>> unfounded("They are kept for 45 days.", "How long?", ["Kept for 30 days."])
    ('45 days',)
    """
    given = " ".join([question, *quotes])
    known = {value.norm for value in values(given)}
    plain = fold(given)
    found = [
        value.text
        for value in values(statement)
        if value.norm not in known and fold(value.text) not in plain
    ]
    found += [address for address in _ADDRESS.findall(statement) if address not in given]
    return tuple(dict.fromkeys(found))


def risks(statement: str, question: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return in words what makes a grounded statement doubtful.

    >>> risks("Ann Lee chairs it.", "Who decides?", ["The chair decides."])
    ('its quotes do not name Ann Lee',)
    """
    given = " ".join([question, *quotes])
    known, plain = set(terms(given, stop=True)), fold(given)
    strange = [
        name.text
        for name in names(statement)
        if fold(name.text) not in plain and not set(terms(name.text, stop=True)) <= known
    ]
    found = [f"its quotes do not name {', '.join(dict.fromkeys(strange))}"] if strange else []
    own = set(terms(statement)) - set(terms(question))
    if own and not own & set(terms(" ".join(quotes))):
        found.append("its quotes say it in other words, or not at all")
    if negated(statement) and not any(negated(text) for text in quotes) and not negated(question):
        found.append("it says no where its quotes do not")
    return tuple(found)


def misquoted(statement: str, cited: Sequence[str], others: dict[str, str]) -> tuple[str, ...]:
    """Return in words what is put in quotation marks and stands in none of the cited quotes.

    Args:
        statement: The statement.
        cited: The quotes that it cites.
        others: Quotes that it doesn't cite, by the names of their sources.
    """
    found: list[str] = []
    for match in _QUOTED.finditer(statement):
        where = [locate(match[1], text, others) for text in cited]
        if any(place.true for place in where):
            continue
        place = next((place for place in where if place.kind == "elsewhere"), None)
        if place is not None:
            found.append(f"“{match[1]}” is from {place.source}, which is not cited")
        else:
            found.append(f"“{match[1]}” stands in none of its quotes")
    return tuple(found)
