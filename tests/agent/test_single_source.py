"""That one source alone says it can be known wherever an answer is."""

from collections.abc import Iterator

import pytest
from haystack import Document

import ragnb
from ragnb.display import render

FACT = "Exports are kept for 30 days."


@pytest.fixture(scope="module")
def run() -> Iterator[ragnb.Run]:
    documents = [
        Document(id="exports", content=f"{FACT} The data board decided this in May 2024."),
        Document(id="leave", content="Employees get 28 days of paid leave."),
    ]
    with ragnb.Library.from_documents(documents) as library:
        yield ragnb.Agent(library).ask("How long are exports kept?")


def test_it_is_told_in_the_json_and_quietly_in_the_html(run: ragnb.Run) -> None:
    assert run.answer is not None
    (claim,) = run.answer.to_dict()["conclusions"]
    assert claim["single_source"]
    assert claim["risks"] == []
    assert "Mind:" not in render(run.answer, "answer_text")
    assert " · one source<" in render(run.answer, "answer_html")


def test_it_stays_a_gap_that_blocks_nothing(run: ragnb.Run) -> None:
    assert [gap.reason for gap in run.state.open_gaps] == ["single_source"]


def test_two_sources_are_not_told_to_be_one() -> None:
    documents = [
        Document(id="exports", content=FACT),
        Document(id="board", content="The data board decided: exports are kept for 30 days."),
    ]
    with ragnb.Library.from_documents(documents) as library:
        answer = ragnb.Agent(library).ask("How long are exports kept?").answer
    assert answer is not None
    assert [claim.single_source for claim in answer.conclusions] == [False]
