"""The calculator: exact, finite, and plain about what it does not work out."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.errors import InputError
from ragnb.stages.toolbox.calculating import evaluated

_EXPRESSIONS = st.recursive(
    st.integers(0, 999).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(" ".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-({text})"),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(text=_EXPRESSIONS)
def test_the_calculator_agrees_with_exact_arithmetic(text: str) -> None:
    exact = Fraction(eval(text))  # noqa: S307 - what is made above: numbers and signs
    assert Fraction(evaluated(text)) == exact


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.sampled_from("0123456789.+-*/^%(), exabsqrtminsum_'\"[]"), max_size=60))
def test_whatever_is_written_the_calculator_gives_a_finite_number_or_says_why_not(
    text: str,
) -> None:
    try:
        value = evaluated(text)
    except InputError:
        return
    assert value.is_finite()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__import__('os').system('true')", "neither a number"),
        ("9^9^9^9", "exponent is 200 at most"),
        ("9" * 500, "400 at most"),
        ("(" * 90 + "1" + ")" * 90, "nested deeper"),
        ("1 / 0", "divides by zero"),
        ("1e50 * 1e50", "larger than 1e60"),
        ("2 +", "ends where a number"),
        ("sqrt(-1)", "has no value"),
        ("max()", "can't stand here"),
    ],
)
def test_what_the_calculator_does_not_work_out_is_told(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        evaluated(text)


def test_percent_functions_and_other_signs_are_read() -> None:
    assert evaluated("80 % × 2,185") == Decimal(1748)
    assert evaluated("round(mean(1, 2, 4), 2)") == Decimal("2.33")
    assert evaluated("2 ** 3 ^ 2") == 512
    assert evaluated("0.1 + 0.2") == Decimal("0.3")
