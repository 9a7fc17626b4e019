"""Which files are read, as which text, and what is said of the others."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.errors import LibraryError
from ragnb.library.files import Report, Row, decode, scan
from ragnb.library.metadata import describe, iso_date, status_word


def _write(folder: Path, names: dict[str, str]) -> Path:
    for name, text in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _ids(paths: object) -> list[str]:
    return [found.id for found in scan(paths).found]  # type: ignore[arg-type]


def test_a_folder_gives_its_text_files_by_their_path_below_it(tmp_path: Path) -> None:
    _write(tmp_path, {"b.md": "b", "a/c.txt": "c", "a/prices.CSV": "d", "LICENSE": "free"})
    assert _ids(tmp_path) == ["LICENSE", "a/c.txt", "a/prices.CSV", "b.md"]


def test_other_kinds_are_skipped_by_name(tmp_path: Path) -> None:
    _write(tmp_path, {"a.md": "a", "b.bin": "b", "c.png": "b", "empty.md": ""})
    rows = {row.path: (row.status, row.why) for row in scan(tmp_path).rows}
    assert rows == {
        "b.bin": ("skipped", "unknown kind of file (.bin)"),
        "c.png": (
            "skipped",
            "a picture: it holds no text (an OCR program can make a PDF with text of it)",
        ),
        "empty.md": ("skipped", "empty"),
    }


def test_hidden_and_generated_folders_are_counted_and_not_entered(tmp_path: Path) -> None:
    names = (".git/x.md", "node_modules/x.md", ".ipynb_checkpoints/x.md", ".env", "old.ragnb/x.md")
    _write(tmp_path, {"a.md": "a", **dict.fromkeys(names, "x")})
    found = scan(tmp_path)
    assert [each.id for each in found.found] == ["a.md"]
    assert found.ignored == len(names)


def test_a_link_back_up_ends_and_a_broken_link_is_told(tmp_path: Path) -> None:
    _write(tmp_path, {"a/b.md": "b"})
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    found = scan(tmp_path)
    assert [each.id for each in found.found] == ["a/b.md"]
    assert found.ignored == 1
    assert found.rows[0].why == "a link that points nowhere"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    _write(tmp_path, {"a.md": "a"})
    os.mkfifo(tmp_path / "b.md")
    assert scan(tmp_path).rows == (Row(path="b.md", status="skipped", why="not a regular file"),)


def test_a_pattern_and_a_list_choose_files(tmp_path: Path) -> None:
    _write(tmp_path, {"a.md": "a", "x/b.md": "b", "x/c.txt": "c", "y/b.md": "d"})
    assert _ids(str(tmp_path / "**" / "*.md")) == ["a.md", "x/b.md", "y/b.md"]
    assert _ids([tmp_path / "x" / "b.md", tmp_path / "y"]) == ["x/b.md", "y/b.md"]
    assert _ids(tmp_path / "a.md") == ["a.md"]


@pytest.mark.parametrize(
    ("names", "path", "says"),
    [
        ({}, "gone", "There is no file or folder"),
        ({}, "", "It is empty"),
        ({"a.bin": "x"}, "", "a.bin: unknown kind of file"),
        ({}, "*.md", "No file matches"),
    ],
)
def test_a_folder_without_anything_to_read_is_an_error_that_says_why(
    tmp_path: Path, names: dict[str, str], path: str, says: str
) -> None:
    _write(tmp_path, names)
    with pytest.raises(LibraryError, match="(?s)" + says.replace("*", r"\*")):
        scan(tmp_path / path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_recognised_without_a_note(encoding: str) -> None:
    assert decode("né\r\n北京\r".encode(encoding)) == ("né\n北京\n", "")


def test_older_encodings_are_guessed_with_a_note() -> None:
    assert decode("été – “oui”".encode("cp1252")) == ("été – “oui”", "not Unicode: read as cp1252")
    assert decode("现行政策".encode("gb18030")) == ("现行政策", "not Unicode: read as gb18030")


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfea"])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(LibraryError):
        decode(data)


@given(st.text())
def test_any_text_survives_but_for_its_line_ends(text: str) -> None:
    text = text.replace("\0", "").lstrip("\ufeff")
    read, note = decode(text.encode())
    assert read == text.replace("\r\n", "\n").replace("\r", "\n")
    assert not note


def test_a_report_reads_as_a_summary() -> None:
    rows = (Row(path="a.md", status="read", chunks=2), Row(path="b", status="failed", why="x"))
    assert str(Report(rows=rows, ignored=3)) == "1 failed, 1 read, 3 hidden or ignored\nfailed b: x"


def test_front_matter_names_title_date_status_aliases_and_trust() -> None:
    text = (
        '---\ntitle: "Rule: one"\ndate: 2024-03-05 # day\nstatus: Superseded by R-2\ntrust: 0.8\n'
        "aliases: [R-1, first]\ntags:\n  - a\n  - b\nteam: ops\nweight: 20\n---\n# Other\n"
    )
    about = describe(text, "r.md")
    assert about["title"] == "Rule: one"
    assert (about["updated"], about["status"]) == ("2024-03-05", "superseded")
    assert (about["trust"], about["aliases"]) == (0.8, ["R-1", "first"])
    assert (about["tags"], about["team"], about["weight"]) == (["a", "b"], "ops", 20)


def test_toml_front_matter_is_read_too() -> None:
    assert (
        describe("+++\ntitle = 'T'\ndate = 2024-01-02\n+++\nx", "a.md")["updated"] == "2024-01-02"
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n# One\n\n## Two", "One"),
        ("Over\n====\nx", "Over"),
        ("## Purpose\nx\n## Next\ny", "leave"),
        ("```\n# comment\n```", "leave"),
        ("plain", "leave"),
    ],
)
def test_the_title_is_the_top_heading_else_the_name_of_the_file(text: str, title: str) -> None:
    assert describe(text, "hr/leave.md")["title"] == title


def test_an_index_file_is_called_after_its_folder() -> None:
    assert describe("x", "hr/README.md")["title"] == "hr"
    assert describe("x", "README.md")["title"] == "README"


@pytest.mark.parametrize(
    ("text", "status", "updated"),
    [
        (
            "# A\n\n**Status:** Deprecated\n**Last updated:** March 5, 2024\n",
            "deprecated",
            "2024-03-05",
        ),
        ("# A\n## Status\n\nAccepted\n", "accepted", ""),
        ("# 制度\n\n状态：已废止\n更新日期：2023年1月9日\n", "superseded", "2023-01-09"),
        ("# A\n\nThe status: quo is old.\n", "", ""),
    ],
)
def test_labelled_lines_name_status_and_date(text: str, status: str, updated: str) -> None:
    about = describe(text, "a.md")
    assert (about["status"], about["updated"]) == (status, updated)


def test_links_are_paths_from_the_top_of_the_library() -> None:
    text = "[a](../b.md#x) ![i](i.png) [w](https://e.org) [[ADR-3|x]] [m](mailto:a@b.c)"
    assert describe(text, "docs/in/a.md")["links"] == ["docs/b.md", "ADR-3"]


@pytest.mark.parametrize("trust", ["high", "nan", "7", "-1", ""])
def test_trust_stays_between_0_and_1(trust: str) -> None:
    assert 0 <= describe(f"---\ntrust: {trust}\n---\n", "a.md")["trust"] <= 1


@given(st.text(), st.text(min_size=1))
def test_any_text_can_be_described(text: str, name: str) -> None:
    about = describe("---\n" + text, name)
    assert isinstance(about["title"], str)
    assert iso_date(text) == "" or len(iso_date(text)) == 10
    assert isinstance(status_word(text), str)
