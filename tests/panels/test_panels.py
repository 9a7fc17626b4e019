"""Panels without a browser: what is sent, what a click does, and that nothing stays behind."""

import asyncio
import gc
import html.parser
import json
import re
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anywidget
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragnb
from ragnb.agent.actions import Approve, Assess
from ragnb.agent.loop import Loop
from ragnb.agent.state import ToolCall
from ragnb.errors import InputError
from ragnb.library import Library
from ragnb.panels import EvidencePanel, Inspector, Panel, ReaderPanel, named, shower
from ragnb.panels.acting import _DOES
from ragnb.panels.board import Board, patch
from ragnb.panels.chart import Chart
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, live_parts, twin
from ragnb.panels.looking import LOOKS
from ragnb.panels.tags import ELEMENTS
from ragnb.records import Budget
from ragnb.views.markup import ELEMENTS as VIEWS

WIDGETS = Path(__file__).resolve().parents[2] / "widgets"
META = "---\ntitle: {}\nupdated: 2025-11-03\nstatus: current\n---\n"
POLICY = (
    META.format("Export policy")
    + """# Export policy

## Interactive exports

An interactive export holds at most 50,000 rows. The Data Board decided the limit.
"""
)
HANDBOOK = (
    META.format("Support handbook")
    + """# Support handbook

## Exports

An interactive export holds at most 100,000 rows. Press Export in the menu.
"""
)
ASKS = ragnb.Scripted(actions=(Approve(call=ToolCall(id="m", name="mail", arguments={"to": "x"})),))
QUESTION = "How many rows does an interactive export hold at most?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "policy.md").write_text(POLICY)
    (folder / "handbook.md").write_text(HANDBOOK)
    with Library.from_folder(folder) as made:
        yield made


@pytest.fixture
def loop(library: Library) -> Loop:
    return ragnb.Agent(library).start(QUESTION)


class Page:
    """A browser as far as messages go: it keeps the parts as panel.js does."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.parts: dict[str, str] = {}
        self.order: list[str] = []
        self.heard: list[dict[str, Any]] = []
        panel.send = self.hear
        panel._hear(panel, {"kind": "ready"}, [])

    def hear(self, message: dict[str, Any]) -> None:
        self.heard.append(message)
        if message.get("fresh"):
            self.parts = {}
        for key in message.get("drop", ()):
            del self.parts[key]
            self.order.remove(key)
        self.parts |= message["set"]
        for key, before in message.get("after", ()):
            self.order.insert(0 if before is None else self.order.index(before) + 1, key)
        self.order = list(message.get("order", self.order))

    def click(self, action: str, **more: Any) -> None:
        self.panel._hear(self.panel, {"kind": "act", "action": action, **more}, [])

    @property
    def shows(self) -> dict[str, str]:
        return {key: self.parts[key] for key in self.order}


def drawn(panel: Panel) -> dict[str, str]:
    return dict(panel._parts())


@pytest.mark.parametrize("view", sorted(LABELS))
def test_a_page_shows_what_was_drawn_whatever_happens(loop: Loop, view: str) -> None:
    page = Page(Panel(loop, view))
    while loop.state.stop is None:
        loop.step()
        page.panel.flush()
        assert list(page.shows.items()) == list(drawn(page.panel).items())
    for k in (3, 0, loop.state.entries):
        loop.rewind(k)
        page.panel.flush()
        assert list(page.shows.items()) == list(drawn(page.panel).items())
    page.panel.close()


def test_only_keys_that_changed_travel(loop: Loop) -> None:
    page = Page(Inspector(loop))
    before = dict(page.parts)
    loop.step()
    page.panel.flush()
    sent = page.heard[-1]["set"]
    assert sent
    assert all(before.get(key) != html for key, html in sent.items())
    assert "order" not in page.heard[-1]
    count = len(page.heard)
    page.panel.flush()
    assert len(page.heard) == count  # nothing changed, nothing was sent


def test_an_update_is_as_small_at_step_2000_as_at_step_20(loop: Loop) -> None:
    loop.edit(budget=Budget(rounds=9_999, steps=9_999, seconds=9e9))
    loop.round()
    page = Page(Inspector(loop))
    chart = page.panel.chart
    assert chart is not None
    drawn: list[int] = []
    chart.send = lambda message, buffers=None: drawn.append(len(json.dumps(message)))
    chart._hear(chart, {"kind": "ready"}, [])

    def sizes(steps: range) -> tuple[int, int]:
        """Return the median bytes of a panel's and of a figure's update over some steps."""
        found = []
        del drawn[:]
        for _ in steps:
            loop.step(Assess())
            page.panel.flush()
            found.append(len(json.dumps(page.heard[-1])))
        return sorted(found)[len(found) // 2], sorted(drawn)[len(drawn) // 2]

    def go_on(number: int) -> None:
        """Step while nobody looks, then show the panel again."""
        page.panel._hear(page.panel, {"kind": "gone"}, [])
        while loop.state.entries < number:
            loop.step(Assess())
        page.panel._hear(page.panel, {"kind": "ready"}, [])
        chart.flush()

    go_on(16)
    early = sizes(range(16, 24))
    go_on(1_990)
    late = sizes(range(1_990, 2_000))
    print(f"\nbytes of an update, panel and figure: {early} at step 20, {late} at 2,000")  # noqa: T201
    assert late[0] <= 1.1 * early[0]
    assert late[1] <= 1.1 * early[1]
    assert sum(late) < 8_000


def test_a_step_that_failed_can_be_tried_again(library: Library) -> None:
    from haystack import component

    @component
    class Moody:
        """Answers from the second time on."""

        retries = 0
        calls = 0

        @component.output_types(documents=list[Any])
        def run(self, query: str) -> dict[str, Any]:
            self.calls += 1
            if self.calls == 1:
                raise ConnectionError("the index did not reply")
            return {"documents": []}

    moody = Moody()
    loop = ragnb.Agent(library, stages={"retrieve": moody}).start(QUESTION)
    page = Page(Inspector(loop))
    page.click("step")
    page.click("step")
    assert "did not reply" in page.parts["done/step"]
    assert 'data-action="again"' in page.parts["done/step"]
    page.click("again")
    assert moody.calls == 2
    assert 'data-action="again"' not in page.parts["done/step"]


@pytest.mark.parametrize(("module", "kind"), [("panel", Board), ("chart", Chart)])
def test_both_sides_name_the_same_traits(module: str, kind: type[anywidget.AnyWidget]) -> None:
    synced = set(kind.class_traits(sync=True)) - set(anywidget.AnyWidget.class_traits(sync=True))
    text = (WIDGETS / f"{module}.js").read_text()
    typedef = re.search(r"@typedef \{\{ (.+?) \}\} \w+Traits", text)
    assert typedef is not None
    assert synced == set(re.findall(r"(\w+):", typedef[1]))


class Controls(html.parser.HTMLParser):
    """Collects what can be pressed, and asserts that a keyboard reaches it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for mark in ("data-action", "data-tab", "data-toggle", "data-copy"):
            if mark in given:
                assert tag in {"button", "input", "select"}, f"<{tag}> is no control"
                assert given.get("tabindex") != "-1"
                self.found.add(given.get("data-action") or mark)


def test_every_action_is_on_a_control_that_a_keyboard_reaches(loop: Loop) -> None:
    found = Controls()

    def look(seen: Loop) -> None:
        choice = Choice(trouble="a", said="b", figure=True)
        for view in LABELS:
            for part in live_parts(seen, view, choice).values():
                found.feed(part)

    look(loop)
    loop.run(until=ragnb.until.conflict)
    look(loop)
    loop.fork("other").run()
    look(loop)
    loop.edit(budget=replace(loop.state.budget, steps=loop.state.steps + 1))
    loop.run()
    look(loop)
    look(ragnb.Agent(loop.performer.stages.library, policy=ASKS).start("Tell the board."))
    seldom = {"again", "look", "speed"}  # a failed step has its own test
    assert set(_DOES) | LOOKS - {"look"} <= found.found | seldom | {"goal"}


def test_two_panels_follow_one_loop(loop: Loop) -> None:
    pages = [Page(Inspector(loop)), Page(EvidencePanel(loop)), Page(Inspector(loop))]
    pages[0].click("round")
    pages[1].panel.flush()
    pages[2].panel.flush()
    assert loop.state.evidence
    assert set(pages[0].parts) == set(pages[2].parts)
    for item in loop.state.evidence:
        assert all(f"evidence/{item.id}" in page.parts for page in pages)


def test_a_closed_panel_leaves_nothing_behind(loop: Loop) -> None:
    panel: Panel | None = Inspector(loop)
    assert panel is not None
    Page(panel)
    gone = weakref.ref(panel)
    panel.close()
    panel = None
    gc.collect()
    assert gone() is None
    assert loop.player._watchers == []


def test_a_panel_that_no_page_shows_draws_nothing(loop: Loop) -> None:
    page = Page(Inspector(loop))
    page.panel._hear(page.panel, {"kind": "gone"}, [])
    count = len(page.heard)
    loop.step()
    assert len(page.heard) == count


def test_every_panel_has_a_twin_at_every_step(loop: Loop) -> None:
    def check() -> None:
        for view in LABELS:
            text = twin(loop, view, Choice())
            assert text.startswith("<div")
            assert "<button" not in text
            assert "class=" not in text

    check()
    loop.run()
    check()


def test_the_named_panels_show_what_their_name_says(loop: Loop) -> None:
    for name in named.__all__:
        panel = getattr(named, name)(loop)
        assert panel.view == name.removesuffix("Panel").lower()
        assert set(panel.twin()) == {"text/plain", "text/html"}
        panel.close()
    with pytest.raises(InputError, match="evidence"):
        Panel(loop, "nothing")


def test_a_widget_saves_no_more_than_its_name(loop: Loop) -> None:
    loop.run()
    state = Inspector(loop).get_state()
    own = {key: value for key, value in state.items() if key not in {"_esm", "_css"}}
    assert len(repr(own)) < 3_000


def test_without_a_kernel_a_loop_shows_its_twin(loop: Loop) -> None:
    assert shower(loop) is None
    assert loop._ipython_display_ is None
    assert set(loop._repr_mimebundle_()) == {"text/plain", "text/html"}


def test_clicks_are_calls_and_are_told_as_such(loop: Loop) -> None:
    page = Page(Inspector(loop))
    said = []
    for action in ("step", "round", "back", "reset", "step", "fork", "run"):
        page.click(action)
        said.append(page.panel.choice.said)
    assert said[0] == "loop.step()"
    assert said[1] == "loop.round()"
    assert said[2].startswith("loop.rewind(")
    assert said[3] == "loop.rewind(0)"
    assert "loop.fork('from step 1')" in said[5]
    assert page.panel.loop is not loop
    assert page.panel.loop.name == "from step 1"
    assert page.panel.loop.state.stop is not None
    assert loop.state.entries == 1
    page.click("branch", value=loop.name)
    assert page.panel.loop is loop
    page.click("compare", value="from step 1")
    assert "branches/parted" in page.parts


def test_an_edited_argument_is_done_instead(loop: Loop) -> None:
    page = Page(Inspector(loop))
    page.click("step")
    coming = loop.next
    assert coming is not None
    assert coming.kind == "retrieve"
    form = {"query": "rows per export", "intent": "broad_recall", "channels": ["bm25"]}
    page.click("do", form=form, edited=True)
    asked = loop.state.asked[-1]
    assert (asked.text, asked.channels) == ("rows per export", ("bm25",))
    assert coming.query not in loop.state.pending
    assert page.panel.choice.said.startswith("loop.step(replace(loop.next, query=")
    assert loop.trace.branch(loop.head)[-1].by == "person"


def test_a_click_on_a_quote_opens_it_in_its_source(loop: Loop) -> None:
    loop.run()
    page = Page(ReaderPanel(loop))
    for item in loop.state.evidence:
        page.click("evidence", id=item.id)
        marked = re.search(r"<mark .*?</span>(.*?)</mark>", page.parts["reader/text"], re.DOTALL)
        assert marked is not None
        assert marked[1] == item.quote
    page.click("scope", value="document")
    assert "status: current" in page.parts["reader/text"]


def test_a_person_settles_a_conflict_drops_a_quote_and_asks_something_else() -> None:
    loop = ragnb.Agent(ragnb.demo.library()).start("How long are raw temperature readings kept?")
    loop.run(until=ragnb.until.conflict)
    conflict = loop.state.open_conflicts[0]
    page = Page(Inspector(loop))
    page.click("resolve", id="|".join(conflict.key), value=conflict.second)
    assert not loop.state.open_conflicts
    first = loop.state.evidence[0].id
    page.click("drop", id=first)
    assert first not in {item.id for item in loop.state.evidence}
    page.click("goal", form={"goal": "Who decided the limit?"})
    assert loop.state.goal == "Who decided the limit?"
    page.click("plain")
    assert "Plain RAG" in page.parts["answer/plain"]


def test_what_cannot_be_done_is_told_in_the_panel(loop: Loop) -> None:
    page = Page(Inspector(loop))
    for action, more in (
        ("nothing", {}),
        ("goto", {"value": "999"}),
        ("goto", {"value": "<b>"}),
        ("speed", {"value": "fast"}),
        ("branch", {"value": "none"}),
        ("resolve", {"id": "a|b"}),
        ("approve", {"value": "yes"}),
        ("goal", {"form": {"goal": " "}}),
    ):
        page.click(action, **more)
        assert page.panel.choice.trouble, action
        assert "head/trouble" in page.parts
    assert loop.state.entries == 0
    page.click("dismiss")
    assert "head/trouble" not in page.parts


def test_a_live_run_is_batched_and_ends_up_to_date(loop: Loop) -> None:
    async def main() -> Page:
        page = Page(Inspector(loop))
        page.click("run")
        while loop.player.on:  # noqa: ASYNC110 - what a person does, too: look again
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        return page

    page = asyncio.run(main())
    assert loop.state.stop is not None
    assert page.shows == drawn(page.panel)
    assert len(page.heard) <= loop.state.entries + 4


class Tags(html.parser.HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS | VIEWS | {"svg", "path", "circle"}, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            if name in {"href", "src"}:
                assert str(value).startswith(("http://", "https://", "data:image/svg+xml;base64,"))


HOSTILE = st.text() | st.sampled_from(
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</div></section>", "\u202eabc"]
)


@settings(max_examples=30, deadline=None)
@given(goal=HOSTILE.filter(lambda text: text.strip()), branch=HOSTILE)
def test_texts_of_strangers_stay_texts(goal: str, branch: str) -> None:
    document = f"# {goal}\n\n{goal} is at most 5 rows. {branch}\n"
    from haystack import Document

    with Library.from_documents([Document(content=document, id="a", meta={"title": goal})]) as made:
        found = ragnb.Agent(made).start(goal)
        found.round()
        for view in LABELS:
            for part in live_parts(found, view, Choice(trouble=branch, said=branch)).values():
                Tags().feed(part)


@given(
    before=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"), max_size=6),
    after=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"), max_size=6),
)
def test_a_patch_turns_one_map_into_another(before: dict[str, str], after: dict[str, str]) -> None:
    class Kept(Page):
        def __init__(self) -> None:
            self.parts, self.order, self.heard = dict(before), list(before), []

    page = Kept()
    page.hear(patch(before, after))
    assert list(page.shows.items()) == list(after.items())
