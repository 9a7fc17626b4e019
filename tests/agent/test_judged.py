"""What a look back at a step of a plan may lead to: going on only with something new."""

from dataclasses import replace
from typing import Any

import pytest

from ragnb.agent.actions import Assess, Plan
from ragnb.agent.advance import advance
from ragnb.agent.outcomes import Assessed, Outcome, Planned
from ragnb.agent.plans import cursor
from ragnb.agent.state import start
from ragnb.records import PlanStep, Reflection


def _at_step() -> Any:
    steps = (
        PlanStep(id="s1", tool="search", arguments={"query": "tea"}, question="Which tea?"),
        PlanStep(id="s2", tool="search", arguments={"query": "pot {s1}"}, depends_on=("s1",)),
    )
    planned = Outcome(value=Planned(questions=(), steps=steps))
    return advance(start("Which tea for which pot?"), Plan(steps=True), planned)


@pytest.mark.parametrize(("new", "goes_on"), [("", False), ("a quote", False)])
def test_going_on_without_naming_what_is_new_is_refused(new: str, goes_on: bool) -> None:
    state = _at_step()
    look = Reflection(step="s1", status="done", next="continue", new=new)
    outcome = Outcome(value=Assessed(verdict="insufficient", reflection=look))
    after = advance(state, Assess(step="s1"), outcome)
    assert (after.replan == "") is goes_on
    assert "refused" in after.assessments[-1].reflection.reason


def test_going_on_with_something_new_is_not_refused() -> None:
    look = Reflection(step="s1", status="done", next="continue", new="a name", found=("Assam",))
    outcome = Outcome(value=Assessed(verdict="satisfied", reflection=look))
    after = advance(_at_step(), Assess(step="s1"), outcome)
    assert after.replan == ""
    step = cursor(after.plan_steps)
    assert step is not None
    assert step.arguments["query"] == "pot Assam"


def test_another_attempt_needs_other_arguments() -> None:
    state = _at_step()
    same = Reflection(step="s1", status="pending", next="retry", arguments={"query": "tea"})
    other = replace(same, arguments={"query": "leaves"})
    for look, attempts in ((same, 1), (other, 2)):
        outcome = Outcome(value=Assessed(verdict="insufficient", reflection=look))
        step = advance(state, Assess(step="s1"), outcome).plan_steps[0]
        assert step.attempts == attempts
