from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document

import ragnb
from ragnb.agent.actions import Retrieve, Stop
from ragnb.agent.policies import Scripted
from ragnb.errors import InputError
from ragnb.evaluate import definitions, means, table
from ragnb.records import StopReason

END = Stop(why=StopReason(code="user", text="Seen enough."))


@pytest.fixture
def agent() -> Iterator[ragnb.Agent]:
    document = Document(id="exports", content="Exports are kept for 30 days.")
    with ragnb.Library.from_documents([document]) as library:
        yield ragnb.Agent(library)


def scripted(agent: ragnb.Agent, *actions: Any) -> ragnb.Run:
    return agent.with_policy(Scripted(actions=(*actions, END))).ask("How long are exports kept?")


def test_what_cannot_be_computed_says_why(agent: ragnb.Agent) -> None:
    found = ragnb.measures(scripted(agent))
    assert found["grounding_rate"] == "no conclusion was drawn"
    assert found["quote_fidelity"] == "the answer quotes nothing"
    assert found["new_evidence_per_retrieval"] == "nothing was searched"
    assert found["redundant_query_rate"] == "no query was proposed"
    assert found["tool_calls"] == 0
    assert found["ended_by_budget"] is False


def test_a_refused_repetition_counts_as_redundant(agent: ragnb.Agent) -> None:
    question = ragnb.SubQuestion.of("How long are exports kept?").id
    first = Retrieve(query=ragnb.Query.of("exports kept long", question))
    again = Retrieve(query=ragnb.Query.of("exports kept so long", question))
    other = Retrieve(query=ragnb.Query.of("who decided on exports", question))
    found = ragnb.measures(scripted(agent, first, again, other))
    assert found["redundant_query_rate"] == 0.333333
    assert found["tool_calls"] == 2


def test_two_repetitions_are_a_loop_and_one_is_not(agent: ragnb.Agent) -> None:
    question = ragnb.SubQuestion.of("How long are exports kept?").id
    texts = ("exports kept long", "exports kept so long", "who decided", "so long exports kept")
    asked = [Retrieve(query=ragnb.Query.of(text, question)) for text in texts]
    assert ragnb.measures(scripted(agent, *asked[:3]))["looped"] is False
    found = ragnb.measures(scripted(agent, *asked))
    assert found["looped"] is True
    assert found["redundant_query_rate"] == 0.5


def test_a_check_of_a_conflict_is_no_repetition_of_the_query_before(agent: ragnb.Agent) -> None:
    question = ragnb.SubQuestion.of("How long are exports kept?").id
    first = Retrieve(query=ragnb.Query.of("exports kept long", question))
    check = Retrieve(
        query=ragnb.Query.of("exports kept so long", question, intent="conflict_check")
    )
    assert ragnb.measures(scripted(agent, first, check))["redundant_query_rate"] == 0.0


def test_calls_are_counted_until_nearly_all_evidence_is_in(agent: ragnb.Agent) -> None:
    loop = agent.start("How long are exports kept?")
    before = ragnb.measures(loop.run(lambda step: bool(step.after.assessments)))
    query = ragnb.Query.of("what the board had for lunch", loop.state.questions[0].id)
    loop.step(Retrieve(query=query))
    after = ragnb.measures(loop.stop())
    assert before["calls_until_most_evidence"] == after["calls_until_most_evidence"] == 1
    assert after["tool_calls"] == 2
    assert after["evidence_used"] == 1.0
    assert after["candidates_per_round"] == 0.5


def test_a_table_of_runs_has_a_row_each_and_means_leave_out_what_says_why(
    agent: ragnb.Agent,
) -> None:
    runs = {"asked": agent.ask("How long are exports kept?"), "scripted": scripted(agent)}
    found = table(runs)
    assert list(found.index) == ["asked", "scripted"]
    assert list(found.columns) == list(definitions())
    assert found.loc["scripted", "grounding_rate"] == "no conclusion was drawn"
    mean = means(runs.values())
    assert (mean["grounding_rate"].value, mean["grounding_rate"].runs) == (1.0, 1)
    assert mean["ended_by_budget"].runs == 2
    nothing = means([scripted(agent)])["evidence_used"]
    assert (nothing.value, nothing.runs) == ("no run gave it", 0)


def test_each_measure_has_a_definition_with_its_range() -> None:
    for name, text in definitions().items():
        assert text.endswith("."), name
        assert any(word in text for word in ("÷", "from 0", "Whether", "chance")), name


def test_a_search_after_enough_is_unnecessary(agent: ragnb.Agent) -> None:
    loop = agent.start("How long are exports kept?")
    loop.run(lambda step: bool(step.after.assessments))
    assert loop.state.assessments[-1].verdict == "satisfied"
    query = ragnb.Query.of("what the board had for lunch", loop.state.questions[0].id)
    loop.step(Retrieve(query=query))
    assert ragnb.measures(loop.stop())["unnecessary_retrieval_rate"] == 0.5


def test_a_run_that_hits_a_limit_says_so(agent: ragnb.Agent) -> None:
    agent.budget = ragnb.Budget(steps=3)
    assert ragnb.measures(agent.ask("How long are exports kept?"))["ended_by_budget"] is True


def test_a_forged_quote_lowers_fidelity(agent: ragnb.Agent) -> None:
    from dataclasses import replace

    run = agent.ask("How long are exports kept?")
    entry = run.entries[-1]
    after = run.state
    answer = after.answer
    assert answer is not None
    claim = answer.conclusions[0]
    forged = replace(claim.groundings[0], quote="Exports are kept for ever.")
    answer = replace(answer, conclusions=(replace(claim, groundings=(forged,)),))
    run.trace._after[entry.id] = replace(after, answer=answer)
    assert ragnb.measures(run)["quote_fidelity"] == 0.0


def test_only_a_run_can_be_measured(agent: ragnb.Agent) -> None:
    with pytest.raises(InputError, match="expected a Run"):
        ragnb.measures(agent.start("How long?"))  # type: ignore[arg-type]


def test_a_plan_is_measured_by_what_became_of_its_steps() -> None:
    documents = [
        Document(id="exports", content="Exports are kept for 30 days.", meta={"title": "CP-2"}),
        Document(id="archive", content="Exports are kept for 90 days.", meta={"title": "CP-3"}),
    ]
    with ragnb.Library.from_documents(documents) as library:
        agent = ragnb.Agent(library, policy="plan")
        whole = agent.ask("How do CP-2 and CP-3 differ in how long exports are kept?")
        anew = agent.ask("What does ADR-999 say about how long exports are kept?")
    steps = whole.state.plan_steps
    found = ragnb.measures(whole)
    assert found["step_completeness"] == 1.0
    assert found["replan_ratio"] == 0.0
    assert found["planned_per_step"] == round(len(steps) / whole.state.steps, 6)
    assert anew.state.replans == 1
    again = ragnb.measures(anew)
    assert again["replan_ratio"] == 0.5
    assert float(again["step_completeness"]) < 1
