"""Make an answer whole: number its quotes, list its sources, say whether it is partial.

This is done by code from the state, so no stage and no model can name a source that was not
found, or cite evidence that does not exist.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from ragnb.agent.state import State
from ragnb.records import Answer, Claim, Evidence, Grounding, SourceUse, Uncertainty
from ragnb.records.planned import OWN_TOOLS
from ragnb.stages.phrases import phrase
from ragnb.text import is_chinese

__all__ = ["finished"]

_Numbers: TypeAlias = dict[tuple[str, int, int], int]
"""The number of each quote, by its evidence and offsets."""


def finished(answer: Answer, state: State) -> Answer:
    """Return the answer with checked groundings, numbered quotes and the list of sources.

    A grounding whose evidence is unknown or unverified is stripped; a claim that has none left
    becomes an uncertainty.
    """
    known = {item.id: item for item in state.evidence if item.verified}
    alone = {gap.question_id for gap in state.open_gaps if gap.reason == "single_source"}
    numbers: _Numbers = {}
    claims: list[Claim] = []
    doubts: list[Uncertainty] = []
    for claim in answer.conclusions:
        groundings = tuple(_resolved(claim.groundings, known, numbers))
        if groundings:
            stripped = len(claim.groundings) - len(groundings)
            risks = claim.risks + ((f"{stripped} citations to nothing known",) if stripped else ())
            single = claim.question_id in alone and len({g.source_id for g in groundings}) == 1
            claims.append(replace(claim, groundings=groundings, risks=risks, single_source=single))
        else:
            doubts.append(Uncertainty(statement=claim.statement, question_id=claim.question_id))
    doubts = [
        replace(doubt, groundings=tuple(_resolved(doubt.groundings, known, numbers)))
        for doubt in answer.uncertainties
    ] + doubts
    doubts += _unread(answer, state)
    return replace(
        answer,
        asked=tuple((question.id, question.text) for question in state.questions),
        conclusions=tuple(claims),
        uncertainties=tuple(doubts),
        sources=_sources(state, numbers),
        remarks=tuple(dict.fromkeys((*_stood_in(state), *answer.remarks, *_remarks(state)))),
        partial=not answer.text and _incomplete(state, claims),
        cost=replace(state.spent, seconds=0.0, calls=0),
    )


def _stood_in(state: State) -> Iterable[str]:
    """Say in how many steps rules did what a model should have done, and why."""
    if state.stood_in:
        number, chinese = len(state.stood_in), is_chinese(state.goal)
        steps = str(number) if chinese else f"{number} {'steps' if number > 1 else 'step'}"
        yield phrase("stood_in", state.goal, steps, state.stood_in[0])


def _remarks(state: State) -> Iterable[str]:
    """Say what the plan could not do; a search without an answer stands as an open question."""
    for step in state.plan_steps:
        retried = step.attempts > 1 and step.tool in OWN_TOOLS
        if step.error and not retried and (step.tool != "search" or step.status != "failed"):
            yield step.error


def _unread(answer: Answer, state: State) -> list[Uncertainty]:
    """Name what was read in another language, where a question stays open and most of it was."""
    goal = is_chinese(state.goal)
    read = {item.source_id: item for item in state.contexts if any(c.isalpha() for c in item.text)}
    other = [item for item in read.values() if is_chinese(item.text) != goal]
    if not answer.open_questions or 2 * len(other) < len(read) or not other:
        return []
    named = ("；" if goal else "; ").join(item.title or item.source_id for item in other)
    statement = phrase("unread", state.goal, named)
    return [Uncertainty(statement=statement, question_id=answer.open_questions[0].question_id)]


def _resolved(
    groundings: Iterable[Grounding], known: dict[str, Evidence], numbers: _Numbers
) -> Iterable[Grounding]:
    for grounding in groundings:
        evidence = known.get(grounding.evidence_id)
        if evidence is None:
            continue
        start, end = _part(grounding, evidence)
        number = numbers.setdefault((evidence.id, start, end), len(numbers) + 1)
        yield replace(
            grounding,
            n=number,
            quote=evidence.quote[start - evidence.start : end - evidence.start],
            source_id=evidence.source_id,
            chunk_id=evidence.chunk_id,
            start=start,
            end=end,
            title=evidence.title,
            url=evidence.url,
            status=evidence.status,
            cells=evidence.cells if (start, end) == (evidence.start, evidence.end) else (),
            support=evidence.support,
        )


def _part(grounding: Grounding, evidence: Evidence) -> tuple[int, int]:
    """Return the offsets of what is quoted: a part of the evidence, if it stands there, or all."""
    start, end = grounding.start, grounding.end
    inside = evidence.start <= start < end <= evidence.end
    part = evidence.quote[start - evidence.start : end - evidence.start] if inside else ""
    return (start, end) if part and part == grounding.quote else (evidence.start, evidence.end)


def _incomplete(state: State, claims: list[Claim]) -> bool:
    said = {claim.question_id for claim in claims}
    return any(question.required and question.id not in said for question in state.questions)


def _sources(state: State, numbers: _Numbers) -> tuple[SourceUse, ...]:
    """Cited sources first, then read, then found; each group best first."""
    uses: dict[str, SourceUse] = {}
    for search in state.searches:
        for hit in search.hits:
            best = max(uses[hit.source_id].score if hit.source_id in uses else 0.0, hit.score)
            uses[hit.source_id] = SourceUse(
                source_id=hit.source_id,
                title=hit.title,
                url=hit.url,
                page=hit.page,
                use="found",
                score=round(best, 6),
                updated=hit.updated,
                trust=hit.trust,
            )
    for context in state.contexts:
        old = uses.get(context.source_id)
        uses[context.source_id] = SourceUse(
            source_id=context.source_id,
            title=context.title,
            url=context.url,
            page=context.page,
            use="read",
            score=old.score if old else 0.0,
            updated=context.updated,
            trust=context.trust,
        )
    by_id = {item.id: item for item in state.evidence}
    for (evidence_id, _, _), number in numbers.items():
        evidence = by_id[evidence_id]
        old = uses[evidence.source_id]
        uses[evidence.source_id] = replace(
            old, use="cited", quotes=(*old.quotes, number), page=evidence.page
        )
    order = {"cited": 0, "read": 1, "found": 2}
    return tuple(
        sorted(
            (use for use in uses.values() if use.source_id not in state.excluded),
            key=lambda use: (order[use.use], use.quotes[:1], -use.score, use.source_id),
        )
    )
