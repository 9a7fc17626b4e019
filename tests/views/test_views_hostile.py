"""Whatever stands in a document, a view shows it as text, and nothing else comes of it."""

import base64
import itertools
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.agent.run import Run
from ragnb.agent.until import Step
from ragnb.display import render
from ragnb.views.diary import steps_of
from ragnb.views.markup import ATTRIBUTES, ELEMENTS, drawing, joined, shape, tag, visible, web

Made = Callable[[Iterator[str]], Run]
Drawn = Callable[[Run], dict[str, Any]]
ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</div></td></table></details>",
    "<b><i></b",
    "<!-- ",
    "&lt;script&gt;&#60;",
    "javascript:alert(1)",
    "\u202egnirts\u202c \u200f \u2066x\u2069",
    "a\x00b\x1b[31mred\x07\x7f\x85",
    "\ud800 lone \udfff",
    "$x^2$ and $$y$$ and \\(z\\) \\begin{equation}1\\end{equation}",
    "[link](javascript:alert(1)) **bold** `code` | a | b |",
    "]]> <![CDATA[ <?php",
    "\r\n\u2028\u2029\ufeff\uffff",
]
HARMLESS = "data:image/svg+xml;base64,"
hostile = st.builds(
    lambda head, attack, tail: head + attack + tail,
    st.text(max_size=12),
    st.sampled_from(ATTACKS),
    st.text(st.characters(), max_size=12),
)


class Reader(HTMLParser):
    """What a browser would see: elements, attributes and text."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.odd: list[str] = []
        self.pictures: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS or not {name for name, _ in attrs} <= ATTRIBUTES:
            self.odd.append(f"{tag} {attrs}")
        for name, value in attrs:
            if name == "href":
                self.addresses.append(value or "")
            if name == "src":
                self.pictures.append(value or "")
            if name == "style" and re.search(r"[^\w\s:;.,%()#-]", value or ""):
                self.odd.append(f"style {value}")
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.odd.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.odd.append(f"comment {data}")

    def handle_decl(self, decl: str) -> None:
        self.odd.append(f"declaration {decl}")

    def handle_pi(self, data: str) -> None:
        self.odd.append(f"instruction {data}")

    def unknown_decl(self, data: str) -> None:
        self.odd.append(f"declaration {data}")


def plain(text: str) -> str:
    return "".join(text.split())


def check(markup: str) -> Reader:
    """Assert that a view holds nothing but what views are made of."""
    seen = Reader(markup)
    assert not seen.odd
    assert not seen.open
    assert all(web(address) == address for address in seen.addresses)
    for picture in seen.pictures:
        assert picture.startswith(HARMLESS)
        drawn = ET.fromstring(base64.b64decode(picture.removeprefix(HARMLESS)))  # noqa: S314
        names = {element.tag.rpartition("}")[2] for element in drawn.iter()}
        assert names <= {"svg", "circle", "line", "path", "rect"}
    for bad in ("\x00", "\x1b", "\u202e", "\u2066", "\ud800"):
        assert bad not in markup
    markup.encode("utf-8")
    return seen


def check_text(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    text.encode("utf-8")


@settings(max_examples=25, deadline=None)
@given(texts=st.lists(hostile, min_size=12, max_size=24))
def test_no_text_of_a_document_becomes_markup_in_any_view(
    texts: list[str], hostile_run: Made, drawn: Drawn
) -> None:
    numbered = (f"{text}{n}" for n, text in enumerate(itertools.cycle(texts)))
    for name, text in drawn(hostile_run(numbered)).items():
        check(text) if name.endswith("_html") else check_text(text)


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_hostile_text_can_be_read_as_text_where_it_matters(
    attack: str, hostile_run: Made, drawn: Drawn
) -> None:
    run = hostile_run(f"{attack} {n}" for n in itertools.count())
    views = drawn(run)
    wanted = plain(visible(" ".join(attack.split())))
    for name in ("run_html", "state_html", "answer_html", "diary_html", "step0_html"):
        seen = plain("".join(check(views[name]).text))
        assert wanted in seen, name


def test_a_line_of_100_kb_is_cut_and_the_cut_is_told(hostile_run: Made, drawn: Drawn) -> None:
    run = hostile_run(f"{n} " + "x" * 100_000 for n in itertools.count())
    for name, text in drawn(run).items():
        assert len(text) < 90_000, name
    assert "more characters" in render(run, "run_html")
    assert "more characters" in render(run, "run_text")


@given(st.text(), st.integers(1, 50))
def test_what_is_shown_of_a_text_has_no_control_characters_and_is_not_long(
    text: str, limit: int
) -> None:
    shown = visible(text, limit)
    check_text(shown)
    assert len(shown) <= 8 * limit + 40


@given(st.text())
def test_a_text_without_control_characters_is_shown_as_it_is(text: str) -> None:
    if text.isprintable() and not re.search(r"[\u061c\ufeff\ufffe\uffff]", text):
        assert "".join(check(tag("b", text)).text) == text


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", " https://a.b", "data:text/html,x", "//a.b/c", "https://", "http://[x",
     "https://a.b/\u202e", "file:///etc/passwd", "HTTPS:", "vbscript:x"],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(address: str) -> None:
    assert web(address) is None


def test_a_sign_of_a_formula_stands_in_an_element_of_its_own() -> None:
    assert tag("b", "$5 and $7") == "<b><span>$</span>5 and <span>$</span>7</b>"


@pytest.mark.parametrize(
    "make",
    [
        lambda: tag("script", "x"),
        lambda: tag("b", onclick="x"),
        lambda: shape("foreignObject"),
    ],
)
def test_what_is_not_in_the_allow_list_can_not_be_made(make: Any) -> None:
    with pytest.raises(ValueError, match="allow-list"):
        make()


def test_markup_put_together_by_hand_is_text_again() -> None:
    assert joined(["<b>" + tag("b", "x")]) == "&lt;b&gt;&lt;b&gt;x&lt;/b&gt;"
    picture = drawing([shape("rect", x=0)], alt='"><script>', view=(1, 1), width=1, height=1)
    assert check(picture).pictures


def test_only_one_file_puts_tags_together() -> None:
    folder = Path(__file__).resolve().parents[2] / "ragnb" / "views"
    for path in folder.glob("*.py"):
        # Plotly's labels have tags of their own
        if path.name not in {"markup.py", "figures.py", "hover.py"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"</?[a-z]|\bHtml\(", text), path.name


def test_a_step_is_a_step(hostile_run: Made) -> None:
    run = hostile_run(f"w{n}" for n in itertools.count())
    assert all(isinstance(step, Step) for step in steps_of(run))
