"""Plan by rule: sub-questions of a goal, and a first query for each."""

import re
from dataclasses import replace
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.records import Query, SubQuestion
from ragnb.stages.splitting import Part, is_small_talk, split
from ragnb.text.cues import is_chinese, question_kind
from ragnb.text.tokens import STOP, fold, terms, tokens

__all__ = ["Planner"]

_POLITE: Final = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[\s,.!]+"
    r"|(?:please[\s,]+)|(?:(?:can|could|would) you (?:please )?tell me[\s,:]+)"
    r"|你好[，,！!\s]*|请问[，,\s]*)+",
    re.IGNORECASE,
)
_QUERY_LEAD: Final = re.compile(
    r"^(?:(?:who|whom|whose|what|when|where|which|why|how)\b\s*(?:(?:many|much)\s+)?)?"
    r"(?:(?:or what )?(?:is|are|was|were|do|does|did|can|could|should|will|would)\s+)?"
    r"(?:(?:i|we|you)\s+)?",
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"(?:\b(?:it|that|this|they|them|he|she|him|her|there)\s+\(|(?:它|他|她|之)?（)(?P<about>[^()（）]+)[)）]",
    re.IGNORECASE,
)
"""A pronoun with what it stands for behind it."""
_OVER: Final = re.compile(
    r"\b(?:is|are|was|were) over\b(?=\s*(?:[.,;?]|$|and\b|or\b))", re.IGNORECASE
)
"""A stop word that means something; a word that searches understand is put beside it."""
_PAIR: Final = re.compile(
    r"(?<!\S)(?P<field>[A-Za-z_]\w*)\s?[:=]\s?(?P<value>\"[^\"]+\"|[^\s,;?]+)"
)


@component
class Planner:
    """Split a goal into sub-questions by rule, with one broad query each; no model is asked.

    Args:
        max_questions: Most sub-questions; what is beyond joins the last one.

    Raises:
        InputError: ``max_questions`` is below 1.
    """

    version: str = "1"

    def __init__(self, max_questions: int = 6) -> None:
        if max_questions < 1:
            raise InputError(
                f"Planner(max_questions={max_questions}) can't plan: give 1 or more questions."
            )
        self.max_questions = max_questions

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
        """Plan a goal.

        Args:
            goal: What the user asks.
            fields: Metadata fields of the library; ``field:value`` in the goal becomes a filter.
            filters: Filters for every query, in Haystack's form.
            again: Whether this is a replan; its queries are then follow-ups that add ``known``.
            known: Names and statements found so far.

        Returns:
            ``questions``; ``queries``, one a question; ``normalized_goal`` without greeting and
            spare white space; ``needs_retrieval``, False for small talk.
        """
        bare = " ".join(goal.split())
        if is_small_talk(bare):
            return _planned([SubQuestion.of(bare or goal)], [], bare, needs_retrieval=False)
        bare, filters = _filtered(_POLITE.sub("", bare) or bare, fields or [], filters)
        bare = bare[:1].upper() + bare[1:]
        parts = self._cut(split(bare))
        questions: list[SubQuestion] = []
        for part in parts:
            before = (questions[part.after].id,) if part.after is not None else ()
            questions.append(
                SubQuestion.of(
                    _with_topic(part),
                    kind=question_kind(part.text),
                    depends_on=before,
                    required=part.required,
                    filters=filters,
                )
            )
        questions = list({question.id: question for question in questions}.values())
        learned = _learned(known or []) if again else ()
        queries = [_query(question, filters, learned, again=again) for question in questions]
        return _planned(questions, queries, bare, needs_retrieval=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self, max_questions=self.max_questions)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Planner":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)

    def _cut(self, parts: list[Part]) -> list[Part]:
        if len(parts) <= self.max_questions:
            return parts
        kept, rest = parts[: self.max_questions - 1], parts[self.max_questions - 1 :]
        last = replace(rest[0], text=" ".join(part.text for part in rest), after=None)
        return [*kept, last]


def _planned(
    questions: list[SubQuestion], queries: list[Query], goal: str, *, needs_retrieval: bool
) -> dict[str, Any]:
    return {
        "questions": questions,
        "queries": queries,
        "normalized_goal": goal,
        "needs_retrieval": needs_retrieval,
    }


def _with_topic(part: Part) -> str:
    """Write what a pronoun stands for behind the part's own words."""
    if not part.about:
        return part.text
    bare = part.text.rstrip("?？ ")
    marks = ("（", "）？") if is_chinese(part.text) else (" (", ")?")
    return f"{bare}{marks[0]}{part.about}{marks[1]}"


def _filtered(
    goal: str, fields: list[str], filters: dict[str, Any] | None
) -> tuple[str, dict[str, Any] | None]:
    """Turn ``field:value`` of a known field into filters, and drop it from the goal."""
    bare = (field.removeprefix("meta.") for field in fields)
    known = {fold(field): field for field in bare}
    found: list[dict[str, Any]] = []

    def take(match: re.Match[str]) -> str:
        field = known.get(fold(match["field"]))
        if field is None:
            return match.group()
        value = match["value"].strip('"')
        found.append({"field": f"meta.{field}", "operator": "==", "value": value})
        return ""

    rest = " ".join(_PAIR.sub(take, goal).split())
    if not found or not terms(rest):
        return goal, filters
    conditions = [*([filters] if filters else []), *found]
    joined = {"operator": "AND", "conditions": conditions} if len(conditions) > 1 else conditions[0]
    return rest, joined


def _learned(known: list[str]) -> tuple[str, ...]:
    """Keep names and statements, shortened; questions that were planned before teach nothing."""
    told = [item for item in known if item.strip() and not item.rstrip().endswith(("?", "？"))]
    return tuple(dict.fromkeys(" ".join(item.split()[:8]) for item in told))[:3]


def _query(
    question: SubQuestion, filters: dict[str, Any] | None, learned: tuple[str, ...], *, again: bool
) -> Query:
    text = _MEANT.sub(r"\g<about>", question.text)
    if again:
        text = re.sub(r"[()（）?？]", " ", text)
        text = _QUERY_LEAD.sub("", " ".join(text.split()), count=1)
    text = " ".join(text.split())
    if not terms(text):
        text = question.text
    text = _OVER.sub(r"\g<0> ended", text)
    if extra := [item for item in learned if not set(terms(item)) <= set(terms(text))]:
        text = " ".join([text, *extra])
    words = [token.text for token in tokens(text) if fold(token.text) not in STOP]
    return Query.of(
        text,
        question.id,
        intent="targeted_followup" if again else "broad_recall",
        keywords=tuple(dict.fromkeys(words)),
        channels=question.channels,
        filters=filters,
        reason="what is known so far was added" if again and extra else "a first, wide look",
    )
