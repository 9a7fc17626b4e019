"""Branches by example: what a fork, an edit and a retry call again, and where two part."""

from typing import Any

import pytest

from ragnb.agent.actions import Edit, Retrieve
from ragnb.agent.loop import Loop
from ragnb.agent.outcomes import Failed
from ragnb.errors import InputError
from ragnb.records import Budget, Query, SubQuestion

GOAL = "export limit and incident review"
WIDE = Budget(steps=200, rounds=50, seconds=1e6)


def calls(loop: Loop) -> int:
    return len(loop.performer.stages.calls)  # type: ignore[attr-defined]


def test_an_equal_step_follows_the_one_that_was_taken(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    for _ in range(5):
        loop.step()
    head, entries = loop.head, len(loop.trace.entries)
    loop.rewind(2)
    for _ in range(3):
        loop.step(loop.next)
    assert loop.head == head
    assert len(loop.trace.entries) == entries


def test_a_live_fork_follows_and_reuses_nothing(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    loop.run()
    before = calls(loop)
    fork = loop.fork("live", at=0, live=True)
    fork.run()
    steps = fork.trace.branch(fork.head)
    assert calls(loop) - before == sum(entry.outcome.usage.calls for entry in steps)
    assert int(steps[0].id) > int(loop.head)
    assert fork.reused == 0


def test_a_changed_query_calls_only_what_it_touches(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3, budget=WIDE)
    loop.run()
    path = loop.trace.branch(loop.head)
    at = next(n for n, entry in enumerate(path) if entry.action.kind == "retrieve")
    old = path[at].action.query
    total, before = calls(loop), calls(loop)
    fork = loop.fork("other words", at=at)
    query = Query.of("export quota of the storage", old.question_id)
    fork.step(Retrieve(query=query, instead_of=old.id))
    fork.run()
    new = loop.performer.stages.calls[before:]
    assert "plan" not in new
    assert 0 < len(new) < total
    assert fork.reused > 0
    assert old.id not in {item.id for item in fork.state.asked}


def test_a_retry_is_not_answered_by_its_own_failure(loop_of: Any) -> None:
    loop = loop_of("storage plan", trouble=1.0)
    loop.step()
    assert isinstance(loop.trace.entries["1"].outcome.value, Failed)
    loop.performer.stages.trouble = 0.0
    loop.rewind(0)
    step = loop.step()
    assert not isinstance(step.entry.outcome.value, Failed)
    assert not step.entry.reused
    assert len(loop.trace.entries) == 2


def test_a_reused_outcome_charges_its_usage_and_must_fit(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3, budget=WIDE, seconds=1.0)
    loop.run()
    before = calls(loop)
    fork = loop.fork("short of time", at=0)
    fork.edit(budget=Budget(steps=200, rounds=50, seconds=6.0))
    fork.run()
    assert calls(loop) == before or fork.state.stop.code == "budget_seconds"
    assert fork.state.spent.seconds <= 7.0
    assert fork.state.stop.code == "budget_seconds"


def test_the_difference_of_two_branches_says_where_they_part(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=5, budget=WIDE)
    loop.run()
    fork = loop.fork("without the first quote", at=len(loop.states) - 3)
    dropped = fork.state.evidence[0]
    fork.edit(drop_evidence=[dropped])
    fork.run()
    found = loop.diff(fork)
    assert found.at == len(loop.states) - 2
    assert isinstance(found.theirs, Edit)
    assert dropped.id in {item.id for item in found.evidence_lost}
    assert loop.diff(loop).at is None
    assert set(loop.branches) == {"main", "without the first quote"}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"evidence": ()}, "derived"),
        ({"nonsense": 1}, "no field of the state"),
        ({}, "Nothing is to be changed"),
        ({"goal": " "}, "expected a question"),
        ({"budget": 5}, "expected a ragnb.Budget"),
        ({"drop_evidence": ["zz"]}, "no evidence 'zz'"),
        ({"exclude_sources": ["zz"]}, "no source 'zz'"),
        ({"waive": [("a", "b")]}, "no open gap"),
        ({"resolve": [(("a", "b", "c"), "b")]}, "no conflict"),
        ({"questions": []}, "at least one"),
        ({"pending": [Query.of("x", "nowhere")]}, "no query on a question"),
        ({"filters": {"value": object()}}, "not plain JSON"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why_and_changes_nothing(
    loop_of: Any, fields: dict[str, Any], says: str
) -> None:
    loop = loop_of(GOAL)
    loop.round()
    before = loop.states
    with pytest.raises(InputError, match=says):
        loop.edit(**fields)
    assert loop.states == before


def test_edited_questions_are_asked_and_old_ones_dropped(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=5)
    loop.run()
    loop.edit(questions=["Who reviews the rotation?"])
    loop.run()
    wanted = SubQuestion.of("Who reviews the rotation?").id
    assert {question.id for question in loop.state.questions} == {wanted}
    assert {item.question_id for item in loop.state.evidence} <= {wanted}
    assert wanted in {query.question_id for query in loop.state.asked}


def test_rewinding_out_of_the_branch_is_an_error(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    loop.step()
    with pytest.raises(InputError, match="0 to 1"):
        loop.rewind(2)
    with pytest.raises(InputError, match="already"):
        loop.fork("main")


def test_arun_is_run_for_asyncio(loop_of: Any) -> None:
    import asyncio

    loop, same = loop_of(GOAL), loop_of(GOAL)
    run = asyncio.run(loop.arun())
    assert run.states == same.run().states
