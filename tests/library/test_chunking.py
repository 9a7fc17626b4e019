"""Chunks stand in their source word for word, along its structure, and leave nothing out."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.errors import InputError
from ragnb.library.blocks import blocks, headings
from ragnb.library.chunking import Chunking, chunk, spans
from ragnb.library.source import Source, hash_text

LINES = st.sampled_from(
    [
        "", "", "# One", "## Two", "### Three #", "Over", "====", "----", "---", "+++", "title: x",
        "A sentence. Another one! 第三句。", "- item", "  more of it", "1. first", "```python",
        "~~~", "# in code", "| a | b |", "|---|---|", "| 1 | 2 |", "    indented", "> quoted",
        "a,b", '"x', 'y",2', "\t", "word " * 40, "字" * 90, "x" * 400,
    ]
)  # fmt: skip
MARKDOWN = st.lists(LINES, max_size=40).map("\n".join) | st.text(max_size=300)
SIZES = st.builds(
    lambda words, share: Chunking(words=words, overlap=int(words * share)),
    st.integers(1, 60),
    st.floats(0, 0.9),
)


def _texts(text: str, words: int = 120, kind: str = "markdown") -> list[str]:
    return [text[span.start : span.end] for span in spans(text, kind, Chunking(words=words))]


def _source(text: str, name: str = "a.md") -> Source:
    return Source(id=name, text=text, title="T", hash=hash_text(text), meta={"trust": 0.5})


@given(MARKDOWN, SIZES, st.sampled_from(["a.md", "a.rst", "a.csv"]))
def test_chunks_are_stretches_of_the_text_and_cover_it(
    text: str, sizes: Chunking, name: str
) -> None:
    covered = 0
    last = -1
    for document in chunk(_source(text, name), sizes):
        start, end = document.meta["start"], document.meta["end"]
        assert document.content == text[start:end]
        assert document.content
        assert document.content.strip()
        assert start > last
        assert not text[covered:start].strip()
        last, covered = start, max(covered, end)
    assert not text[covered:].strip()


@given(MARKDOWN, st.integers(1, 60))
def test_without_overlap_no_character_is_in_two_chunks(text: str, words: int) -> None:
    found = spans(text, chunking=Chunking(words=words))
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))


@given(MARKDOWN)
def test_chunk_ids_differ_within_a_text_and_hold_for_the_same_text(text: str) -> None:
    ids = [document.id for document in chunk(_source(text))]
    assert len(set(ids)) == len(ids)
    assert ids == [document.id for document in chunk(_source(text))]
    assert not set(ids) & {document.id for document in chunk(_source(text, "b.md"))}


@given(MARKDOWN)
def test_sections_nest_and_stay_inside_the_text(text: str) -> None:
    for mark in headings(text):
        assert 0 <= mark.start < mark.end <= len(text)
        assert mark.path[-1] == mark.title


def test_each_section_begins_a_chunk_that_knows_its_path() -> None:
    text = "# A\n\nOne two three.\n\n## B\n\nFour five six.\n\n## C\n\nSeven.\n"
    made = chunk(_source(text), Chunking(words=8))
    assert [each.meta["section"] for each in made] == ["A", "A › B", "A › C"]
    assert made[1].content == "## B\n\nFour five six."
    assert made[1].meta["context"] == "T › A › B"


def test_a_bare_heading_goes_with_what_follows() -> None:
    assert _texts("# A\n\n## B\n\nText.\n", 2) == ["# A\n\n## B\n\nText."]


def test_list_items_and_their_continuation_stay_whole() -> None:
    text = "- one two three\n  and four\n- five six seven\n- eight nine ten\n"
    assert _texts(text, 6) == [
        "- one two three\n  and four",
        "- five six seven\n- eight nine ten",
    ]


def test_the_line_that_announces_a_list_stays_with_it() -> None:
    text = "Long enough words here.\n\nThe limits are:\n\n- one two three four\n"
    assert _texts(text, 8) == [
        "Long enough words here.",
        "The limits are:\n\n- one two three four",
    ]


def test_table_rows_stay_whole_and_name_their_header() -> None:
    text = "| a | b |\n|---|---|\n" + "".join(f"| {n} | x y |\n" for n in range(6))
    made = chunk(_source(text), Chunking(words=9))
    assert all(line.count("|") == 3 for each in made for line in (each.content or "").split("\n"))
    assert made[0].meta["context"] == "T"
    assert made[1].meta["context"] == "T\n| a | b |"


def test_csv_records_with_line_ends_inside_quotes_stay_whole() -> None:
    text = 'name,note\na,"one\ntwo"\nb,three\n'
    assert _texts(text, 3, "table") == ["name,note", 'a,"one\ntwo"', "b,three"]


def test_code_is_kept_in_one_piece_and_its_comments_are_no_headings() -> None:
    code = "```sh\n# not a heading\n\nls -l\n```"
    text = f"Before it.\n\n{code}\n\nAfter it.\n"
    assert [block.kind for block in blocks(text)] == ["paragraph", "code", "paragraph"]
    assert code in _texts(text, 5)


def test_a_long_paragraph_is_parted_between_sentences() -> None:
    sentence = "This sentence has six words. "
    made = _texts(sentence * 10, 12)
    assert all(each.endswith("words.") for each in made)
    assert len(made) == 5


def test_chinese_is_parted_between_its_sentences() -> None:
    made = _texts("这是第一句话，讲的是政策。" * 12, 20)
    assert len(made) > 2
    assert all(each.endswith("。") for each in made)


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    text = "\n\n".join(f"One two three {n}." for n in range(6))
    made = spans(text, chunking=Chunking(words=8, overlap=4))
    assert all(two.start < one.end for one, two in itertools.pairwise(made))


def test_restructured_text_takes_its_levels_from_the_order_of_signs() -> None:
    text = "Top\n***\n\nx\n\nSub\n---\n\n# no heading\n"
    assert [mark.path for mark in headings(text, "rst")] == [("Top",), ("Top", "Sub")]


@pytest.mark.parametrize("sizes", [(0, 0), (10, 10), (10, -1)])
def test_sizes_that_make_no_sense_are_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="words must be"):
        Chunking(words=sizes[0], overlap=sizes[1])
