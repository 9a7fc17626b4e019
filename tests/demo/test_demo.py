"""The demo's labels agree with the demo's documents."""

import csv
import re

import pytest

from ragnb.demo import DemoQuestion, documents, questions

ALL = questions()
ANSWERABLE = [item for item in ALL if item.answerable]
UNANSWERABLE = [item for item in ALL if not item.answerable]
MARKDOWN = sorted(path.name for path in documents().glob("*.md"))


def body(name: str) -> str:
    """Return a document's text without its front matter."""
    text = (documents() / name).read_text(encoding="utf-8")
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)


def test_there_are_ten_different_questions_of_which_two_have_no_answer() -> None:
    assert len({item.question for item in ALL}) == len(ALL) == 10
    assert len(UNANSWERABLE) == 2


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_each_answer_stands_word_for_word_in_a_needed_source(item: DemoQuestion) -> None:
    assert item.answer
    for answer in (item.answer, *item.other_answers):
        assert any(answer in body(name) for name in item.sources)


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.question)
def test_each_named_source_exists(item: DemoQuestion) -> None:
    assert len(set(item.sources)) == len(item.sources)
    assert all((documents() / name).is_file() for name in item.sources)


@pytest.mark.parametrize("item", UNANSWERABLE, ids=lambda item: item.question)
def test_an_unanswerable_question_has_neither_sources_nor_answer(item: DemoQuestion) -> None:
    assert (item.kind, item.sources, item.answer) == ("unanswerable", (), "")


@pytest.mark.parametrize("item", ANSWERABLE, ids=lambda item: item.question)
def test_an_answerable_question_names_its_sources(item: DemoQuestion) -> None:
    assert item.sources
    assert item.kind != "unanswerable"
    assert (item.kind == "multi_hop") <= (len(item.sources) > 1)
    assert (item.kind == "conflict") == bool(item.other_answers)


@pytest.mark.parametrize("name", MARKDOWN)
def test_each_markdown_document_has_front_matter_and_a_readable_length(name: str) -> None:
    text = (documents() / name).read_text(encoding="utf-8")
    front = text.split("---\n")[1]
    for key in ("title", "status", "date", "owner"):
        assert re.search(rf"^{key}: \S", front, flags=re.MULTILINE)
    assert re.search(r"^date: \d{4}-\d{2}-\d{2}$", front, flags=re.MULTILINE)
    assert 150 <= len(body(name).split()) <= 450


def test_each_row_of_the_price_table_is_complete() -> None:
    with (documents() / "prices-2025-q2.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    assert all(all(row.values()) and int(row["freight_eur"]) > 0 for row in rows)


def test_the_superseded_policy_gives_another_limit_than_the_current_one() -> None:
    assert "up to 1,500 EUR" in body("policy-credits.md")
    assert "up to 600 EUR" in body("policy-credits-2023.md")


def test_only_the_ticket_gives_orders_to_its_reader() -> None:
    assert [name for name in MARKDOWN if "ignore all previous" in body(name)] == [
        "ticket-cs-8846.md"
    ]
