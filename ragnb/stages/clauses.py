"""Cut long quotes to the clauses that tell what was asked, so that an answer stays short."""

import re
from collections.abc import Sequence
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_windows import LONGEST, window
from ragnb.stages.coverage import asked, seen
from ragnb.stages.features import VALUED
from ragnb.stages.fitted import chance
from ragnb.stages.picking import Picked
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import fold, terms
from ragnb.text.values import names, values

__all__ = ["clause_features", "clauses", "length", "shortened"]

_CUT: Final = re.compile(
    r"[;:；：]\s+|\s+[–—-]\s+|\s*(?=[(（])|(?<=[)）])\s*"
    r"|,\s+(?!\d{4}\b)(?![A-Z][\w'-]*(?:\s[A-Z][\w'-]*)?(?:,|\.?$))|[，、]"
    r"|\s+(?=(?:who|which|that|where|when|while|because|after|before|until|although|whose|based|born"
    r"|directed|written|starring|known|released|produced|located|founded|formed|by|from|during)\s)"
    r"|\s+(?=(?:and|but|or)\s+(?:is|was|were|are|has|had|then|also|later|served|died|became)\s)"
)
_SHORT: Final = 3
"""A clause has at least so many words."""
_COST: Final = 4
"""Words that a clause costs beside its own."""


def length(text: str) -> int:
    """Count the words of a text; two Chinese characters count as one.

    >>> length("kept for 18 months"), length("保存十八个月")
    (4, 3)
    """
    if is_chinese(text):
        return (sum(char.isalnum() for char in text) + 1) // 2
    return len(text.split())


def clauses(text: str) -> list[tuple[int, int]]:
    """Return where the clauses of a sentence stand, in order; together they cover its words.

    >>> text = "Ada Byron (born 1815), who wrote the first program, lived in London."
    >>> [text[start:end] for start, end in clauses(text)]
    ['Ada Byron (born 1815)', 'who wrote the first program', 'lived in London.']
    """
    found: list[tuple[int, int]] = []
    start = 0
    for match in _CUT.finditer(text):
        if match.start() > start:
            found.append((start, match.start()))
        start = match.end()
    found.append((start, len(text)))
    joined: list[tuple[int, int]] = []
    for begin, end in found:
        last = text[slice(*joined[-1])] if joined else ""
        if joined and min(length(text[begin:end]), length(last)) < _SHORT:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return [(a, b) for a, b in joined if any(char.isalnum() for char in text[a:b])]


def clause_features(
    question: SubQuestion, piece: Picked, bounds: Sequence[tuple[int, int]]
) -> list[dict[str, float]]:
    """Return the features of each clause of a piece of evidence.

    Returns:
        ``value`` and ``tells``: the chances of its sentence. ``first``: whether it comes first.
        ``typed``: whether it holds the value that the piece tells. ``names`` and ``values``:
        whether it holds a name, or a number or date, that the question doesn't. ``covers``: the
        share of the question's words that it holds. ``words``: its length by 20.
    """
    about = asked(question.text)
    item = piece.item
    known = set(terms(question.text))
    weights = list(about.weights.items())
    total = sum(weight for _, weight in weights) or 1.0
    found = []
    for at, (start, end) in enumerate(bounds):
        text = item.quote[start:end]
        inside = seen(text)
        new = [each for each in names(text) if not set(terms(each.text)) <= known]
        numbers = [each for each in values(text) if not set(terms(each.text)) <= known]
        found.append(
            {
                "value": piece.chance,
                "tells": piece.tells,
                "first": float(at == 0),
                "typed": float(question.kind in VALUED and fold(item.says) in fold(text)),
                "names": float(bool(new)),
                "values": float(bool(numbers)),
                "covers": round(sum(w for t, w in weights if t in inside) / total, 6),
                "words": length(text) / 20,
            }
        )
    return found


def shortened(
    question: SubQuestion, picked: Sequence[Picked], words: int
) -> list[tuple[Evidence, int, int]]:
    """Choose which part of each piece is quoted, so that all together keep to a length.

    Args:
        question: What is asked.
        picked: Pieces of evidence, best first.
        words: The length; lists, tables and what is shorter anyway are quoted whole.

    Returns:
        Pieces with the offsets in their quote, in the order of ``picked``; several parts of one
        piece stand in the order of its text. Neighbouring clauses are one part.
    """
    if is_chinese(question.text):
        return _shortened_zh(question, picked, 2 * words)
    whole = [(item, 0, len(item.quote)) for item, *_ in picked]
    if sum(length(item.quote) for item, *_ in picked) <= words:
        return whole
    options: list[tuple[float, int, int, int]] = []
    for at, piece in enumerate(picked):
        item = piece.item
        bounds = [(0, len(item.quote))] if "\n" in item.quote else clauses(item.quote)
        features = clause_features(question, piece, bounds)
        for (start, end), each in zip(bounds, features, strict=True):
            worth = chance("clause", each) / (length(item.quote[start:end]) + _COST)
            options.append((-round(worth, 6), at, start, end))
    options.sort()
    taken: list[tuple[int, int, int]] = []
    left = words
    for _, at, start, end in options:
        cost = length(picked[at].item.quote[start:end])
        if cost <= left or not taken:
            taken.append((at, start, end))
            left -= cost
    taken.sort()
    joined: list[tuple[int, int, int]] = []
    for at, start, end in taken:
        between = picked[at].item.quote[joined[-1][2] : start] if joined else ""
        if joined and joined[-1][0] == at and not any(char.isalnum() for char in between):
            joined[-1] = (at, joined[-1][1], end)
        else:
            joined.append((at, start, end))
    return [(picked[at].item, start, end) for at, start, end in joined]


def _shortened_zh(
    question: SubQuestion, picked: Sequence[Picked], characters: int
) -> list[tuple[Evidence, int, int]]:
    """Quote one stretch of each piece, the first ones first, while there is room."""
    found: list[tuple[Evidence, int, int]] = []
    left = characters
    for item, *_ in picked:
        if "\n" in item.quote:
            found.append((item, 0, len(item.quote)))
            continue
        start, end = window(question, item, min(LONGEST, left))
        if found and end - start > left - _COST:
            break
        found.append((item, start, end))
        left -= end - start
    return found
