"""What models were sent and replied is kept with the step, once, without keys, and can be read."""

from pathlib import Path
from typing import Any

import pytest
from haystack import Document

import ragnb
from ragnb.display import render
from ragnb.llm.exchanges import KEPT, parted
from ragnb.llm.prompts import EXTRACT, fenced
from ragnb.panels.choice import Choice
from ragnb.panels.more import change_tab
from ragnb.views.diary import steps_of

FILLER = "The committee met in the old town hall and talked about the weather of the year. " * 40


def _run(library: ragnb.Library, model: Any, goal: str, **given: Any) -> ragnb.Run:
    return ragnb.Agent(library, llm=model, **given).ask(goal)


def test_every_call_is_kept_as_it_was_sent_and_billed(
    library: ragnb.Library, goal: str, sound: Any
) -> None:
    double = ragnb.ScriptedGenerator(sound)
    run = _run(library, double, goal)
    assert len(run.exchanges) == run.state.spent.model_calls == len(double.calls)
    for exchange, sent in zip(run.exchanges, double.calls, strict=True):
        assert [m.text for m in exchange.messages] == [m.text for m in sent]
        assert exchange.reply
        assert not exchange.problem
    assert sum(e.usage.tokens for e in run.exchanges) == run.state.spent.tokens
    assert {e.prompt for e in run.exchanges} == {"plan", "extract", "assess", "answer"}
    found = [e.version for e in run.exchanges if e.prompt == "extract"]
    assert set(found) == {EXTRACT.version}


def test_a_reply_that_could_not_be_used_says_why_and_a_failed_call_too(
    library: ragnb.Library, goal: str
) -> None:
    run = _run(library, ragnb.ScriptedGenerator(lambda _: "no"), goal, policy="one_shot")
    assert {e.problem for e in run.exchanges} == {"it holds no JSON object"}
    away = ragnb.ScriptedGenerator(lambda _: ValueError("no luck"))
    run = _run(library, away, goal, policy="one_shot")
    assert {e.reply for e in run.exchanges} == {""}
    assert all("no luck" in e.problem for e in run.exchanges)


def test_a_trace_holds_a_passage_once_though_prompts_hold_it_too(
    goal: str, sound: Any, tmp_path: Path
) -> None:
    text = f"{FILLER}Exports are kept for 30 days. {FILLER}"
    with ragnb.Library.from_documents([Document(id="exports", content=text)]) as library:
        agent = ragnb.Agent(library, llm=ragnb.ScriptedGenerator(sound))
        run = agent.start(goal, trace=tmp_path / "t.jsonl").run()
        run.trace.close()
    written = (tmp_path / "t.jsonl").read_text()
    context = max((c.text for c in run.state.contexts), key=len)
    assert any(context in m.text for e in run.exchanges for m in e.messages)
    assert sum(context in line for line in written.splitlines()) == 1
    assert ragnb.load(tmp_path / "t.jsonl").exchanges == run.exchanges


def test_an_endless_reply_is_cut_in_the_trace(library: ragnb.Library, goal: str) -> None:
    model = ragnb.ScriptedGenerator(lambda _: "the " * 9000)
    agent = ragnb.Agent(library, llm=model, policy="one_shot")
    for stage in ("extract", "synthesize"):
        agent.components[stage].model.limits = lambda tokens: {}
    run = agent.ask(goal)
    assert max(len(e.reply) for e in run.exchanges) < KEPT + 60
    assert "more characters]" in run.exchanges[0].reply


def test_a_file_of_quotes_alone_holds_no_prompts(
    library: ragnb.Library, goal: str, sound: Any, tmp_path: Path
) -> None:
    run = _run(library, ragnb.ScriptedGenerator(sound), goal)
    run.save(tmp_path / "quotes.jsonl", texts="quotes")
    again = ragnb.load(tmp_path / "quotes.jsonl")
    assert len(again.exchanges) == len(run.exchanges)
    assert all(e.messages == () and not e.reply for e in again.exchanges)
    assert "The data board decided" not in (tmp_path / "quotes.jsonl").read_text()
    assert "left out when this was saved" in str(again.exchanges[0])


def test_a_ranked_passage_counts_as_text_that_a_file_holds(
    library: ragnb.Library, goal: str, sound: Any, tmp_path: Path
) -> None:
    model = ragnb.ScriptedGenerator(sound)
    run = ragnb.Agent(library, llm={"rerank": model}).ask("How long are exports kept?")
    saved = run.save(tmp_path / "all.jsonl")
    hits = {hit.source_id for search in run.state.searches for hit in search.hits}
    assert any(e.prompt == "rerank" for e in run.exchanges)
    assert hits <= set(saved.sources)


@pytest.mark.parametrize("kind", ["html", "text"])
def test_a_person_can_see_what_a_step_sent_and_what_came_back(
    kind: str, library: ragnb.Library, goal: str, sound: Any
) -> None:
    run = _run(library, ragnb.ScriptedGenerator(sound), goal)
    step = next(s for s in steps_of(run) if s.entry.action.kind == "extract")
    exchange = step.entry.outcome.exchanges[0]
    shown = render(exchange, f"exchange_{kind}")
    for words in ("You find evidence", "Question:", "&quot;quotes&quot;", exchange.version):
        assert (words if kind == "html" else words.replace("&quot;", '"')) in shown
    assert f"Prompt extract ({exchange.version})" in render(step, f"step_{kind}")
    if kind == "html":
        assert "Prompts and replies" in render(run, "run_html")
        panel = "".join(change_tab(step).values())
        assert "You find evidence" in panel
        assert "What it replied" in panel


def test_markup_in_a_prompt_or_a_reply_is_shown_and_not_run(goal: str) -> None:
    nasty = "<script>alert(1)</script> Exports are kept for 30 days."
    with ragnb.Library.from_documents([Document(id="exports", content=nasty)]) as library:
        run = _run(library, ragnb.ScriptedGenerator(lambda _: nasty), goal, policy="one_shot")
    step = next(s for s in steps_of(run) if s.entry.outcome.exchanges)
    panel = "".join(change_tab(step).values())
    for shown in (render(run, "run_html"), render(step, "step_html"), panel):
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown


def test_a_message_is_parted_at_its_fences_and_stays_whole() -> None:
    for text in ("", "plain", fenced("a\nb"), f"x {fenced('a', 'l')}\n\n{fenced('b')} y"):
        assert "".join(parted(text)) == text
    assert parted(fenced("a\nb"))[1] == "a\nb"


def test_the_inspector_shows_the_last_steps_prompt(
    library: ragnb.Library, goal: str, sound: Any
) -> None:
    loop = ragnb.Agent(library, llm=ragnb.ScriptedGenerator(sound)).start(goal)
    loop.run(until=ragnb.until.evidence(1))
    from ragnb.panels.drawn import live_parts

    parts = live_parts(loop, "inspector", Choice())
    assert any(key.startswith("change/asked") for key in parts)
