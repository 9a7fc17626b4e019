"""Whatever stands in a document, a view shows it as text, and nothing else comes of it."""

import base64
import itertools
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.agent.actions import (
    Action,
    Assess,
    Extract,
    Plan,
    Read,
    Rerank,
    Retrieve,
    Stop,
    Synthesize,
    UseTool,
)
from ragnb.agent.difference import difference
from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import (
    Answered,
    Assessed,
    Failed,
    Found,
    Hits,
    Outcome,
    Planned,
    Ranked,
    Refused,
    Stopped,
    TextRead,
    ToolDone,
    Value,
)
from ragnb.agent.run import Run
from ragnb.agent.state import ToolCall, start
from ragnb.agent.trace import Trace
from ragnb.agent.until import Step
from ragnb.display import render
from ragnb.library.files import Report, Row
from ragnb.records import (
    Answer,
    Claim,
    Conflict,
    Context,
    Evidence,
    Gap,
    Grounding,
    Hit,
    Query,
    StopReason,
    SubQuestion,
)
from ragnb.views.diary import steps_of
from ragnb.views.markup import ATTRIBUTES, ELEMENTS, drawing, joined, shape, tag, visible, web

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


def made_run(words: Iterator[str]) -> Run:
    """Make a run in which every text is hostile and every kind of outcome comes up."""
    w = words.__next__
    run_trace = Trace(start(w()))
    question = SubQuestion(id="q1", text=w(), kind=w())
    other = SubQuestion(id="q2", text=w())
    query = Query(id=w(), text=w(), question_id="q1", reason=w())
    hits = tuple(
        Hit(
            chunk_id=f"c{n}",
            source_id=f"s{n}{w()}",
            title=w(),
            section=w(),
            url="javascript:alert(1)" if n else w(),
            rank=n + 1,
            score=1.0,
            fused_rank=n + 1,
            updated=w(),
            ranks=((w(), n + 1, 1.0), ("bm25", 2, 0.5)),
        )
        for n in range(4)
    )
    text = f"before {w()} quote {w()} after"
    context = Context(
        id="x1",
        source_id=hits[0].source_id,
        chunk_id="c0",
        scope="window",
        start=0,
        end=len(text),
        text=text,
        title=w(),
        section=w(),
        status=w(),
        updated=w(),
        url=w(),
    )
    quotes = tuple(
        Evidence(
            id=f"e{n}",
            question_id="q1",
            quote=text[2:-2],
            verified=n < 2,
            source_id=context.source_id,
            chunk_id="c0",
            context_id="x1",
            start=2,
            end=len(text) - 2,
            says=w(),
            title=w(),
            section=w(),
            status=w(),
            url=w(),
            updated=w(),
            notes=(w(),),
            also_in=(w(),),
        )
        for n in range(3)
    )
    gap = Gap(question_id="q2", reason="not_supported", detail=w())
    conflict = Conflict(
        question_id="q1", first="e0", second="e1", kind="number", status="resolved", rule=w(),
        winner="e0",
    )  # fmt: skip
    grounding = Grounding(
        evidence_id="e0", quote="", source_id="", chunk_id="", start=0, end=0, title=w(), url=w()
    )
    claim = Claim(id="k", statement=w(), question_id="q1", groundings=(grounding,), risks=(w(),))
    answer = Answer(goal=w(), conclusions=(claim,))
    call = ToolCall(id=w(), name=w(), arguments={w(): w()}, effects=False)
    why = StopReason(code="user", text=w())
    taken: list[tuple[Action, Value]] = [
        (Plan(reason=w()), Planned(questions=(question, other), queries=(query,))),
        (Retrieve(query=query, reason=w()), Hits(hits=hits, notes=(w(),))),
        (Rerank(query_id=query.id, reason=w()), Ranked(hits=hits[:2][::-1])),
        (Read(id="c0", reason=w()), TextRead(context=context)),
        (Extract(question_id="q1", context_id="x1", reason=w()), Found(evidence=quotes)),
        (Retrieve(query=query, reason=w()), Refused(rule="near_duplicate", text=w())),
        (UseTool(call=call, reason=w()), ToolDone(result=w())),
        (Read(id=w(), reason=w()), Failed(text=w(), attempts=2)),
        (Assess(reason=w()), Assessed(verdict="insufficient", gaps=(gap,), conflicts=(conflict,))),
        (Synthesize(closing=why, reason=w()), Answered(answer=answer)),
        (Stop(why=why, reason=w()), Stopped()),
    ]
    parent = ""
    for number, (action, value) in enumerate(taken, start=1):
        entry = Entry(id=str(number), parent=parent, action=action, outcome=Outcome(value=value))
        run_trace.add(entry)
        parent = entry.id
    run_trace.note(w())
    return Run(run_trace, parent)


def all_views(run: Run) -> dict[str, Any]:
    """Draw everything that can be drawn of a run."""
    state = run.state
    shown: dict[str, tuple[object, dict[str, Any]]] = {
        "run": (run, {}),
        "trace": (run.trace, {}),
        "state": (state, {}),
        "answer": (run.answer, {}),
        "diary": (run, {}),
        "timeline": (run, {}),
        "report": (Report(rows=(Row(path=state.goal, status="failed", why=state.goal),)), {}),
    }
    found: dict[str, Any] = {}
    for name, (thing, options) in shown.items():
        found[f"{name}_html"] = render(thing, f"{name}_html", **options)
        found[f"{name}_text"] = render(thing, f"{name}_text")
    found["answer_markdown"] = render(run.answer, "answer_markdown")
    found["plain_html"] = render(run, "run_html", plain=run)
    for number, step in enumerate(steps_of(run)):
        for kind in ("html", "text"):
            found[f"step{number}_{kind}"] = render(step, f"step_{kind}")
    for number, search in enumerate(state.searches):
        for kind in ("html", "text"):
            found[f"search{number}_{kind}"] = render(search, f"search_{kind}")
    for number, item in enumerate(state.evidence):
        context = state.context(item.context_id)
        found[f"evidence{number}_html"] = render(item, "evidence_html", context=context)
        found[f"evidence{number}_text"] = render(item, "evidence_text")
    entries, states = run.entries, run.states
    parted = difference(entries, state, entries[:4], states[4])
    for kind in ("html", "text"):
        found[f"difference_{kind}"] = render(parted, f"difference_{kind}")
    return found


@settings(max_examples=25, deadline=None)
@given(st.lists(hostile, min_size=12, max_size=24))
def test_no_text_of_a_document_becomes_markup_in_any_view(texts: list[str]) -> None:
    numbered = (f"{text}{n}" for n, text in enumerate(itertools.cycle(texts)))
    for name, drawn in all_views(made_run(numbered)).items():
        check(drawn) if name.endswith("_html") else check_text(drawn)


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_hostile_text_can_be_read_as_text_where_it_matters(attack: str) -> None:
    run = made_run(f"{attack} {n}" for n in itertools.count())
    views = all_views(run)
    wanted = plain(visible(" ".join(attack.split())))
    for name in ("run_html", "state_html", "answer_html", "diary_html", "step0_html"):
        seen = plain("".join(check(views[name]).text))
        assert wanted in seen, name


def test_a_line_of_100_kb_is_cut_and_the_cut_is_told() -> None:
    run = made_run(f"{n} " + "x" * 100_000 for n in itertools.count())
    for name, drawn in all_views(run).items():
        assert len(drawn) < 90_000, name
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


def test_a_step_is_a_step() -> None:
    run = made_run(f"w{n}" for n in itertools.count())
    assert all(isinstance(step, Step) for step in steps_of(run))
