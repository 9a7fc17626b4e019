"""What holds for every run, whatever its stages raise or give."""

import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragnb.agent.actions import Retrieve
from ragnb.agent.opening import open_trace
from ragnb.agent.outcomes import Refused
from ragnb.records import Budget

SIZE = int(os.environ.get("RAGNB_LAWS", "60"))
"""Examples per law; more by hand."""
law = settings(
    max_examples=SIZE,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
runs = st.fixed_dictionaries(
    {
        "goal": st.sampled_from(
            ["export limit and incident review", "storage plan", "hello", "zebra"]
        ),
        "policy": st.sampled_from(["evidence", "one_shot", "plan", "routed"]),
        "seed": st.integers(0, 10**6),
        "trouble": st.sampled_from([0.0, 0.2, 0.6, 1.0]),
    }
)
budgets = st.builds(
    Budget,
    rounds=st.integers(0, 8),
    steps=st.integers(0, 60),
    calls=st.none() | st.integers(0, 5),
    seconds=st.floats(0, 80),
    reserve=st.sampled_from([0.0, 2.0]),
)


@law
@given(runs, budgets, st.sampled_from([0.01, 3.0]))
def test_every_run_ends_in_its_budget_with_an_answer_and_a_reason(
    loop_of: Any, given_run: dict[str, Any], budget: Budget, seconds: float
) -> None:
    loop = loop_of(**given_run, budget=budget, seconds=seconds)
    for _ in range(300):
        if loop.state.stop is not None:
            break
        loop.step()
    state = loop.state
    assert state.stop is not None
    assert state.answer is not None
    assert state.answer.stop == state.stop
    assert state.stop.text
    assert state.steps <= budget.steps
    assert state.round <= budget.rounds
    assert budget.calls is None or state.tool_calls <= max(budget.calls, 0)
    overshoot = 2 * seconds + 1  # a fake call can't be cut inside, and may be tried twice
    assert state.spent.seconds <= budget.seconds + overshoot


@law
@given(runs)
def test_the_fold_of_a_path_gives_the_states_also_from_disk(
    loop_of: Any, given_run: dict[str, Any]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        loop = loop_of(**given_run, path=path)
        loop.run()
        tip = loop.trace.tip
        assert loop.trace.states(tip) == list(loop.states)
        read = open_trace(path)
        assert read.states(tip) == list(loop.states)
        assert read.entries == loop.trace.entries
        loop.trace.close()


@law
@given(runs, st.floats(0.05, 1))
def test_a_half_written_file_gives_back_all_whole_steps(
    loop_of: Any, given_run: dict[str, Any], share: float
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        loop = loop_of(**given_run, path=path)
        loop.run()
        loop.trace.close()
        raw = path.read_bytes()
        header = raw.index(b"\n") + 1
        cut = raw[: max(header, int(len(raw) * share))]
        path.write_bytes(cut)
        read = open_trace(path)
        assert len(read.entries) >= cut.count(b'\n{"entry"') - 1
        assert read.states(read.tip) == list(loop.states)[: len(read.entries) + 1]
        assert bool(read.lost) != cut.endswith(b"\n")


@law
@given(runs)
def test_quotes_in_answers_are_verbatim_and_known(loop_of: Any, given_run: dict[str, Any]) -> None:
    loop = loop_of(**given_run)
    texts = loop.performer.stages.texts
    answer = loop.run().answer
    grounded = [g for claim in answer.conclusions for g in claim.groundings]
    assert all(claim.groundings for claim in answer.conclusions)
    for grounding in grounded:
        assert texts[grounding.source_id][grounding.start : grounding.end] == grounding.quote
    cited = [n for use in answer.sources for n in use.quotes]
    numbers = {g.n for g in grounded} | {
        g.n for doubt in answer.uncertainties for g in doubt.groundings
    }
    assert sorted(cited) == sorted(numbers) == list(range(1, len(numbers) + 1))
    found = {hit.source_id for search in loop.state.searches for hit in search.hits}
    assert found <= {use.source_id for use in answer.sources}


@law
@given(runs)
def test_a_refused_query_is_never_sent(loop_of: Any, given_run: dict[str, Any]) -> None:
    loop = loop_of(**given_run, budget=Budget(rounds=30, steps=200))
    run = loop.run()
    refused = [
        entry.action.query.id
        for entry in run.entries
        if isinstance(entry.outcome.value, Refused) and isinstance(entry.action, Retrieve)
    ]
    sent = loop.performer.stages.sent
    for query_id in refused:
        assert sent.count(query_id) <= 1
    assert all(
        entry.outcome.usage.calls == 0
        for entry in run.entries
        if isinstance(entry.outcome.value, Refused)
    )
