"""The inspector in a real JupyterLab: what a person clicks, and what the kernel did then."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

Open = Callable[..., Any]
HEARD = """heard = []
def pause(own=loop.player.pause):
    heard.append(loop.state.entries)
    own()
loop.player.pause = pause"""
"""Notes at which step a wish to pause is heard."""
GROUND = "e => getComputedStyle(e).backgroundColor"


def test_step_run_pause_and_stop_leave_a_partial_answer(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.player.pace = 0.5\nloop")
    book.click("[data-action=step]")
    book.settles("loop.state.entries", 1)
    book.tell(HEARD)
    book.click("[data-action=run]")
    expect(book.page.locator(".rb-view-inspector .rb-bar .chip")).to_contain_text("running")
    book.waits_in_page("() => +document.querySelector('.rs b').textContent.slice(5) >= 3")
    book.click(".rb-bar [data-action=pause]")
    book.settles("bool(heard)", True)
    assert int(book.ask("loop.state.entries - heard[0]")) <= 1  # the step that ran then
    book.click(".rb-bar [data-action=stop]")
    book.waits_for("loop.state.stop.code", "user")
    expect(book.page.locator(".card.ended")).to_contain_text("Stopped: user")
    book.click("[data-open=answer]")
    expect(book.page.locator(".rb-answer")).to_be_visible()
    assert book.ask("loop.state.answer.partial") == "True"


def test_rewind_edit_an_argument_and_fork(notebook: Open, start: str) -> None:
    book = notebook(start, "from ragnb.panels import Inspector\npanel = Inspector(loop)\npanel")
    book.click("[data-action=round]")
    book.settles("loop.state.round", 1)
    slider = book.page.locator("input[type=range]")
    slider.focus()
    book.page.keyboard.press("Home")
    book.settles("loop.state.entries", 0)
    book.click("[data-action=step]")
    book.settles("loop.state.entries", 1)
    book.click("[data-action=fork]")
    book.waits_for("panel.loop.name", "from step 1")
    expect(book.page.locator(".said")).to_contain_text("loop.fork(")
    field = book.page.locator("input[name=query]")
    field.fill("raw readings")
    expect(book.page.locator(".go code")).to_contain_text("replace(loop.next")
    book.click("[data-action=do]")
    book.waits_for("panel.loop.state.asked[-1].text", "raw readings")
    assert book.ask("loop.state.entries") == "1"
    expect(book.page.locator(".said")).to_contain_text("loop.step(replace(loop.next, query=")
    book.page.locator("select[data-action=branch]").select_option("main")
    book.waits_for("panel.loop is loop", True)


def test_a_click_on_evidence_marks_the_right_quote(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.round()\nloop")
    book.page.wait_for_selector(".rb-evidence .eh")
    for place in (0, 3):
        card = book.page.locator(".rb-evidence .ev .eh").nth(place)
        name = card.locator(".id").inner_text()
        card.click()
        expect(book.page.locator(".rb-reader mark .id")).to_have_text(name)
        number = int(name.removeprefix("E")) - 1
        quote = book.ask(f"loop.state.evidence[{number}].quote")
        marked = book.page.locator(".rb-reader mark").inner_text().removeprefix(name)
        assert " ".join(marked.split()) == " ".join(quote.split())
    book.click("[data-action=scope][data-value=document]")
    expect(book.page.locator(".rb-reader mark")).to_be_visible()


def test_a_click_on_a_bar_goes_to_its_step(notebook: Open, start: str) -> None:
    book = notebook(
        start, "from ragnb.panels import TimelinePanel\nloop.round()\nTimelinePanel(loop)"
    )
    page = book.page
    page.wait_for_selector(".rb-chart .point path", state="attached", timeout=30_000)
    box = page.locator(".rb-chart .bars .point path").nth(1).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=4)
    page.locator(".rb-chart .hoverlayer .hovertext").first.wait_for()
    page.mouse.click(x, y, delay=40)
    book.waits_for("loop.state.entries < len(loop.trace.branch(loop.tip))", True)


def test_a_question_filters_the_quotes(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.run()\nloop")
    before = book.page.locator(".rb-evidence .ev").count()
    book.click(".rb-questions .qb >> nth=1")
    expect(book.page.locator(".rb-questions .q.on")).to_have_count(1)
    wanted = book.ask(
        "sum(e.question_id == loop.state.questions[1].id for e in loop.state.evidence)"
    )
    expect(book.page.locator(".rb-evidence .ev")).to_have_count(int(wanted))
    assert int(wanted) < before


APPROVAL = """import ragnb
from ragnb.agent.actions import Approve, Plan
from ragnb.agent.state import ToolCall
call = ToolCall(id="m", name="mail", arguments={"to": "board@northlark.example"})
script = ragnb.Scripted(actions=(Plan(), Approve(call=call)))
agent = ragnb.Agent(ragnb.demo.library(), policy=script)
loop = agent.start("Tell the board.")"""


def test_a_step_to_approve_waits_without_blocking(notebook: Open) -> None:
    book = notebook(APPROVAL, "loop")
    book.click("[data-action=run]")
    expect(book.page.locator(".card.waits")).to_contain_text("board@northlark.example")
    assert book.ask("loop.state.entries") == "1"
    expect(book.page.locator(".rb-bar [data-action=run]")).to_be_disabled()
    book.click("[data-action=approve][data-value=yes]")
    book.waits_for("loop.state.entries > 1 and loop.state.calls[0].approved", True)


def test_two_panels_and_a_cell_stay_in_step(notebook: Open, start: str) -> None:
    book = notebook(start, "loop", "loop", "from ragnb.panels import DiaryPanel\nDiaryPanel(loop)")
    page = book.page
    expect(page.locator(".rb-view-inspector")).to_have_count(2)
    page.locator(".rb-view-inspector [data-action=step]").nth(1).click()
    for place in (0, 1):
        expect(page.locator(".rb-view-inspector .rs b").nth(place)).to_have_text("Step 1")
    book.settles("loop.state.entries", 1)
    book.tell("loop.step()")
    expect(page.locator(".rb-view-inspector .rs b").nth(0)).to_have_text("Step 2")
    expect(page.locator(".rb-view-diary .di")).to_have_count(2)


@pytest.mark.parametrize("width", [660, 900, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_at_every_width_in_both_themes(
    notebook: Open, start: str, width: int, dark: bool, tmp_path: Path
) -> None:
    book = notebook(start, "loop.run()\nloop", width=width + 100, dark=dark)
    book.page.wait_for_selector(".rb-evidence .ev")
    panel = book.page.locator(".rb-view-inspector")
    red, green, blue = map(int, re.findall(r"\d+", panel.evaluate(GROUND))[:3])
    assert (red + green + blue < 384) == dark
    wide = panel.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert wide[0] <= wide[1]
    panel.screenshot(path=tmp_path / "inspector.png")


@pytest.mark.parametrize("width", [660, 900, 1400])
def test_a_plan_stays_in_its_column(notebook: Open, width: int) -> None:
    goal = "How do CP-2 and CP-3 differ in the credit for a breach on the Assured plan?"
    cell = f"""import ragnb
agent = ragnb.Agent(ragnb.demo.library(), policy="plan")
loop = agent.start({goal!r})
loop.run(until=lambda step: step.after.entries == 8)"""
    book = notebook(cell, "loop", width=width + 100)
    column = book.page.locator(".rb-view-inspector .rb-questions")
    expect(column.locator("td").first).to_be_visible()
    right = column.evaluate("e => e.getBoundingClientRect().right")
    for each in column.locator("table, td").all():
        box = each.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= right + 1


def test_the_reader_turns_chunk_by_chunk_by_keys_too(notebook: Open, start: str) -> None:
    book = notebook(start, "loop.round()\nloop")
    panel = book.page.locator(".rb-view-inspector")
    before = panel.locator(".rb-reader [data-value=before]")
    number = int(panel.locator(".rb-reader").inner_text().split("chunk ")[1].split()[0])
    before.focus()
    for place in range(number - 1, max(number - 3, 0), -1):
        book.page.keyboard.press("Enter")
        expect(panel.locator(".rb-reader")).to_contain_text(f"chunk {place} of its source")
    panel.locator(".rb-reader [data-value=quote]").click()
    expect(panel.locator(".rb-reader mark")).to_be_in_viewport()


def test_the_keyboard_does_what_buttons_do(notebook: Open, start: str) -> None:
    book = notebook(start, "loop")
    book.page.locator(".rb-view-inspector").focus()
    book.page.keyboard.press("ArrowRight")
    book.settles("loop.state.entries", 1)
    book.page.keyboard.press("Shift+ArrowRight")
    book.settles("loop.state.round", 1)
    book.page.keyboard.press("ArrowLeft")
    book.settles("loop.state.entries < len(loop.trace.branch(loop.tip))", True)
    book.page.keyboard.press("Home")
    book.settles("loop.state.entries", 0)
    book.page.keyboard.press("5")
    expect(book.page.locator(".rb-view-inspector .rb-diary")).to_be_visible()


EVIL = (
    '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script></div></section>'
    '<svg onload="window.hacked=3"><a href="javascript:window.hacked=4">a</a><b'
)


def test_texts_of_documents_run_nothing(notebook: Open, lab: tuple[str, str, Path]) -> None:
    cell = f"""import ragnb
from haystack import Document
evil = {EVIL!r}
text = f"# {{evil}}\\n\\nThe limit of {{evil}} is 5 rows. \\u202eabc \\u2067def " + "x" * 100_000
meta = {{"title": evil, "url": "javascript:window.hacked=5", "status": evil}}
library = ragnb.Library.from_documents([Document(content=text, id=evil, meta=meta)])
loop = ragnb.Agent(library).start(f"What is the limit of {{evil}}?")
loop.run()
other = loop.fork(evil)"""
    name = "texts.ipynb"
    book = notebook(cell, "loop", "loop.rewind(3)\nloop.answer_now()\nloop", name=name)
    panel = book.page.locator(".rb-view-inspector").first
    for tab in ("reader", "hits", "timeline", "change", "diary", "branches", "answer"):
        book.click(f"[data-tab={tab}]")
    book.page.locator(".rb-chart .point path").first.wait_for(state="attached", timeout=30_000)
    book.click("[data-tab=branches]")
    book.click("[data-action=compare]")
    expect(panel.locator(".rb-branches")).to_contain_text("onerror=")
    shown = panel.inner_text()
    assert '<img src=x onerror="window.hacked=1">' in shown
    assert "\u202e" not in shown
    book.save()
    saved = json.loads((lab[2] / name).read_text())
    saved["cells"][0]["source"] = ["# from elsewhere, so that nobody trusts it"]
    (lab[2] / "strange.ipynb").write_text(json.dumps(saved))
    stranger = notebook(name="strange.ipynb", run=False)
    expect(stranger.page.locator(".jp-OutputArea-output").last).to_contain_text("onerror=")
    for page in (book.page, stranger.page):
        assert page.evaluate("window.hacked === undefined")
        assert (
            page.locator("img[src=x], .rb script, .rb svg[onload], a[href^=javascript]").count()
            == 0
        )
