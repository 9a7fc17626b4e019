"""What the views say of real runs, that it is the same each time, and that it stays small."""

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import ragnb
from ragnb.agent.difference import difference
from ragnb.display import bundle, render
from ragnb.errors import InputError
from ragnb.library import Library
from ragnb.records import Context, Evidence, Usage
from ragnb.views.diary import diary_parts, steps_of
from ragnb.views.evidence import in_context
from ragnb.views.hits import hits_parts
from ragnb.views.run import loop_parts
from ragnb.views.words import cost, day, seconds, trust

POLICY = """---
title: Export policy
updated: 2025-11-03
status: current
---
# Export policy

## Interactive exports

An interactive export holds at most 50,000 rows. The Data Board decided the limit.
"""
HANDBOOK = """---
title: Support handbook
updated: 2025-11-03
status: current
---
# Support handbook

## Exports

An interactive export holds at most 100,000 rows. Press Export in the menu.
"""
OTHER = """# Leave

Employees get 28 days of paid leave per year.
"""
QUESTION = "How many rows does an interactive export hold at most?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "policy.md").write_text(POLICY)
    (folder / "handbook.md").write_text(HANDBOOK)
    (folder / "leave.md").write_text(OTHER)
    with Library.from_folder(folder) as made:
        yield made


@pytest.fixture(autouse=True)
def _steady() -> Iterator[None]:
    ragnb.stable()
    yield
    ragnb.stable(on=False)


def bundles(library: Library) -> list[dict[str, str]]:
    """Return what a notebook would hold of a run that is stepped, forked and compared."""
    agent = ragnb.Agent(library)
    loop = agent.start(QUESTION)
    shown: list[Any] = [library, loop]
    while loop.state.stop is None:
        shown.append(loop.step())
    other = agent.start(QUESTION)
    run = other.run()
    fork = loop.fork("elsewhere", at=2, policy="one_shot")
    fork.run()
    shown += [loop, loop.state, loop.trace, run, run.answer, *run.state.searches]
    shown += [*run.evidence, loop.diff(fork)]
    made = [thing._repr_mimebundle_() for thing in shown]
    return [*made, bundle(run, "diary"), bundle(run, "timeline")]


def test_text_and_html_of_a_run_are_the_same_each_time(library: Library) -> None:
    assert bundles(library) == bundles(library)


def test_a_stable_output_holds_no_figure_of_a_clock(library: Library) -> None:
    for shown in bundles(library):
        for kind, text in shown.items():
            bare = re.sub(r"base64,[^\"]*", "", text)
            assert not re.search(r"\d ms\b|\d\.\d s\b", bare), kind
    ragnb.stable(on=False)
    run = ragnb.Agent(library).ask(QUESTION)
    assert re.search(r"\d (ms|s)\b", render(run, "run_text"))
    ragnb.stable()
    assert set(run.to_dataframe()["latency_ms"]) == {0.0}


def test_every_display_of_a_run_of_twenty_steps_together_is_below_300_kb(library: Library) -> None:
    shown = bundles(library)
    steps = sum("Step " in item["text/plain"][:5] for item in shown)
    size = sum(len(text.encode()) for item in shown for text in item.values())
    assert size * 20 / max(steps, 10) < 300_000


def test_a_conflict_shows_both_sides_and_that_a_person_has_to_settle_it(library: Library) -> None:
    run = ragnb.Agent(library).ask(QUESTION)
    shown = render(run, "run_html")
    assert run.state.conflicts
    assert "50,000" in shown
    assert "100,000" in shown
    assert "a person has to" in shown


def test_plain_rag_stands_beside_the_agent_with_both_costs(library: Library) -> None:
    agent = ragnb.Agent(library)
    plain = agent.with_policy("one_shot").ask(QUESTION)
    shown = render(agent.ask(QUESTION), "run_html", plain=plain)
    assert "Plain RAG on the same question" in shown
    assert "does not see 1 conflict" in shown
    assert "searches" in shown


def test_a_declined_question_says_what_was_searched(library: Library) -> None:
    answer = ragnb.Agent(library).ask("Which insurer covers Zebra Motors?").answer
    shown = render(answer, "answer_html")
    assert "No conclusion can be grounded" in shown
    assert "What was searched" in shown
    assert "No conclusion can be grounded" in render(answer, "answer_text")


def test_a_quote_is_marked_where_it_stands_in_its_source(library: Library) -> None:
    state = ragnb.Agent(library).ask(QUESTION).state
    for item in state.evidence:
        context = state.context(item.context_id)
        assert context is not None
        shown = in_context(item, context)
        marked = re.search(r"<mark[^>]*>(.*?)</mark>", shown, re.DOTALL)
        assert marked is not None
        assert marked[1] == item.quote
        assert "found word for word" in shown


def test_a_quote_that_its_source_does_not_hold_is_told() -> None:
    item = Evidence(
        id="e", question_id="q", quote="75,000 rows", verified=False, source_id="s",
        chunk_id="c", context_id="x", start=0, end=11,
    )  # fmt: skip
    context = Context(id="x", source_id="s", scope="chunk", start=0, end=20, text="x" * 20)
    shown = render(item, "evidence_html", context=context)
    assert "not found" in shown
    assert "differs there" in shown
    far = replace(item, start=90, end=101)
    assert "reach to this quote" in render(far, "evidence_html", context=context)
    assert "not found" in render(item, "evidence_text")


def test_an_update_of_a_live_view_leaves_what_did_not_change(library: Library) -> None:
    loop = ragnb.Agent(library).start(QUESTION)
    loop.run(until=ragnb.until.evidence(1))
    lines, parts = diary_parts(steps_of(loop)), loop_parts(loop)
    loop.step()
    assert diary_parts(steps_of(loop)).items() > lines.items()
    after = loop_parts(loop)
    same = [key for key, html in parts.items() if after.get(key) == html]
    assert "goal" not in same
    assert any(key.startswith("budget") for key in same)


def test_a_loop_tells_its_next_step_and_its_end(library: Library) -> None:
    loop = ragnb.Agent(library).start(QUESTION)
    assert "Nothing has run yet" in render(loop, "loop_html")
    assert "Next: " in render(loop, "loop_text")
    assert "Not ended yet" in render(loop.run(until=lambda _: True), "run_text")
    loop.run()
    shown = render(loop, "loop_html")
    assert "Ended after step" in shown
    assert f"Step {loop.state.entries}, the last" in shown
    loop.rewind(0)
    assert "Nothing has run yet" in render(loop, "loop_html")


def test_a_loop_that_has_an_answer_shows_its_conclusions() -> None:
    loop = ragnb.Agent(ragnb.demo.library()).start("Who may grant a credit?")
    assert "Conclusions" not in render(loop, "loop_html")
    answer = loop.run().answer
    assert answer is not None
    assert answer.conclusions
    shown = render(loop, "loop_html").split("Questions ")[0]
    for claim in answer.conclusions:
        assert html.escape(claim.groundings[0].quote) in shown


def test_a_conflict_that_nothing_settles_is_told_though_it_is_open_no_more() -> None:
    run = ragnb.Agent(ragnb.demo.library()).ask("How long are raw temperature readings kept?")
    assert [item.status for item in run.state.conflicts] == ["unresolved"]
    told = render(steps_of(run)[-1], "step_text")
    assert "0 open conflicts, 1 conflict that nothing settles" in told


def test_hits_show_their_places_and_what_was_read(library: Library) -> None:
    state = ragnb.Agent(library).ask(QUESTION).state
    shown = hits_parts(state.searches[0], state)["hits"]
    assert "bm25" in shown
    assert "quoted" in shown
    assert shown.count('<img alt="places: ') == 1


def test_equal_branches_are_told_to_be_equal(library: Library) -> None:
    run = ragnb.Agent(library).ask(QUESTION)
    same = difference(run.entries, run.state, run.entries, run.state)
    assert "the same" in render(same, "difference_html")
    assert "the same" in render(same, "difference_text")


def test_what_a_step_changed_is_listed_before_and_after(library: Library) -> None:
    loop = ragnb.Agent(library).start(QUESTION)
    steps = list(itertools.islice(iter(loop.step, None), 2))
    assert "pending → asked" in render(steps[1], "step_text")
    loop.edit(goal="Who decided the limit?")
    edited = steps_of(loop)[-1]
    assert "A person changed the goal" in render(edited, "step_text")
    assert f"{QUESTION} → Who decided the limit?" in render(edited, "step_html")


def test_a_view_that_there_is_not_is_told() -> None:
    with pytest.raises(InputError, match="no view 'picture'"):
        render(None, "picture")


def test_words_for_figures() -> None:
    ragnb.stable(on=False)
    assert (seconds(0.25), seconds(71)) == ("250 ms", "71.0 s")
    assert (trust(0.9), trust(0.5), trust(0.1)) == ("high", "medium", "low")
    assert day("2025-09-16T10:00") == "16 Sep 2025"
    assert cost(Usage()) == "0 ms"
    spent = Usage(seconds=2, tokens_in=3, money=0.5, unpriced=1)
    assert cost(spent) == "2.0 s, 3 tokens in, 0 out, 0.5 of money, 1 call of unknown price"
