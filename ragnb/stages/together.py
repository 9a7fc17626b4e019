"""Judge pieces of evidence together: which belong to one answer, and whether they are enough.

One piece seldom answers a question that leads over several sources. What counts is that each adds
something, and that one names the source of the other.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_enough import enough_zh
from ragnb.stages.coverage import asked
from ragnb.stages.features import VALUED
from ragnb.stages.fitted import chance
from ragnb.stages.links import aliases, flat, named
from ragnb.stages.wanted import first_words, told
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import STOP, terms
from ragnb.text.values import names

__all__ = [
    "ENOUGH",
    "Picked",
    "Together",
    "bears",
    "enough_features",
    "pair_features",
    "picked",
    "together",
]

ENOUGH: Final = 0.6
"""From which chance on the pieces are taken for an answer."""
BEARS: Final = 0.3
"""From which share of its question on a piece bears on it by itself."""
CANDIDATES: Final = 24
"""So many of the best pieces are compared with each other."""
MOST: Final = 4
LEAST: Final = 0.2
SHARE_ZH: Final = 0.5
"""A further piece of a Chinese answer has at least so much of the best one's chance."""
SHARE: Final = 0.3
"""A third piece stays if its chance is at least `LEAST`, and this share of the best one's."""
SECOND: Final = 0.12
"""A second piece, or the most telling one, stays from this chance on."""


class Picked(NamedTuple):
    """A piece of evidence that belongs to an answer.

    Attributes:
        item: The piece.
        chance: That it belongs to the answer, 0 to 1.
        tells: The chance that it holds the very words that are asked for.
    """

    item: Evidence
    chance: float
    tells: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Pieces of evidence that make up an answer.

    Attributes:
        picked: The pieces, best first; the most telling one is among them.
        enough: The chance that they answer the question, 0 to 1.
    """

    picked: tuple[Picked, ...]
    enough: float


def together(question: SubQuestion, evidence: Iterable[Evidence]) -> Together:
    """Judge the evidence on one question.

    Args:
        question: What is asked.
        evidence: Pieces of evidence; those on other questions and unverified ones don't count.
    """
    mine = [each for each in evidence if each.question_id == question.id and each.verified]
    mine.sort(key=lambda each: (-each.score, each.id))
    if not any(each.covers for each in mine):
        return _by_support(mine)
    if is_chinese(question.text):
        taken = _taken_zh(mine[:CANDIDATES])
        return Together(picked=taken, enough=enough_zh(question, [each.item for each in taken]))
    chosen = picked(question, mine[:CANDIDATES])
    return Together(picked=chosen, enough=chance("enough", enough_features(question, chosen)))


def _taken_zh(candidates: Sequence[Evidence]) -> tuple[Picked, ...]:
    """Return the pieces of a Chinese answer: what was fitted for each by itself is its chance."""
    bar = max(LEAST, SHARE_ZH * candidates[0].score)
    kept = [item for item in candidates[:MOST] if item.score >= bar] or candidates[:1]
    return tuple(Picked(item, item.score, item.score) for item in kept)


def bears(item: Evidence) -> bool:
    """Tell whether a piece covers so much of its question that it speaks of the same thing."""
    return not item.covers or sum(share for _, share in item.covers) >= BEARS


def _by_support(mine: Sequence[Evidence]) -> Together:
    """Judge pieces of which only the grade is known: one strong or two partial ones are enough."""
    able = [each for each in mine if each.support != "weak"]
    able.sort(key=lambda each: (each.support != "strong", -each.score, each.id))
    counted = sum(2 if each.support == "strong" else 1 for each in able)
    chosen = tuple(Picked(each, each.score, each.score) for each in able)
    return Together(picked=chosen, enough=min(1.0, counted / 2))


def picked(question: SubQuestion, candidates: Sequence[Evidence]) -> tuple[Picked, ...]:
    """Return the pieces that belong together, best first, each with its chance."""
    if not candidates:
        return ()
    scores = [item.score for item in candidates]
    features: list[dict[str, float]] = []
    for model in ("pair", "again"):
        features = pair_features(question, candidates, scores)
        scores = [chance(model, each) for each in features]
    tells = [chance("answer", each) for each in features]
    scored = [Picked(*each) for each in zip(candidates, scores, tells, strict=True)]
    scored.sort(key=lambda each: (-each.chance, each.item.id))
    kept: list[Picked] = []
    for each in scored:
        bar = max(LEAST, SHARE * scored[0].chance) if len(kept) > 1 else SECOND
        if len(kept) < MOST and (each.chance >= bar or not kept):
            kept.append(each)
    telling = max(scored, key=lambda each: (each.tells, each.item.id))
    if telling not in kept and telling.tells >= SECOND:
        kept = [*kept[: MOST - 1], telling]
    return tuple(kept)


def pair_features(
    question: SubQuestion, candidates: Sequence[Evidence], scores: Sequence[float]
) -> list[dict[str, float]]:
    """Return the features of each piece beside the others.

    Args:
        question: What is asked.
        candidates: The pieces.
        scores: What is known of each so far, 0 to 1: its own score, or the chance that came of it.

    Returns:
        ``span``: the log odds of what is known so far. ``relative``: it by the best one's.
        ``named_by``: the best of those that name its source, where the question doesn't;
        ``fit``: how near that name stands to words of the question; ``names``: the best of the
        sources that it names; ``tied``: whether such a name ties it to the best piece; ``lone``:
        whether nothing ties it to the question or to another piece. ``adds``: the share of the
        question that it covers and the best one doesn't; ``relates``: the same in words that
        name nothing, each weighing alike. ``typed``: whether it gives the sort of value that is
        asked for; ``near``: how near that stands to the question's words. ``…_hop``: the same
        where another piece names its source. ``same``: whether it is from the best one's source.
        ``titled``: whether the question names its source. ``first``: whether it is the best of
        its source. ``seeds``: how many sources the question names, up to three.
    """
    if not candidates:
        return []
    leader = max(range(len(scores)), key=lambda at: (scores[at], candidates[at].id))
    best, most = candidates[leader], max(1e-6, scores[leader])
    called = {item.source_id: aliases(item.title, item.source_id) for item in candidates}
    titled = {source: bool(named(known, question.text)) for source, known in called.items()}
    top: dict[str, float] = {}
    for item, score in zip(candidates, scores, strict=True):
        top[item.source_id] = max(top.get(item.source_id, 0.0), score)
    links = _links(question, candidates, called, titled)
    covered = dict(best.covers)
    asked_for = asked(question.text)
    plain = set(asked_for.weights) - asked_for.named
    found = []
    for at, (item, score) in enumerate(zip(candidates, scores, strict=True)):
        odds = min(0.999, max(0.001, score))
        into = [(scores[place], fit) for place, target, fit in links if target == item.source_id]
        out = [top[target] for place, target, _ in links if place == at]
        adds = sum(max(0.0, value - covered.get(term, 0.0)) for term, value in item.covers)
        adds, typed = round(adds, 6), _typed(question, item)
        near = told(question.text, question.kind, item.quote)[1] if typed else 0.0
        new = {term for term, _ in item.covers} & plain - covered.keys()
        tied = any(
            (place == leader and target == item.source_id)
            or (place == at and target == best.source_id)
            for place, target, _ in links
        )
        found.append(
            {
                "span": round(math.log(odds / (1 - odds)), 6),
                "relative": round(score / most, 6),
                "named_by": max((score for score, _ in into), default=0.0),
                "fit": max((fit for _, fit in into), default=0.0),
                "names": max(out, default=0.0),
                "tied": float(tied),
                "lone": float(not titled[item.source_id] and not into and not out),
                "adds": adds,
                "adds_hop": adds * bool(into),
                "relates": round(len(new) / len(plain), 6) if plain else 0.0,
                "relates_hop": round(len(new) / len(plain), 6) if plain and into else 0.0,
                "typed": float(typed),
                "near": near,
                "near_hop": near * bool(into),
                "typed_hop": float(bool(into) and typed),
                "same": float(item is not best and item.source_id == best.source_id),
                "titled": float(titled[item.source_id]),
                "first": float(score == top[item.source_id]),
                "seeds": min(3, sum(titled.values())) / 3,
            }
        )
    return found


def _links(
    question: SubQuestion,
    candidates: Sequence[Evidence],
    called: Mapping[str, tuple[str, ...]],
    titled: Mapping[str, bool],
) -> list[tuple[int, str, float]]:
    """Return which piece names which source that the question doesn't, and how well it fits."""
    cues = {word[:5] for word in flat(question.text).split() if word not in STOP}
    return [
        (at, source, _fit(name, item.quote, cues))
        for at, item in enumerate(candidates)
        for source, known in called.items()
        if source != item.source_id and not titled[source]
        if (name := named(known, item.quote))
    ]


def _typed(question: SubQuestion, item: Evidence) -> bool:
    """Tell whether a piece gives the name, date, place or number that is asked for."""
    return question.kind in VALUED and bool(item.says) and item.says != first_words(item.quote)


def _fit(name: str, quote: str, cues: set[str]) -> float:
    """Tell how near a name stands to words of the question, 0 to 0.75."""
    before, _, after = flat(quote).partition(name)
    left, right = before.split(), after.split()
    near = 0.5 * any(word[:5] in cues for word in left[-4:])
    return near + 0.25 * any(word[:5] in cues for word in (*left[-9:-4], *right[:5]))


def enough_features(question: SubQuestion, chosen: Sequence[Picked]) -> dict[str, float]:
    """Return what tells whether pieces are enough.

    Returns:
        ``cover``: the share of the question that they cover together. ``best``: that the best
        one covers alone. ``titles``: the share of the question's names that are titles of their
        sources. ``held``: of those whose words they hold. ``nameless``: whether the question
        has no name. ``told``: the share of its other words that they hold. ``head``: whether
        they hold the noun after "which" or "what", if there is one. ``typed``: whether the most
        telling one gives the value that is asked for; ``other``: whether none is. ``chance`` and
        ``second``: the two best chances.
    """
    union: dict[str, float] = {}
    for item, *_ in chosen:
        for term, value in item.covers:
            union[term] = max(union.get(term, 0.0), value)
    called = {flat(value.text) for value in names(question.text)}
    titles = [aliases(item.title, item.source_id) for item, *_ in chosen]
    words = {term for item, *_ in chosen for term in terms(f"{item.title} {item.quote}")}
    equal = sum(any(name in known for known in titles) for name in called)
    held = sum(set(terms(name)) <= words for name in called)
    about = asked(question.text)
    plain = set(about.weights) - about.named
    telling = max(chosen, key=lambda each: (each.tells, each.item.id)).item
    valued = question.kind in VALUED
    alone = max(sum(value for _, value in item.covers) for item, *_ in chosen)
    return {
        "cover": round(sum(union.values()), 6),
        "best": round(alone, 6),
        "titles": round(equal / len(called), 6) if called else 0.0,
        "held": round(held / len(called), 6) if called else 0.0,
        "nameless": float(not called),
        "told": round(len(plain & union.keys()) / len(plain), 6) if plain else 1.0,
        "head": float(not about.head or about.head in union),
        "typed": float(valued and _typed(question, telling)),
        "other": float(not valued),
        "chance": chosen[0].chance,
        "second": chosen[1].chance if len(chosen) > 1 else 0.0,
    }
