"""How soon updates are drawn, what survives them, and whether everybody can use the inspector."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

Open = Callable[..., Any]
AXE = Path(__file__).resolve().parents[2] / "widgets/node_modules/axe-core/axe.min.js"
PANEL = "from ragnb.panels import Inspector\npanel = Inspector(loop)\npanel"
LOOK = """async () => { const found = await axe.run('.rb-view-inspector',
  {resultTypes: ['violations']});
  return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
    .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')); }"""


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_violation(notebook: Open, start: str, dark: bool) -> None:
    book = notebook(start, "loop.round()\nloop", dark=dark, width=1000)
    book.page.add_script_tag(path=AXE)
    for tab in ("reader", "hits", "timeline", "diary", "branches", "answer"):
        book.click(f"[data-tab={tab}]")
        assert book.page.evaluate(LOOK) == []
    book.page.evaluate("document.querySelector('.rb-in').append(new Image())")
    assert "image-alt" in book.page.evaluate(LOOK)[0]  # it does look


BESIDE = """import time, copy
import plotly.graph_objects as go
from ragnb.panels.chart import Chart
mine = {"data": [{"type": "bar", "x": [], "y": []}],
        "layout": {"height": 250, "title": {"text": "ours"}}}
chart = Chart(lambda: copy.deepcopy(mine), print)
theirs = go.FigureWidget(
    data=[{"type": "bar"}], layout={"height": 250, "title": {"text": "theirs"}})
def panels(name, n):
    panel.choice.said = f"{name} {n}"
    panel.flush()
def ours(name, n):
    mine["data"][0]["x"].append(n)
    mine["data"][0]["y"].append(n % 9)
    mine["layout"]["title"] = {"text": f"{name} {n}"}
    chart.flush()
def widgets(name, n):
    with theirs.batch_update():
        theirs.data[0].x = [*(theirs.data[0].x or ()), n]
        theirs.data[0].y = [*(theirs.data[0].y or ()), n % 9]
        theirs.layout.title.text = f"{name} {n}"
def go_on(send, name):
    for n in range(200):
        send(name, n)
    globals()["sent"] = time.time() * 1000"""
SEE_ALL = """() => { window.seen = {}; new MutationObserver(() => {
    for (const each of document.querySelectorAll('.said code, .gtitle')) {
      const said = each.textContent; if (!(said in seen)) seen[said] = Date.now(); } })
    .observe(document.body, {childList: true, subtree: true, characterData: true}); }"""


def test_the_last_of_many_updates_is_drawn_soon_beside_figurewidget(
    notebook: Open, start: str
) -> None:
    book = notebook(f"{start}\n{BESIDE}", PANEL, "chart", "theirs")
    book.page.wait_for_function(
        "() => ['ours', 'theirs'].every(name => [...document.querySelectorAll('.gtitle')]"
        ".some(each => each.textContent === name))",
        timeout=60_000,
    )
    book.page.evaluate(SEE_ALL)

    def late(kind: str, name: str) -> float:
        """Return the milliseconds from the last sending to its drawing."""
        book.tell(f"go_on({kind}, {name!r})")
        book.page.wait_for_function(f"() => '{name} 199' in seen", timeout=60_000)
        return float(book.page.evaluate(f"seen['{name} 199']")) - float(book.ask("sent"))

    # The shortest of three: whatever else the machine does makes it longer, never shorter.
    panel = min(late("panels", f"panel {n}") for n in range(3))
    chart = min(late("ours", f"chart {n}") for n in range(3))
    widget = late("widgets", "widget")
    told = f"a panel {panel:.0f} ms, a chart {chart:.0f} ms, a FigureWidget {widget:.0f} ms"
    print(f"\nthe last of 200 updates was drawn after: {told}")  # noqa: T201
    assert panel <= 250
    assert chart <= max(250, widget / 10)  # a machine that is busy otherwise slows both


def test_a_click_in_a_long_trace_is_drawn_soon(notebook: Open, start: str) -> None:
    book = notebook(
        start,
        "from dataclasses import replace\nfrom ragnb.agent.actions import Assess\n"
        "loop.edit(budget=replace(loop.state.budget, steps=9_999, rounds=9_999, seconds=9e9))\n"
        "loop.round()\n"
        "while loop.state.entries < 2_000: loop.step(Assess())",
        PANEL,
    )
    page = book.page
    page.wait_for_selector(".rb-diary [data-key]", state="attached")
    timed = """async () => { const taken = [];
      const at = document.querySelector('.rb-view-inspector');
      const where = () => at.querySelector('.rs b')?.textContent;
      for (let n = 0; n < 20; n++) { const before = where(), begun = performance.now();
        at.querySelector('[data-action=back]').click();
        while (where() === before) await new Promise(requestAnimationFrame);
        taken.push(performance.now() - begun);
        await new Promise(done => setTimeout(done, 150)); }
      return taken.sort((a, b) => a - b); }"""
    # The faster of two rounds: whatever else the machine does makes one slower, never faster.
    taken = min((page.evaluate(timed) for _ in range(2)), key=lambda found: found[18])
    print(f"\nclicks in 2,000 steps: median {taken[10]:.0f} ms, p95 {taken[18]:.0f} ms")  # noqa: T201
    assert taken[18] <= 200


def test_focus_scroll_and_selection_survive_an_update(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.round()", PANEL)
    page = book.page
    field = page.locator(".rb-view-inspector input[name=query]")
    field.fill("half a thou")
    page.evaluate("document.querySelector('.rb-evidence').scrollTop = 120")
    page.evaluate("""() => { const text = document.querySelector('.rb-reader .txt');
      getSelection().selectAllChildren(text); }""")
    field.focus()
    page.evaluate("""() => { const text = document.querySelector('.rb-reader .txt');
      getSelection().selectAllChildren(text); window.chosen = getSelection().toString(); }""")
    book.tell("panel.choice.said = 'an update'\npanel.flush()")
    book.waits_in_page("() => document.querySelector('.said code')?.textContent === 'an update'")
    assert page.evaluate("getSelection().toString() === chosen && chosen.length > 20")
    assert page.evaluate("document.querySelector('.rb-evidence').scrollTop") == 120
    assert field.input_value() == "half a thou"


def test_a_page_without_its_kernel_keeps_what_it_showed(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.run()\nloop")
    book.restart()
    expect(book.page.locator(".rb-view-inspector")).to_be_visible()
    assert "Stopped" in book.page.locator(".rb-view-inspector").inner_text()
