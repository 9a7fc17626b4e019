"""Choose the pieces of evidence that belong to one answer.

One piece seldom answers a question that leads over several sources. What counts is that each adds
something, and that one names the source of the other.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.features import VALUED, names_nothing
from ragnb.stages.fitted import chance
from ragnb.stages.pairs import gives_value, pair_features

__all__ = ["CANDIDATES", "LEAST", "MOST", "Picked", "model_of", "picked", "scored"]

CANDIDATES: Final = 40
"""So many of the best pieces are compared with each other."""
MOST: Final = 4
LEAST: Final = 0.2
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


def scored(question: SubQuestion, candidates: Sequence[Evidence]) -> list[Picked]:
    """Return all pieces, the best first, each with its chances.

    Where the question names nothing, nothing can lead from one to another: what was fitted for
    each by itself is its chance then, and one with the value that is asked for tells more than one
    without.
    """
    scores = [item.score for item in candidates]
    if names_nothing(question.text):
        valued = question.kind in VALUED
        tells = [
            item.score if not valued or gives_value(question, item) else item.score / 2
            for item in candidates
        ]
    else:
        features: list[dict[str, float]] = []
        for model in ("pair", "again"):
            features = pair_features(question, candidates, scores)
            scores = [chance(model_of(model, each), each) for each in features]
        tells = [chance(model_of("answer", each), each) for each in features]
    found = [Picked(*each) for each in zip(candidates, scores, tells, strict=True)]
    return sorted(found, key=lambda each: (-each.chance, each.item.id))


def picked(question: SubQuestion, ranked: Sequence[Picked]) -> tuple[Picked, ...]:
    """Return the pieces that belong together, best first, out of all that `scored` returned."""
    if names_nothing(question.text):
        near = SHARE_APART * ranked[0].chance if ranked else 0.0
        return tuple(each for each in ranked[:MOST_APART] if each.chance >= near)
    kept: list[Picked] = []
    for each in ranked:
        bar = max(LEAST, SHARE * ranked[0].chance) if len(kept) > 1 else SECOND
        if len(kept) < MOST and (each.chance >= bar or not kept):
            kept.append(each)
    telling = sorted(ranked, key=lambda each: (-each.tells, each.item.id))[:TELLERS]
    for each in reversed(telling):
        if each not in kept and each.tells >= max(SECOND, TELLING * telling[0].tells):
            kept = [*kept[: MOST - 1], each]
    return tuple(kept)


def model_of(model: str, features: Mapping[str, float]) -> str:
    """Return which weights count: others where names don't lead from source to source.

    They lead where the question names a source that names another one. Elsewhere what stands in a
    source that nothing ties to the question may well be what is needed.

    >>> model_of("pair", {"led": 0.0})
    'pair_loose'
    """
    return model if features["led"] else f"{model}_loose"
