"""The inspector in Notebook 7 and in Voila, both served beside JupyterLab."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

VOILA_ASKS = ("https://cdn.jsdelivr.net/npm/@fortawesome/", "https://cdnjs.cloudflare.com/")
"""Icons and MathJax, which the page that Voila puts around a notebook asks for."""
WIDGET = "application/vnd.jupyter.widget-view+json"
LAB = tuple[str, str, Path]
Open = Callable[..., Any]
Write = Callable[..., Path]


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


def test_it_steps_in_notebook_7(notebook: Open, start: str, picture: Path) -> None:
    pytest.importorskip("notebook", reason="Notebook 7 comes with the extra `browser`")
    used(notebook(start, "loop", seven=True).page, picture)


def test_it_steps_in_voila(
    lab: LAB, written: Write, chromium: Browser, start: str, picture: Path
) -> None:
    pytest.importorskip("voila", reason="Voila comes with the extra `browser`")
    file = written("page.ipynb", start, "loop")
    page = chromium.new_context(viewport={"width": 1100, "height": 1300}).new_page()
    asked: list[str] = []

    def outside(route: Any) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route(lambda url: not url.startswith((lab[0], "data:", "blob:")), outside)
    page.goto(f"{lab[0]}/voila/render/{file.name}?token={lab[1]}", timeout=90_000)
    used(page, picture)
    assert [url for url in asked if not url.startswith(VOILA_ASKS)] == []
    page.context.close()


def headless(file: Path) -> list[Any]:
    """Return the outputs of the second cell of a notebook that is run without a browser."""
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    book = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(book, timeout=60).execute()
    found: list[Any] = book.cells[1].outputs
    return found


def test_without_a_browser_the_whole_run_is_done(written: Write, start: str) -> None:
    cells = (f"{start}\nloop.play()", "loop.finish()\nloop")
    live, twin = headless(written("headless.ipynb", *cells))
    assert set(live.data) == {WIDGET, "text/html"}
    assert live.data["text/html"] == ""
    assert set(twin.data) == {"text/html", "text/plain"}
    assert "Stopped" in twin.data["text/html"]


@pytest.mark.parametrize(
    "sign", ["__vsc_ipynb_file__ = ''", "import sys; sys.modules['google.colab'] = sys"]
)
def test_in_pages_that_no_test_sees_the_panel_and_its_twin_are_one_output(
    written: Write, start: str, sign: str
) -> None:
    (both,) = headless(written("headless.ipynb", f"{sign}\n{start}", "loop"))
    assert set(both.data) == {WIDGET, "text/html", "text/plain"}
    assert "<style" not in both.data["text/html"]
