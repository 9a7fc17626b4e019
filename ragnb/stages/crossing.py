"""Do two sources answer one question differently? By the values that each gives for it."""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.coverage import asked
from ragnb.stages.links import aliases, named
from ragnb.stages.wanted import candidates, told
from ragnb.text.chinese import asks_about
from ragnb.text.cues import is_chinese
from ragnb.text.dates import same_date
from ragnb.text.lists import list_named, listed
from ragnb.text.tokens import STOP, terms
from ragnb.text.values import values

__all__ = ["crossing", "plain"]

Kind: TypeAlias = Literal["number", "date", "name"]

_KINDS: Final[dict[str, Kind]] = {
    "when": "date",
    "how_many": "number",
    "who": "name",
    "where": "name",
}
_LONG: Final = 7
"""A question of more telling words asks for a chain of facts."""
_BEGINS: Final = re.compile(
    r"^\W*(?:(?:in|on|at|by|up|to|for|from|with|under|until|since|after|before|above|below|over)\s+)*"
    r"(?:who|which|where|whose|whom|what)\b",
    re.IGNORECASE,
)
"""How a question begins that asks for one thing: in which, up to which, by whom."""
_NESTED: Final = re.compile(
    r"\b(?:that|who|which|whose|whom|where|or|both|same)\b"
    r"|\b(?:earlier|later|older|younger|first|more|(?<!at )most|less|fewer)\b"
    r"|\b(?!latest|request|test)\w{3,}est\b"
    r"|'s \w+'s|\bof the \w+ (?:of|in)\b",
    re.IGNORECASE,
)
"""Signs of a question that leads over several facts, or compares."""
_NESTED_ZH: Final = re.compile(
    "[和与跟比][^，。？]+(?:哪|区别|不同|相同|更)|还是|分别|各自|最[早晚多少大小高低]"
)
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_COVERS: Final = 0.45
"""A piece that covers so much of the question speaks of it also where it lacks its verb."""
_CLOSE: Final = 0.01
"""Numbers that differ by less are the same, rounded."""


def crossing(
    question: SubQuestion, left: Sequence[Evidence], right: Sequence[Evidence]
) -> tuple[Evidence, Evidence, Kind] | None:
    """Tell whether two sources disagree on what a plain question asks for.

    They do if what each gives first stands nowhere in the pieces of the other.

    Args:
        question: What is asked; only questions for one date, number, name or word of a closed
            list are judged, and none that lead over several facts.
        left: Pieces of one source.
        right: Pieces of another.

    Returns:
        The two pieces that disagree, and in what; None if they don't.
    """
    noun = list_named(question.text) if question.kind not in _KINDS else ""
    if (question.kind not in _KINDS and not noun) or not plain(question):
        return None
    first, second = _top(question, noun, left), _top(question, noun, right)
    if first is None or second is None or _names_other(question, first[0], second[0]):
        return None
    others = _all(question, noun, right), _all(question, noun, left)
    for (_, value), known in zip((first, second), others, strict=True):
        if any(_same(question.kind, value, other) for other in known):
            return None
    return first[0], second[0], _KINDS.get(question.kind, "name")


def plain(question: SubQuestion) -> bool:
    """Tell whether a question asks for one fact of one thing, and compares nothing."""
    if question.kind == "comparison":
        return False
    if is_chinese(question.text):
        return _plain_zh(question.text)
    told_words = {term for term in terms(question.text) if term not in STOP}
    return len(told_words) <= _LONG and not _NESTED.search(_BEGINS.sub("", question.text))


def _plain_zh(text: str) -> bool:
    """Tell the same of a Chinese question, whose words are counted as pairs of characters."""
    bare = asks_about(text)
    words = len(_HAN.findall(bare)) / 2 + len(re.findall(r"[^\W\u4e00-\u9fff]+", bare))
    return words <= _LONG and not _NESTED_ZH.search(text)


def _top(
    question: SubQuestion, noun: str, pieces: Sequence[Evidence]
) -> tuple[Evidence, str] | None:
    """Return what a source gives first, and the piece that gives it."""
    about = asked(question.text)
    held = {term for item in pieces for term, _ in item.covers}
    if 2 * len(about.named & held) < len(about.named):
        return None
    if not about.named and not _speaks(question, pieces):
        return None
    found: list[tuple[float, str, Evidence, str]] = []
    for item in pieces:
        whole = sum(share for _, share in item.covers)
        if noun:
            value, near = next(iter(listed(noun, item.quote)), None), 1.0
        else:
            value, near = told(question.text, question.kind, item.quote)
        if value and (near or whole >= _COVERS) and _valued(question.kind, value):
            found.append((round(whole + near, 6), item.id, item, value))
    if not found:
        return None
    best = max(found, key=lambda each: each[:2])
    return best[2], best[3]


def _speaks(question: SubQuestion, pieces: Sequence[Evidence]) -> bool:
    """Tell whether pieces hold a question's very words; likeness doesn't tell import from export.

    Of four words or more, one may be another.
    """
    wanted = {term for term, weight in asked(question.text).weights.items() if weight >= 1}
    said = {term for item in pieces for term in terms(f"{item.quote} {item.title} {item.section}")}
    return len(wanted - said) <= len(wanted) // 4


def _valued(kind: str, value: str) -> bool:
    """Tell whether a date or number was given, and not only words for one."""
    return kind not in {"when", "how_many"} or bool(values(value))


def _all(question: SubQuestion, noun: str, pieces: Sequence[Evidence]) -> list[str]:
    text = "\n".join(item.quote for item in pieces)
    return listed(noun, text) if noun else candidates(question.text, question.kind, text)


def _same(kind: str, one: str, other: str) -> bool:
    if kind in {"when", "how_many"}:
        return any(_equal(a.kind, a.norm, b.norm) for a in values(one) for b in values(other))
    left, right = set(terms(one)), set(terms(other))
    return left <= right or right <= left or bool(left & right and kind == "where")


def _equal(kind: str, one: str, other: str) -> bool:
    if kind == "date":
        return same_date(one, other)
    numbers = [re.search(r"-?\d+(?:\.\d+)?", each) for each in (one, other)]
    if not all(numbers):
        return one == other
    a, b = (float(match.group()) for match in numbers if match)
    return abs(a - b) <= _CLOSE * max(abs(a), abs(b))


def _names_other(question: SubQuestion, first: Evidence, second: Evidence) -> bool:
    """Tell whether one piece names the other's source, which then tells of another thing."""
    for one, other in ((first, second), (second, first)):
        known = aliases(other.title, other.source_id)
        if other.title and named(known, one.quote) and not named(known, question.text):
            return True
    return False
