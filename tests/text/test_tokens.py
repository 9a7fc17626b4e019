"""Tokens and index terms."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.text.tokens import STOP, fold, terms, tokens


@given(st.text())
def test_tokens_lie_in_the_text_in_order_and_without_overlap(text: str) -> None:
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text != "" for token in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(
    st.lists(st.sampled_from(["budget", "ADR-012", "3.4", "the", "北京大学", "café", "max_tokens"]))
)
def test_terms_of_lines_are_the_terms_of_each_line(lines: list[str]) -> None:
    assert terms("\n".join(lines)) == [term for line in lines for term in terms(line)]


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("Café", "the cafe"),
        ("ADR-012", "see adr-012."),
        ("3.4", "In section 3.4, we"),
        ("1,200", "1200 users"),
        ("max_tokens", "set `max_tokens=5`"),
        ("C++", "written in C++."),
        ("北京", "他在北京大学"),
        ("ＡＤＲ－０１２", "ADR-012"),
        ("policies", "a policy"),
        ("O’Brien", "O'Brien's"),
    ],
)
def test_a_word_is_found_however_it_is_written(query: str, document: str) -> None:
    assert set(terms(query)) <= set(terms(document))
    assert terms(query)


def test_stop_words_go_unless_asked_for_and_acronyms_stay() -> None:
    assert terms("the of and") == []
    assert terms("the of", stop=True) == ["the", "of"]
    assert terms("WHO told us in the US?") == ["who", "told", "us"]
    assert {"the", "什么"} <= STOP


def test_a_chinese_question_keeps_only_what_it_is_about() -> None:
    assert terms("长城有多长？") == ["长", "城", "有", "多", "长", "长城", "城有", "有多", "多长"]
    assert terms("谁建造了长城？")[-2:] == ["了长", "长城"]


def test_threads_may_stem_at_the_same_time() -> None:
    text = "running policies decided travellers " * 50
    with ThreadPoolExecutor(8) as pool:
        assert all(found == terms(text) for found in pool.map(terms, [text] * 64))
