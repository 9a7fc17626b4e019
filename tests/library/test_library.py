"""A library from folder or documents: searched, read by id, kept, brought up to date."""

from pathlib import Path

import pytest
from haystack import Document
from hypothesis import given
from hypothesis import strategies as st

from ragnb.errors import InputError, LibraryError
from ragnb.library import Chunking, Library
from ragnb.library.reading import DOCUMENT_LIMIT, SECTION_LIMIT

POLICY = """---
title: Leave policy
status: superseded
date: 2023-05-01
trust: 0.9
team: people
---

# Leave policy

Everyone has days off.

## Annual leave

Employees take 25 days of annual leave. Unused days expire in March.

## Sick leave

Sick leave needs a doctor's note from the third day on.
"""
MEMO = "# Memo\n\nThe canteen serves soup on Mondays. See [leave](policy.md).\n"
SCOPES = ("chunk", "window", "section", "document")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    (place / "hr").mkdir(parents=True)
    (place / "hr" / "policy.md").write_text(POLICY)
    (place / "hr" / "memo.md").write_text(MEMO)
    (place / "prices.csv").write_text("item,price\nsoup,3\ntea,2\n")
    (place / "scan.bin").write_bytes(b"%PDF")
    return place


@pytest.fixture
def library(folder: Path) -> Library:
    return Library.from_folder(folder, chunking=Chunking(words=20))


def _status(library: Library) -> dict[str, str]:
    return {row.path: row.status for row in library.report.rows}


def test_a_folder_becomes_sources_with_what_they_say_of_themselves(library: Library) -> None:
    assert [info.id for info in library.sources] == ["hr/memo.md", "hr/policy.md", "prices.csv"]
    policy = library.source("hr/policy.md")
    assert (policy.text, policy.title) == (POLICY, "Leave policy")
    assert policy.meta["team"] == "people"
    assert library.source("hr/memo.md").meta["links"] == ["hr/policy.md"]
    assert _status(library)["scan.bin"] == "skipped"
    assert library.info["sources"] == 3
    assert library.info["index"] == "temporary"


def test_a_search_finds_chunks_that_stand_in_their_source(library: Library) -> None:
    for hit in library.search("how many days of annual leave"):
        text = library.source(hit.meta["source_id"]).text
        assert text[hit.meta["start"] : hit.meta["end"]] == hit.content
    best = library.search("how many days of annual leave", top_k=1)[0]
    assert best.meta["section"] == "Leave policy › Annual leave"
    assert (best.meta["status"], best.meta["trust"]) == ("superseded", 0.9)
    assert library.chunks([best.id, "unknown"])[0].content == best.content


def test_filters_and_channels_narrow_a_search(library: Library) -> None:
    only = {"field": "meta.source_id", "operator": "==", "value": "prices.csv"}
    found = library.search("soup", filters=only, channels=["bm25"])
    assert {hit.meta["source_id"] for hit in found} == {"prices.csv"}
    assert set(found[0].meta["_ranks"]) == {"bm25"}
    with pytest.raises(InputError, match="channels"):
        library.search("soup", channels=["magic"])


def test_fields_name_what_filters_can_use(library: Library) -> None:
    assert library.fields["meta.status"] == ("superseded",)
    assert library.fields["meta.trust"] == (0.5, 0.9)
    assert "meta.origin" not in library.fields


def test_each_scope_is_a_stretch_of_the_source_around_the_chunk(library: Library) -> None:
    hit = library.search("Unused days expire", top_k=1)[0]
    read = {scope: library.read(hit.id, scope) for scope in SCOPES}  # type: ignore[arg-type]
    for scope, found in read.items():
        assert found.scope == scope
        assert found.text == POLICY[found.start : found.end]
        assert hit.content in found.text
    assert read["section"].text.startswith("## Annual leave")
    assert "Sick leave" not in read["section"].text
    assert "Sick leave" in read["window"].text
    assert read["document"].text == POLICY.strip()
    assert {scope for scope, found in read.items() if found.whole} == {"window", "document"}
    assert not read["document"].outline


def test_the_window_of_a_long_source_is_a_chunk_on_each_side() -> None:
    parts = [f"## Part {n}\n\n{f'Part {n} tells of stones. ' * 25}" for n in range(9)]
    text = "\n\n".join(parts)
    long = Library.from_documents([Document(id="stones", content=text)])
    hit = long.search("part 4 stones", top_k=1)[0]
    window = long.read(hit.id, "window")
    assert len(hit.content or "") < len(window.text) < len(text) / 2
    short = Library.from_documents([Document(id="stones", content=parts[0] + parts[1])])
    assert short.read(short.search("stones")[0].id).text == (parts[0] + parts[1]).strip()


def test_a_source_id_reads_from_the_beginning(library: Library) -> None:
    assert library.read("hr/policy.md").start == 0
    assert library.read("hr/policy.md", "document").text_hash == library.source("hr/policy.md").hash


@pytest.mark.parametrize(("name", "scope"), [("gone", "window"), ("hr/policy.md", "page")])
def test_an_unknown_id_or_scope_is_an_input_error(library: Library, name: str, scope: str) -> None:
    with pytest.raises(InputError, match=r"gone|page"):
        library.read(name, scope)  # type: ignore[arg-type]


def test_a_long_document_is_cut_around_the_chunk_and_outlined() -> None:
    parts = [
        f"## Part {n}\n\nThe value of part {n} is {n * 7}. " + "More. " * 100 for n in range(60)
    ]
    text = "# Long\n\n" + "\n\n".join(parts)
    with Library.from_documents([Document(id="long", content=text)]) as library:
        hit = library.search("value of part 40", channels=["bm25"], top_k=1)[0]
        found = library.read(hit.id, "document")
        assert len(found.text) <= DOCUMENT_LIMIT
        assert hit.content
        assert hit.content in found.text
        assert found.text == text[found.start : found.end]
        assert found.outline[41] == "Long › Part 40: The value of part 40 is 280."
        assert len(library.read("long", "section").text) < SECTION_LIMIT


def test_a_library_is_kept_and_opened_again(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept.ragnb"
    with Library.from_folder(folder, index=place, chunking=Chunking(words=20)) as first:
        ids = [hit.id for hit in first.search("annual leave")]
    with Library.open(place) as again:
        assert [hit.id for hit in again.search("annual leave")] == ids
        assert again.info["words"] == 20


def test_a_second_reading_reads_only_what_changed(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept.ragnb"
    Library.from_folder(folder, index=place).close()
    (folder / "hr" / "memo.md").write_text("# Memo\n\nNo soup any more.\n")
    (folder / "prices.csv").unlink()
    (folder / "new.txt").write_text("A new text.")
    with Library.from_folder(folder, index=place) as library:
        assert _status(library) == {
            "hr/memo.md": "read",
            "hr/policy.md": "unchanged",
            "new.txt": "read",
            "prices.csv": "removed",
            "scan.bin": "skipped",
        }
        assert not library.search("canteen Mondays", channels=["bm25"])
        assert library.search("soup", channels=["bm25"], top_k=1)[0].meta["title"] == "Memo"


def test_another_chunk_size_cuts_again(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept.ragnb"
    Library.from_folder(folder, index=place).close()
    with Library.from_folder(folder, index=place, chunking=Chunking(words=5)) as library:
        assert _status(library)["hr/policy.md"] == "read"


def test_nothing_changes_when_nothing_changed(library: Library, folder: Path) -> None:
    before = library.generation
    library.update(folder)
    assert library.generation == before
    assert set(_status(library).values()) == {"unchanged", "skipped"}


def test_a_folder_that_moved_is_recognised(folder: Path, library: Library) -> None:
    moved = folder.rename(folder.with_name("moved"))
    (moved / "prices.csv").unlink()
    library.update(moved)
    assert [info.id for info in library.sources] == ["hr/memo.md", "hr/policy.md"]


def test_a_folder_that_vanished_drops_nothing(folder: Path, library: Library) -> None:
    folder.rename(folder.with_name("moved"))
    with pytest.raises(LibraryError, match="There is no file or folder"):
        library.update(folder)
    assert len(library.sources) == 3


def test_files_of_the_same_name_from_another_folder_are_kept_apart(
    library: Library, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "prices.csv").write_text("item,price\nsoup,4\n")
    library.add(other)
    library.add(other)
    assert {"prices.csv", "other/prices.csv"} < {info.id for info in library.sources}
    assert len(library.sources) == 4


def test_documents_can_be_added_replaced_and_removed(library: Library) -> None:
    library.add(Document(id="note", content="Old words.", meta={"title": "Note", "kind": "memo"}))
    library.add([Document(id="note", content="New words.", meta={"title": "Note"})])
    assert library.source("note").text == "New words."
    assert not library.search("old", channels=["bm25"])
    library.remove("note")
    with pytest.raises(InputError, match="note"):
        library.source("note")


def test_changed_meta_of_a_document_is_taken_over(library: Library) -> None:
    library.add([Document(id="note", content="Words.", meta={"status": "draft"})])
    library.add([Document(id="note", content="Words.", meta={"status": "final"})])
    assert library.search("words", top_k=1)[0].meta["status"] == "accepted"


def test_two_texts_under_one_id_are_refused() -> None:
    twins = [Document(id="a", content="x"), Document(id="a", content="y")]
    with pytest.raises(InputError, match="'a'"):
        Library.from_documents(twins)


@pytest.mark.parametrize("documents", [[], [Document(id="a", content=" \n")]])
def test_documents_without_text_make_no_library(documents: list[Document]) -> None:
    with pytest.raises(LibraryError, match="could be read"):
        Library.from_documents(documents)


def test_a_folder_without_text_makes_no_library(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\0\1\2")
    with pytest.raises(LibraryError, match=r"failed a\.txt: holds binary data"):
        Library.from_folder(tmp_path)


def test_only_a_library_is_opened_and_no_other_folder_is_written(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    with pytest.raises(LibraryError, match="There is no library"):
        Library.open(folder)
    with pytest.raises(LibraryError, match="other things"):
        Library.from_folder(folder, index=folder)
    assert sorted(folder.rglob("*")) == before


def test_the_index_of_one_folder_does_not_take_another(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept.ragnb"
    Library.from_folder(folder, index=place).close()
    with pytest.raises(LibraryError, match="holds the files of"):
        Library.from_folder(folder / "hr", index=place)


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=4, unique=True))
def test_whatever_is_taken_in_can_be_read_again(texts: list[str]) -> None:
    documents = [Document(id=f"d{n}", content=text) for n, text in enumerate(texts)]
    with Library.from_documents(documents) as library:
        for document in documents:
            assert library.source(document.id).text == document.content
            for scope in SCOPES:
                found = library.read(document.id, scope)  # type: ignore[arg-type]
                assert document.content
                assert found.text == document.content[found.start : found.end]
