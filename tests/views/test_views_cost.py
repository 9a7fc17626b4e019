"""What models cost and what was remarked, parts of a state by themselves, and what is compared."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from haystack import Document

import ragnb
from ragnb.agent.policies import OneShot
from ragnb.agent.run import Run
from ragnb.display import render
from ragnb.errors import InputError
from ragnb.records import Answer, StopReason, Usage
from ragnb.views.baseline import baseline
from ragnb.views.diary import steps_of
from ragnb.views.words import cost, model_cost

GOAL = "How long are exports kept?"
NOTE = "Rules did this step"


def _library() -> ragnb.Library:
    text = "Exports are kept for 30 days. The data board decided this in May 2024."
    return ragnb.Library.from_documents([Document(id="exports", content=text)])


@pytest.fixture(scope="module")
def ruled() -> Iterator[Run]:
    """Yield a run whose model says nothing of use, so that rules do its steps."""
    with _library() as library:
        yield ragnb.Agent(library, llm=ragnb.ScriptedGenerator(lambda _: "hm")).ask(GOAL)


@pytest.fixture(scope="module")
def plain() -> Iterator[Run]:
    with _library() as library:
        yield ragnb.Agent(library).ask(GOAL)


@pytest.mark.parametrize("view", ["step_html", "step_text"])
def test_a_step_tells_its_model_calls_and_what_was_remarked(ruled: Run, view: str) -> None:
    step = next(each for each in steps_of(ruled) if each.entry.outcome.notes)
    shown = render(step, view)
    assert NOTE in shown
    assert model_cost(step.entry.outcome.usage) in shown
    assert "price unknown" in shown


@pytest.mark.parametrize("view", ["diary_html", "diary_text", "run_html", "run_text"])
def test_diary_and_run_tell_model_calls_and_remarks(ruled: Run, view: str) -> None:
    shown = render(ruled, view)
    assert NOTE in shown
    assert "model call" in shown
    assert "price unknown" in shown


def test_the_run_tells_each_remark_once_with_its_steps(ruled: Run) -> None:
    notes = [note for entry in ruled.entries for note in dict.fromkeys(entry.outcome.notes)]
    text = render(ruled, "run_text")
    assert "Step" in text
    assert all(text.count(note) == 1 for note in notes if len(note) < 100)
    assert len(notes) > len(set(notes))


def test_without_a_model_nothing_is_said_of_calls_or_prices(plain: Run) -> None:
    for view in ("diary_html", "diary_text", "run_html", "run_text"):
        shown = render(plain, view)
        assert "model call" not in shown
        assert "price" not in shown


def test_plain_rag_beside_a_model_tells_calls_and_that_the_price_is_unknown(
    ruled: Run, plain: Run
) -> None:
    shown = baseline(ruled, plain)
    assert "model calls" in shown
    assert "price unknown" in shown


def test_a_price_is_told_as_far_as_it_is_known() -> None:
    assert model_cost(Usage()) == ""
    assert model_cost(Usage(model_calls=3)) == "3 model calls"
    part = Usage(model_calls=2, tokens_in=5, tokens_out=1, money=0.5, unpriced=1)
    assert model_cost(part).endswith("0.5 of money, 1 call of unknown price")
    assert cost(Usage(seconds=0.1, model_calls=1)) == "100 ms, 1 model call"


@pytest.mark.parametrize("kind", ["html", "text"])
def test_questions_stand_alone_with_their_gaps(kind: str) -> None:
    with _library() as library:
        run = ragnb.Agent(library).ask("How long are exports kept, and which insurer covers them?")
    shown = render(run.state, f"questions_{kind}")
    assert "Q1" in shown
    assert "Q2" in shown
    assert "answered" in shown
    gap = run.state.open_gaps[0]
    assert gap.detail[:20] in shown


@pytest.mark.parametrize("kind", ["html", "text"])
def test_the_budget_stands_alone_with_limits_and_what_is_spent(plain: Run, kind: str) -> None:
    shown = render(plain.state, f"budget_{kind}")
    assert "Budget" in shown
    assert f"{plain.state.steps} of 80" in shown


def test_what_is_compared_stands_side_by_side_and_its_markup_is_only_text() -> None:
    table = (("Basic <b>", "10 EUR"), ("Assured", "25 EUR"))
    shown = render(Answer(goal="?", table=table), "answer_html")
    assert "Side by side" in shown
    assert "Basic &lt;b&gt;" in shown
    assert "25 EUR" in shown
    many = replace(Answer(goal="?"), table=tuple((f"t{n}", "x") for n in range(30)))
    assert "and 10 more" in render(many, "answer_html")
    assert "Side by side" not in render(Answer(goal="?"), "answer_html")


@pytest.mark.parametrize("policy", ["evidence", OneShot()])
def test_a_run_without_a_conclusion_never_ends_with_enough(policy: Any) -> None:
    with _library() as library:
        run = ragnb.Agent(library, policy=policy).ask("Which insurer covers exports of 2019?")
    assert run.answer is not None
    assert isinstance(run.answer.stop, StopReason)
    assert bool(run.answer.conclusions) or run.answer.stop.code != "enough"


def test_counts_in_rows_agree_with_their_nouns(plain: Run) -> None:
    came_out = [row["came_out"] for row in plain.to_dataframe().to_dict("records")]
    assert "1 question, 1 query" in came_out
    assert not any(text.startswith("1 ") and text.split(" ")[1].endswith("s") for text in came_out)


def test_there_is_still_no_view_of_an_unknown_name() -> None:
    with pytest.raises(InputError, match="budget_html"):
        render(None, "budgets")
