"""While a step runs: what a panel tells, and what becomes of what a person does meanwhile."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from haystack import component
from hypothesis import given
from hypothesis import strategies as st

import ragnb
from ragnb.agent.actions import Edit
from ragnb.agent.loop import Loop
from ragnb.errors import InputError
from ragnb.panels import Inspector
from ragnb.panels.board import Board
from ragnb.panels.filtering import combined, conditions, wanted
from ragnb.panels.pace import GRACE
from ragnb.records import Budget

Pages = Callable[[Board], Any]
STATUS = {"field": "meta.status", "operator": "==", "value": "current"}
SINCE = {"field": "meta.updated", "operator": ">=", "value": "2024-01-01"}


@component
class Gate:
    """A retriever that waits until a test lets it go on."""

    timeout = 7.0

    def __init__(self) -> None:
        self.open = threading.Event()

    @component.output_types(documents=list[Any])
    def run(self, query: str) -> dict[str, Any]:
        """Return nothing, once the gate is open."""
        assert query
        assert self.open.wait(5)
        return {"documents": []}


async def until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not what():  # noqa: ASYNC110 - what a person does, too: look again
            await asyncio.sleep(0.005)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def loop(gate: Gate) -> Loop:
    agent = ragnb.Agent(ragnb.demo.library(), stages={"retrieve": gate})
    begun = agent.start("How long are raw temperature readings kept?")
    begun.step()
    return begun


def test_a_short_step_leaves_the_controls_as_they_are(
    loop: Loop, gate: Gate, page_of: Pages
) -> None:
    async def main() -> None:
        page = page_of(Inspector(loop))
        before = dict(page.parts)
        page.click("step")
        assert {key: html for key, html in page.parts.items() if before.get(key) != html} == {
            "bar/said": page.parts["bar/said"]
        }
        gate.open.set()
        await until(lambda: loop.state.entries == 2 and not loop.player.on)

    asyncio.run(main())


def test_a_long_step_is_told_with_its_time_out_and_holds_its_place(
    loop: Loop, gate: Gate, page_of: Pages
) -> None:
    async def main() -> None:
        page = page_of(Inspector(loop))
        page.click("step")
        await until(lambda: "Now" in page.parts["next/card"])
        card = page.parts["next/card"]
        assert "Searching for" in card
        assert "animation-duration:7s" in card
        assert "one attempt may take 7 s" in card
        assert card.startswith('<div class="card next" data-hold="">')
        assert 'name="query"' not in card  # arguments are read-only now
        gate.open.set()
        await until(lambda: "Next" in page.parts["next/card"])

    asyncio.run(main())


@pytest.mark.parametrize("presses", [1, 2, 40])
def test_a_quick_press_is_done_next_and_a_held_key_leaves_no_queue(
    loop: Loop, gate: Gate, presses: int, page_of: Pages
) -> None:
    async def main() -> None:
        page = page_of(Inspector(loop))
        page.click("step")
        await asyncio.sleep(GRACE / 5)
        for _ in range(presses):
            heard = len(page.heard)
            page.click("step")
            assert len(page.heard) == heard + 1  # a browser that waits for a reply gets one
        gate.open.set()
        await until(lambda: loop.state.entries == 3 and not loop.player.on)
        await asyncio.sleep(0.2)
        assert loop.state.entries == 3

    asyncio.run(main())


def test_the_last_wish_counts_and_another_branch_knows_nothing_of_it(
    loop: Loop, gate: Gate, page_of: Pages
) -> None:
    async def main() -> None:
        page = page_of(Inspector(loop))
        page.click("step")
        page.click("step")
        page.click("back")
        gate.open.set()
        await until(lambda: loop.state.entries == 1 and not loop.player.on)
        assert len(loop.trace.branch(loop.tip)) == 2
        assert page.panel.choice.said == "loop.rewind(1)"
        assert not page.panel.choice.trouble

    asyncio.run(main())


@pytest.mark.parametrize("first", ["step", "round", "pause"])
def test_a_stop_is_heard_while_the_only_step_runs(
    loop: Loop, gate: Gate, first: str, page_of: Pages
) -> None:
    async def main() -> None:
        page = page_of(Inspector(loop))
        page.click("run" if first == "pause" else first)
        await asyncio.sleep(0.05)
        if first == "pause":
            page.click("pause")
        page.click("stop")
        assert loop.state.stop is None
        gate.open.set()
        await until(lambda: loop.state.stop is not None)
        assert loop.state.stop is not None
        assert loop.state.stop.code == "user"
        assert loop.state.entries == 3

    asyncio.run(main())


def test_the_time_of_an_attempt_is_the_smaller_of_the_stage_and_the_budget(loop: Loop) -> None:
    action = loop.next
    assert action is not None
    assert loop.performer.time_out(loop.state, action) == 7.0
    budget = loop.state.budget
    loop.edit(budget=Budget(seconds=budget.reserve + 3.0, reserve=budget.reserve))
    left = loop.performer.time_out(loop.state, action)
    assert 2.5 < left <= 3.0
    assert loop.performer.time_out(loop.state, Edit()) == 0.0


LEAVES = st.fixed_dictionaries(
    {"field": st.sampled_from(["meta.a", "meta.b"]), "operator": st.sampled_from(["==", "in"]),
     "value": st.integers() | st.text()}
)  # fmt: skip


@given(st.lists(LEAVES, max_size=4))
def test_conditions_and_a_filter_are_two_forms_of_one_thing(leaves: list[dict[str, Any]]) -> None:
    assert conditions(combined(leaves)) == leaves
    every = {"filters": [json.dumps(each, sort_keys=True) for each in leaves]}
    assert wanted(combined(leaves), every, {}) == combined(leaves)
    assert wanted(combined(leaves), {}, {}) == combined(leaves)
    assert wanted(combined(leaves), {"filters": []}, {}) is None


def test_a_new_condition_takes_the_kind_of_its_field() -> None:
    form = {"filter-field": "meta.year", "filter-operator": "==", "filter-value": "2024"}
    year = {"field": "meta.year", "operator": "==", "value": 2024}
    assert wanted(None, form, {"meta.year": (2023, 2024)}) == year
    assert wanted(None, form, {"meta.year": ("2023",)}) == year | {"value": "2024"}
    assert wanted(None, form, {}) == year
    some = form | {"filter-operator": "in", "filter-value": "2023, 2024"}
    assert wanted(STATUS, some, {}) == {
        "operator": "AND",
        "conditions": [STATUS, year | {"operator": "in", "value": [2023, 2024]}],
    }
    with pytest.raises(InputError, match="a field and a value"):
        wanted(None, {"filter-field": "meta.year", "filter-value": " "}, {})


def test_filters_of_the_next_search_are_left_out_and_added_in_its_card(page_of: Pages) -> None:
    both = {"operator": "AND", "conditions": [STATUS, SINCE]}
    loop = ragnb.Agent(ragnb.demo.library()).start("Who may grant a credit?", filters=both)
    page = page_of(Inspector(loop))
    page.click("step")
    card = page.parts["next/card"]
    assert "status is current" in card
    assert "updated is at least 2024-01-01" in card
    assert 'value="meta.status"' in card  # what the library's documents can be filtered by
    form = {
        "filters": [json.dumps(STATUS, sort_keys=True)],
        "filter-field": "meta.title",
        "filter-operator": "!=",
        "filter-value": "Notes",
    }
    page.click("do", form=form, edited=True)
    title = {"field": "meta.title", "operator": "!=", "value": "Notes"}
    assert loop.state.asked[-1].filters == {"operator": "AND", "conditions": [STATUS, title]}
    assert "filters={'operator': 'AND'" in page.panel.choice.said
    found = {hit.source_id for hit in loop.state.searches[-1].hits}
    library = ragnb.demo.library()
    assert found
    assert {library.source(each).meta["status"] for each in found} == {"current"}
