"""Clicks, keys and pointing while a step runs, and over claims, filters and the figure."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

Open = Callable[..., Any]
SLOW = """import ragnb, threading
from typing import Any
from haystack import component

gate = threading.Event()

@component
class Slow:
    timeout = 40
    @component.output_types(documents=list[Any])
    def run(self, query: str) -> dict[str, Any]:
        assert gate.wait(35)
        return {"documents": library.search(query)}

library = ragnb.demo.library()
agent = ragnb.Agent(library, stages={"retrieve": Slow()})
loop = agent.start("How long are raw temperature readings kept?")
loop.step()"""
TWICE = """() => { for (const _ of [1, 2]) {
  const press = {key: 'ArrowRight', bubbles: true, cancelable: true};
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', press)); } }"""
"""Two presses in one go; apart, the second could find the first one's step told of already."""


def test_a_long_step_shows_its_time_and_a_press_meanwhile_is_not_lost(notebook: Open) -> None:
    book = notebook(SLOW, "loop")
    panel = book.page.locator(".rb-view-inspector")
    tall = panel.locator(".rb-next").bounding_box()["height"]
    panel.focus()
    book.page.keyboard.press("ArrowRight")
    bar = panel.locator(".rb-next .meter.timed b")
    expect(bar).to_be_visible()
    expect(panel.locator(".rb-next")).to_contain_text("one attempt may take 40 s")
    held = panel.locator(".rb-next").bounding_box()["height"]
    assert abs(held - tall) < 1  # nothing below jumps
    wide = "e => e.getBoundingClientRect().width"
    assert 0 < bar.evaluate(wide) < bar.locator("..").evaluate(wide)
    book.waits_in_page("""() => getComputedStyle(document.querySelector('.chip.secs'), '::before')
      .counterReset === 'secs 1'""")  # it counts without a message
    book.page.keyboard.press("ArrowLeft")  # disabled meanwhile, and said so
    book.tell("gate.set()")
    book.settles("loop.state.entries", 2)
    book.page.evaluate(TWICE)
    book.waits_for("loop.state.entries", 4)


def test_pointing_at_a_claim_marks_its_quote_and_its_number_opens_it(
    notebook: Open, start: str
) -> None:
    book = notebook(start, "loop.run()\nloop")
    panel = book.page.locator(".rb-view-inspector")
    book.click("[data-tab=answer]")
    claim = panel.locator(".rb-answer ol > li").first
    key = claim.locator("[data-action=evidence]").first.get_attribute("data-id")
    card = panel.locator(f'.rb-evidence .ev:has([data-id="{key}"])')
    assert "hot" not in (card.get_attribute("class") or "")
    claim.locator("b").first.hover()
    expect(card).to_have_class("ev hot")
    expect(claim.locator("blockquote").first).to_have_class("hot")
    panel.locator(".goal").hover()
    expect(card).to_have_class("ev")
    claim.locator("[data-action=evidence]").first.focus()
    expect(card).to_have_class("ev hot")
    book.page.keyboard.press("Enter")
    expect(panel.locator(f'.rb-reader mark[data-id="{key}"]')).to_be_in_viewport()


def test_a_filter_is_left_out_and_another_is_added(notebook: Open, start: str) -> None:
    filters = '{"field": "meta.status", "operator": "==", "value": "current"}'
    book = notebook(
        start,
        f'loop = agent.start("Who may grant a credit?", filters={filters})\nloop.step()\nloop',
    )
    panel = book.page.locator(".rb-view-inspector")
    chip = panel.locator("button[name=filters]")
    expect(chip).to_have_text("status is current")
    chip.focus()
    book.page.keyboard.press("Space")
    expect(chip).to_have_attribute("aria-pressed", "false")
    panel.locator(".filters summary").press("Enter")
    panel.locator("select[name=filter-field]").select_option("meta.updated")
    panel.locator("select[name=filter-operator]").select_option(">=")
    panel.locator("input[name=filter-value]").fill("2025-01-01")
    book.click("[data-action=do]")
    wanted = {"field": "meta.updated", "operator": ">=", "value": "2025-01-01"}
    book.waits_for("loop.state.asked[-1].filters if loop.state.asked else None", wanted)


def test_a_zoom_is_kept_while_the_figure_grows(notebook: Open, start: str) -> None:
    book = notebook(
        start, "from ragnb.panels import TimelinePanel\nloop.round()\nTimelinePanel(loop)"
    )
    book.page.wait_for_selector(".rb-chart .point path", state="attached", timeout=30_000)
    zoom = """async () => { const plotly = await globalThis.__ragnb_plotly__;
      await plotly.relayout(document.querySelector('.rb-chart'), {'xaxis.range': [0, 0.01]}); }"""
    book.page.evaluate(zoom)
    before = int(book.page.locator(".rb-chart").get_attribute("data-drawn"))
    book.tell("loop.step()")
    book.waits_in_page(f"() => +document.querySelector('.rb-chart').dataset.drawn > {before}")
    kept = book.page.evaluate("document.querySelector('.rb-chart').layout.xaxis.range")
    assert kept == [0, 0.01]
    book.page.locator("[data-action=by][data-value=step]").click()
    wide = "() => document.querySelector('.rb-chart').data.at(-1).x[0] === 1"
    book.waits_in_page(wide)  # each bar is one step wide now
