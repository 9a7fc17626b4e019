"""Chinese questions, names that texts begin with, and values written without spaces."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragnb.text.chinese import beside, leads, telling_terms
from ragnb.text.dates import same_date
from ragnb.text.tokens import terms
from ragnb.text.values import names, values

HAN = st.text(alphabet="夜来香的花期是五月，。；：、（）第3条abc \n", max_size=120)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("须提前三个工作日提交", ["duration 3 working 日"]),
        ("每晚不超过600元，共6台", ["money CNY 600", "number 6"]),
        ("用时1小时50分钟", ["duration 3600 s", "duration 3000 s"]),
        ("每周四16时，十一时三十分起", ["date T16:00", "date T11:30"]),
        ("二〇二四年三月至六月九日", ["date 2024-03", "date --06-09"]),
        ("工单CS-8958的赔付", ["identifier cs-8958"]),
        ("第三条，统一编号，唯一", []),
        ("24小时内重试8次", ["duration 86400 s", "number 8"]),
    ],
)
def test_values_are_read_without_spaces_around_them(text: str, found: list[str]) -> None:
    assert [f"{value.kind} {value.norm}" for value in values(text)] == found


def test_an_hour_is_no_other_day() -> None:
    assert same_date("T16:00", "2025-06-09")
    assert not same_date("T16:00", "T17:00")


def test_quoted_titles_are_names() -> None:
    found = [value.text for value in names("见《合同管理办法》和「装货规程」。")]
    assert found == ["合同管理办法", "装货规程"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# 夜来香\n\n夜来香（学名略），灌木。", "夜来香"),
        ("2025年5月28日，青禾生物的货物温度升高。", ""),
        ("如果接收方没有返回，系统会重试。", ""),
        ("本办法是临时的。", ""),
    ],
)
def test_a_text_begins_with_a_name_or_with_none(text: str, found: str) -> None:
    assert next(iter(leads(text)), "") == found


@given(HAN)
@example("3，3")
def test_what_a_question_tells_are_terms_of_it(text: str) -> None:
    assert set(telling_terms(text)) <= set(terms(text, stop=True))
    assert all(word in text for word in beside(text))
