"""A run of each policy is replayed, stepped, edited, forked and cut off like any other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import ragnb
from ragnb.agent.policies import policy_names

GOAL = "How do CP-2 and CP-3 differ in the credit for a breach on the Assured plan?"


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


@pytest.fixture(params=policy_names())
def agent(request: pytest.FixtureRequest, library: ragnb.Library) -> ragnb.Agent:
    return ragnb.Agent(library, policy=request.param)


def test_it_is_replayed_from_its_file_without_a_call(agent: ragnb.Agent, tmp_path: Path) -> None:
    run = agent.ask(GOAL)
    run.save(tmp_path / "trace.jsonl")
    loop = ragnb.load(tmp_path / "trace.jsonl").resume(agent)
    again = loop.rewind(0).run()
    loop.trace.close()
    assert again.state == run.state
    assert again.answer == run.answer
    assert loop.spent_now.calls == 0


def test_steps_by_hand_come_to_the_same_answer(agent: ragnb.Agent) -> None:
    run = agent.ask(GOAL)
    loop = agent.start(GOAL)
    actions = []
    while loop.next is not None:
        actions.append(loop.next)
        loop.step()
    assert actions == [entry.action for entry in run.entries]
    assert loop.state.answer == run.answer


def test_an_edit_on_a_fork_leaves_the_first_branch_as_it_was(agent: ragnb.Agent) -> None:
    loop = agent.start(GOAL)
    run = loop.run()
    assert run.answer is not None
    source = run.answer.sources[0].source_id
    fork = loop.fork("without", at=len(run.entries) // 2)
    fork.edit(exclude_sources=[source])
    other = fork.run()
    assert other.answer is not None
    cited = {use.source_id for use in other.answer.sources if use.use == "cited"}
    assert source not in cited
    assert loop.state == run.state
    assert fork.reused + fork.spent_now.calls > 0


def test_stopped_by_a_person_it_answers_from_what_it_has(agent: ragnb.Agent) -> None:
    loop = agent.start(GOAL)
    loop.run(until=ragnb.until.evidence(1))
    run = loop.stop()
    assert run.answer is not None
    assert run.answer.partial
    assert run.answer.stop is not None
    assert run.answer.stop.code == "user"
    told = (*run.answer.conclusions, *run.answer.uncertainties)
    assert any(each.groundings for each in told)


@pytest.mark.parametrize("steps", [1, 5])
def test_out_of_steps_it_says_so_and_keeps_what_it_found(agent: ragnb.Agent, steps: int) -> None:
    loop = agent.start(GOAL)
    loop.edit(budget=ragnb.Budget(steps=steps))
    run = loop.run()
    assert run.answer is not None
    assert run.answer.partial
    assert run.answer.stop is not None
    assert run.answer.stop.code == "budget_steps"
    assert len(run.entries) <= steps + 2
