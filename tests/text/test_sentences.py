"""Sentences in prose, Markdown and Chinese."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.text.sentences import sentences

_PIECES = st.sampled_from(
    [
        "Dr. ",
        "Word ",
        "3.5 ",
        "end. ",
        "Yes! ",
        "\n",
        "\n\n",
        "- ",
        "# ",
        "| a ",
        "。",
        "他说",
        "…",
        "”",
        "```\n",
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
def test_sentences_are_trimmed_ordered_and_lose_no_letter_outside_markers(text: str) -> None:
    spans = sentences(text)
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


@given(
    st.lists(st.sampled_from(["It rained.", "Who came?", "他走了。", "Dr. No left!"]), min_size=1)
)
def test_whole_sentences_set_apart_are_found_again(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    assert [text[a:b] for a, b in sentences(text)] == parts


@pytest.mark.parametrize(
    "text",
    [
        "He met J. R. R. Tolkien at noon.|She left.",
        "See Fig. 3 and No. 5 of vol. 2.|Then stop.",
        "It cost 3.5 euros.|20 people paid.",
        "In the U.S. Army he served.|He lives in the U.S.|The rest is known.",
        '"Is it?" she asked.|"Yes!"|He went.',
        "Apple Inc. announced it, e.g. Siri.|Good.",
        "Open config.yaml at www.example.com now.|Done.",
        "他说：“你好。”|然后走了。|真的吗？|是的……|他笑了。",
        "价格是3.5元。|“好。”，他说",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(text: str) -> None:
    parts = text.split("|")
    joined = (" " if text.isascii() else "").join(parts)
    assert [joined[a:b] for a, b in sentences(joined)] == parts


def test_markdown_structure_ends_sentences() -> None:
    text = (
        "---\nstatus: draft\nowner: Ann\n---\n# Travel policy\nText that goes\non here. More.\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] one\n  and more\n- two\n"
        "1. First. Second.\n> quoted\n"
    )
    assert [text[a:b] for a, b in sentences(text)] == [
        "status: draft",
        "owner: Ann",
        "Travel policy",
        "Text that goes\non here.",
        "More.",
        "| a | b |",
        "| 1 | 2 |",
        "one\n  and more",
        "two",
        "First.",
        "Second.",
        "quoted",
    ]
