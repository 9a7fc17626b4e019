from hypothesis import given
from hypothesis import strategies as st

from ragnb.library.names import NameTable, called, links
from ragnb.library.quoted import quoted_names
from ragnb.library.source import SourceInfo


def names_of(title: str, source_id: str = "x", **meta: object) -> set[str]:
    info = SourceInfo(id=source_id, title=title, hash="", meta=meta)
    return {" ".join(words) for words in called(info)}


def test_a_source_is_called_by_its_title_and_the_parts_people_say() -> None:
    assert names_of("The Night Train (film)") >= {"the night train", "night train"}
    assert "springfield" in names_of("Springfield, Ohio")
    assert names_of("INC-4711: Late alarms") >= {"inc-4711", "inc-4711 late alarms"}
    assert names_of("RFC 2119: Key words") >= {"rfc 2119"}
    assert names_of("Plan", aliases=["Blue Book"]) >= {"plan", "blue book"}


def test_a_file_is_called_by_its_name() -> None:
    assert names_of("", "ops/night-shift.md") == {"night shift.md", "night shift"}


def test_ordinary_words_name_nothing() -> None:
    assert names_of("Overview", "overview.md") <= {"overview.md"}
    assert names_of("Of", "x") == set()


def test_links_are_read_from_the_folder_of_their_source() -> None:
    text = "# One\n\nDo [the rest](../b/two.md#x) and [more](three.md) now."
    assert [path for _, path in links(text, "a/one.md")] == ["b/two.md", "a/three.md"]
    assert links("[self](one.md)", "a/one.md") == []


def test_chinese_titles_in_book_title_marks_are_names() -> None:
    assert quoted_names("他写了《红楼梦》和「西游」。") == {("红", "楼", "梦"), ("西", "游")}


def test_the_longest_name_counts_and_inner_ones_are_nested() -> None:
    table = NameTable()
    inner, outer = table.add((2,)), table.add((1, 2, 3))
    found = table.find([0, 1, 2, 3], [1, 1, 1, 1])
    assert [(each.name, each.start, each.nested) for each in found] == [
        (outer, 1, False),
        (inner, 2, True),
    ]


def test_a_name_in_lower_case_is_found_only_if_it_is_plain() -> None:
    table = NameTable()
    plain = table.add((1, 2), plain=True)
    table.add((3,))
    assert [each.name for each in table.find([1, 2, 3], [0, 0, 0])] == [plain]


@given(st.lists(st.integers(0, 5), max_size=20), st.lists(st.tuples(st.integers(0, 5)), max_size=5))
def test_what_is_found_stands_there(words: list[int], names: list[tuple[int]]) -> None:
    table = NameTable()
    for name in names:
        table.add(name)
    spelled = list(table.names)
    for found in table.find(words, [1] * len(words)):
        assert tuple(words[found.start : found.end]) == spelled[found.name]
