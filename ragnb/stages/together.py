"""Judge pieces of evidence together: which belong to one answer, and whether they are enough.

One piece seldom answers a question that leads over several sources. What counts is that each adds
something, and that one names the source of the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_enough import enough_zh
from ragnb.stages.coverage import asked
from ragnb.stages.features import VALUED
from ragnb.stages.fitted import chance
from ragnb.stages.links import aliases, flat, named
from ragnb.stages.pairs import gives_value, pair_features
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import terms
from ragnb.text.values import names

__all__ = [
    "Picked",
    "Together",
    "bears",
    "enough_features",
    "model_of",
    "names_nothing",
    "picked",
    "together",
]

ENOUGH: Final = 0.55
"""From which chance on the pieces are taken for an answer."""
ENOUGH_APART: Final = 0.4
"""The same where the question names nothing; on folders about half of what is just above it is
right."""
UNHEARD: Final = 0.3
"""The most where no piece speaks of the sort of thing that is asked for (which insurer?), and none
is from a source that the question names."""
BEARS: Final = 0.3
"""From which share of its question on a piece bears on it by itself."""
CANDIDATES: Final = 40
"""So many of the best pieces are compared with each other."""
MOST: Final = 4
LEAST: Final = 0.2
BEHIND_ZH: Final = 0.2
"""A piece with the value that is asked for may be so far behind one without it."""
SHARE_ZH: Final = 0.5
"""A further piece of a Chinese answer has at least so much of the best one's chance."""
SHARE: Final = 0.3
"""A third piece stays if its chance is at least `LEAST`, and this share of the best one's."""
SECOND: Final = 0.12
"""A second piece, or the most telling one, stays from this chance on."""
MOST_APART: Final = 3
"""So many pieces make up an answer at most where the question names nothing."""
SHARE_APART: Final = 0.4
"""They have at least so much of the best one's chance."""
TELLERS: Final = 3
TELLING: Final = 0.5
"""Others stay that are so nearly as telling as the most telling one."""


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
        bar: From which chance on they are taken for an answer.
    """

    picked: tuple[Picked, ...]
    enough: float
    bar: float = ENOUGH

    @property
    def suffices(self) -> bool:
        """Whether the pieces are taken for an answer."""
        return bool(self.picked) and self.enough >= self.bar


def together(question: SubQuestion, evidence: Iterable[Evidence]) -> Together:
    """Judge the evidence on one question.

    Args:
        question: What is asked.
        evidence: Pieces of evidence; those on other questions and unverified ones don't count.
    """
    mine = [each for each in evidence if each.question_id == question.id and each.verified]
    mine.sort(key=lambda each: (-each.score, each.id))
    if not mine or not all(each.covers for each in mine):  # what a model graded has its grade alone
        return _by_support(mine)
    return _by_weights(question, tuple(mine[:CANDIDATES]))


@lru_cache(maxsize=64)
def _by_weights(question: SubQuestion, candidates: tuple[Evidence, ...]) -> Together:
    """Judge pieces by what was fitted; kept, as several stages judge the same ones in turn."""
    if is_chinese(question.text):
        taken = _taken_zh(question, candidates)
        return Together(picked=taken, enough=enough_zh(question, [each.item for each in taken]))
    chosen = picked(question, candidates)
    features = enough_features(question, chosen)
    apart = names_nothing(question.text)
    enough = chance("enough_apart" if apart else "enough", features)
    if not features["head"] and not features["titles"]:
        enough = min(enough, UNHEARD)
    return Together(picked=chosen, enough=enough, bar=ENOUGH_APART if apart else ENOUGH)


def _taken_zh(question: SubQuestion, candidates: Sequence[Evidence]) -> tuple[Picked, ...]:
    """Return the pieces of a Chinese answer: what was fitted for each by itself is its chance.

    Where a date or number is asked for and the best piece has none, the best one that has one
    of the same source goes first, if it is not far behind.
    """
    bar = max(LEAST, SHARE_ZH * candidates[0].score)
    kept = [item for item in candidates[:MOST] if item.score >= bar] or list(candidates[:1])
    told = None
    if question.kind in {"when", "how_many"} and not any(
        gives_value(question, each) for each in kept
    ):
        near = {each.source_id for each in kept}
        beside = (each for each in candidates if each.source_id in near)
        told = next((each for each in beside if gives_value(question, each)), None)
    if told is not None and told.score >= BEHIND_ZH * candidates[0].score:
        kept = [told, *kept[: MOST - 1]]
    tells = [1.0 if item is told else item.score for item in kept]
    return tuple(Picked(item, item.score, t) for item, t in zip(kept, tells, strict=True))


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
    """Return the pieces that belong together, best first, each with its chance.

    Where the question names nothing, nothing can lead from one to another: what was fitted for
    each by itself is its chance then.
    """
    if names_nothing(question.text):
        return _apart(question, candidates)
    scored = _scored(question, candidates)
    kept: list[Picked] = []
    for each in scored:
        bar = max(LEAST, SHARE * scored[0].chance) if len(kept) > 1 else SECOND
        if len(kept) < MOST and (each.chance >= bar or not kept):
            kept.append(each)
    telling = sorted(scored, key=lambda each: (-each.tells, each.item.id))[:TELLERS]
    for each in reversed(telling):
        if each not in kept and each.tells >= max(SECOND, TELLING * telling[0].tells):
            kept = [*kept[: MOST - 1], each]
    return tuple(kept)


def _apart(question: SubQuestion, candidates: Sequence[Evidence]) -> tuple[Picked, ...]:
    """Return the best pieces; one with the value that is asked for tells more than one without."""
    kept = sorted(candidates, key=lambda each: (-each.score, each.id))[:MOST_APART]
    bar = SHARE_APART * kept[0].score if kept else 0.0
    valued = question.kind in VALUED
    chosen = [item for item in kept if item.score >= bar]
    tells = [
        item.score if not valued or gives_value(question, item) else item.score / 2
        for item in chosen
    ]
    return tuple(Picked(item, item.score, t) for item, t in zip(chosen, tells, strict=True))


def _scored(question: SubQuestion, candidates: Sequence[Evidence]) -> list[Picked]:
    """Return the pieces, the best first, each with its chances."""
    scores = [item.score for item in candidates]
    features: list[dict[str, float]] = []
    for model in ("pair", "again"):
        features = pair_features(question, candidates, scores)
        scores = [chance(model_of(model, each), each) for each in features]
    tells = [chance(model_of("answer", each), each) for each in features]
    scored = [Picked(*each) for each in zip(candidates, scores, tells, strict=True)]
    return sorted(scored, key=lambda each: (-each.chance, each.item.id))


@lru_cache(maxsize=256)
def names_nothing(question: str) -> bool:
    """Tell whether a question has no name, so that what it is about must be told by its words.

    >>> names_nothing("How long are readings kept?"), names_nothing("Who founded Oslo?")
    (True, False)
    """
    return not names(question)


def model_of(model: str, features: Mapping[str, float]) -> str:
    """Return which weights count: others where names don't lead from source to source.

    They lead where the question names a source that names another one. Elsewhere what stands in a
    source that nothing ties to the question may well be what is needed.

    >>> model_of("pair", {"led": 0.0})
    'pair_loose'
    """
    return model if features["led"] else f"{model}_loose"


def enough_features(question: SubQuestion, chosen: Sequence[Picked]) -> dict[str, float]:
    """Return what tells whether pieces are enough.

    Returns:
        ``led``: whether a source that the question names leads to another one. ``cover``: the
        share of the question that they cover together. ``best``: that the best one covers alone.
        ``titles``: the share of the question's names that are titles of their sources. ``held``:
        of those whose words they hold. ``nameless``: whether the question has no name. ``told``:
        the share of its other words that they hold. ``head``: whether they hold the noun after
        "which" or "what", if there is one. ``typed``: whether the most telling one gives the value
        that is asked for; ``other``: whether none is. ``tells``: the chance that it holds the
        words that are asked for; ``chance`` and ``second``: the two best chances to belong.
        ``support``: the best grade, 1 for strong and 0.5 for partial.
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
    telling = max(chosen, key=lambda each: (each.tells, each.item.id))
    valued = question.kind in VALUED
    alone = max(sum(value for _, value in item.covers) for item, *_ in chosen)
    called_for = [named(known, question.text) for known in titles]
    led = any(
        name
        and any(named(titles[other], item.quote) for other in range(len(chosen)) if other != at)
        for at, ((item, *_), name) in enumerate(zip(chosen, called_for, strict=True))
    )
    return {
        "led": float(led),
        "cover": round(sum(union.values()), 6),
        "best": round(alone, 6),
        "titles": round(equal / len(called), 6) if called else 0.0,
        "held": round(held / len(called), 6) if called else 0.0,
        "nameless": float(not called),
        "support": 1 - min(item.grade for item, *_ in chosen) / 2,
        "told": round(len(plain & union.keys()) / len(plain), 6) if plain else 1.0,
        "head": float(not about.head or about.head in union),
        "typed": float(valued and gives_value(question, telling.item)),
        "other": float(not valued),
        "tells": telling.tells,
        "chance": chosen[0].chance,
        "second": chosen[1].chance if len(chosen) > 1 else 0.0,
    }
