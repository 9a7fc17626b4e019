"""Another attempt at a step of a plan: which arguments may bring what the last ones did not."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ragnb.records import Evidence, Gap, PlanStep, SubQuestion
from ragnb.text.keywords import keywords
from ragnb.text.similarity import near_duplicate

__all__ = ["alternative"]

_Way: TypeAlias = tuple[str, dict[str, Any], str]
"""A tool, its arguments, and why."""


def alternative(  # noqa: PLR0917 - what an attempt is made of
    step: PlanStep,
    question: SubQuestion | None,
    gaps: Sequence[Gap],
    mine: Sequence[Evidence],
    searches: Sequence[Mapping[str, Any]],
    known: Sequence[str],
    torn: str = "",
) -> _Way:
    """Return the next thing to try for a step; no arguments where nothing is left.

    Args:
        step: The step, with the arguments of its last attempt.
        question: The question that it serves.
        gaps: What blocks the question.
        mine: The evidence on it.
        searches: What was searched for it, with text and status.
        known: Names that its evidence brought.
        torn: What the two sides of an open conflict say.
    """
    tried = [str(item["text"]) for item in searches if item["question_id"] == step.question_id]
    text = question.text if question else step.question
    was = list(step.arguments.get("channels", ())) if step.tool == "search" else []
    for tool, arguments, reason in _ways(step, text, gaps, mine, known, torn):
        if tool == "read":
            if arguments != step.arguments:
                return tool, arguments, reason
            continue
        query = str(arguments["query"])
        same = list(arguments.get("channels", ())) == was
        same = same and "filters" not in arguments and arguments.get("intent") is None
        if not (same and any(near_duplicate(query, each) for each in tried)):
            return tool, arguments, reason
    return "", {}, ""


def _ways(  # noqa: PLR0917 - what an attempt is made of
    step: PlanStep,
    text: str,
    gaps: Sequence[Gap],
    mine: Sequence[Evidence],
    known: Sequence[str],
    torn: str,
) -> list[_Way]:
    reasons = {gap.reason for gap in gaps}
    own = str(step.arguments.get("query", "")) if step.tool == "search" else ""
    words = own or keywords(text)
    found: list[_Way] = []
    if step.tool == "read" and step.attempts == 1:
        found.append(("search", {"query": words}, "It stands elsewhere, if anywhere; search."))
        return found
    if step.arguments.get("filters"):
        found.append(
            ("search", {"filters": {}, "query": words}, "Its filters let nothing fit through.")
        )
    if "search_failed" in reasons:
        found.append(
            ("search", {"query": words, "channels": ["bm25"]}, "The search failed; words alone.")
        )
    if "source_conflict" in reasons and step.arguments.get("intent") != "conflict_check":
        check = {"query": f"{words} {keywords(torn)}".strip(), "intent": "conflict_check"}
        found.append(("search", check, "Two sources disagree; a third may decide."))
    if reasons & {"need_more_context", "evidence_too_weak"} and mine:
        best = min(mine, key=lambda item: (-item.score, item.id))
        section = {"id": best.chunk_id, "scope": "section"}
        found.append(("read", section, "The section around the best quote may tell more."))
    if reasons & {"not_supported", "evidence_too_weak", "need_more_context"}:
        found += [
            ("search", {"query": f"{words} {name}"}, f"What was found names {name}.")
            for name in known[:1]
        ]
    if reasons & {"not_supported", "no_results"}:
        meaning = {"query": words, "channels": ["vector"]}
        found.append(("search", meaning, "Its words bring nothing; by meaning."))
    return found
