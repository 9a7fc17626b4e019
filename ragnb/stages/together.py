"""Judge pieces of evidence together: which belong to one answer, and whether they are enough."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.chinese_enough import enough_zh
from ragnb.stages.enough import completed, enough_features
from ragnb.stages.features import names_nothing
from ragnb.stages.fitted import chance
from ragnb.stages.pairs import gives_value
from ragnb.stages.picking import CANDIDATES, LEAST, MOST, Picked, picked, scored
from ragnb.text.cues import is_chinese

__all__ = ["Together", "bears", "together"]

ENOUGH: Final = 0.55
"""From which chance on the pieces are taken for an answer."""
ENOUGH_APART: Final = 0.33
"""The same where the question names nothing; on folders about half of what is just above it is
right."""
UNHEARD: Final = 0.3
"""The most where no piece speaks of the sort of thing that is asked for (which insurer?), and none
is from a source that the question names; or where a date or number is asked for, and none has one.
"""
MEASURED: Final = frozenset({"when", "how_many"})
BEARS: Final = 0.3
"""From which share of its question on a piece bears on it by itself."""
BEHIND_ZH: Final = 0.2
"""A piece with the value that is asked for may be so far behind one without it."""
SHARE_ZH: Final = 0.5
"""A further piece of a Chinese answer has at least so much of the best one's chance."""


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
    ranked = scored(question, candidates)
    chosen = completed(question, ranked, picked(question, ranked))
    features = enough_features(question, chosen)
    apart = names_nothing(question.text)
    enough = chance("enough_apart" if apart else "enough", features)
    unheard = not features["head"] and not features["titles"]
    if unheard or (question.kind in MEASURED and not _measured(question, chosen)):
        enough = min(enough, UNHEARD)
    return Together(picked=chosen, enough=enough, bar=ENOUGH_APART if apart else ENOUGH)


def _measured(question: SubQuestion, chosen: Iterable[Picked]) -> bool:
    """Tell whether any piece gives the sort of value that is asked for, or is a table's row."""
    return any(each.item.cells or gives_value(question, each.item) for each in chosen)


def _taken_zh(question: SubQuestion, candidates: Sequence[Evidence]) -> tuple[Picked, ...]:
    """Return the pieces of a Chinese answer: what was fitted for each by itself is its chance.

    Where a date or number is asked for and the best piece has none, the best one that has one
    of the same source goes first, if it is not far behind.
    """
    bar = max(LEAST, SHARE_ZH * candidates[0].score)
    kept = [item for item in candidates[:MOST] if item.score >= bar] or list(candidates[:1])
    told = None
    if question.kind in MEASURED and not any(gives_value(question, each) for each in kept):
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
