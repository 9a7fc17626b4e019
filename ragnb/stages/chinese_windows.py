"""Which clauses of a Chinese sentence are quoted, so that an answer stays short."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_wanted import is_typed
from ragnb.stages.fitted import chance
from ragnb.text.chinese import beside, telling_terms
from ragnb.text.tokens import terms

__all__ = ["LONGEST", "window", "window_features", "windows"]

LONGEST: Final = 60
"""Characters of a text that are quoted for one fact at most."""
_ALONE: Final = 0.3
"""What one character of a question tells, beside a pair."""
_EDGE: Final = re.compile(r"(?<=[，；;。！？!?：])|(?<=[,:])(?!\d)")
_INNER: Final = re.compile(r"(?<=[、）)])|(?=[（(])")
_SHORTEST: Final = 12
_STOPS: Final = "。！？；"
_MARKS: Final = " \n，,；;。！？!?：:、"
_LISTS: Final = frozenset({"list", "why", "procedure"})
_VALUED: Final = frozenset({"when", "how_many"})


def windows(text: str, longest: int = LONGEST) -> list[tuple[int, int]]:
    """Return the stretches of a sentence from one clause's edge to another's.

    A stretch has ``longest`` characters at most; it keeps the full stop behind it, and no other
    mark. A longer clause gives its beginning.

    >>> text = "花期五月，有香气，可入药。"
    >>> [text[start:end] for start, end in windows(text, 7)]
    ['花期五月', '有香气', '可入药。']
    """
    edges = _clauses(text)
    found: list[tuple[int, int]] = []
    for at, (start, _) in enumerate(edges):
        for _, end in edges[at:]:
            part = text[start:end]
            first = start + len(part) - len(part.lstrip(_MARKS))
            last = first + len(part.strip(_MARKS))
            last += last < end and text[last] in _STOPS
            if last - first > longest:
                if end == edges[at][1]:
                    found.append((first, first + longest))
                break
            if last > first:
                found.append((first, last))
    return list(dict.fromkeys(found))


def window_features(
    question: SubQuestion, item: Evidence, bounds: Sequence[tuple[int, int]]
) -> list[dict[str, float]]:
    """Return the features of each stretch of a piece of evidence.

    Returns:
        ``cover``: the share of what the piece has of the question that it holds. ``begins``,
        ``ends`` and ``whole``: whether it begins or ends the sentence, or both. ``left`` and
        ``right``: whether it holds the words beside the question word. ``typed``: whether it holds
        the sort of thing that is asked for; ``valued``: that as a date or number. ``size`` and
        ``lists``: its length by 60, and that where reasons or several things are asked for.
    """
    text = item.quote
    inside = set(terms(text))
    asked = {
        term: 1.0 if len(term) > 1 else _ALONE
        for term in telling_terms(question.text)
        if term in inside
    }
    before, after = beside(question.text)
    found = []
    for start, end in bounds:
        part = text[start:end]
        begins = not text[:start].strip(_MARKS)
        ends = not text[end:].strip(_MARKS)
        typed = is_typed(question.text, question.kind, part)
        size = len(part) / LONGEST
        found.append(
            {
                "cover": round(_share(asked, set(terms(part))), 6),
                "begins": float(begins),
                "ends": float(ends),
                "whole": float(begins and ends),
                "left": float(bool(before) and before in part),
                "right": float(bool(after) and after in part),
                "typed": float(typed),
                "valued": float(typed and question.kind in _VALUED),
                "size": round(size, 6),
                "lists": round(size * (question.kind in _LISTS), 6),
            }
        )
    return found


def window(question: SubQuestion, item: Evidence, longest: int = LONGEST) -> tuple[int, int]:
    """Return which stretch of a piece of evidence is quoted, as offsets in its quote."""
    bounds = windows(item.quote, longest)
    features = window_features(question, item, bounds)
    scored = [
        (-chance("window_zh", each), *where) for each, where in zip(features, bounds, strict=True)
    ]
    return min(scored)[1:] if scored else (0, len(item.quote))


def _clauses(text: str) -> list[tuple[int, int]]:
    """Return the clauses of a sentence; long ones are cut behind 、 and around brackets too."""
    cuts = [0, *(match.start() for match in _EDGE.finditer(text)), len(text)]
    found: list[tuple[int, int]] = []
    for start, end in pairwise(cuts):
        at = start
        if end - start > LONGEST:
            for match in _INNER.finditer(text, start, end):
                if match.start() - at >= _SHORTEST:
                    found.append((at, match.start()))
                    at = match.start()
        found.append((at, end))
    return [(a, b) for a, b in found if any(char.isalnum() for char in text[a:b])]


def _share(weights: Mapping[str, float], inside: set[str]) -> float:
    total = sum(weights.values())
    return sum(value for term, value in weights.items() if term in inside) / total if total else 0.0
