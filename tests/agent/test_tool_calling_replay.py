"""Runs with tools are replayed, cut off and gone on with."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragnb


@pytest.fixture(scope="module")
def demo() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


@pytest.fixture(scope="module")
def told(demo: ragnb.Library) -> ragnb.Run:
    return ragnb.Agent(demo, policy="tool_calling").ask(
        "How many gateways does the depot in Gdynia have in all?"
    )


def test_a_run_is_replayed_stepped_edited_and_forked_without_new_calls(
    demo: ragnb.Library, tmp_path: Path
) -> None:
    agent = ragnb.Agent(demo, policy="tool_calling")
    goal = "How many gateways does the depot in Gdynia have in all?"
    loop = agent.start(goal, trace=tmp_path / "trace.jsonl")
    run = loop.run()
    loop.trace.close()
    again = ragnb.load(tmp_path / "trace.jsonl")
    assert again.states == run.states
    resumed = again.resume(agent)
    resumed.rewind(0)
    assert resumed.run().answer == run.answer
    assert resumed.spent_now.calls == 0
    fork = resumed.fork("wider", at=2)
    fork.edit(budget=ragnb.Budget(rounds=3))
    assert fork.run().answer is not None
    anew = [entry for entry in fork.trace.branch(fork.head)[3:] if not entry.reused]
    assert {entry.action.kind for entry in anew} <= {"choose", "synthesize", "stop"}
    resumed.trace.close()


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8, 13])
def test_cut_off_at_any_step_there_is_an_answer_that_says_so(
    steps: int, demo: ragnb.Library
) -> None:
    goal = "How many gateways does the depot in Gdynia have in all?"
    stopped = ragnb.Agent(demo, policy="tool_calling").start(goal)
    for _ in range(steps):
        stopped.step()
    for run in (
        stopped.stop(),
        ragnb.Agent(demo, policy="tool_calling", budget=ragnb.Budget(steps=steps)).ask(goal),
        ragnb.Agent(demo, policy="tool_calling", budget=ragnb.Budget(calls=1, rounds=1)).ask(goal),
    ):
        assert run.answer is not None
        assert run.answer.stop is not None
        assert run.answer.partial


@settings(max_examples=8, deadline=None)
@given(share=st.floats(0.2, 0.99))
def test_a_trace_cut_anywhere_is_gone_on_with(
    share: float, demo: ragnb.Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cut") / "trace.jsonl"
    loop = ragnb.Agent(demo, policy="tool_calling").start(
        "How many gateways does the depot in Gdynia have in all?", trace=path
    )
    loop.run()
    loop.trace.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: max(int(len(whole) * share), whole.index(b"\n") + 1)])
    resumed = ragnb.load(path).resume(ragnb.Agent(demo, policy="tool_calling"))
    run = resumed.run()
    resumed.trace.close()
    assert run.answer is not None
    assert run.answer.conclusions == loop.run().answer.conclusions


def test_the_state_names_the_calls_and_its_texts_stay_whole(told: ragnb.Run) -> None:
    state = told.state
    call = next(call for call in state.calls if call.name == "query_table")
    assert call.question_id == state.questions[0].id
    assert all(state.context(context_id) for context_id in call.contexts)
    assert "Tool query_table (table: gateways-2025-06.csv" in str(
        state._repr_mimebundle_()["text/plain"]
    )
