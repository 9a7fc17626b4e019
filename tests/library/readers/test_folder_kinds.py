"""Folders of mixed kinds: archives, trust, headers of tables, and what files say of themselves."""

import zipfile
from pathlib import Path

import pytest

from ragnb.errors import InputError
from ragnb.library.blocks import blocks
from ragnb.library.chunking import Chunking, spans
from ragnb.library.library import Library
from ragnb.library.metadata import describe


def _report(library: Library) -> dict[str, tuple[str, str]]:
    return {row.path: (row.status, row.why) for row in library.report.rows}


def test_an_archive_is_read_like_a_folder_and_nothing_leaves_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/note.md", "# Note\n\nTea.")
        archive.writestr("../evil.md", "evil")
        archive.writestr("b.zip", "x")
        archive.writestr("page.html", "<h1>Page</h1>")
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    library = Library.from_folder(tmp_path)
    assert _report(library) == {
        "a.zip/../evil.md": ("skipped", "its path leads out of the archive"),
        "a.zip/b.zip": ("skipped", "an archive inside an archive"),
        "a.zip/in/note.md": ("read", ""),
        "a.zip/page.html": ("read", ""),
        "broken.zip": ("failed", "damaged, or no .zip file: File is not a zip file"),
    }
    assert library.source("a.zip/in/note.md").title == "Note"
    assert not (tmp_path.parent / "evil.md").exists()


def test_trust_is_given_by_folder_pattern_and_value_and_kept_in_updates(tmp_path: Path) -> None:
    for name, text in {
        "hr/a.md": "---\ntrust: 1\n---\nA",
        "hr/old/b.md": "B",
        "c.txt": "Status: Draft\n\nC",
        "d.txt": "D",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    rules = {"hr": 0.9, "hr/old": 0.2, "status=draft": 0.1}
    library = Library.from_folder(tmp_path, trust=rules)
    (tmp_path / "hr" / "new.md").write_text("new")
    library.update(tmp_path)
    found = {info.id: info.meta["trust"] for info in library.sources}
    assert found == {
        "c.txt": 0.1,
        "d.txt": 0.5,
        "hr/a.md": 0.9,
        "hr/new.md": 0.9,
        "hr/old/b.md": 0.2,
    }
    assert _report(library)["d.txt"][0] == "unchanged"
    with pytest.raises(InputError, match="from 0 to 1"):
        Library.from_folder(tmp_path, trust={"hr": 7})


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_separated_values_carry_their_header_of_two_rows(
    tmp_path: Path, sign: str, encoding: str
) -> None:
    rows = [
        ["Site", "2023", ""],
        ["", "Q1", "Q2"],
        *([f"Site {n}", str(n), "7"] for n in range(60)),
    ]
    text = "\n".join(sign.join(row) for row in rows)
    (tmp_path / "sites.csv").write_bytes(text.encode(encoding))
    library = Library.from_folder(tmp_path, chunking=Chunking(words=30))
    chunks = library.store.neighbours("sites.csv", 0, 1000)
    assert len(chunks) > 3
    head = "\n".join(sign.join(row) for row in rows[:2])
    assert chunks[0].content is not None
    assert chunks[0].content.startswith(head)
    assert all(each.meta["context"].endswith(head) for each in chunks[1:])
    assert "".join(each.content or "" for each in chunks).count("Site ") == 60


def test_rows_of_a_table_carry_its_caption_and_header() -> None:
    rows = "\n".join(f"| Site {n} | {n} |" for n in range(60))
    text = f"# Sales\n\n**Sales by site**\n\n| Site | Sum |\n|---|---|\n{rows}\n"
    found = spans(text, chunking=Chunking(words=20))
    assert found[0].header == ""
    assert {span.header for span in found[1:]} == {"Sales by site\n| Site | Sum |"}


def test_code_is_parted_between_definitions_and_has_no_headings() -> None:
    code = (
        "# a comment\nimport os\n\n\ndef f():\n    a = 1\n\n    return a\n\n\nclass A:\n    pass\n"
    )
    found = blocks(code, "code")
    parts = [code[each.start : each.end] for each in found]
    assert parts == [
        "# a comment\nimport os",
        "def f():\n    a = 1\n\n    return a",
        "class A:\n    pass",
    ]
    assert {each.kind for each in found} == {"code"}


def test_what_a_file_says_outside_of_its_text_counts_where_the_text_is_silent() -> None:
    file = {"title": "From file", "updated": "2020-01-02T00:00:00Z", "author": "Ann"}
    about = describe("Some text.", "a.docx", file=file)
    assert (about["title"], about["updated"], about["author"]) == ("From file", "2020-01-02", "Ann")
    about = describe("# Head\n\nUpdated: 2024-05-06\n", "a.docx", file=file)
    assert (about["title"], about["updated"]) == ("Head", "2024-05-06")


def test_proposals_and_decisions_are_known_by_their_numbers() -> None:
    pep = (
        "PEP: 227\nTitle: Scopes\nStatus: Superseded\nCreated: 01-Nov-2000\n\nAbstract\n========\n"
    )
    about = describe(pep, "pep-0227.rst", kind="rst")
    assert (about["title"], about["status"], about["updated"]) == (
        "Scopes",
        "superseded",
        "2000-11-01",
    )
    assert about["aliases"] == ["PEP 227", "PEP-0227"]
    adr = "# 3. Use queues\n\n## Status\n\nSuperseded by [4](0004-streams.md)\n"
    about = describe(adr, "docs/adr/0003-use-queues.md")
    assert (about["status"], about["links"]) == ("superseded", ["docs/adr/0004-streams.md"])
    assert about["aliases"] == ["ADR 3", "ADR-0003"]
    assert describe("# 3 reasons\n", "blog/a.md")["aliases"] == []


def test_a_file_of_the_same_bytes_is_not_converted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.html").write_bytes("<p>été</p>".encode("latin-1"))
    library = Library.from_folder(tmp_path)
    monkeypatch.setattr("ragnb.library.files.convert", None)
    library.update(tmp_path)
    assert _report(library) == {"a.html": ("unchanged", "not Unicode: read as cp1252")}
