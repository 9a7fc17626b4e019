"""Judge by rule whether the evidence is enough, what is missing and what disagrees."""

import re
from collections.abc import Sequence
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.records import Conflict, Evidence, Gap, GapReason, Query, SubQuestion, Suggestion
from ragnb.stages.conflicts import conflicts, losers
from ragnb.stages.copies import same_wording
from ragnb.stages.together import bears, together
from ragnb.stages.wanted import answers

__all__ = ["Assessor", "verdict_on"]

_HOPELESS: Final = frozenset({"stop_with_uncertainty", "ask_person"})
_PATIENCE: Final = 3
"""After so many searches for a question more of them are not suggested."""
_POINTS: Final = re.compile(
    r"\bsee (?:also |the |section|chapter|appendix|below|above|\[)"
    r"|\bas (?:described|explained) (?:in|below)"
    r"|\b(?:refer to|described in|defined in|found in)\b|详见|参见|见下|如下|[:：]$",
    re.IGNORECASE,
)


@component
class Assessor:
    """Judge the evidence of each required question.

    Evidence counts if it is verified, not hedged, not the losing side of a settled conflict, and
    not a copy of what counts already.

    Args:
        strong: How many strong supports are enough.
        partial: How many partial ones are.

    Raises:
        InputError: A number is below 1.
    """

    version: str = "1"

    def __init__(self, strong: int = 1, partial: int = 2) -> None:
        if strong < 1 or partial < 1:
            raise InputError(f"strong and partial must be 1 or more; got {strong} and {partial}.")
        self.strong = strong
        self.partial = partial

    @component.output_types(
        verdict=str,
        gaps=list[Gap],
        conflicts=list[Conflict],
        suggested=str,
        queries=list[Query],
    )
    def run(
        self,
        questions: list[SubQuestion],
        evidence: list[Evidence],
        searches: list[dict[str, Any]],
        settled: list[Conflict] | None = None,
    ) -> dict[str, Any]:
        """Judge.

        Args:
            questions: All sub-questions; only required ones can block.
            evidence: All evidence.
            searches: What was searched: question_id, text, status, hits (a count), intent.
            settled: Conflicts that a person settled.

        Returns:
            ``verdict`` (satisfied, insufficient or conflict), all ``gaps`` and ``conflicts`` that
            there are now, ``suggested`` in plain words, and no ``queries``: rules leave them to
            the policy.
        """
        gaps: list[Gap] = []
        disagreeing: list[Conflict] = []
        for question in questions:
            mine = [item for item in evidence if item.question_id == question.id]
            made = [item for item in searches if item["question_id"] == question.id]
            checked = any(item["intent"] == "conflict_check" for item in made)
            found = conflicts(question, mine, settled or (), checked=checked)
            disagreeing += found
            if question.required:
                gaps += self._gaps(question, mine, made, found)
        nothing = {"verdict": "insufficient", "suggested": "continue"}
        told = verdict_on(gaps, disagreeing) if questions else nothing
        return {**told, "gaps": gaps, "conflicts": disagreeing, "queries": []}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self, strong=self.strong, partial=self.partial)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Assessor":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)

    def _gaps(
        self,
        question: SubQuestion,
        mine: list[Evidence],
        made: list[dict[str, Any]],
        found: list[Conflict],
    ) -> list[Gap]:
        """Return the gaps of one question."""
        if not any(bears(item) for item in mine):
            return [_empty(question, made)]
        tired = len(made) >= _PATIENCE
        open_now = [item for item in found if item.status != "resolved"]
        gaps: list[Gap] = []
        if open_now:
            hopeless = all(item.status == "unresolved" for item in open_now)
            gaps.append(
                _gap(
                    question,
                    "source_conflict",
                    "ask_person" if hopeless else "retrieve_more",
                    "Two quotes disagree."
                    if len(open_now) == 1
                    else f"{len(open_now)} pairs of quotes disagree.",
                )
            )
        counted = self._counted(question, mine, losers(found))
        if not counted:
            gaps.append(_weak(question, mine, tired=tired))
        elif len({s for item in counted for s in (item.source_id, *item.also_in)}) == 1:
            more: Suggestion = "stop_with_uncertainty" if len(made) > 1 else "retrieve_more"
            gaps.append(
                _gap(
                    question,
                    "single_source",
                    more,
                    "One source alone says it, or others in the same words.",
                )
            )
        return gaps

    def _counted(
        self, question: SubQuestion, mine: list[Evidence], lost: frozenset[str]
    ) -> list[Evidence]:
        """Return the pieces that are enough together; none if they are not."""
        able = [item for item in mine if not item.hedged and item.id not in lost]
        if any(item.covers for item in able):
            chosen = together(question, able)
            return [each.item for each in chosen.picked] if chosen.suffices else []
        counted = _counted(able)
        strong = sum(item.support == "strong" for item in counted)
        partial = sum(item.support == "partial" for item in counted)
        return counted if strong >= self.strong or strong + partial >= self.partial else []


def _empty(question: SubQuestion, made: list[dict[str, Any]]) -> Gap:
    """Say why there is no evidence at all."""
    more: Suggestion = "stop_with_uncertainty" if len(made) >= _PATIENCE else "retrieve_more"
    if made and all(item["status"] == "failed" for item in made):
        return _gap(question, "search_failed", more, f"{len(made)} searches failed.")
    hits = sum(item["hits"] for item in made)
    if not hits:
        told = f"{len(made)} {'search' if len(made) == 1 else 'searches'} brought nothing."
        return _gap(question, "no_results", more, told if made else "")
    return _gap(question, "not_supported", more, f"None of {hits} hits bears on it.")


def _weak(question: SubQuestion, mine: list[Evidence], *, tired: bool) -> Gap:
    """Say in which way evidence falls short."""
    best = max(mine, key=lambda item: (item.score, item.id))
    lacks = answers(question.text, question.kind, best.quote) is None
    reason: GapReason = "evidence_too_weak"
    if _POINTS.search(best.quote.rstrip()) or lacks:
        reason = "need_more_context"
    detail = f"{len(mine)} quotes bear on it, and they are not enough together."
    return _gap(question, reason, "stop_with_uncertainty" if tired else "read_more", detail)


def _counted(mine: list[Evidence]) -> list[Evidence]:
    """Keep what supports, best first, without copies."""
    able = [
        item
        for item in sorted(mine, key=lambda item: (item.grade, -item.score, item.id))
        if item.verified and item.support != "weak"
    ]
    kept: list[Evidence] = []
    for item in able:
        if not any(same_wording(item.quote, other.quote) for other in kept):
            kept.append(item)
    return kept


def _gap(question: SubQuestion, reason: GapReason, suggested: Suggestion, detail: str) -> Gap:
    return Gap(question_id=question.id, reason=reason, suggested=suggested, detail=detail)


def verdict_on(gaps: Sequence[Gap], conflicts: Sequence[Conflict]) -> dict[str, str]:
    """Return the ``verdict`` that gaps and conflicts come to, and what is ``suggested``."""
    blocking = [gap for gap in gaps if gap.blocks]
    verdict = "insufficient" if blocking else "satisfied"
    if any(item.status != "resolved" for item in conflicts):
        verdict = "conflict"
    suggested = "finish" if verdict == "satisfied" else "continue"
    if blocking and all(gap.suggested in _HOPELESS for gap in blocking):
        suggested = "finish: nothing more is expected from searching"
    return {"verdict": verdict, "suggested": suggested}
