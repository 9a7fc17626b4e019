"""Write the answer with a model: from numbered quotes alone, each statement checked with them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.grounding import cleaned, marks, misquoted, risks, unfounded
from ragnb.llm.metering import note
from ragnb.llm.shapes import AnswerReply, ClaimReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import (
    Answer,
    Claim,
    Conflict,
    Evidence,
    Gap,
    Grounding,
    SubQuestion,
    Uncertainty,
    content_id,
)
from ragnb.stages import Synthesizer, compose
from ragnb.stages.conflicts import losers
from ragnb.text import holds_back

__all__ = ["ModelSynthesizer"]

_TOKENS: Final = 1600
_QUOTES: Final = 24
_CLAIMS: Final = 6


@component
class ModelSynthesizer(Twin[Synthesizer]):
    """Write the answer with a model.

    Citations to nothing known are stripped, and shown as stripped. A statement becomes an
    uncertainty if it cites nothing, if it holds a number, a date or an address that its quotes
    don't, or if it rests on what is hedged, weak or in conflict alone. A question that the model
    leaves out is answered by the rules, and so are its strong quotes if the model cites none.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The synthesizer without a model.
        prices: The user's prices.
    """

    prompt = prompts.ANSWER
    ruled = Synthesizer

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
        """Return an answer; the arguments are those of `Synthesizer.run`."""
        ruled = compose(goal, questions, evidence, gaps or (), conflicts or (), searches or ())
        marked = _marked(evidence)
        if not marked or not questions:
            return {"answer": ruled}
        given = prompts.answer(goal, questions, marked)
        reply = structured(self.model, self.prompt, given, AnswerReply, tokens=_TOKENS)
        if reply is None:
            return {"answer": ruled}
        shaky = _shaky(evidence, conflicts or ())
        claims: dict[str, list[Claim]] = {question.id: [] for question in questions}
        doubts: list[Uncertainty] = []
        for item in reply.claims:
            number = item.question if 1 <= item.question <= len(questions) else 1
            made = _statement(item, questions[number - 1], marked, shaky)
            if isinstance(made, Claim) and len(claims[made.question_id]) < _CLAIMS:
                claims[made.question_id].append(made)
            elif isinstance(made, Uncertainty):
                doubts.append(made)
        disputed = frozenset(c.question_id for c in conflicts or () if c.status != "resolved")
        return {"answer": _answer(ruled, questions, claims, doubts, disputed)}


def _marked(evidence: Sequence[Evidence]) -> dict[str, Evidence]:
    """Give the best verified quotes their marks, in the order of finding."""
    able = [item for item in evidence if item.verified]
    best = sorted(able, key=lambda item: (item.grade, -item.score, item.id))[:_QUOTES]
    chosen = {item.id for item in best}
    kept = [item for item in able if item.id in chosen]
    return {f"E{number}": item for number, item in enumerate(kept, start=1)}


def _shaky(evidence: Sequence[Evidence], conflicts: Sequence[Conflict]) -> frozenset[str]:
    """Return the ids of evidence on which no conclusion can rest alone."""
    open_ones = [item for item in conflicts if item.status != "resolved"]
    disputed = {each for item in open_ones for each in (item.first, item.second)}
    weak = {item.id for item in evidence if item.hedged or item.support == "weak"}
    return frozenset(disputed | weak | losers(list(conflicts)))


def _statement(
    item: ClaimReply,
    question: SubQuestion,
    marked: Mapping[str, Evidence],
    shaky: frozenset[str],
) -> Claim | Uncertainty | None:
    """Make of a model's statement a claim, or, if it can't be one, an uncertainty."""
    text = cleaned(item.statement)
    if not text:
        return None
    named, unknown = marks(item.cites)
    unknown += [mark for mark in named if mark not in marked]
    cited = [marked[mark] for mark in named if mark in marked]
    quotes = [each.quote for each in cited]
    told: list[str] = []
    if unknown:
        plural = "s" if len(unknown) > 1 else ""
        told.append(f"stripped: {len(unknown)} citation{plural} to nothing known")
        note(f"Stripped from the model's answer: citations to {', '.join(unknown)[:80]}.")
    missing = unfounded(text, question.text, quotes)
    others = {each.title or each.source_id: each.quote for each in marked.values()}
    told += misquoted(text, quotes, others)
    groundings = tuple(Grounding.of(each) for each in cited)
    if not cited or missing or all(each.id in shaky for each in cited):
        why = [f"not in its quotes: {', '.join(missing)}"] if cited and missing else []
        why += told + ([] if cited else ["it cites no quote"])
        said = f"{text} ({'; '.join(why)})" if why else text
        keep = groundings if not missing else ()
        return Uncertainty(statement=said, question_id=question.id, groundings=keep)
    told += risks(text, question.text, quotes)
    return Claim(
        id=content_id("claim", question.id, text, *(each.id for each in cited)),
        statement=text,
        question_id=question.id,
        groundings=groundings,
        hedged=holds_back(question.text, text) and not any(each.hedged for each in cited),
        risks=tuple(told),
    )


def _left_out(by_rule: Sequence[Claim], own: Sequence[Claim]) -> list[Claim]:
    """Return the rules' claims on strong quotes, if the model's rest on none of these."""
    cited = {g.evidence_id for claim in own for g in claim.groundings}
    strong = {
        claim.id: {g.evidence_id for g in claim.groundings if g.support == "strong"}
        for claim in by_rule
    }
    if any(ids & cited for ids in strong.values()):
        return []
    return [claim for claim in by_rule if strong[claim.id]]


def _answer(
    ruled: Answer,
    questions: Sequence[SubQuestion],
    claims: Mapping[str, list[Claim]],
    doubts: Sequence[Uncertainty],
    disputed: frozenset[str],
) -> Answer:
    """Put the model's statements in the place of the rules', where it has made some.

    Args:
        ruled: The answer of the rules.
        questions: The questions, in reading order.
        claims: The model's statements by question.
        doubts: What the model stated and can't be concluded.
        disputed: Questions on which an unsettled conflict is told.
    """
    conclusions: list[Claim] = []
    for question in questions:
        own: dict[str, Claim] = {}
        for claim in claims[question.id]:  # of one statement made twice, the better founded one
            known = own.get(claim.statement)
            if known is None or len(claim.risks) < len(known.risks):
                own[claim.statement] = claim
        by_rule = [claim for claim in ruled.conclusions if claim.question_id == question.id]
        if by_rule and not own:
            note(f"Rules answered “{question.text}”, for the model made no sound statement on it.")
        left = _left_out(by_rule, list(own.values())) if own else []
        if left:
            note(f"Rules stated what the model left out of “{question.text}”: its strong quotes.")
        conclusions += [*left, *own.values()] or by_rule
    said = {question_id for question_id, made in claims.items() if made}
    return Answer(
        goal=ruled.goal,
        conclusions=tuple(conclusions),
        open_questions=tuple(o for o in ruled.open_questions if o.question_id not in said),
        uncertainties=(
            *(u for u in ruled.uncertainties if u.question_id not in said - disputed),
            *doubts,
        ),
        partial=any(open_.question_id not in said for open_ in ruled.open_questions),
    )
