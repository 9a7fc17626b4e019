"""People, places and clauses in Chinese sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.stages.chinese_wanted import candidates_zh
from ragnb.stages.chinese_windows import LONGEST, windows

HAN = st.text(alphabet="夜来香的花期是五月，。；：、（）第3条abc \n", max_size=120)


@pytest.mark.parametrize(
    ("question", "span", "found"),
    [
        ("谁负责装货规程？", "李航负责修订装货规程。", ["李航"]),
        ("由谁决定？", "更高的金额提交董事会决定。", ["董事会"]),
        ("读数存放在哪里？", "读数存放在上海机房。", ["上海机房"]),
    ],
)
def test_people_and_places_are_found(question: str, span: str, found: list[str]) -> None:
    kind = "where" if "哪里" in question else "who"
    assert candidates_zh(question, kind, span)[: len(found)] == found


@given(HAN)
def test_windows_are_short_and_inside_and_in_order(text: str) -> None:
    found = windows(text)
    assert found == sorted(found)
    assert all(0 <= start < end <= len(text) and end - start <= LONGEST for start, end in found)
    assert bool(found) == any(char.isalnum() for char in text)
