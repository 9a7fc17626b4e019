"""Typical mistakes: each is told what was given, what was expected and what to do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack import Document

import ragnb
from ragnb.errors import InputError


@pytest.fixture
def library() -> Iterator[ragnb.Library]:
    document = Document(id="tea", content="Green tea is steamed.", meta={"topic": "tea"})
    with ragnb.Library.from_documents([document]) as made:
        yield made


@pytest.fixture
def loop(library: ragnb.Library) -> ragnb.Loop:
    loop = ragnb.Agent(library).start("How is green tea made?")
    loop.run()
    return loop


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (lambda agent: agent.ask(None), "The goal is None"),
        (lambda agent: agent.ask(["a", "b"]), "expected a question"),
        (lambda agent: agent.with_policy(3), "expected a name"),
        (lambda agent: agent.with_policy("oneshot"), "'one_shot'"),
        (lambda agent: ragnb.Agent("handbook/"), "expected a ragnb.Library"),
        (lambda agent: agent.ask("x", filters={"meta.topic": "tea"}), "not one of Haystack's"),
        (
            lambda agent: agent.ask(
                "x", filters={"field": "meta.topic", "operator": "equals", "value": "tea"}
            ),
            "operator 'equals'",
        ),
        (
            lambda agent: agent.ask(
                "x", filters={"field": "meta.colour", "operator": "==", "value": "green"}
            ),
            "No document has the field 'meta.colour'",
        ),
        (lambda agent: ragnb.until.evidence("many"), "expected a number"),
    ],
)
def test_an_agent_says_what_it_expected(
    library: ragnb.Library, mistake: Callable[[ragnb.Agent], Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        mistake(ragnb.Agent(library))


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (lambda loop: loop.rewind(1.5), "no step 1.5"),
        (lambda loop: loop.rewind("2"), "no step '2'"),
        (lambda loop: loop.rewind(-1), "no step -1"),
        (lambda loop: loop.fork(""), "fork's name is ''"),
        (lambda loop: loop.fork(3), "fork's name is 3"),
        (lambda loop: loop.fork("b", at=99), "no step 99"),
        (lambda loop: loop.edit(filters={"meta.topic": "tea"}), "not one of Haystack's"),
    ],
)
def test_a_loop_says_what_it_expected_and_stays_usable(
    loop: ragnb.Loop, mistake: Callable[[ragnb.Loop], Any], says: str
) -> None:
    before = loop.states
    with pytest.raises(InputError, match=says):
        mistake(loop)
    assert loop.states == before
    assert loop.rewind(1).step().after == before[2]


def test_a_filter_that_fits_is_taken(library: ragnb.Library) -> None:
    fits = {"field": "meta.topic", "operator": "==", "value": "tea"}
    joined = {"operator": "AND", "conditions": [fits]}
    run = ragnb.Agent(library).ask("How is green tea made?", filters=joined)
    assert run.ranking() == ("tea",)


def test_printing_shows_what_a_person_reads(loop: ragnb.Loop) -> None:
    run = loop.run()
    assert "Green tea is steamed." in str(run)
    assert "How is green tea made?" in str(loop)
    assert "Why it stopped" in str(run.answer)
    assert repr(run).startswith("<Run 'main'")
    assert repr(loop).startswith("<Loop 'main'")
    step = loop.rewind(0).step()
    assert repr(step) == "<Step 1: plan>"
    assert "Step 1" in str(step)
    fork = loop.fork("other")
    fork.edit(recalled=["tea"])
    assert "step 2" in str(loop.diff(fork)).lower()


def test_a_saved_fork_is_opened_on_its_branch(loop: ragnb.Loop, tmp_path: Path) -> None:
    fork = loop.fork("other", at=1)
    fork.edit(recalled=["tea"])
    run = fork.run()
    loop.rewind(2)
    run.save(tmp_path / "fork.jsonl")
    again = ragnb.load(tmp_path / "fork.jsonl")
    assert again.name == "other"
    assert again.answer == run.answer
    assert set(ragnb.load(tmp_path / "fork.jsonl").trace.heads) == {"main", "other"}


def test_the_root_lists_its_public_names_alone() -> None:
    assert {name for name in dir(ragnb) if not name.startswith("_")} == set(ragnb.__all__)


def test_json_names_the_question_of_each_claim(loop: ragnb.Loop) -> None:
    answer = loop.run().answer
    assert answer is not None
    data = answer.to_dict()
    texts = {item["question"] for item in data["conclusions"] + data["uncertainties"]}
    assert texts == {"How is green tea made?"}
