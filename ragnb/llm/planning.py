"""Plan with a model: it splits the goal, code sees to it that nothing asked is lost."""

import re
from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.metering import note
from ragnb.llm.shapes import PlanReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import Query, SubQuestion
from ragnb.stages import Planner
from ragnb.text import question_kind, terms

__all__ = ["ModelPlanner"]

_TOKENS: Final = 1000
_COVERED: Final = 0.5
"""Share of the goal's terms that the questions must have between them."""
_ORDERS: Final = re.compile(
    r"(?:find|search|look|check|get|name|list|give|tell|say|show|state|describe|explain|compare"
    r"|identify|determine|establish|summari[sz]e)\b",
    re.IGNORECASE,
)
"""First words of a sentence that asks for something without a question mark."""


@component
class ModelPlanner(Twin[Planner]):
    """Split a goal into sub-questions with a model.

    Rules tell small talk, read filters, and plan where the model can't or its questions leave out
    most of the goal. A question that shares no word with the goal is dropped, and so is what states
    something where the goal asks.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The planner without a model.
        prices: The user's prices.
    """

    prompt = prompts.PLAN
    ruled = Planner

    @component.output_types(
        questions=list[SubQuestion],
        queries=list[Query],
        normalized_goal=str,
        needs_retrieval=bool,
    )
    def run(
        self,
        goal: str,
        fields: list[str] | None = None,
        filters: dict[str, Any] | None = None,
        again: bool = False,  # noqa: FBT001, FBT002 - a socket
        known: list[str] | None = None,
    ) -> dict[str, Any]:
        """Plan a goal; the arguments and what is returned are those of `Planner.run`."""
        ruled: dict[str, Any] = self.rules.run(goal, fields, filters, again, known)
        if not ruled["needs_retrieval"]:
            return ruled
        bare = ruled["normalized_goal"]
        given = prompts.plan(bare, known or ())
        reply = structured(self.model, self.prompt, given, PlanReply, tokens=_TOKENS)
        if reply is None:
            return ruled
        return _planned(bare, reply, ruled, self.rules.max_questions, again=again)


def _planned(
    goal: str, reply: PlanReply, ruled: dict[str, Any], most: int, *, again: bool
) -> dict[str, Any]:
    asked = set(terms(goal))
    standing = ruled["questions"][0].filters
    questions: dict[str, SubQuestion] = {}
    queries: list[Query] = []
    for item in reply.questions:
        text = " ".join(item.text.split())
        question = SubQuestion.of(text, kind=question_kind(text), filters=standing)
        fits = (not asked or asked & set(terms(text))) and not _states(text, goal)
        if not text or not fits or question.id in questions or len(questions) == most:
            continue
        questions[question.id] = question
        queries.append(
            Query.of(
                " ".join(item.query.split()) or text,
                question.id,
                intent="targeted_followup" if again else "broad_recall",
                filters=standing,
                reason="the model's query for this question",
            )
        )
    covered = {term for question in questions.values() for term in terms(question.text)}
    if not questions or len(asked & covered) < _COVERED * len(asked):
        note("Rules made the plan, for the model's questions leave out most of the goal.")
        return ruled
    return ruled | {"questions": list(questions.values()), "queries": queries}


def _states(text: str, goal: str) -> bool:
    """Tell whether a sub-question is a statement, though the goal is a question."""
    asks = "?" in text or "？" in text or not goal.rstrip().endswith(("?", "？"))
    return not asks and text.endswith((".", "。")) and not _ORDERS.match(text)
