"""Whatever plan comes, one that can be carried out is made of it, and what was mended is told."""

from hypothesis import given
from hypothesis import strategies as st

from ragnb.agent.repairing import repaired
from ragnb.records import PlanStep
from ragnb.records.planned import MOST_STEPS

ids = st.sampled_from(["s1", "s2", "s3", "s4", "", "a b", "{x}"])
words = st.sampled_from(["tea {s1}", "{item} pot", "How late is it?", "", "{s9} {s2}"])
plans = st.lists(
    st.builds(
        PlanStep,
        id=ids,
        tool=st.sampled_from(["search", "read", "look", "nothing"]),
        arguments=st.dictionaries(st.sampled_from(["query", "id", "filters"]), words, max_size=3),
        depends_on=st.lists(ids, max_size=3).map(tuple),
        for_each=ids,
        question=words,
    ),
    max_size=20,
)


@given(plans, st.lists(ids, max_size=2))
def test_each_step_comes_behind_what_it_waits_for(plan: list[PlanStep], before: list[str]) -> None:
    steps, _ = repaired(plan, tools=["look"], before=before)
    assert len(steps) == min(len(plan), MOST_STEPS)
    names = [step.id for step in steps]
    assert len(set(names)) == len(names)
    assert not set(names) & set(before)
    over = set(before)
    for step in steps:
        assert set(step.depends_on) <= over
        assert not step.for_each or step.for_each in step.depends_on
        assert step.tool in {"search", "read", "look"}
        over.add(step.id)


@given(plans)
def test_what_was_repaired_needs_no_repair(plan: list[PlanStep]) -> None:
    steps, _ = repaired(plan, tools=["look"])
    again, notes = repaired(steps, tools=["look"])
    assert again == steps
    assert notes == ()


def test_a_circle_is_cut_and_told() -> None:
    a = PlanStep(id="a", tool="search", arguments={"query": "tea {b}"}, depends_on=("b",))
    b = PlanStep(id="b", tool="search", arguments={"query": "pot {a}"}, depends_on=("a",))
    steps, notes = repaired([a, b])
    assert [step.id for step in steps] == ["a", "b"]
    assert steps[0].arguments == {"query": "tea"}
    assert steps[1].arguments == {"query": "pot {a}"}
    assert any("circle" in note for note in notes)


def test_200_steps_are_cut_and_told() -> None:
    plan = [
        PlanStep(id=f"s{n}", tool="search", arguments={"query": f"word{n}"}) for n in range(200)
    ]
    steps, notes = repaired(plan)
    assert len(steps) == MOST_STEPS
    assert any("200 steps" in note for note in notes)


def test_unknown_tools_fields_and_sentences_are_mended_and_told() -> None:
    step = PlanStep(id="s1", tool="teleport", question="How late was the alarm?")
    filtered = PlanStep(
        id="s2",
        tool="search",
        arguments={"query": "How late was the alarm?", "filters": {"mood": "sad", "status": "new"}},
    )
    steps, notes = repaired([step, filtered], fields=["meta.status"])
    assert [each.tool for each in steps] == ["search", "search"]
    assert steps[0].arguments == {"query": "late alarm"}
    assert steps[1].arguments == {"query": "late alarm", "filters": {"status": "new"}}
    assert any("teleport" in note for note in notes)
    assert any("mood" in note for note in notes)
