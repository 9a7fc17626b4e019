import pytest

from ragnb.stages import coverage
from ragnb.stages.wanted import told
from ragnb.text import question_kind
from ragnb.text.lives import life, told_by_form

BOTH = "Ida Storm (29 May 1930 in Magdeburg – 3 September 2005 in Berlin) was a German singer."


@pytest.mark.parametrize(
    ("question", "kind", "says"),
    [
        ("When was Ida Storm born?", "when", "29 May 1930"),
        ("When did Ida Storm die?", "when", "3 September 2005"),
        ("What is Ida Storm's birthplace?", "where", "Magdeburg"),
    ],
)
def test_each_end_of_a_life_is_told_by_its_place(question: str, kind: str, says: str) -> None:
    words, near = told(question, kind, BOTH)
    assert (words or "").startswith(says)
    assert near == 0.8


def test_a_year_that_is_no_life_tells_neither_birth_nor_death() -> None:
    assert life("The depot (built in 1902) was sold.") is None
    assert told_by_form("The depot (built in 1902) was sold.") == frozenset()


def test_what_a_sentence_tells_by_form_covers_the_words_that_ask_for_it() -> None:
    asked = coverage.asked("What nationality is Ida Storm?")
    other = "Ida Storm sang for thirty years."
    covered = [coverage.cover(asked, span, [], vectors=False).own for span in (BOTH, other)]
    assert covered[0] > covered[1]


def test_a_price_that_is_asked_for_is_a_number() -> None:
    assert question_kind("What does a tag cost?") == "how_many"
    assert question_kind("What does the clerk do?") != "how_many"
