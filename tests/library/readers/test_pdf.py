"""PDF: headings, paragraphs, pages, and the true cause where there is no text."""

import pytest

from ragnb.errors import LibraryError
from ragnb.library.chunking import Chunking, chunk
from ragnb.library.readers import SkippedError, convert
from ragnb.library.source import Source, hash_text


def _pdf(pages: list[list[tuple[int, int, int, str]]]) -> bytes:
    """Write a PDF by hand: of each page its lines as x, y, type size, text."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, lines in enumerate(pages):
        drawn = "".join(f"BT /F1 {s} Tf {x} {y} Td ({t}) Tj ET\n" for x, y, s, t in lines).encode()
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        stream = b"<< /Length %d >>\nstream\n%sendstream" % (len(drawn), drawn)
        objects += [page.encode(), stream]
    data = b"%PDF-1.4\n"
    places = []
    for number, item in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF" % (count, table, count, len(data))
    )


def _page(number: int) -> list[tuple[int, int, int, str]]:
    return [
        (50, 780, 9, "Handbook of tea"),
        (50, 700, 18, f"Chapter {'ABC'[number]}"),
        (50, 670, 10, "Green tea is steamed right after it was picked, which keeps its col-"),
        (50, 658, 10, "our and its taste."),
        (300, 20, 9, f"{number + 1}"),
    ]


def test_headings_and_paragraphs_are_kept_and_running_titles_are_not() -> None:
    made = convert(_pdf([_page(n) for n in range(3)]), ".pdf")
    sentence = (
        "Green tea is steamed right after it was picked, which keeps its colour and its taste."
    )
    assert made.text == "\n\n".join(f"# Chapter {x}\n\n{sentence}" for x in "ABC") + "\n"
    assert [made.text[at : at + 11] for at in made.pages] == [f"# Chapter {x}" for x in "ABC"]


def test_a_chunk_knows_its_page() -> None:
    made = convert(_pdf([_page(n) for n in range(3)]), ".pdf")
    meta = {"path": "tea.pdf", "pages": list(made.pages)}
    source = Source(id="tea", title="tea", text=made.text, hash=hash_text(made.text), meta=meta)
    assert [each.meta["page"] for each in chunk(source, Chunking(words=10))] == [1, 2, 3]


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [(50, 700 - 12 * n, 10, f"left {n} has a line of words here") for n in range(8)]
    right = [(330, 700 - 12 * n, 10, f"right {n} has a line of words here") for n in range(8)]
    both = [line for pair in zip(left, right, strict=True) for line in pair]
    text = convert(_pdf([both]), ".pdf").text
    assert text.index("left 7") < text.index("right 0")


def test_pages_without_text_are_scanned() -> None:
    with pytest.raises(SkippedError, match="scanned: none of its 2 pages"):
        convert(_pdf([[], []]), ".pdf")
    made = convert(_pdf([[], _page(0)]), ".pdf")
    assert made.note.startswith("1 of 2 pages have no text layer")


def test_damage_is_told() -> None:
    with pytest.raises(LibraryError, match=r"damaged, or no \.pdf file"):
        convert(b"%PDF-1.4\nnothing", ".pdf")
