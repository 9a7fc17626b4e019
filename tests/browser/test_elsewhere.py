"""The inspector in Notebook 7 and in Voila, both served beside JupyterLab."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
RUN = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
VOILA_ASKS = ("https://cdn.jsdelivr.net/npm/@fortawesome/", "https://cdnjs.cloudflare.com/")
"""Icons and MathJax, which the page that Voila puts around a notebook asks for."""
WIDGET = "application/vnd.jupyter.widget-view+json"
LAB = tuple[str, str, Path]


def written(lab: LAB, name: str, start: str) -> None:
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None,
         "outputs": [], "source": source}
        for n, source in enumerate((start, "loop"))
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    found = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (lab[2] / name).write_text(json.dumps(found))


def shown(lab: LAB, chromium: Browser, address: str) -> tuple[Page, list[str]]:
    """Open an address; what the page asks the outside for is refused, and listed."""
    page = chromium.new_context(viewport={"width": 1100, "height": 1300}).new_page()
    asked: list[str] = []

    def outside(route: Any) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route(lambda url: not url.startswith((lab[0], "data:", "blob:")), outside)
    page.goto(f"{lab[0]}/{address}?token={lab[1]}", timeout=90_000)
    return page, asked


def used(page: Page, picture: Path) -> None:
    """Step, run, look at quotes, their source and the figure, by mouse and by key."""
    panel = page.locator(".rb-view-inspector")
    panel.locator("[data-action=step]").first.click(timeout=60_000)
    expect(panel.locator(".rs b")).to_have_text("Step 1", timeout=20_000)
    expect(panel.locator("[data-action=step]").first).to_be_enabled()  # else a key is lost
    panel.focus()
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".rs b")).to_have_text("Step 2", timeout=20_000)
    panel.locator("[data-action=run]").first.click()
    expect(panel.locator(".card.ended")).to_be_visible(timeout=40_000)
    expect(page.locator(".ragnb-twin")).to_be_hidden()
    panel.locator(".rb-evidence .ev .eh").first.click()
    expect(panel.locator(".rb-reader mark")).to_be_visible(timeout=20_000)
    panel.locator("[data-tab=timeline]").click()
    bars = panel.locator(".rb-chart .point path").first
    expect(bars).to_be_attached(timeout=40_000)
    page.screenshot(path=picture)


@pytest.fixture
def picture(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return where a test keeps its picture: in ``RAGNB_PICTURES``, or in a folder of its own."""
    folder = Path(os.environ.get("RAGNB_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{request.node.name}.png"


def test_it_steps_in_notebook_7(lab: LAB, chromium: Browser, start: str, picture: Path) -> None:
    pytest.importorskip("notebook", reason="Notebook 7 comes with the extra `browser`")
    written(lab, "seven.ipynb", start)
    page, asked = shown(lab, chromium, "notebooks/seven.ipynb")
    page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=90_000)
    page.evaluate(RUN)
    used(page, picture)
    assert asked == []
    page.context.close()


def test_it_steps_in_voila(lab: LAB, chromium: Browser, start: str, picture: Path) -> None:
    pytest.importorskip("voila", reason="Voila comes with the extra `browser`")
    written(lab, "page.ipynb", start)
    page, asked = shown(lab, chromium, "voila/render/page.ipynb")
    used(page, picture)
    assert [url for url in asked if not url.startswith(VOILA_ASKS)] == []
    page.context.close()


def headless(lab: LAB, *cells: str) -> list[Any]:
    """Return the outputs of the last cell of a notebook that is run without a browser."""
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    written(lab, "headless.ipynb", cells[0])
    book = nbformat.read(lab[2] / "headless.ipynb", as_version=4)
    book.cells[1].source = cells[1]
    nbclient.NotebookClient(book, timeout=60).execute()
    found: list[Any] = book.cells[1].outputs
    return found


def test_without_a_browser_the_whole_run_is_done(lab: LAB, start: str) -> None:
    live, twin = headless(lab, f"{start}\nloop.play()", "loop.finish()\nloop")
    assert set(live.data) == {WIDGET, "text/html"}
    assert live.data["text/html"] == ""
    assert set(twin.data) == {"text/html", "text/plain"}
    assert "Stopped" in twin.data["text/html"]


@pytest.mark.parametrize(
    "sign", ["__vsc_ipynb_file__ = ''", "import sys; sys.modules['google.colab'] = sys"]
)
def test_in_pages_that_no_test_sees_the_panel_and_its_twin_are_one_output(
    lab: LAB, start: str, sign: str
) -> None:
    (both,) = headless(lab, f"{sign}\n{start}", "loop")
    assert set(both.data) == {WIDGET, "text/html", "text/plain"}
    assert "<style" not in both.data["text/html"]
