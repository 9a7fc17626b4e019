"""Going back, changing something and going on: nothing is done twice, nothing is lost."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragnb.agent.actions import Retrieve
from ragnb.agent.entry import Entry, line_of
from ragnb.agent.loop import EndedError, Loop
from ragnb.agent.opening import open_trace
from ragnb.agent.outcomes import Failed
from ragnb.records import Budget, Query

law = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
GOALS = ["export limit and incident review", "storage plan and pager rotation", "zebra"]
runs = st.fixed_dictionaries(
    {
        "goal": st.sampled_from(GOALS),
        "policy": st.sampled_from(["evidence", "one_shot", "plan", "routed"]),
        "seed": st.integers(0, 10**6),
    }
)
SCRIPT = [
    "step",
    "run",
    "rewind",
    "fork",
    "edit_goal",
    "edit_budget",
    "drop",
    "person_query",
    "stop",
    "answer",
    "waive",
]
WIDE = Budget(steps=200, rounds=50, seconds=1e6)


def calls(loop: Loop) -> int:
    return len(loop.performer.stages.calls)  # type: ignore[attr-defined]


def bytes_of(entries: dict[str, Entry]) -> dict[str, str]:
    return {name: repr(line_of(entry)) for name, entry in entries.items()}


@law
@given(runs, st.data())
def test_rewind_and_run_is_the_uninterrupted_run(
    loop_of: Any, given_run: dict[str, Any], data: st.DataObject
) -> None:
    loop = loop_of(**given_run)
    for _ in range(data.draw(st.integers(0, 40))):
        if loop.state.stop is None:
            loop.step()
    before, asked = calls(loop), len(loop.trace.entries)
    loop.rewind(data.draw(st.integers(0, asked)))
    assert calls(loop) == before
    loop.run()
    whole = loop_of(**given_run)
    whole.run()
    assert loop.states == whole.states
    assert calls(loop) == calls(whole)
    assert len(loop.trace.entries) == len(whole.trace.entries)


@law
@given(runs, st.data())
def test_a_fork_with_no_change_calls_no_stage_and_adds_no_entry(
    loop_of: Any, given_run: dict[str, Any], data: st.DataObject
) -> None:
    loop = loop_of(**given_run)
    loop.run()
    before, entries = calls(loop), len(loop.trace.entries)
    fork = loop.fork("again", at=data.draw(st.integers(0, entries)))
    fork.run()
    assert calls(loop) == before
    assert len(loop.trace.entries) == entries
    assert fork.states == loop.states


@law
@given(runs, st.data())
def test_a_fork_through_an_edit_that_no_stage_sees_calls_nothing(
    loop_of: Any, given_run: dict[str, Any], data: st.DataObject
) -> None:
    loop = loop_of(**given_run, budget=WIDE)
    loop.run()
    before = calls(loop)
    fork = loop.fork("wider", at=data.draw(st.integers(0, len(loop.trace.entries) - 1)))
    fork.edit(budget=Budget(steps=201, rounds=50, seconds=1e6))
    fork.run()
    assert calls(loop) == before
    assert fork.state.evidence == loop.state.evidence


@law
@given(runs, st.data())
def test_after_documents_are_added_no_stale_outcome_is_reused(
    loop_of: Any, given_run: dict[str, Any], data: st.DataObject
) -> None:
    loop = loop_of(**given_run)
    loop.run()
    count = len(loop.trace.entries)
    at = data.draw(st.integers(0, count - 1))
    library = loop.recorder._fingerprints._library
    library.add("new", "The export limit is 99")
    fork = loop.fork("fresh", at=at)
    fork.run()
    reads = {"plan", "retrieve", "read", "reply"}
    for entry in fork.trace.branch(fork.head)[at:]:
        if entry.action.kind in reads and entry.key:
            assert not entry.reused
            assert int(entry.id) > count


@law
@given(
    runs,
    st.lists(
        st.sampled_from(SCRIPT),
        max_size=12,
    ),
    st.sampled_from([0.0, 0.3]),
    st.data(),
)
def test_whatever_a_person_does_siblings_stay_byte_identical(
    loop_of: Any,
    given_run: dict[str, Any],
    script: list[str],
    trouble: float,
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = Path(folder) / "trace.jsonl"
        loops = [loop_of(**given_run, trouble=trouble, path=path)]
        trace = loops[0].trace
        stack.callback(trace.close)
        for what in script:
            which = data.draw(st.integers(0, len(loops) - 1))
            before = bytes_of(trace.entries)
            others = [loop.states for loop in loops]
            _do(loops, which, what, data)
            after = bytes_of(trace.entries)
            assert {name: after[name] for name in before} == before
            for number, states in enumerate(others):
                assert number == which or loops[number].states == states
        for loop in loops:
            loop.run()
            assert loop.state.stop is not None
            assert loop.state.answer is not None
            for entry in trace.branch(loop.head):
                if entry.reused:
                    assert not isinstance(entry.outcome.value, Failed)
                    assert not isinstance(trace.entries[entry.reused].outcome.value, Failed)
            assert not {item.id for item in loop.state.evidence} & set(loop.state.excluded)
        trace.close()
        again = open_trace(path)
        assert bytes_of(again.entries) == bytes_of(trace.entries)
        assert again.heads == trace.heads
        for loop in loops:
            assert again.states(loop.head) == list(loop.states)


def _do(  # noqa: C901, PLR0912 - one match over what a person can do
    loops: list[Loop], which: int, what: str, data: st.DataObject
) -> None:
    loop = loops[which]
    state = loop.state
    try:
        match what:
            case "step":
                loop.step()
            case "run":
                loop.run(lambda step: step.entry.action.kind == "assess")
            case "rewind":
                loop.rewind(data.draw(st.integers(0, len(loop._path))))
            case "fork":
                at = data.draw(st.integers(0, len(loop._path)))
                loops.append(loop.fork(f"fork {len(loops)}", at=at))
            case "edit_goal":
                loop.edit(goal=data.draw(st.sampled_from(GOALS)))
            case "edit_budget":
                loop.edit(budget=Budget(steps=data.draw(st.integers(1, 90))))
            case "drop" if state.evidence:
                loop.edit(drop_evidence=[state.evidence[0]])
            case "person_query":
                query = Query.of(data.draw(st.sampled_from(GOALS)), state.questions[0].id)
                loop.step(Retrieve(query=query))
            case "stop":
                loop.stop()
            case "answer":
                loop.answer_now()
            case "waive" if state.open_gaps:
                loop.edit(waive=state.open_gaps[0])
            case _:
                pass
    except EndedError:
        pass
