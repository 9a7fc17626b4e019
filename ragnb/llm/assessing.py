"""Assess with a model: it may call for more or be content with less, but not settle conflicts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.shapes import AssessReply, JudgementReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import Conflict, Evidence, Gap, Query, SubQuestion, Suggestion
from ragnb.stages import Assessor
from ragnb.stages.assess import verdict_on

__all__ = ["LIFTED", "ModelAssessor"]

_TOKENS: Final = 1000
_PATIENCE: Final = 3
LIFTED: Final = frozenset({"evidence_too_weak", "need_more_context"})
"""Gaps that a model may close."""


@component
class ModelAssessor(Twin[Assessor]):
    """Judge with a model whether the evidence is enough.

    Rules judge first. The model may find a question that the rules call answered not answered,
    and propose a query; it may call evidence enough that the rules find weak, if a verified quote
    that doesn't hold back is there. Conflicts stay with the rules and with people.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The assessor without a model.
        prices: The user's prices.
    """

    prompt = prompts.ASSESS
    ruled = Assessor

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
        """Judge; the arguments and what is returned are those of `Assessor.run`."""
        ruled: dict[str, Any] = self.rules.run(questions, evidence, searches, settled)
        if not questions:
            return ruled
        given = prompts.assess(questions, evidence, searches)
        reply = structured(self.model, self.prompt, given, AssessReply, tokens=_TOKENS)
        if reply is None:
            return ruled
        gaps: list[Gap] = list(ruled["gaps"])
        queries: list[Query] = []
        for judged in reply.questions:
            if not 1 <= judged.question <= len(questions):
                continue
            question = questions[judged.question - 1]
            gaps = _judged(question, judged, gaps, evidence, searches)
            text = " ".join(judged.query.split())
            if text and not judged.enough and question.required:
                queries.append(
                    Query.of(
                        text,
                        question.id,
                        intent="targeted_followup",
                        filters=question.filters,
                        reason=" ".join(judged.missing.split()),
                    )
                )
        return ruled | verdict_on(gaps, ruled["conflicts"]) | {"gaps": gaps, "queries": queries}


def _judged(
    question: SubQuestion,
    judged: JudgementReply,
    gaps: list[Gap],
    evidence: Sequence[Evidence],
    searches: Sequence[dict[str, Any]],
) -> list[Gap]:
    """Return the gaps after the model's judgement of one question."""
    mine = [item for item in evidence if item.question_id == question.id and item.verified]
    firm = [item for item in mine if not item.hedged and item.support != "weak"]
    missing = " ".join(judged.missing.split())
    if judged.enough:
        return [
            gap
            for gap in gaps
            if gap.question_id != question.id or gap.reason not in LIFTED or not firm
        ]
    own = [gap for gap in gaps if gap.question_id == question.id and gap.blocks]
    if own or not question.required:
        return [replace(gap, detail=missing) if gap in own and missing else gap for gap in gaps]
    tired = sum(item["question_id"] == question.id for item in searches) >= _PATIENCE
    more: Suggestion = "stop_with_uncertainty" if tired else "retrieve_more"
    reason = "evidence_too_weak" if mine else "not_supported"
    detail = missing or "The model finds the question not answered."
    gap = Gap(question_id=question.id, reason=reason, suggested=more, detail=detail)  # type: ignore[arg-type]
    return [*gaps, gap]
