"""What a click does: a call of the loop, told as such; and every control can be reached."""

import html.parser
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import ragnb
from ragnb.agent.actions import Approve
from ragnb.agent.loop import Loop
from ragnb.agent.policies import policy_names
from ragnb.agent.state import ToolCall
from ragnb.library import Library
from ragnb.panels import Inspector, ReaderPanel
from ragnb.panels.acting import _DOES
from ragnb.panels.board import Board
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, live_parts
from ragnb.panels.looking import LOOKS
from ragnb.panels.reader import shown_evidence
from ragnb.views.words import evidence_name

Pages = Callable[[Board], Any]


ASKS = ragnb.Scripted(actions=(Approve(call=ToolCall(id="m", name="mail", arguments={"to": "x"})),))


def test_a_step_that_failed_can_be_tried_again(library: Library, page_of: Pages) -> None:
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
    loop = ragnb.Agent(library, stages={"retrieve": moody}).start("How many rows at most?")
    page = page_of(Inspector(loop))
    page.click("step")
    page.click("step")
    assert "did not reply" in page.parts["done/step"]
    assert 'data-action="again"' in page.parts["done/step"]
    page.click("again")
    assert moody.calls == 2
    assert 'data-action="again"' not in page.parts["done/step"]


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


def test_clicks_are_calls_and_are_told_as_such(loop: Loop, page_of: Pages) -> None:
    page = page_of(Inspector(loop))
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


@pytest.mark.parametrize("name", policy_names())
def test_any_policy_goes_on_from_a_branch_of_its_own(loop: Loop, page_of: Pages, name: str) -> None:
    page = page_of(Inspector(loop))
    assert f'<option value="{name}"' in page.parts["bar/policy"]
    page.click("round")
    page.click("policy", value=name)
    page.click("run")
    assert page.panel.loop.policy.name == name
    assert page.panel.loop.state.answer is not None
    assert len(loop.trace.heads) == (1 if name == "evidence" else 2)


def test_an_edited_argument_is_done_instead(loop: Loop, page_of: Pages) -> None:
    page = page_of(Inspector(loop))
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


def test_a_click_on_a_quote_opens_it_in_its_source(loop: Loop, page_of: Pages) -> None:
    loop.run()
    page = page_of(ReaderPanel(loop))
    for item in loop.state.evidence:
        page.click("evidence", id=item.id)
        marked = re.search(r"<mark .*?</span>(.*?)</mark>", page.parts["reader/text"], re.DOTALL)
        assert marked is not None
        assert marked[1] == item.quote
    page.click("scope", value="document")
    assert "status: current" in page.parts["reader/text"]


def test_the_reader_turns_chunk_by_chunk_and_back_to_the_quote(page_of: Pages) -> None:
    loop = ragnb.Agent(ragnb.demo.library()).start("How long are raw temperature readings kept?")
    loop.round()
    library = loop.performer.stages.library
    page = page_of(ReaderPanel(loop))

    def seen() -> str:
        found = re.search(r'role="region"[^>]*>(.*?)</div>', page.parts["reader/text"], re.DOTALL)
        assert found is not None
        return " ".join(html.unescape(re.sub("<.*?>", "", found[1])).strip("… ").split())

    item = shown_evidence(loop.state, page.panel.choice)
    assert item is not None
    chunks = library.store.neighbours(item.source_id, 0, 10**6)
    place = [each.id for each in chunks].index(item.chunk_id)
    for way, other in (("after", place + 1), ("before", place), ("before", place - 1)):
        page.click("turn", value=way)
        wanted = library.read(chunks[other].id, "chunk").text
        assert seen().replace(evidence_name(loop.state, item.id), "") == " ".join(wanted.split())
        assert ("<mark" in page.parts["reader/text"]) is (item.quote in wanted)
        assert f"chunk {other + 1} of" in page.parts["reader/turns"]
    for _ in chunks:
        page.click("turn", value="before")
    assert "chunk 1 of" in page.parts["reader/turns"]  # and no further
    page.click("turn", value="quote")
    assert f"chunk {place + 1} of" in page.parts["reader/turns"]
    assert "<mark" in page.parts["reader/text"]
    page.click("turn", value="before")
    page.click("drop", id=item.id)
    assert "<mark" in page.parts["reader/text"]  # another quote, and nothing of the turn


def test_a_person_settles_a_conflict_drops_a_quote_and_asks_something_else(page_of: Pages) -> None:
    loop = ragnb.Agent(ragnb.demo.library()).start("How long are raw temperature readings kept?")
    loop.run(until=ragnb.until.conflict)
    conflict = loop.state.open_conflicts[0]
    page = page_of(Inspector(loop))
    page.click("resolve", id="|".join(conflict.key), value=conflict.second)
    assert not loop.state.open_conflicts
    first = loop.state.evidence[0].id
    page.click("drop", id=first)
    assert first not in {item.id for item in loop.state.evidence}
    page.click("goal", form={"goal": "Who decided the limit?"})
    assert loop.state.goal == "Who decided the limit?"
    page.click("plain")
    assert "Plain RAG" in page.parts["answer/plain"]


def test_what_cannot_be_done_is_told_in_the_panel(loop: Loop, page_of: Pages) -> None:
    page = page_of(Inspector(loop))
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
