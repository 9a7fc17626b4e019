"""The live figure: what a page is sent, and that it ends with what was drawn."""

import asyncio
import copy
import json
from typing import Any

import pytest

import ragnb
from ragnb.agent.loop import Loop
from ragnb.panels import TimelinePanel
from ragnb.panels.chart import Chart, growth_of


def grown(figure: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Do to a figure what chart.js does."""

    def extend(trace: dict[str, Any], tails: dict[str, Any]) -> None:
        for name, tail in tails.items():
            if isinstance(tail, list):
                trace[name] = [*trace.get(name, []), *tail]
            else:
                extend(trace.setdefault(name, {}), tail)

    found = copy.deepcopy(figure)
    found["layout"] = message.get("layout", found["layout"])
    for place, trace in message.get("whole", {}).items():
        found["data"][place : place + 1] = [trace]
    for place, tails in message.get("tails", {}).items():
        extend(found["data"][place], tails)
    if "count" in message:
        del found["data"][message["count"] :]
    return found


@pytest.fixture
def loop() -> Loop:
    return ragnb.Agent(ragnb.demo.library()).start("How long are raw temperature readings kept?")


def test_a_page_ends_with_what_was_drawn_and_most_steps_send_tails(loop: Loop) -> None:
    panel = TimelinePanel(loop)
    chart = panel.chart
    assert chart is not None
    heard: list[dict[str, Any]] = []
    chart.send = lambda message, buffers=None: heard.append(json.loads(json.dumps(message)))
    chart._hear(chart, {"kind": "ready"}, [])
    panel.send = lambda *_, **__: None
    panel._hear(panel, {"kind": "ready"}, [])
    page = {"data": heard[0]["data"], "layout": heard[0]["layout"]}
    while loop.state.stop is None:
        loop.step()
        panel.flush()
    for message in heard[1:]:
        numbered = {
            key: {int(place): what for place, what in value.items()}
            for key, value in message.items()
            if key in {"whole", "tails"}
        }
        page = grown(page, message | numbered)
    assert page == json.loads(json.dumps(chart._draw()))
    assert max(len(json.dumps(message)) for message in heard) < 8_000


def test_a_click_on_a_bar_goes_to_its_step(loop: Loop) -> None:
    panel = TimelinePanel(loop)
    loop.round()
    assert panel.chart is not None
    panel.chart._hear(panel.chart, {"kind": "point", "step": 2}, [])
    assert loop.state.entries == 2
    panel.chart._hear(panel.chart, {"kind": "point", "step": "<b>"}, [])
    panel.chart._hear(panel.chart, {"kind": "point", "step": 999}, [])
    assert loop.state.entries == 2
    assert panel.choice.trouble


def test_the_library_is_sent_when_it_is_asked_for() -> None:
    sent: list[Any] = []
    chart = Chart(lambda: {"data": [], "layout": {}}, print)
    chart.send = lambda message, buffers=None: sent.append((message, buffers))
    chart.flush()
    assert sent == []
    chart._hear(chart, {"kind": "library"}, [])
    message, buffers = sent[0]
    assert message == {"kind": "library"}
    assert 1_000_000 < len(buffers[0]) < 2_500_000


def test_a_trace_that_shrank_is_sent_whole() -> None:
    old = {"data": [{"x": [1, 2]}, {"x": [1]}], "layout": {"a": 1}}
    new = {"data": [{"x": [1]}], "layout": {"a": 2}}
    assert growth_of(old, new) == {"layout": {"a": 2}, "whole": {0: {"x": [1]}}, "count": 1}


def test_a_figure_comes_after_the_text_and_only_once_for_many_updates(loop: Loop) -> None:
    async def main() -> list[str]:
        panel = TimelinePanel(loop)
        assert panel.chart is not None
        heard: list[str] = []
        panel.send = lambda *_, **__: heard.append("text")
        panel.chart.send = lambda *_, **__: heard.append("figure")
        panel._hear(panel, {"kind": "ready"}, [])
        panel.chart._hear(panel.chart, {"kind": "ready"}, [])
        del heard[:]
        for _ in range(3):
            loop.step()
            panel.flush()
        await asyncio.sleep(0.1)
        return heard

    heard = asyncio.run(main())
    assert heard[-1] == "figure"
    assert heard.count("figure") == 1
    assert heard.count("text") >= 2
