"""What ties pieces of evidence to each other: which names whose source, and what each then adds."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.coverage import asked
from ragnb.stages.features import VALUED
from ragnb.stages.links import aliases, named, nearness
from ragnb.stages.wanted import first_words, told
from ragnb.text.values import values

__all__ = ["Ties", "gives_value", "pair_features", "ties"]

_TIMES: Final = re.compile(
    r"\b(?:older|younger|oldest|youngest|newer|newest|earlier|earliest|later|latest|first|last|born"
    r"|died|founded|released|before|after)\b",
    re.IGNORECASE,
)
"""What a question compares by time; a date is then the value that is asked for."""
_SIDE: Final = re.compile(r":\s*[^:?]+\?$")
"""How a question on one side of a comparison ends: with the side's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """What is known of pieces of evidence beside each other, whatever each is worth.

    Attributes:
        titled: By source: whether the question names it.
        links: Which piece names which source that the question doesn't name, and how near that
            name stands to the question's words: place of the piece, source, nearness (0 to 1).
        covers: By piece: the terms of the question that it covers, each with its share.
        plain: The terms of the question that name nothing.
        typed: By piece: whether it gives the sort of value that is asked for.
        near: By piece: how near that value stands to the question's words, 0 to 1.
        opens: By piece: whether none of its source begins before it.
        side: Whether one thing is asked of one side of a comparison.
    """

    titled: Mapping[str, bool]
    links: tuple[tuple[int, str, float], ...]
    covers: tuple[Mapping[str, float], ...]
    plain: frozenset[str]
    typed: tuple[bool, ...]
    near: tuple[float, ...]
    opens: tuple[bool, ...]
    side: bool


@lru_cache(maxsize=64)
def ties(question: SubQuestion, pieces: tuple[Evidence, ...]) -> Ties:
    """Find out what ties pieces of evidence to a question and to each other."""
    called = {item.source_id: aliases(item.title, item.source_id) for item in pieces}
    titled = {source: bool(named(known, question.text)) for source, known in called.items()}
    links = tuple(
        (at, source, nearness(question.text, item.quote, name))
        for at, item in enumerate(pieces)
        for source, known in called.items()
        if source != item.source_id and not titled[source]
        if (name := named(known, item.quote))
    )
    about = asked(question.text)
    typed = tuple(gives_value(question, item) for item in pieces)
    begins: dict[str, int] = {}
    for item in pieces:
        begins[item.source_id] = min(begins.get(item.source_id, item.start), item.start)
    return Ties(
        titled=titled,
        links=links,
        covers=tuple(dict(item.covers) for item in pieces),
        plain=frozenset(about.weights) - about.named - about.led,
        typed=typed,
        near=tuple(
            told(question.text, question.kind, item.quote)[1] if has else 0.0
            for item, has in zip(pieces, typed, strict=True)
        ),
        opens=tuple(item.start == begins[item.source_id] for item in pieces),
        side=question.kind == "comparison" or bool(_SIDE.search(question.text)),
    )


def gives_value(question: SubQuestion, item: Evidence) -> bool:
    """Tell whether a piece gives the name, date, place or number that is asked for."""
    if question.kind in VALUED:
        return bool(item.says) and item.says != first_words(item.quote)
    dated = question.kind in {"other", "comparison"} and bool(_TIMES.search(question.text))
    return dated and any(value.kind == "date" for value in values(item.quote))


def pair_features(
    question: SubQuestion, pieces: Sequence[Evidence], scores: Sequence[float]
) -> list[dict[str, float]]:
    """Return the features of each piece beside the others.

    Args:
        question: What is asked.
        pieces: The pieces.
        scores: What is known of each so far, 0 to 1: its own score, or the chance that came of it.

    Returns:
        ``span``: the log odds of what is known so far; ``relative``: it by the best one's.
        ``first``: whether it is the best of its source, ``opens``: or the first there; ``same``:
        whether it is from the best one's source. ``titled``: whether the question names its
        source; ``seeds``: how many it names, up to three; ``led``: whether any of those names
        another source in turn. ``sided``: whether one side of a comparison is asked for, and
        ``side``: whether it is from the source of that name.

        Of what leads to it, which is the best piece that names its source where the question
        doesn't: ``lead``: its score, ``fit``: how near the name stands there to the question's
        words, ``from_title``: whether the question names its source. ``names`` and ``names_fit``:
        the same of what it leads to. ``lone``: whether nothing ties it to the question or to
        another piece.

        Of what it says: ``adds``: the share of the question that it covers beyond what leads to
        it, or beyond the best piece. ``fills``: of the words that name nothing and are missing
        there, the share that it holds. ``typed``: whether it gives the sort of value that is asked
        for; ``near``: how near to the question's words. ``joint``: how much it covers with what
        leads to it, by the most that any such pair does, and ``joint_plain``: of the words that
        name nothing. ``best_here``: how it compares in all this with the others of its source.
        ``…_hop``: the same where something leads to it.
    """
    if not pieces:
        return []
    known = ties(question, tuple(pieces))
    leader = max(range(len(pieces)), key=lambda at: (scores[at], pieces[at].id))
    best, most = pieces[leader], max(1e-6, scores[leader])
    top: dict[str, float] = {}
    for item, score in zip(pieces, scores, strict=True):
        top[item.source_id] = max(top.get(item.source_id, 0.0), score)
    into = _leading(known, pieces, scores)
    told_of = [_told(known, at, into.get(item.source_id, leader)) for at, item in enumerate(pieces)]
    joint = _joint(known, pieces, into)
    widest = [max(each[kind] for each in joint) or 1.0 for kind in (0, 1)]
    here: dict[str, float] = {}
    for item, (_, _, worth) in zip(pieces, told_of, strict=True):
        here[item.source_id] = max(here.get(item.source_id, 0.0), worth)
    led = float(any(known.titled[pieces[at].source_id] for at, _, _ in known.links))
    fits = {(at, source): fit for at, source, fit in known.links}
    found = []
    for at, (item, score) in enumerate(zip(pieces, scores, strict=True)):
        source, odds = item.source_id, min(0.999, max(0.001, score))
        before = into.get(source)
        hop = float(before is not None)
        out = [(top[target], fit) for place, target, fit in known.links if place == at]
        adds, fills, worth = told_of[at]
        features = {
            "span": math.log(odds / (1 - odds)),
            "relative": score / most,
            "first": float(score == top[source]),
            "opens": float(known.opens[at]),
            "opens_hop": hop * known.opens[at],
            "same": float(item is not best and source == best.source_id),
            "titled": float(known.titled[source]),
            "seeds": min(3, sum(known.titled.values())) / 3,
            "led": led,
            "sided": float(known.side),
            "side": float(known.side and known.titled[source]),
            "lead": 0.0 if before is None else scores[before],
            "fit": 0.0 if before is None else fits[before, source],
            "from_title": hop and float(known.titled[pieces[before or 0].source_id]),
            "names": max((score for score, _ in out), default=0.0),
            "names_fit": max((fit for _, fit in out), default=0.0),
            "lone": float(not known.titled[source] and not hop and not out),
            "adds": adds,
            "adds_hop": adds * hop,
            "fills": fills,
            "fills_hop": fills * hop,
            "typed": float(known.typed[at]),
            "typed_hop": hop * known.typed[at],
            "near": known.near[at],
            "near_hop": hop * known.near[at],
            "joint": joint[at][0] / widest[0],
            "joint_plain": joint[at][1] / widest[1],
            "best_here": hop * worth / here[source] if here[source] else 0.0,
        }
        found.append({name: round(value, 6) for name, value in features.items()})
    return found


def _leading(known: Ties, pieces: Sequence[Evidence], scores: Sequence[float]) -> Mapping[str, int]:
    """Return by source the piece that leads to it best."""
    found: dict[str, tuple[float, int]] = {}
    for at, source, fit in known.links:
        worth = scores[at] * (0.3 + 0.7 * fit) * (1.5 if known.titled[pieces[at].source_id] else 1)
        found[source] = max(found.get(source, (0.0, -1)), (round(worth, 6), at))
    return {source: at for source, (_, at) in found.items()}


def _told(known: Ties, at: int, before: int) -> tuple[float, float, float]:
    """Return what a piece adds to another: ``adds``, ``fills``, and both with its value."""
    covers = known.covers[at]
    held = known.covers[before] if before != at else {}
    adds = sum(max(0.0, value - held.get(term, 0.0)) for term, value in covers.items())
    missing = known.plain - held.keys()
    new = covers.keys() & missing
    fills = len(new) / len(missing) if missing else 0.0
    share = len(new) / max(1, len(known.plain))
    return adds, fills, share + 0.5 * known.typed[at] + 0.3 * known.near[at]


def _joint(
    known: Ties, pieces: Sequence[Evidence], into: Mapping[str, int]
) -> list[tuple[float, float]]:
    """Return for each piece how much it covers with the best that it is tied to."""

    def covered(*places: int) -> tuple[float, float]:
        union: dict[str, float] = {}
        for place in places:
            for term, value in known.covers[place].items():
                union[term] = max(union.get(term, 0.0), value)
        return sum(union.values()), len(union.keys() & known.plain) / max(1, len(known.plain))

    found = [covered(at) for at in range(len(pieces))]
    for at, item in enumerate(pieces):
        if (before := into.get(item.source_id)) is not None:
            both = covered(at, before)
            for place in (at, before):
                found[place] = max(found[place][0], both[0]), max(found[place][1], both[1])
    return found
