"""What a person's change does to the state; everything else in it is derived."""

from dataclasses import replace

from ragnb.agent.actions import Edit
from ragnb.agent.searches import with_queries
from ragnb.agent.state import State
from ragnb.records import Evidence, Query, Routing, SubQuestion
from ragnb.records.planned import REMOVED

__all__ = ["edited"]


def edited(state: State, edit: Edit) -> State:
    """Return the state after a person's edit; an Assess is due where what it looks at changed."""
    if edit == Edit(budget=edit.budget):
        return _rebudgeted(state, edit)
    changed = state
    if edit.goal is not None:
        goal = SubQuestion.of(edit.goal)
        changed = replace(changed, goal=edit.goal, normalized_goal="", planned=False)
        changed = replace(changed, route=None, plan_steps=(), replan="", replans=0)
        changed = _with_questions(changed, (goal,))
    if edit.filters is not None:
        changed = replace(changed, filters=edit.filters or None)
    if edit.questions is not None:
        changed = _with_questions(changed, edit.questions)
    if edit.pending is not None:
        kept = tuple(item for item in changed.searches if item.status != "pending")
        changed = with_queries(replace(changed, searches=kept), edit.pending)
    if edit.budget is not None:
        changed = replace(changed, budget=edit.budget)
    if edit.recalled is not None:
        changed = replace(changed, recalled=edit.recalled)
    if edit.route is not None:
        kind = state.route.kind if state.route else "single"
        chosen = Routing(kind=kind, policy=edit.route, reason="A person chose it.")
        changed = replace(changed, route=chosen)
    changed = _without(changed, edit)
    changed = _settled(changed, edit)
    looked_at = bool(
        edit.goal is not None
        or edit.questions is not None
        or edit.drop_evidence
        or edit.exclude_sources
        or edit.waive
        or edit.resolve
    )
    due = state.unassessed or (looked_at and bool(state.assessments))
    return replace(changed, answer=None, closing=None, stop=None, unassessed=due)


def _rebudgeted(state: State, edit: Edit) -> State:
    """A new budget keeps the answer, unless the run had ended by the old one."""
    ended = state.stop or state.closing
    state = replace(state, budget=edit.budget or state.budget)
    if ended is not None and ended.code.startswith("budget"):
        return replace(state, stop=None, closing=None, answer=None)
    return state


def _with_questions(state: State, questions: tuple[SubQuestion, ...]) -> State:
    ids = {question.id for question in questions}
    old = {question.id for question in state.questions}
    gaps = tuple(
        replace(gap, closed_at=state.entries)
        if gap.closed_at is None and gap.question_id not in ids
        else gap
        for gap in state.gaps
    )
    searches = tuple(
        item for item in state.searches if item.status != "pending" or item.query.question_id in ids
    )
    state = replace(
        state,
        questions=questions,
        gaps=gaps,
        searches=searches,
        conflicts=tuple(item for item in state.conflicts if item.question_id in ids),
        evidence=tuple(item for item in state.evidence if item.question_id in ids),
    )
    new = (question for question in questions if question.id not in old)
    return with_queries(
        state,
        (
            Query.of(item.text, item.id, channels=item.channels, filters=state.filters)
            for item in new
        ),
    )


def _without(state: State, edit: Edit) -> State:
    gone = {*edit.drop_evidence, *edit.exclude_sources}
    if not gone:
        return state
    kept = tuple(
        item for item in state.evidence if item.id not in gone and item.source_id not in gone
    )
    ids = {item.id for item in kept}
    state = _shaken(state, kept)
    return replace(
        state,
        evidence=kept,
        conflicts=tuple(c for c in state.conflicts if c.first in ids and c.second in ids),
        excluded=tuple(dict.fromkeys((*state.excluded, *sorted(gone)))),
    )


def _shaken(state: State, kept: tuple[Evidence, ...]) -> State:
    """Let steps fail whose best evidence a person took away, so that they are planned for again."""
    ids = {item.id for item in kept}
    best: dict[str, Evidence] = {}
    for item in state.evidence:
        if item.score > best.get(item.question_id, item).score or item.question_id not in best:
            best[item.question_id] = item
    lost = {question_id for question_id, item in best.items() if item.id not in ids}
    shaken = [step for step in state.plan_steps if step.status == "done"]
    shaken = [step for step in shaken if step.question_id in lost]
    if not shaken:
        return state
    names = {step.id for step in shaken}
    steps = tuple(
        replace(step, status="failed", error=REMOVED) if step.id in names else step
        for step in state.plan_steps
    )
    return replace(state, plan_steps=steps, replan=f"{REMOVED} It was step {shaken[0].id}.")


def _settled(state: State, edit: Edit) -> State:
    winners = {tuple(item[:3]): item[3] for item in edit.resolve}
    return replace(
        state,
        gaps=tuple(
            replace(gap, waived=True) if gap.key in edit.waive else gap for gap in state.gaps
        ),
        conflicts=tuple(
            replace(
                item,
                status="resolved",
                rule="a person",
                winner=winners[item.key],
                closed_at=state.entries,
            )
            if item.key in winners
            else item
            for item in state.conflicts
        ),
    )
