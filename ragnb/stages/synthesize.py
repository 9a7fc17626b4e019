"""Write the answer by rule: each statement is built from the quote that it rests on."""

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
from ragnb.stages.clauses import shortened
from ragnb.stages.conflicts import losers
from ragnb.stages.copies import same_wording
from ragnb.stages.phrases import phrase
from ragnb.stages.picking import Picked
from ragnb.stages.statements import statement
from ragnb.stages.tables import compared
from ragnb.stages.together import bears, together
from ragnb.text.cues import NOT_IN_FORCE, is_chinese, question_kind

__all__ = ["Synthesizer", "compose"]

QUOTED: Final = 60
"""Words that are quoted for a question, but for lists and tables; what is compared shares them."""
_DOUBTED: Final = 2
_TRUSTED: Final = 0.34
"""Below it trust is called low."""
_BEHIND: Final = 0.8
"""What a piece tells counts for so much if its document is not in force."""


def compose(  # noqa: PLR0917 - what a run knows
    goal: str,
    questions: Sequence[SubQuestion],
    evidence: Sequence[Evidence],
    gaps: Sequence[Gap] = (),
    conflicts: Sequence[Conflict] = (),
    searches: Sequence[Mapping[str, Any]] = (),
) -> Answer:
    """Compose an answer from what there is, without a model.

    A question is answered by verified evidence that is enough together, not hedged, and not the
    losing side of a settled conflict. What is hedged, weak or in conflict becomes an uncertainty;
    a question with no conclusion stays open, with the reason and what was searched. Conclusions
    that only help with another question stand behind the others.

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
    short: dict[str, str] = {}
    compares = question_kind(goal) == "comparison"
    words = QUOTED // max(1, len(questions)) if compares else QUOTED
    for question in sorted(questions, key=lambda each: not each.required):
        mine = _ordered(item for item in evidence if item.question_id == question.id)
        disputes = [item for item in conflicts if item.question_id == question.id]
        disputed = {
            each
            for item in disputes
            if item.status != "resolved"
            for each in (item.first, item.second)
        }
        lost = losers(disputes)
        left = [item for item in mine if item.id not in lost | disputed]
        chosen = together(question, [item for item in left if not item.hedged])
        doubts += _disputes(goal, question, disputes, mine)
        guess = _guess(question, left)
        if guess is not None:
            doubts.append(_doubt(goal, question, guess))
        elif chosen.suffices and not disputed:
            alone = _stands_alone(chosen.picked, left)
            missing = [
                gap
                for gap in gaps
                if gap.question_id == question.id and (alone or gap.reason != "single_source")
            ]
            room = words if question.required else QUOTED // 3
            claim, says = _claim(goal, question, chosen.picked, disputes, missing, room)
            conclusions.append(claim)
            short[claim.id] = says
            continue
        shaky = [item for item in left if bears(item) and item is not guess]
        doubts += [_doubt(goal, question, item) for item in shaky[:_DOUBTED]]
        if question.required:
            open_questions.append(_open(question, gaps, searches, mine))
    return Answer(
        goal=goal,
        conclusions=tuple(conclusions),
        open_questions=tuple(open_questions),
        uncertainties=tuple(doubts),
        table=compared(goal, questions, conclusions, short),
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


def _ordered(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Keep verified evidence, best first."""
    able = [item for item in evidence if item.verified]
    return sorted(able, key=lambda e: (e.grade, e.hedged, -_worth(e), e.id))


def _worth(item: Evidence) -> float:
    """Weigh a piece of evidence by its score, its source's trust and whether that is in force."""
    return round(item.score + 0.2 * (item.trust - 0.5) - 0.2 * (item.status in NOT_IN_FORCE), 6)


def _teller(picked: Sequence[Picked]) -> Picked:
    """Return the piece that tells the answer; of two nearly alike the one in force."""
    return max(
        picked,
        key=lambda each: (
            each.tells * (_BEHIND if each.item.status in NOT_IN_FORCE else 1),
            each.chance,
            each.item.id,
        ),
    )


def _stands_alone(picked: Sequence[Picked], left: Sequence[Evidence]) -> bool:
    """Tell whether it matters that one source alone says it.

    It does where that is hardly trusted, and where others bear on the question well, yet don't
    tell it. Elsewhere it is what most documents are for.
    """
    sources = {each.item.source_id for each in picked}
    doubtful = all(each.item.trust < _TRUSTED for each in picked)
    return doubtful or any(i.support != "weak" and i.source_id not in sources for i in left)


def _guess(question: SubQuestion, left: Sequence[Evidence]) -> Evidence | None:
    """Return the piece that tells the answer best, if its source only guesses it."""
    if not any(item.hedged and item.support != "weak" for item in left):
        return None
    best = together(question, left).picked
    teller = _teller(best).item if best else None
    return teller if teller is not None and teller.hedged else None


def _claim(  # noqa: PLR0917 - what a claim is made of
    goal: str,
    question: SubQuestion,
    picked: Sequence[Picked],
    disputes: Sequence[Conflict],
    missing: Sequence[Gap],
    words: int,
) -> tuple[Claim, str]:
    """Make one claim of pieces that belong together, and return it with its short answer.

    The piece that tells the answer speaks, or the first one if no room was left to quote that.
    """
    teller = _teller(picked)
    cited: list[Picked] = [teller]
    for each in sorted(picked, key=lambda each: each.item.status in NOT_IN_FORCE):
        if not any(same_wording(each.item.quote, other.item.quote) for other in cited):
            cited.append(each)
    parts = shortened(question, cited, words)
    risks = [
        phrase("settled", goal, item.rule)
        for item in disputes
        if item.status == "resolved" and item.rule
    ]
    if len({item.source_id for item, _, _ in parts}) == 1:
        risks += [phrase("single", goal) for gap in missing if gap.reason == "single_source"]
    other = [is_chinese(item.quote) != is_chinese(goal) for item, _, _ in parts]
    risks += [phrase("foreign", goal)] if 2 * sum(other) > len(other) else []
    risks += [phrase("weak", goal) for gap in missing if gap.reason == "evidence_too_weak"]
    speaks = next((part for part in parts if part[0] is teller.item), parts[0])
    if speaks[0].status in NOT_IN_FORCE:
        risks.append(phrase("standing", goal, speaks[0].status))
    claim = Claim(
        id=content_id("claim", question.id, *(f"{i.id} {a} {b}" for i, a, b in parts)),
        statement=statement(speaks[0]),
        question_id=question.id,
        groundings=tuple(Grounding.of(item, start, end) for item, start, end in parts),
        risks=tuple(dict.fromkeys(risks)),
    )
    return claim, speaks[0].says if speaks[0].sure else ""


def _disputes(
    goal: str, question: SubQuestion, disputes: Sequence[Conflict], mine: Sequence[Evidence]
) -> list[Uncertainty]:
    """Put both quotes of each unsettled conflict side by side."""
    known = {item.id: item for item in mine}
    made: list[Uncertainty] = []
    for item in disputes:
        sides = [known[each] for each in (item.first, item.second) if each in known]
        if item.status == "resolved" or len(sides) < 2:
            continue
        told = " / ".join(f"{side.in_short} ({side.title or side.source_id})" for side in sides)
        made.append(
            Uncertainty(
                statement=phrase("disagree", goal, told),
                question_id=question.id,
                groundings=tuple(Grounding.of(side) for side in sides),
            )
        )
    return made


def _doubt(goal: str, question: SubQuestion, item: Evidence) -> Uncertainty:
    why = "orders" if item.notes else "hedged" if item.hedged else "partly"
    return Uncertainty(
        statement=phrase(why, goal, statement(item)),
        question_id=question.id,
        groundings=(Grounding.of(item),),
    )


def _open(
    question: SubQuestion,
    gaps: Sequence[Gap],
    searches: Sequence[Mapping[str, Any]],
    mine: Sequence[Evidence],
) -> OpenQuestion:
    own = [gap for gap in gaps if gap.question_id == question.id and gap.blocks]
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
