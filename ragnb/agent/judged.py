"""How assessments, answers and the end enter the state."""

from dataclasses import replace

from ragnb.agent.actions import Reply, Stop, Synthesize
from ragnb.agent.finish import finished
from ragnb.agent.outcomes import Assessed
from ragnb.agent.planning import reflected
from ragnb.agent.searches import with_queries
from ragnb.agent.state import Assessment, State
from ragnb.records import Answer, Conflict, Gap, Reflection, StopReason
from ragnb.records.planned import OWN_TOOLS

__all__ = ["answered", "assessed", "stopped"]

CUT_OFF = ("user", "failed")
"""Stop reasons, beside spent budgets, after which an answer is called partial in any case."""


def assessed(state: State, value: Assessed) -> State:
    """Return the state after a verdict: gaps and conflicts opened, kept and closed."""
    ids = tuple(item.id for item in state.evidence)
    before = set(state.assessments[-1].known) if state.assessments else set()
    new = tuple(item for item in ids if item not in before)
    look = _honest(state, value, new) if value.reflection else None
    assessment = Assessment(
        verdict=value.verdict,
        new=new,
        known=ids,
        suggested=value.suggested,
        reflection=look,
    )
    state = replace(
        state,
        gaps=_gaps(state, value.gaps),
        conflicts=_conflicts(state, value.conflicts),
        assessments=(*state.assessments, assessment),
        unassessed=False,
        round=state.round + state.asking,
        asking=False,
    )
    state = with_queries(state, value.queries)
    return reflected(state, look) if look else state


def _honest(state: State, value: Assessed, new: tuple[str, ...]) -> Reflection:
    """Refuse to go on from a step where nothing new is named, or nothing new came.

    A tool's result, and what a step gives later ones, are new too. From a step that failed a plan
    goes on only to steps that don't need it.
    """
    look: Reflection = value.reflection  # type: ignore[assignment]
    step = state.plan_step(look.step)
    searched = step is None or step.tool in OWN_TOOLS
    came = bool(new or look.found) or (not searched and bool(look.result))
    if look.next != "continue" or (look.new.strip() and came):
        return look
    waiting = [s for s in state.plan_steps if s.status == "pending" and s.id != look.step]
    if look.status == "failed" and any(look.step not in s.depends_on for s in waiting):
        return look
    why = f"Going on from step {look.step} was refused: nothing new was named."
    return replace(look, status="failed", next="replan", reason=why)


def _gaps(state: State, now: tuple[Gap, ...]) -> tuple[Gap, ...]:
    wanted = {gap.key: gap for gap in now}
    kept = tuple(_kept(gap, wanted, state.entries) for gap in state.gaps)
    live = {gap.key for gap in kept if gap.closed_at is None}
    new = tuple(
        replace(gap, opened_at=state.entries, closed_at=None, waived=False)
        for key, gap in wanted.items()
        if key not in live
    )
    return kept + new


def _kept(gap: Gap, wanted: dict[tuple[str, str], Gap], entries: int) -> Gap:
    """Close a gap that is no longer seen, and bring one that is up to date."""
    if gap.closed_at is not None or gap.waived:
        return gap
    seen = wanted.get(gap.key)
    if seen is None:
        return replace(gap, closed_at=entries)
    return replace(gap, suggested=seen.suggested, detail=seen.detail)


def _conflicts(state: State, now: tuple[Conflict, ...]) -> tuple[Conflict, ...]:
    wanted = {item.key: item for item in now}
    kept: list[Conflict] = []
    for old in state.conflicts:
        new = wanted.pop(old.key, None)
        if old.rule == "a person":
            kept.append(old)
        elif new is None:
            gone = replace(old, status="resolved", rule=old.rule or "no longer seen")
            kept.append(gone if old.closed_at else replace(gone, closed_at=state.entries))
        else:
            closed = None if new.status == "open" else old.closed_at or state.entries
            kept.append(replace(new, opened_at=old.opened_at, closed_at=closed))
    for item in wanted.values():
        closed = None if item.status == "open" else state.entries
        kept.append(replace(item, opened_at=state.entries, closed_at=closed))
    return tuple(kept)


def answered(state: State, action: Synthesize | Reply, answer: Answer) -> State:
    """Return the state with an answer; a hedged or ungrounded statement reopens its gap.

    This happens once a question, and only where the policy assesses at all.
    """
    if isinstance(action, Reply):
        why = StopReason(code="replied", text="No document was needed for this.")
        return replace(state, answer=finished(answer, state), closing=why)
    whole = finished(answer, state)
    shaky = {claim.question_id for claim in whole.conclusions if claim.hedged}
    shaky |= {doubt.question_id for doubt in whole.uncertainties if not doubt.groundings}
    shaky &= {question.id for question in state.questions}
    shaky -= set(state.reopened)
    if shaky and action.closing.code == "enough" and state.assessments:
        gaps = tuple(
            Gap(
                question_id=question_id,
                reason="evidence_too_weak",
                detail="The answer holds back where its evidence does not, or rests on nothing.",
                opened_at=state.entries,
            )
            for question_id in sorted(shaky)
        )
        return replace(
            state,
            answer=whole,
            closing=None,
            gaps=state.gaps + gaps,
            reopened=(*state.reopened, *sorted(shaky)),
        )
    why = action.closing
    if why.code == "enough" and not whole.conclusions and not whole.text:
        why = StopReason(code="insufficient", text="What was found grounds no conclusion.")
    return replace(state, answer=whole, closing=why)


def stopped(state: State, action: Stop, fallback: Answer | None) -> State:
    """Return the ended state; its answer carries the stop reason."""
    answer = finished(fallback, state) if fallback is not None else state.answer
    if answer is None:
        answer = finished(Answer(goal=state.goal), state)
    code = action.why.code
    partial = answer.partial or code in CUT_OFF or code.startswith("budget")
    return replace(state, stop=action.why, answer=replace(answer, stop=action.why, partial=partial))
