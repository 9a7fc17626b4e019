"""Each kind of file becomes text with its headings, lists and tables in their order."""

import io
import json
import sys
import zipfile
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.errors import LibraryError, MissingExtraError
from ragnb.library.blocks import blocks
from ragnb.library.readers import READERS, Converted, SkippedError, convert
from ragnb.library.readers.markup import table

PAGE = """<html><head><title>Prices - Shop</title><meta name="author" content="Ann"></head><body>
<nav><a href="/">Home</a></nav><h1>Prices</h1><p>All <b>prices</b>
in <a href="eur.html">euros</a>.<br>Second line.</p>
<ul><li>tea<ul><li>green</li></ul></li><li>milk</li></ul>
<table><caption>Per kilo</caption>
<tr><th rowspan="2">Site</th><th colspan="2">2023</th></tr><tr><th>Q1</th><th>Q2</th></tr>
<tr><td>Oslo</td><td>1</td><td>2 | 3</td></tr></table>
<pre><code class="language-python">x = 1
</code></pre><script>bad()</script></body></html>"""


def _read(data: bytes | str, suffix: str) -> Converted:
    return convert(data.encode() if isinstance(data, str) else data, suffix)


def _zip(**parts: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/"), text)
    return stream.getvalue()


def test_html_keeps_headings_lists_code_and_the_whole_header_of_a_table() -> None:
    made = _read(PAGE, ".html")
    assert made.text == (
        "# Prices\n\nAll prices in euros.\nSecond line.\n\n- tea\n  - green\n- milk\n\n"
        "**Per kilo**\n\n| Site | 2023 / Q1 | 2023 / Q2 |\n|---|---|---|\n"
        "| Oslo | 1 | 2 \\| 3 |\n\n"
        "```python\nx = 1\n```\n"
    )
    assert made.meta == {"title": "Prices - Shop", "author": "Ann", "links": ["/", "eur.html"]}


def test_html_is_decoded_as_it_says() -> None:
    page = "<meta charset='iso-8859-2'><p>Łódź</p>"
    assert _read(page.encode("iso-8859-2"), ".html").text == "Łódź\n"


def test_word_keeps_headings_lists_merged_cells_and_their_order() -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.core_properties.title = "Plan"
    document.add_heading("Plan", level=1)
    document.add_paragraph("First.")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Number")
    cells = document.add_table(rows=3, cols=3)
    rows = (("Site", "2023", ""), ("", "Q1", "Q2"), ("Oslo", "1", "2"))
    for row, texts in zip(cells.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    cells.cell(0, 1).merge(cells.cell(0, 2))
    cells.cell(0, 0).merge(cells.cell(1, 0))
    document.add_paragraph("Last.")
    stream = io.BytesIO()
    document.save(stream)
    made = _read(stream.getvalue(), ".docx")
    assert made.text == (
        "# Plan\n\nFirst.\n\n- one\n1. two\n\n"
        "| Site | 2023 / Q1 | 2023 / Q2 |\n|---|---|---|\n| Oslo | 1 | 2 |\n\nLast.\n"
    )
    assert made.meta["title"] == "Plan"


def test_a_workbook_gives_a_section_a_sheet_and_numbers_as_people_write_them() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Costs"
    for row in (("Costs of 2023", None), ("Site", "Sum"), ("Oslo", 3.0), ("Rome", 0.25)):
        sheet.append(row)
    sheet.merge_cells("A1:B1")
    stream = io.BytesIO()
    book.save(stream)
    assert _read(stream.getvalue(), ".xlsx").text == (
        "## Costs\n\n**Costs of 2023**\n\n"
        "| Site | Sum |\n|---|---|\n| Oslo | 3 |\n| Rome | 0.25 |\n"
    )


def test_slides_are_pages_with_their_notes() -> None:
    pptx = pytest.importorskip("pptx")
    deck = pptx.Presentation()
    for title, body in (("Goals", "Grow\nLearn"), ("Risks", "Rain\nSnow")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = f"Say {title}"
    stream = io.BytesIO()
    deck.save(stream)
    made = _read(stream.getvalue(), ".pptx")
    assert made.text.startswith("## Goals\n\n- Grow\n- Learn\n\nNotes: Say Goals\n")
    assert [made.text[at : at + 8] for at in made.pages] == ["## Goals", "## Risks"]


def test_a_mail_tells_who_wrote_and_holds_its_attachments() -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Lunch", "ann@a.org", "bob@b.org"
    mail["Date"] = "Tue, 05 Mar 2024 10:00:00 +0000"
    mail.set_content("At noon?")
    mail.add_attachment(b"name,price\n", maintype="text", subtype="csv", filename="menu.csv")
    mail.add_attachment(b"\0", maintype="image", subtype="png", filename="map.png")
    made = _read(mail.as_bytes(), ".eml")
    assert made.text.startswith("# Lunch\n\nFrom: ann@a.org\nTo: bob@b.org\n")
    assert "At noon?\n\n## Attachment: menu.csv\n\nname,price" in made.text
    assert "(not read: 1 bytes)" in made.text
    assert made.meta["updated"] == "2024-03-05"


def test_a_notebook_keeps_texts_code_and_results() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": "2"}}]},
    ]
    made = _read(json.dumps({"cells": cells}), ".ipynb")
    assert made.text == "# Title\ntext\n\n```python\n1 + 1\n```\n\n```output\n2\n```\n"


def test_subtitles_become_paragraphs_with_times_and_speakers() -> None:
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello\n\n"
        "00:02.000 --> 00:03.000\n<v Ann>Bob.\n\n"
        "01:00:03.000 --> 01:00:04.000\n<v Bob>Hi &amp; bye.\n"
    )
    assert _read(text, ".vtt").text == "[00:00:01] Ann: Hello Bob.\n\n[01:00:03] Bob: Hi & bye.\n"


def test_json_stands_as_it_is_unless_it_is_one_long_line() -> None:
    short = '{\n  "a": 1\n}\n'
    assert _read(short, ".json").text == short
    assert _read(json.dumps(list(range(300))), ".json").text.count("\n") > 300
    with pytest.raises(LibraryError, match="line 2"):
        _read("1\n{\n", ".jsonl")


def test_an_open_document_and_an_e_book_are_read_in_order() -> None:
    spaces = 'xmlns:o="o" xmlns:t="t" xmlns:b="b"'
    odt = (
        f"<o:content {spaces}><o:body><t:h t:outline-level='2'>Head</t:h><t:p>One<t:s t:c='2'/>two"
        "</t:p><t:list><t:item><t:p>item</t:p></t:item></t:list></o:body></o:content>"
    )
    assert _read(_zip(**{"content.xml": odt}), ".odt").text == "## Head\n\nOne two\n\n- item\n"
    plan = (
        "<package><metadata><title>Book</title></metadata><manifest><item id='b' href='b.html'/>"
        "<item id='a' href='a.html'/></manifest><spine><itemref idref='b'/><itemref idref='a'/>"
        "</spine></package>"
    )
    book = _zip(
        **{
            "META-INF__container.xml": "<c><rootfile full-path='in/plan.opf'/></c>",
            "in__plan.opf": plan,
            "in__a.html": "<h1>Two</h1>",
            "in__b.html": "<?xml version='1.0' encoding='utf-8'?><h1>One</h1>",
        }
    )
    made = _read(book, ".epub")
    assert (made.text, made.meta["title"]) == ("# One\n\n# Two\n", "Book")


def test_asciidoc_becomes_markdown() -> None:
    text = "= Title\n:revdate: 2024-01-02\n\n* one\n** two\n\n.Prices\n|===\n|A |B\n\n|1 |2\n|===\n"
    made = _read(text, ".adoc")
    assert made.text == (
        "# Title\n\n- one\n  - two\n\n**Prices**\n\n| A | B |\n|---|---|\n| 1 | 2 |\n"
    )
    assert made.meta == {"updated": "2024-01-02"}


def test_outside_entities_are_never_read() -> None:
    bomb = (
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x><body><p>a&e;b</p></body></x>'
    )
    assert _read(_zip(**{"content.xml": bomb}), ".odt").text == "ab\n"


def test_encrypted_and_old_office_files_are_told_apart() -> None:
    ole = b"\xd0\xcf\x11\xe0" + b"\0" * 600
    with pytest.raises(SkippedError, match="old binary Office format"):
        _read(ole, ".docx")
    with pytest.raises(SkippedError, match="encrypted"):
        _read(ole + "EncryptedPackage".encode("utf-16-le"), ".xlsx")


def test_a_missing_parser_is_told_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ragnb.library.readers.slides", raising=False)
    monkeypatch.setitem(sys.modules, "pptx", None)
    with pytest.raises(MissingExtraError, match=r"python-pptx.*pip install \"ragnb\[files\]\""):
        _read("x", ".pptx")


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=400))
def test_no_bytes_crash_a_reader(suffix: str, data: bytes) -> None:
    try:
        made = convert(data, suffix)
    except LibraryError:
        return
    assert made.text.strip()


@given(st.lists(st.lists(st.text(max_size=8), max_size=5), max_size=6))
def test_any_table_is_one_table_or_paragraphs(rows: list[list[str]]) -> None:
    written = table(rows)
    kinds = [block.kind for block in blocks(written)]
    assert kinds.count("table") <= 1
    assert kinds == ["table"] or "table" not in kinds
