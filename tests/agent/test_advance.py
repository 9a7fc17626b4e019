from dataclasses import fields, replace
from typing import Any, get_args

import pytest

from ragnb.agent.actions import (
    Action,
    Approve,
    Assess,
    Choose,
    Edit,
    Extract,
    Plan,
    Read,
    Recall,
    Reply,
    Rerank,
    Retrieve,
    Route,
    Stop,
    Synthesize,
    UseTool,
    action_id,
)
from ragnb.agent.advance import advance
from ragnb.agent.outcomes import Edited, Failed, Outcome, Recalled
from ragnb.agent.state import Assessment, Failure, Search, State, ToolCall
from ragnb.records import (
    Answer,
    Budget,
    Conflict,
    Context,
    Evidence,
    Gap,
    Hit,
    Query,
    StopReason,
    SubQuestion,
    Usage,
)

FIRST, SECOND = SubQuestion.of("export limit"), SubQuestion.of("incident review")
ASKED, WAITING = Query.of("export limit", FIRST.id), Query.of("incident review", SECOND.id)
HITS = tuple(Hit(chunk_id=f"s{n}#0", source_id=f"s{n}", rank=n, score=1 / n) for n in range(1, 9))
CALL = ToolCall(id="t1", name="send_mail", approved=True)
OTHER = ToolCall(id="t2", name="send_mail")
ENOUGH = StopReason(code="enough", text="Both are answered.")


def evidence(name: str, source: str, question: SubQuestion = FIRST) -> Evidence:
    return Evidence(
        id=name,
        question_id=question.id,
        quote="q",
        verified=True,
        source_id=source,
        chunk_id=f"{source}#0",
        context_id="c",
        start=0,
        end=1,
    )


STATE = State(
    goal="export limit and incident review",
    normalized_goal="limits and reviews",
    budget=Budget(rounds=4),
    filters={"field": "meta.kind", "operator": "==", "value": "guide"},
    recalled=("likes short answers",),
    planned=True,
    questions=(FIRST, SECOND),
    searches=(Search(query=ASKED, status="asked", hits=HITS), Search(query=WAITING)),
    contexts=(Context(id="c", source_id="s1", scope="chunk", start=0, end=1, text="q"),),
    evidence=(evidence("e1", "s1"), evidence("e2", "s2"), evidence("e3", "s3", SECOND)),
    gaps=(
        Gap(question_id=FIRST.id, reason="source_conflict", opened_at=3),
        Gap(question_id=SECOND.id, reason="single_source", opened_at=3),
    ),
    conflicts=(
        Conflict(question_id=FIRST.id, first="e1", second="e2", kind="number", opened_at=3),
    ),
    calls=(CALL, OTHER),
    answer=Answer(goal="g", text="old"),
    steps=7,
    tool_calls=1,
    round=1,
    entries=7,
)
"""A run in its middle: one query asked, one pending, two sources that disagree."""


def after_failure(action: Action, state: State = STATE) -> State:
    """Advance by a failure, and check what holds after every one of them."""
    outcome = Outcome(value=Failed(text="it broke"), usage=Usage(seconds=2, calls=1))
    after = advance(state, action, outcome)
    failure = Failure(action_id=action_id(action), text="it broke")
    assert after.failures == (*state.failures, failure)
    assert after.spent == state.spent + outcome.usage
    assert after.entries == state.entries + 1
    return after


def changed(before: State, after: State) -> dict[str, Any]:
    """Return the fields that differ, but for what every entry counts up."""
    counted = {"entries", "steps", "failures", "spent"}
    return {
        item.name: getattr(after, item.name)
        for item in fields(State)
        if item.name not in counted and getattr(before, item.name) != getattr(after, item.name)
    }


def test_a_failed_plan_leaves_the_goal_as_the_only_question_and_its_words_as_the_query() -> None:
    state = State(goal="export limit and incident review", questions=(FIRST, SECOND))
    question = SubQuestion.of(state.goal)
    after = after_failure(Plan(), state)
    assert changed(state, after) == {
        "planned": True,
        "questions": (question,),
        "searches": (Search(query=Query.of(state.goal, question.id, filters=None)),),
    }


def test_a_failed_replan_keeps_the_old_plan() -> None:
    assert changed(STATE, after_failure(Plan(again=True))) == {}


def test_a_failed_search_counts_as_a_call_and_is_marked() -> None:
    after = after_failure(Retrieve(query=WAITING))
    assert changed(STATE, after) == {
        "searches": (STATE.searches[0], Search(query=WAITING, status="failed")),
        "tool_calls": 2,
        "unassessed": True,
        "asking": True,
    }


def test_a_failed_search_takes_the_place_of_the_one_that_it_was_to_replace() -> None:
    query = Query.of("review after incidents", SECOND.id)
    after = after_failure(Retrieve(query=query, instead_of=WAITING.id))
    assert after.searches == (STATE.searches[0], Search(query=query, status="failed"))


def test_a_failed_rerank_keeps_the_first_five_hits_in_their_fused_order() -> None:
    after = after_failure(Rerank(query_id=ASKED.id))
    assert changed(STATE, after) == {
        "searches": (replace(STATE.searches[0], ranked=HITS[:5]), STATE.searches[1])
    }


def test_a_failed_rerank_of_an_unknown_query_changes_nothing() -> None:
    assert changed(STATE, after_failure(Rerank(query_id="zz"))) == {}


def test_a_failed_extraction_is_not_owed_any_more() -> None:
    after = after_failure(Extract(question_id=FIRST.id, context_id="c"))
    assert changed(STATE, after) == {"extracted": ((FIRST.id, "c"),)}


def test_a_failed_tool_is_marked_and_counts_as_a_call() -> None:
    after = after_failure(UseTool(call=CALL))
    assert changed(STATE, after) == {
        "calls": (replace(CALL, status="failed", result="it broke"), OTHER),
        "tool_calls": 2,
        "unassessed": True,
        "asking": True,
    }


def test_a_failed_assessment_ends_its_round_too() -> None:
    state = replace(STATE, unassessed=True, asking=True)
    after = after_failure(Assess(), state)
    assert changed(state, after) == {"unassessed": False, "asking": False, "round": 2}


def test_a_failed_assessment_of_no_query_is_no_round() -> None:
    state = replace(STATE, unassessed=True)
    assert changed(state, after_failure(Assess(), state)) == {"unassessed": False}


def test_a_failed_synthesis_closes_the_run_and_leaves_the_answer_to_its_end() -> None:
    after = after_failure(Synthesize(closing=ENOUGH))
    assert changed(STATE, after) == {"closing": ENOUGH, "answer": None}


def test_a_failed_reply_closes_the_run_as_failed() -> None:
    why = StopReason(code="failed", text="The reply failed: it broke")
    assert changed(STATE, after_failure(Reply())) == {"closing": why}


PLAIN = [
    Route(),
    Recall(),
    Read(id="s1#0"),
    Choose(),
    Approve(call=CALL),
    Stop(why=ENOUGH),
    Edit(goal="else"),
]


@pytest.mark.parametrize("action", PLAIN, ids=lambda action: action.kind)
def test_any_other_failure_is_only_written_down(action: Action) -> None:
    assert changed(STATE, after_failure(action)) == {}


def test_every_kind_of_action_has_a_tested_fallback() -> None:
    tested = {type(action) for action in PLAIN} | {
        Plan,
        Retrieve,
        Rerank,
        Extract,
        UseTool,
        Assess,
        Synthesize,
        Reply,
    }
    assert tested == set(get_args(Action))


def test_an_outcome_of_another_action_is_told() -> None:
    with pytest.raises(TypeError, match="Recalled is no outcome of Assess"):
        advance(STATE, Assess(), Outcome(value=Recalled()))


def after_edit(state: State = STATE, **edit: Any) -> dict[str, Any]:
    """Return what an edit changes; it is an entry, but no step of the agent."""
    after = advance(state, Edit(**edit), Outcome(value=Edited()))
    assert after.steps == state.steps
    assert after.entries == state.entries + 1
    return changed(state, after)


GONE = {"answer": None}
"""What nearly every edit does: the old answer does not stand any more."""


def test_a_new_goal_is_planned_anew_and_drops_what_belonged_to_the_old_questions() -> None:
    question = SubQuestion.of("pager rotation")
    query = Query.of("pager rotation", question.id, channels=(), filters=STATE.filters)
    assert after_edit(goal="pager rotation") == GONE | {
        "goal": "pager rotation",
        "normalized_goal": "",
        "planned": False,
        "questions": (question,),
        "searches": (STATE.searches[0], Search(query=query)),
        "evidence": (),
        "conflicts": (),
        "gaps": tuple(replace(gap, closed_at=8) for gap in STATE.gaps),
    }


def test_new_filters_hold_from_then_on() -> None:
    new = {"field": "meta.kind", "operator": "==", "value": "policy"}
    assert after_edit(filters=new) == GONE | {"filters": new}


def test_empty_filters_are_no_filters() -> None:
    assert after_edit(filters={}) == GONE | {"filters": None}


def test_new_questions_keep_what_was_found_on_those_that_stay() -> None:
    new = SubQuestion.of("pager rotation", channels=("words",))
    query = Query.of("pager rotation", new.id, channels=("words",), filters=STATE.filters)
    assert after_edit(questions=(FIRST, new)) == GONE | {
        "questions": (FIRST, new),
        "searches": (STATE.searches[0], Search(query=query)),
        "evidence": STATE.evidence[:2],
        "gaps": (STATE.gaps[0], replace(STATE.gaps[1], closed_at=8)),
    }


def test_new_pending_queries_replace_the_waiting_ones_alone() -> None:
    new = Query.of("who reviews incidents", SECOND.id)
    assert after_edit(pending=(new, ASKED)) == GONE | {
        "searches": (STATE.searches[0], Search(query=new))
    }


def test_no_pending_queries_are_left_after_an_empty_list() -> None:
    assert after_edit(pending=()) == GONE | {"searches": STATE.searches[:1]}


def test_a_new_budget_keeps_the_answer() -> None:
    assert after_edit(budget=Budget(rounds=9)) == {"budget": Budget(rounds=9)}


def test_a_new_budget_reopens_a_run_that_the_old_one_ended() -> None:
    why = StopReason(code="budget_rounds")
    state = replace(STATE, stop=why, closing=why)
    found = after_edit(state, budget=Budget(rounds=9))
    assert found == GONE | {"budget": Budget(rounds=9), "stop": None, "closing": None}


def test_a_new_budget_leaves_a_run_ended_that_had_enough() -> None:
    state = replace(STATE, stop=ENOUGH, closing=ENOUGH)
    assert after_edit(state, budget=Budget(rounds=9)) == {"budget": Budget(rounds=9)}


def test_a_budget_among_other_changes_is_taken_too() -> None:
    found = after_edit(budget=Budget(rounds=9), recalled=())
    assert found == GONE | {"budget": Budget(rounds=9), "recalled": ()}


def test_what_was_recalled_can_be_put_right() -> None:
    assert after_edit(recalled=("likes tables",)) == GONE | {"recalled": ("likes tables",)}


def test_dropped_evidence_takes_its_conflicts_along_and_cannot_come_back() -> None:
    assert after_edit(drop_evidence=("e2",)) == GONE | {
        "evidence": (STATE.evidence[0], STATE.evidence[2]),
        "conflicts": (),
        "excluded": ("e2",),
    }


def test_an_excluded_source_takes_all_its_evidence_along() -> None:
    state = replace(STATE, excluded=("s9",))
    assert after_edit(state, exclude_sources=("s3",)) == GONE | {
        "evidence": STATE.evidence[:2],
        "excluded": ("s9", "s3"),
    }


def test_a_waived_gap_is_open_no_more() -> None:
    found = after_edit(waive=((SECOND.id, "single_source"),))
    assert found == GONE | {"gaps": (STATE.gaps[0], replace(STATE.gaps[1], waived=True))}


def test_a_conflict_that_a_person_settles_has_the_named_winner() -> None:
    found = after_edit(resolve=((FIRST.id, "e1", "e2", "e2"),))
    settled = replace(
        STATE.conflicts[0], status="resolved", rule="a person", winner="e2", closed_at=8
    )
    assert found == GONE | {"conflicts": (settled,)}


def test_an_edit_reopens_an_ended_run() -> None:
    state = replace(STATE, stop=ENOUGH, closing=ENOUGH)
    found = after_edit(state, recalled=())
    assert found == GONE | {"recalled": (), "stop": None, "closing": None}


LOOKED_AT: dict[str, Any] = {
    "goal": "pager rotation",
    "questions": (FIRST,),
    "drop_evidence": ("e2",),
    "exclude_sources": ("s3",),
    "waive": ((SECOND.id, "single_source"),),
    "resolve": ((FIRST.id, "e1", "e2", "e2"),),
}
NOT_LOOKED_AT: dict[str, Any] = {
    "filters": {},
    "pending": (),
    "budget": Budget(rounds=9),
    "recalled": (),
    "route": "plan",
}


@pytest.mark.parametrize("name", [*LOOKED_AT, *NOT_LOOKED_AT])
def test_an_assessment_is_due_again_where_what_it_looks_at_changed(name: str) -> None:
    state = replace(STATE, assessments=(Assessment(verdict="conflict", known=("e1", "e2", "e3")),))
    found = after_edit(state, **{name: (LOOKED_AT | NOT_LOOKED_AT)[name]})
    assert found.get("unassessed", False) is (name in LOOKED_AT)


def test_every_field_of_an_edit_is_tested() -> None:
    names = {item.name for item in fields(Edit)} - {"kind", "reason"}
    assert names == set(LOOKED_AT) | set(NOT_LOOKED_AT)
