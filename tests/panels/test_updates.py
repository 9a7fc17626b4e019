"""What travels to a browser: only what changed, as little late as early, and texts as texts."""

import asyncio
import html.parser
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ragnb
from ragnb.agent.actions import Assess
from ragnb.agent.loop import Loop
from ragnb.library import Library
from ragnb.panels import Inspector, Panel
from ragnb.panels._assets import joined
from ragnb.panels.board import Board
from ragnb.panels.chart import Chart
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, live_parts
from ragnb.panels.tags import ELEMENTS
from ragnb.records import Budget
from ragnb.views.markup import ELEMENTS as VIEWS

Pages = Callable[[Board], Any]


WIDGETS = Path(__file__).resolve().parents[2] / "widgets"


def drawn(panel: Panel) -> dict[str, str]:
    return dict(panel._parts())


@pytest.mark.parametrize("view", sorted(LABELS))
def test_a_page_shows_what_was_drawn_whatever_happens(
    loop: Loop, view: str, page_of: Pages
) -> None:
    page = page_of(Panel(loop, view))
    while loop.state.stop is None:
        loop.step()
        page.panel.flush()
        assert list(page.shows.items()) == list(drawn(page.panel).items())
    for k in (3, 0, loop.state.entries):
        loop.rewind(k)
        page.panel.flush()
        assert list(page.shows.items()) == list(drawn(page.panel).items())
    page.panel.close()


def test_only_keys_that_changed_travel(loop: Loop, page_of: Pages) -> None:
    page = page_of(Inspector(loop))
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


def test_an_update_is_as_small_at_step_2000_as_at_step_20(loop: Loop, page_of: Pages) -> None:
    loop.edit(budget=Budget(rounds=9_999, steps=9_999, seconds=9e9))
    loop.round()
    page = page_of(Inspector(loop))
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


def test_a_live_run_is_batched_and_ends_up_to_date(loop: Loop, page_of: Pages) -> None:
    async def main() -> Any:
        page = page_of(Inspector(loop))
        page.click("run")
        while loop.player.on:  # noqa: ASYNC110 - what a person does, too: look again
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        return page

    page = asyncio.run(main())
    assert loop.state.stop is not None
    assert page.shows == drawn(page.panel)
    assert len(page.heard) <= loop.state.entries + 4


@pytest.mark.parametrize(("module", "kind"), [("panel", Board), ("chart", Chart)])
def test_both_sides_name_the_same_traits(module: str, kind: type[anywidget.AnyWidget]) -> None:
    synced = set(kind.class_traits(sync=True)) - set(anywidget.AnyWidget.class_traits(sync=True))
    text = (WIDGETS / f"{module}.js").read_text()
    typedef = re.search(r"@typedef \{\{ (.+?) \}\} \w+Traits", text)
    assert typedef is not None
    assert synced == set(re.findall(r"(\w+):", typedef[1]))


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
def test_a_patch_turns_one_map_into_another(
    before: dict[str, str], after: dict[str, str], page_of: Pages
) -> None:
    parts = before
    board = Board(lambda: parts, print, view="any", label="Any")
    page = page_of(board)
    parts = after
    board.flush()
    assert list(page.shows.items()) == list(after.items())
    board.close()


@pytest.mark.parametrize("name", ["panel.js", "chart.js"])
def test_a_module_is_joined_to_one_that_imports_nothing(name: str) -> None:
    text = joined(name)
    assert not re.findall(r"^import |^\s*import\(|from \"\.", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == ["export default {"]
    tops = re.findall(r"^(?:async )?(?:class|const|function|let) (\w+)", text, re.MULTILINE)
    assert tops
    assert sorted(set(tops)) == sorted(tops)
    for path in (WIDGETS / name.removesuffix(".js")).glob("*.js"):
        assert path.read_text().splitlines()[0] in text, f"nothing uses {path.name}"
