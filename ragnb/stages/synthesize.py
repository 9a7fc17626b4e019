"""Write the answer by rule: each statement is built from the quote that it rests on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.records import (
    Answer,
    Claim,
    Conflict,
    Evidence,
    Gap,
    GapReason,
    Grounding,
    OpenQuestion,
    SubQuestion,
    Suggestion,
    Uncertainty,
    content_id,
)
from ragnb.stages.conflicts import BEHIND, losers
from ragnb.stages.copies import same_wording
from ragnb.text.tokens import fold

__all__ = ["Replier", "Synthesizer", "compose"]

_CITED: Final = 3
_DOUBTED: Final = 2
_LONG: Final = 400
_VALUED: Final = frozenset({"who", "when", "where", "how_many"})
_ORDER: Final = {"strong": 0, "partial": 1, "weak": 2}
_THANKS: Final = re.compile(r"\b(?:thanks?|thx|cheers)\b|谢", re.IGNORECASE)
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")


def compose(  # noqa: PLR0917 - what a run knows
    goal: str,
    questions: Sequence[SubQuestion],
    evidence: Sequence[Evidence],
    gaps: Sequence[Gap] = (),
    conflicts: Sequence[Conflict] = (),
    searches: Sequence[Mapping[str, Any]] = (),
) -> Answer:
    """Compose an answer from what there is, without a model.

    A question is answered by its verified evidence that is not hedged, strong or partial, and not
    the losing side of a settled conflict. What is hedged, weak or in conflict becomes an
    uncertainty; a question with no conclusion stays open, with the reason and what was searched.

    Args:
        goal: What the user asked.
        questions: The sub-questions, in reading order.
        evidence: All evidence.
        gaps: What is missing now.
        conflicts: What disagrees, settled or not.
        searches: What was searched: question_id, text, status, hits, intent.

    Returns:
        The answer; quotes are not numbered yet and sources not listed.
    """
    conclusions: list[Claim] = []
    doubts: list[Uncertainty] = []
    open_questions: list[OpenQuestion] = []
    for question in questions:
        mine = _ordered(item for item in evidence if item.question_id == question.id)
        disputes = [item for item in conflicts if item.question_id == question.id]
        disputed = {
            each
            for item in disputes
            if item.status != "resolved"
            for each in (item.first, item.second)
        }
        lost = losers(disputes)
        firm = [
            item
            for item in mine
            if not item.hedged and item.support != "weak" and item.id not in lost | disputed
        ]
        doubts += _disputes(question, disputes, mine)
        if firm and not disputed:
            missing = [gap for gap in gaps if gap.question_id == question.id]
            conclusions.append(_claim(question, firm, disputes, missing))
            continue
        shaky = [item for item in mine if item.id not in lost | disputed]
        doubts += [_doubt(question, item) for item in shaky[:_DOUBTED]]
        if question.required:
            open_questions.append(_open(question, gaps, searches, mine))
    return Answer(
        goal=goal,
        conclusions=tuple(conclusions),
        open_questions=tuple(open_questions),
        uncertainties=tuple(doubts),
        partial=bool(open_questions),
    )


@component
class Synthesizer:
    """Write the answer from the evidence, without a model; see `compose`."""

    version: str = "1"

    @component.output_types(answer=Answer)
    def run(  # noqa: PLR0917 - sockets
        self,
        goal: str,
        questions: list[SubQuestion],
        evidence: list[Evidence],
        gaps: list[Gap] | None = None,
        conflicts: list[Conflict] | None = None,
        searches: list[dict[str, Any]] | None = None,
    ) -> dict[str, Answer]:
        """Return the answer that `compose` makes of the same arguments."""
        answer = compose(goal, questions, evidence, gaps or (), conflicts or (), searches or ())
        return {"answer": answer}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Synthesizer":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)


@component
class Replier:
    """Answer small talk; nothing is claimed about the documents."""

    version: str = "1"

    @component.output_types(answer=Answer)
    def run(self, goal: str, sources: int = 0) -> dict[str, Answer]:
        """Return a reply.

        Args:
            goal: What the user wrote.
            sources: How many sources the library holds.
        """
        if _CHINESE.search(goal):
            thanks = "不客气。" if _THANKS.search(goal) else "你好。"
            text = f"{thanks}我在 {sources} 份资料中查找答案，并附上原文引句。请提出问题。"
        else:
            thanks = "You're welcome. " if _THANKS.search(goal) else "Hello. "
            noun = "source" if sources == 1 else "sources"
            text = (
                f"{thanks}I look for answers in {sources} {noun} and quote what they rest on. "
                "Ask me a question about them."
            )
        return {"answer": Answer(goal=goal, text=text)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Replier":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)


def _ordered(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Keep verified evidence, best first."""
    able = [item for item in evidence if item.verified]
    return sorted(able, key=lambda e: (_ORDER[e.support], e.hedged, -_worth(e), e.id))


def _worth(item: Evidence) -> float:
    """Weigh a piece of evidence by its score, its source's trust and whether that is in force."""
    return round(item.score + 0.2 * (item.trust - 0.5) - 0.2 * (item.status in BEHIND), 6)


def _claim(
    question: SubQuestion,
    firm: Sequence[Evidence],
    disputes: Sequence[Conflict],
    missing: Sequence[Gap],
) -> Claim:
    cited: list[Evidence] = []
    for item in firm:
        copy = any(same_wording(item.quote, other.quote) for other in cited)
        if not copy and len(cited) < _CITED and _agrees(question, firm[0], item):
            cited.append(item)
    risks = [
        f"another source disagrees; settled by: {item.rule}"
        for item in disputes
        if item.status == "resolved" and item.rule
    ]
    if len({item.source_id for item in cited}) == 1:
        risks += ["one source alone says it" for gap in missing if gap.reason == "single_source"]
    risks += ["the evidence is weak" for gap in missing if gap.reason == "evidence_too_weak"]
    return Claim(
        id=content_id("claim", question.id, *(item.id for item in cited)),
        statement=_statement(firm[0]),
        question_id=question.id,
        groundings=tuple(_grounding(item) for item in cited),
        risks=tuple(dict.fromkeys(risks)),
    )


def _agrees(question: SubQuestion, first: Evidence, other: Evidence) -> bool:
    """Tell whether evidence gives the same name, date or number, where one is asked for."""
    if question.kind not in _VALUED:
        return True
    a, b = fold(first.says), fold(other.says)
    return a in b or b in a


def _statement(item: Evidence) -> str:
    """Give the short answer and the quote, in the quote's own words."""
    quote = re.sub(r"</?[a-zA-Z][^<>]*>|!\[[^\]]*\]\([^)]*\)", " ", item.quote).strip(" |\n\t")
    if "\n" in quote:
        lines = [re.sub(r"^[\s>*+\-|]+|^\s*\d+[.)]\s+", "", line) for line in quote.split("\n")]
        quote = "; ".join(line.strip(" |") for line in lines if line.strip(" |-"))
    quote = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"\*\*|__|`", "", quote))
    if len(quote) > _LONG:
        quote = quote[:_LONG].rsplit(" ", 1)[0] + " …"
    says = item.says.strip()
    if not says or says.endswith(("…", "...")) or quote.startswith(says[:20]):
        return quote
    return f"{says}: {quote}"


def _grounding(item: Evidence) -> Grounding:
    return Grounding(
        evidence_id=item.id,
        quote=item.quote,
        source_id=item.source_id,
        chunk_id=item.chunk_id,
        start=item.start,
        end=item.end,
        title=item.title,
        url=item.url,
        support=item.support,
        relevance=item.score,
    )


def _disputes(
    question: SubQuestion, disputes: Sequence[Conflict], mine: Sequence[Evidence]
) -> list[Uncertainty]:
    """Put both quotes of each unsettled conflict side by side."""
    known = {item.id: item for item in mine}
    made: list[Uncertainty] = []
    for item in disputes:
        sides = [known[each] for each in (item.first, item.second) if each in known]
        if item.status == "resolved" or len(sides) < 2:
            continue
        told = " / ".join(
            f"{side.says or side.quote} ({side.title or side.source_id})" for side in sides
        )
        made.append(
            Uncertainty(
                statement=f"Sources disagree: {told}",
                question_id=question.id,
                groundings=tuple(_grounding(side) for side in sides),
            )
        )
    return made


def _doubt(question: SubQuestion, item: Evidence) -> Uncertainty:
    why = "The source holds back" if item.hedged else "This bears on it only in part"
    why = "This gives orders to its reader, which are not followed" if item.notes else why
    return Uncertainty(
        statement=f"{why}: {_statement(item)}",
        question_id=question.id,
        groundings=(_grounding(item),),
    )


def _open(
    question: SubQuestion,
    gaps: Sequence[Gap],
    searches: Sequence[Mapping[str, Any]],
    mine: Sequence[Evidence],
) -> OpenQuestion:
    own = [gap for gap in gaps if gap.question_id == question.id and gap.reason != "single_source"]
    searched = [item for item in searches if item["question_id"] == question.id]
    reason: GapReason = own[0].reason if own else "evidence_too_weak"
    suggested: Suggestion = own[0].suggested if own else "read_more"
    if not own and not mine:
        hits = sum(int(item["hits"]) for item in searched)
        failed = bool(searched) and all(item["status"] == "failed" for item in searched)
        reason, suggested = ("not_supported" if hits else "no_results"), "retrieve_more"
        reason = "search_failed" if failed else reason
    return OpenQuestion(
        question_id=question.id,
        question=question.text,
        reason=reason,
        suggested=suggested,
        searched=tuple(dict.fromkeys(str(item["text"]) for item in searched)),
    )
