"""Values and names."""

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.text.dates import same_date
from ragnb.text.numerals import number, plain
from ragnb.text.values import names, values


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It cost €10.5m.", ["money EUR 10500000"]),
        ("US$3.2 billion or 300元", ["money USD 3200000000", "money CNY 300"]),
        ("5 million dollars", ["money USD 5000000"]),
        ("on 5 March 2024", ["date 2024-03-05"]),
        ("March 5, 2024 = 2024-03-05 = 05.03.2024", ["date 2024-03-05"] * 3),
        ("03/04/2024", ["date 2024"]),
        ("1914–1918 and the 1970s", ["date 1914", "date 1918", "date 1970s"]),
        ("2024年3月5日, 公元前221年", ["date 2024-03-05", "date -0221"]),
        ("Q3 2024, 2023/24", ["date 2024-Q3", "date 2023/2024"]),
        ("2000 people in 2000", ["number 2000", "date 2000"]),
        ("40 percent, 百分之三十", ["percent 40%", "percent 30%"]),
        ("24 hours or 1 day", ["duration 86400 s"] * 2),
        ("10 business days", ["duration 10 working day"]),
        ("5 km, 512 MB", ["quantity 5000 m", "quantity 512000000 B"]),
        ("Python 3.12 has 3B users", ["identifier python 3.12", "number 3000000000"]),
        ("ADR-012 and `max_tokens`", ["identifier adr-012", "identifier max_tokens"]),
        ("1. twenty-five of 1,200", ["number 25", "number 1200"]),
        ("one of them", []),
        ("February 31 of 13/45/2024", ["date --02-31"]),
    ],
)
def test_values_are_read_in_one_form(text: str, found: list[str]) -> None:
    read = [f"{value.kind} {value.norm}" for value in values(text)]
    assert read[: len(found)] == found
    assert found or not read


@given(st.text(alphabet="0123456789.,-/ %€$kmMbB年月日万亿QMarch:of"))
def test_values_lie_in_the_text_in_order_and_without_overlap(text: str) -> None:
    found = values(text)
    assert all(text[value.start : value.end] == value.text for value in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.text())
def test_names_lie_in_the_text(text: str) -> None:
    assert all(text[name.start : name.end] == name.text for name in names(text))


@given(st.integers(min_value=0, max_value=10**12))
def test_a_number_is_the_same_with_thousands_separators(value: int) -> None:
    assert number(f"{value:,}") == number(str(value)) == Decimal(value)
    assert plain(Decimal(value)) == str(value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who is the director of The Lord of the Rings?", ["lord of the rings"]),
        ("What did Mr. Smith tell J. R. R. Tolkien?", ["smith", "j r r tolkien"]),
        ("Is Bank of Norway older?", ["bank of norway"]),
        ("Expenses are paid in March.", []),
        ("他写了《红楼梦》和“西游记”", ["红楼梦", "西游记"]),
        ("WHO approved ADR-012", ["who", "adr-012"]),
    ],
)
def test_names_are_capitalised_runs_quoted_titles_and_codes(text: str, found: list[str]) -> None:
    assert [name.norm for name in names(text)] == found


def test_a_lone_first_word_counts_when_asked_for() -> None:
    assert names("Paris is large.") == ()
    assert [name.norm for name in names("Paris is large.", lone=True)] == ["paris"]


def test_a_missing_part_of_a_date_equals_anything() -> None:
    assert same_date("2024", "2024-03-05")
    assert same_date("--03-05", "2024-03-05")
    assert not same_date("2024-03", "2024-04-05")
    assert not same_date("1970s", "1971")
