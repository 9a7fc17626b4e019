from typing import Any

import pytest

from ragnb.agent import until
from ragnb.agent.actions import Edit, Retrieve, Stop
from ragnb.agent.loop import EndedError
from ragnb.agent.outcomes import Failed, Refused
from ragnb.agent.policies import Scripted
from ragnb.agent.state import State
from ragnb.errors import InputError
from ragnb.records import Budget, Query, StopReason

GOAL = "export limit and incident review"


def test_a_run_can_end_on_its_first_round(loop_of: Any) -> None:
    loop = loop_of("storage plan", policy="one_shot")
    loop.run()
    assert loop.state.stop.code in {"enough", "insufficient"}
    assert loop.state.tool_calls == 1


def test_a_run_can_end_on_a_later_round(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3)
    loop.run()
    assert loop.state.round > 1
    assert not loop.state.stop.code.startswith("budget")


def test_a_run_can_end_on_its_budget(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3, budget=Budget(rounds=1))
    loop.run()
    assert loop.state.stop.code == "budget_rounds"
    assert loop.state.answer.partial or loop.state.evidence


def test_next_says_what_step_will_do(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    while (coming := loop.next) is not None:
        assert loop.step().entry.action == coming
        assert coming.reason
    assert loop.state.stop is not None


def test_a_round_goes_up_to_an_assessment(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=1)
    steps = loop.round()
    assert steps[-1].entry.action.kind == "assess"
    assert [step.entry.action.kind for step in steps].count("retrieve") == 1


def test_a_person_can_do_something_else(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    loop.step()
    question = loop.state.questions[0]
    step = loop.step(Retrieve(query=Query.of("pager rotation", question.id)))
    assert step.entry.by == "person"
    assert "pager rotation" in [query.text for query in loop.state.asked]


def test_the_same_question_is_not_sent_twice(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    loop.step()
    question = loop.state.questions[0]
    loop.step(Retrieve(query=Query.of("the pager rotation policy", question.id)))
    step = loop.step(Retrieve(query=Query.of("pager rotation policies", question.id)))
    assert isinstance(step.entry.outcome.value, Refused)
    assert step.entry.outcome.usage.calls == 0


def test_two_refusals_in_a_row_close_the_run(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    question = loop.state.questions[0]
    same = Retrieve(query=Query.of("pager rotation", question.id))
    loop.policy = Scripted(actions=(same,) * 9)
    loop.run()
    assert loop.state.stop.code == "no_better_action"
    assert loop.state.tool_calls == 1


def test_run_until_stops_where_a_step_makes_it_true(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=2)
    loop.run(until.evidence(2) | until.answered)
    assert len(loop.state.evidence) >= 2 or loop.state.answer
    before = len(loop.states)
    loop.run(until.evidence(1))
    assert len(loop.states) > before


def test_until_takes_a_plain_function(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    loop.run(lambda step: step.entry.action.kind == "retrieve")
    assert loop.state.tool_calls == 1


def test_both_must_hold_for_an_and(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=2)
    loop.run(until.evidence(1) & until.evidence(2))
    assert len(loop.state.evidence) >= 2


def test_stop_gives_an_answer_at_any_moment(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    loop.step()
    answer = loop.stop().answer
    assert answer.stop.code == "user"
    assert answer.partial


def test_answer_now_lets_the_agent_answer_first(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=2)
    loop.run(until.evidence(1))
    run = loop.answer_now()
    assert [entry.action.kind for entry in run.entries][-2:] == ["synthesize", "stop"]
    assert run.answer.stop.code == "user"


def test_an_ended_run_takes_only_an_edit(loop_of: Any) -> None:
    loop = loop_of("hello")
    loop.run()
    with pytest.raises(EndedError, match="replied"):
        loop.step()
    loop.step(Edit(goal="storage plan"))
    assert loop.state.stop is None
    loop.run()
    assert loop.state.answer.goal == "storage plan"


def test_more_budget_reopens_a_run_that_had_none(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3, budget=Budget(rounds=1))
    loop.run()
    loop.step(Edit(budget=Budget(rounds=8)))
    loop.run()
    assert loop.state.round > 1


def test_a_policy_that_raises_ends_the_run_as_failed(loop_of: Any) -> None:
    class Broken:
        name = "broken"

        def decide(self, state: State) -> Any:
            raise KeyError("nothing")

    loop = loop_of("storage plan", policy=Broken())
    loop.run()
    assert loop.state.stop.code == "failed"
    assert "broken" in loop.state.stop.text
    assert loop.state.answer is not None


def test_a_policy_that_gives_nothing_ends_the_run_as_failed(loop_of: Any) -> None:
    class Empty:
        name = "empty"

        def decide(self, state: State) -> Any:
            return None

    loop = loop_of("storage plan", policy=Empty())
    loop.run()
    assert loop.state.stop.code == "failed"
    assert "expected an action" in loop.state.stop.text


def test_an_unknown_id_is_a_failure_not_an_error(loop_of: Any) -> None:
    from ragnb.agent.actions import Extract, Rerank

    loop = loop_of("storage plan")
    for action in (Rerank(query_id="zz"), Extract(question_id="zz", context_id="zz")):
        assert isinstance(loop.step(action).entry.outcome.value, Failed)
    loop.run()
    assert loop.state.answer is not None


def test_subscribers_see_every_step_until_they_leave(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    seen: list[Any] = []
    leave = loop.subscribe(seen.append)
    loop.step()
    leave()
    loop.step()
    assert [step.entry.id for step in seen] == ["1"]


def test_stepping_inside_a_step_is_told_to_pause(loop_of: Any) -> None:
    loop = loop_of("storage plan")
    errors: list[str] = []
    stages = loop.performer.stages
    real = stages.call

    def nested(kind: str, given: Any) -> Any:
        try:
            loop.step()
        except InputError as error:
            errors.append(str(error))
        return real(kind, given)

    stages.call = nested
    loop.step()
    assert "pause it first" in errors[0]


def test_a_script_is_followed_and_ends(loop_of: Any) -> None:
    why = StopReason(code="user", text="Enough seen.")
    loop = loop_of("storage plan", policy=Scripted(actions=(Stop(why=why),)))
    assert loop.run().answer.stop == why


def test_an_interrupt_ends_after_the_last_whole_step_and_the_run_goes_on(loop_of: Any) -> None:
    loop, whole = loop_of(GOAL, seed=3), loop_of(GOAL, seed=3)
    loop.step()
    stages = loop.performer.stages
    real = stages.call

    def interrupted(kind: str, given: Any) -> Any:
        stages.call = real
        raise KeyboardInterrupt

    stages.call = interrupted
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert len(loop.states) == 2
    assert "Step 2 was interrupted" in loop.trace.notes[0]
    assert [e.action for e in loop.run().entries] == [e.action for e in whole.run().entries]


def test_what_was_spent_now_is_told_apart_from_the_budget(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3)
    loop.run()
    fork = loop.fork("again", at=0)
    fork.run()
    assert fork.state.spent == loop.state.spent
    assert fork.spent_now.calls == 0
    assert loop.spent_now.calls > 0
