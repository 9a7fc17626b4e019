"""What a saved notebook shows when it is opened again, and that a page stays where it is."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Page, expect

Open = Callable[..., Any]
Lab = tuple[str, str, Path]
TRUSTED = "window.jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted"
MISSING = "Error displaying widget"
FRAMES = "() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"
RENEWED = "() => document.querySelector('.ragnb-twin')?.textContent.includes('Stopped')"


def saved(book: Any, file: Path) -> dict[str, Any]:
    """Save a notebook, once the twin of its panel shows the end, and return its file."""
    book.waits_in_page(RENEWED)
    book.save()
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def sees_the_end(page: Page) -> None:
    """Assert that the twin shows the end of the run, and nothing live is there."""
    twin = page.locator(".jp-OutputArea-output:has-text('Stopped')")
    expect(twin).to_have_count(1)
    expect(twin).to_be_visible()
    expect(twin.locator("img").first).to_be_visible()
    assert page.locator(".rb").count() == 0


def test_a_run_that_was_seen_live_is_seen_again_without_its_kernel(
    notebook: Open, start: str, lab: Lab
) -> None:
    name = "reopened.ipynb"
    book = notebook(start, "loop", name=name)
    book.click("[data-action=run]")
    found = saved(book, lab[2] / name)
    assert "widgets" not in found["metadata"]
    assert (lab[2] / name).stat().st_size < 300_000
    expect(book.page.locator(".ragnb-twin")).to_be_hidden()  # the live panel is there instead

    shut = ("debugger state",)  # the page's own words on a kernel that went
    again = notebook(name=name, run=False, spared=shut)  # its kernel goes on: live again
    expect(again.page.locator(".rb .card.ended")).to_be_visible(timeout=20_000)
    expect(again.page.locator(".ragnb-twin")).to_be_hidden()

    again.shut_down()
    trusted = notebook(name=name, run=False, spared=("widget model not found",))
    assert trusted.page.evaluate(TRUSTED)
    trusted.page.get_by_text(MISSING).wait_for(state="attached", timeout=20_000)
    expect(trusted.page.get_by_text(MISSING)).to_be_hidden()
    sees_the_end(trusted.page)

    found["cells"][0]["source"] = ["# somebody else's notebook, so that nobody trusts it"]
    (lab[2] / "untrusted.ipynb").write_text(json.dumps(found))
    page, _ = HTMLExporter().from_notebook_node(nbformat.reads(json.dumps(found), 4))
    assert page.count('class="ragnb-twin"') == 1
    assert "widget-view" not in page
    stranger = notebook(name="untrusted.ipynb", run=False)
    assert not stranger.page.evaluate(TRUSTED)
    sees_the_end(stranger.page)


@pytest.mark.parametrize("seven", [False, True], ids=["lab", "seven"])
def test_the_page_stays_where_it_is_when_a_run_ends(
    notebook: Open, start: str, seven: bool
) -> None:
    book = notebook(start, "loop", *["# below"] * 40, seven=seven)
    page = book.page
    panel = page.locator(".rb-view-inspector")
    panel.locator(".rb-evidence, .rb-next").first.wait_for(state="attached")
    where = """() => { const panel = document.querySelector('.rb-view-inspector');
      panel.marked ??= 'the same'; return [panel.marked, panel.getBoundingClientRect().top]; }"""
    panel.locator("[data-tab=diary]").click()
    page.evaluate("document.querySelector('.rb-view-inspector .rb-tabs').scrollIntoView()")
    before = page.evaluate(where)
    assert before[1] < 0  # its head is scrolled out of sight
    page.evaluate("document.querySelector('.rb-view-inspector [data-action=run]').click()")
    expect(panel.locator(".card.ended")).to_be_attached(timeout=40_000)
    book.waits_in_page(RENEWED)
    page.evaluate(FRAMES)
    assert page.evaluate(where) == before
    expect(panel.locator(".rb-diary")).to_be_visible()  # the tab that was chosen


def test_a_saved_inspector_of_twenty_steps_is_small(notebook: Open, start: str, lab: Lab) -> None:
    name = "twenty.ipynb"
    book = notebook(start, "loop", name=name)
    book.tell("loop.run(until=lambda step: step.after.entries == 20)")
    expect(book.page.locator(".rb-view-inspector .rs b")).to_have_text("Step 20")
    book.waits_in_page(
        "() => document.querySelector('.ragnb-twin').textContent.match(/step 20|20 steps/i)"
    )
    book.save()
    file = lab[2] / name
    print(f"\na saved notebook with an inspector at step 20: {file.stat().st_size:,} bytes")  # noqa: T201
    assert re.search(r"step 20|20 steps", file.read_text(), re.IGNORECASE)
    assert file.stat().st_size < 300_000
