"""A model that chooses tools: in any form, never obeyed for what documents say, never for ever."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from haystack.dataclasses import ChatMessage
from haystack.dataclasses import ToolCall as ModelCall
from hypothesis import given, settings
from hypothesis import strategies as st

import ragnb
from ragnb.agent.outcomes import Proposed
from ragnb.llm.calling import estimate
from ragnb.llm.choosing import ModelChooser
from ragnb.stages import Chooser
from ragnb.text import short_for_models, values

WIDE = ragnb.Budget(steps=5000, rounds=500, seconds=600.0)
FINISH = {"name": "finish", "arguments": {}}
SEARCH = {"name": "search", "arguments": {"query": "How long are exports kept?"}}
GOAL = "How long are exports kept?"


@pytest.fixture(scope="module")
def demo() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


def _run(library: ragnb.Library, *replies: Any, goal: str = GOAL, **given: Any) -> ragnb.Run:
    llm = ragnb.ScriptedGenerator([*replies, *[FINISH] * 20])
    agent = ragnb.Agent(library, policy="tool_calling", llm={"choose": llm}, **given)
    return agent.ask(goal)


def _proposed(run: ragnb.Run) -> list[Proposed]:
    return [e.outcome.value for e in run.entries if isinstance(e.outcome.value, Proposed)]


FORMS = {
    "calls": {"calls": [SEARCH]},
    "one": SEARCH,
    "list": [SEARCH],
    "openai": {"tool_calls": [{"function": {**SEARCH, "arguments": '{"query": "exports kept"}'}}]},
    "mixed": f"I will look it up. ```json\n{json.dumps(SEARCH)}\n``` Then I answer: 99 years.",
    "native": ChatMessage.from_assistant(
        tool_calls=[ModelCall(tool_name="search", arguments={"query": GOAL})]
    ),
    "native with text": ChatMessage.from_assistant(
        "Exports are kept for 99 years.",
        tool_calls=[ModelCall(tool_name="search", arguments={"query": GOAL})],
    ),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_calls_are_taken_in_any_form_and_words_around_them_are_not(
    form: str, library: ragnb.Library
) -> None:
    run = _run(library, FORMS[form])
    first = _proposed(run)[0]
    assert first.by == "model"
    assert [call.name for call in first.calls] == ["search"]
    assert run.answer is not None
    quotes = [g.quote for claim in run.answer.conclusions for g in claim.groundings]
    assert any("30 days" in quote for quote in quotes)
    assert "99 years" not in str(run.answer)


def test_several_calls_in_one_reply_are_one_round(library: ragnb.Library) -> None:
    other = {"name": "search", "arguments": {"query": "Who decided how long exports are kept?"}}
    sum_ = {"name": "calculate", "arguments": {"expression": "30 * 2"}}
    run = _run(library, {"calls": [SEARCH, other, sum_]}, goal=f"{GOAL} What is 30 * 2?")
    assert [call.status for call in run.state.calls] == ["done"] * 4
    assert run.state.round == 1


def test_a_model_that_writes_prose_ends_the_search_and_its_words_are_not_used(
    library: ragnb.Library,
) -> None:
    run = _run(library, SEARCH, "Exports are kept for 99 years, I am sure.")
    assert [call.name for call in run.state.calls] == ["search", "finish"]
    assert "99" not in str(run.answer)
    notes = " ".join(note for entry in run.entries for note in entry.outcome.notes)
    assert "its words aren't used" in notes


def test_prose_before_anything_was_searched_is_asked_again_then_rules_choose(
    library: ragnb.Library,
) -> None:
    run = _run(library, "It is 99 years.", "Believe me.")
    assert _proposed(run)[0].by == "rules"
    assert run.answer is not None
    assert run.answer.conclusions


def test_sources_are_shown_also_when_the_model_declines(library: ragnb.Library) -> None:
    run = _run(library, SEARCH, {"calls": [FINISH]}, goal="What is the revenue of Zebra Motors?")
    assert run.answer is not None
    assert not run.answer.conclusions
    assert run.answer.sources


@pytest.mark.parametrize("kind", ["same call", "wrong tool", "wrong arguments", "prose", "empty"])
def test_whatever_a_model_repeats_1500_times_the_run_ends_with_an_answer(
    kind: str, library: ragnb.Library
) -> None:
    replies = {
        "same call": SEARCH,
        "wrong tool": {"name": "fly", "arguments": {"to": "Oslo"}},
        "wrong arguments": {"name": "search", "arguments": {"words": 3}},
        "prose": "Let me think about it.",
        "empty": "",
    }
    llm = ragnb.ScriptedGenerator([replies[kind]] * 1500)
    agent = ragnb.Agent(library, policy="tool_calling", llm={"choose": llm}, budget=WIDE)
    run = agent.ask(GOAL)
    assert run.answer is not None
    assert run.state.stop is not None
    assert not run.state.stop.code.startswith("budget")
    assert len(llm.calls) < 12
    assert run.answer.conclusions
    if kind == "same call":
        assert run.state.stop.code == "no_better_action"
        assert "asked before" in run.state.calls[1].result
    if kind.startswith("wrong"):
        shown = [messages[-1].text or "" for messages in llm.calls]
        assert any(("is not offered" in text) or ("don't fit" in text) for text in shown[1:])


QUERIES = (
    "credit limit of care agents",
    "retention of raw temperature readings",
    "calibration of temperature tags",
    "alarm of the pharma band",
    "generator test in Gdynia",
    "gateway certificates",
    "polling interface switched off",
    "hotel costs per night",
    "suppliers and offers",
    "pre-cooling of containers in Shanghai",
)


def _ten_calls(demo: ragnb.Library, older: int | None) -> tuple[int, ragnb.Run]:
    replies = [{"name": "search", "arguments": {"query": query}} for query in QUERIES]
    llm = ragnb.ScriptedGenerator([*replies, FINISH])
    agent = ragnb.Agent(demo, policy="tool_calling", budget=WIDE)
    agent.components["choose"] = ModelChooser(llm, Chooser(demo), older=older)
    agent.policy = type(agent.policy)(stale=100)
    run = agent.ask("What do the documents say about credits, readings, tags and alarms?")
    tokens = sum(estimate(m.text or "") for messages in llm.calls for m in messages)
    return tokens, run


def test_older_results_as_summaries_save_more_than_sixty_percent_of_the_context(
    demo: ragnb.Library,
) -> None:
    short, run = _ten_calls(demo, 200)
    whole, same = _ten_calls(demo, None)
    assert run.state.tool_calls == same.state.tool_calls == 10
    assert short < 0.4 * whole, (short, whole)
    assert all(context.text for context in run.state.contexts)


def test_the_model_is_told_in_a_line_how_far_the_run_is_as_the_state_has_it(
    demo: ragnb.Library,
) -> None:
    searches = [{"name": "search", "arguments": {"query": query}} for query in QUERIES[:2]]
    llm = ragnb.ScriptedGenerator([*searches, FINISH])
    budget = ragnb.Budget(rounds=7)
    agent = ragnb.Agent(demo, policy="tool_calling", llm={"choose": llm}, budget=budget)
    run = agent.ask("How long are raw temperature readings kept?")
    told = [n for n, e in enumerate(run.entries) if isinstance(e.outcome.value, Proposed)]
    for asked, n in enumerate(told):
        state = run.states[n]
        known = [item for item in state.evidence if item.verified]
        line = run.entries[n].outcome.value.status
        assert line.startswith(f"Evidence: {len(known)} quotes (")
        assert f"from {len({item.source_id for item in known})} documents." in line
        assert f"Open conflicts: {len(state.open_conflicts)}. Calls left: {7 - asked}." in line
        assert line in (llm.calls[asked][-1].text or "")
    assert "source conflict" in run.entries[told[-1]].outcome.value.status


def test_a_cut_is_said_and_the_state_keeps_the_whole(demo: ragnb.Library) -> None:
    llm = ragnb.ScriptedGenerator([{"calls": [{"name": "read", "arguments": {
        "id": "policy-credits.md", "scope": "document"}}]}, FINISH])  # fmt: skip
    agent = ragnb.Agent(demo, policy="tool_calling")
    agent.components["choose"] = ModelChooser(llm, Chooser(demo), newest=300)
    run = agent.ask("What does the credit policy say?")
    shown = llm.calls[1][-1].text or ""
    assert re.search(r"… \[\d+ characters more are kept\]", shown)
    context = run.state.context(run.state.calls[0].contexts[0])
    assert context is not None
    assert context.text == demo.source("policy-credits.md").text[context.start : context.end]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), limit=st.integers(60, 400))
def test_a_summary_is_short_and_invents_nothing(seed: int, limit: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a reproducible choice
    parts = [
        "CP-3",
        "1,500 EUR",
        "3 March 2025",
        "Ada Moreau",
        "said that",
        "the goods were",
        "12 %",
    ]
    text = " ".join(rng.choice(parts) for _ in range(rng.randrange(1, 120))) + "."
    told = short_for_models(text, limit)
    assert len(told) <= limit
    begin, _, kept = told.partition(" …")
    assert text.startswith(begin)
    for item in filter(None, kept.strip().split("; ")):
        assert item in text
    if len(text) > limit >= 200:
        found = {value.text for value in values(text)}
        assert all(value in told for value in list(found)[:1])


def test_a_server_that_refuses_tools_is_told_of_them_in_words(
    library: ragnb.Library, provider: Any, generator: Any
) -> None:
    provider.fault = "400_tools"
    run = ragnb.Agent(library, policy="tool_calling", llm={"choose": generator}).ask(GOAL)
    assert _proposed(run)[0].by == "model"
    assert "tools" in provider.requests[0]
    assert "tools" not in provider.requests[-1]
    assert "- search: Searches the documents" in provider.requests[-1]["messages"][1]["content"]


def test_a_run_with_a_model_is_replayed_from_its_trace_without_a_call(
    library: ragnb.Library, sound: Callable[..., Any], goal: str, tmp_path: Any
) -> None:
    llm = ragnb.ScriptedGenerator(sound)
    agent = ragnb.Agent(library, policy="tool_calling", llm=llm)
    run = agent.ask(goal)
    run.save(tmp_path / "run.jsonl")
    made = len(llm.calls)
    again = ragnb.load(tmp_path / "run.jsonl")
    assert again.states == run.states
    loop = again.resume(agent, despite_changes=True)
    loop.rewind(0)
    assert loop.run().answer == run.answer
    fork = loop.fork("same", at=3)
    assert fork.run().answer == run.answer
    assert len(llm.calls) == made
    loop.trace.close()
