"""Likeness of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.text.similarity import near_duplicate, overlap, same_facts

_TEXTS = st.lists(
    st.sampled_from(
        ["budget", "plan", "ADR-012", "not", "2023", "Atlas", "北京", "24", "hours", "the"]
    ),
    max_size=6,
).map(" ".join)


@given(_TEXTS, _TEXTS)
def test_likeness_is_symmetric_and_between_zero_and_one(a: str, b: str) -> None:
    assert 0 <= overlap(a, b) == overlap(b, a) <= 1
    assert same_facts(a, b) == same_facts(b, a)


@given(_TEXTS)
def test_a_text_is_a_near_duplicate_of_itself(text: str) -> None:
    assert near_duplicate(text, text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("budget of the 2023 plan", "budget of the 2024 plan"),
        ("What does ADR-012 decide?", "What does ADR-013 decide?"),
        ("Is the freeze over?", "Is the freeze not over?"),
        ("Who leads team Atlas?", "Who leads team Borealis?"),
        ("2023年的预算", "2024年的预算"),
    ],
)
def test_another_number_name_or_negation_is_another_query(a: str, b: str) -> None:
    assert not near_duplicate(a, b, cosine=0.99)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("deadline for expenses", "Expenses deadline"),
        ("Who leads Atlas?", "Who is leading Atlas?"),
        ("预算是多少", "预算多少"),
    ],
)
def test_the_same_words_in_another_order_or_form_are_a_near_duplicate(a: str, b: str) -> None:
    assert near_duplicate(a, b, threshold=0.6)
