"""Doubles of a model: scripted replies, and recordings that are played without a key."""

from pathlib import Path
from typing import Any

import pytest
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage

import ragnb
from ragnb.errors import InputError
from ragnb.llm.recorded import NotRecordedError

KEY = "sk-test-0123456789abcdef"


def test_scripted_replies_come_in_order_and_their_end_is_told() -> None:
    double = ragnb.ScriptedGenerator(["a", {"b": 1}, ChatMessage.from_assistant("c")])
    assert [double.run("?")["replies"][0].text for _ in range(3)] == ["a", '{"b": 1}', "c"]
    with pytest.raises(InputError, match="All 3 scripted replies were given"):
        double.run("?")
    assert len(double.calls) == 4


def test_a_scripted_exception_is_raised() -> None:
    with pytest.raises(ConnectionError):
        ragnb.ScriptedGenerator([ConnectionError("gone")]).run("?")


def test_a_recording_is_made_once_and_played_without_the_model(
    library: ragnb.Library,
    provider: Any,
    generator: OpenAIChatGenerator,
    goal: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "replies.jsonl"
    recorded = ragnb.RecordedGenerator(generator, path)
    first = ragnb.Agent(library, llm=recorded).ask(goal)
    asked = len(provider.requests)
    assert asked == recorded.calls > 0
    played = ragnb.RecordedGenerator(None, path)
    second = ragnb.Agent(library, llm=played).ask(goal)
    assert len(provider.requests) == asked
    assert played.calls == 0
    assert second.answer == first.answer
    assert second.state.spent.tokens == first.state.spent.tokens
    assert KEY not in path.read_text()
    assert played.model == recorded.model == "test-model"


def test_a_prompt_without_a_recording_is_told_clearly(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    ragnb.RecordedGenerator(ragnb.ScriptedGenerator(["hello"]), path).run("Hi.")
    played = ragnb.RecordedGenerator(None, path)
    assert played.run("Hi.")["replies"][0].text == "hello"
    with pytest.raises(NotRecordedError, match=r"holds 1 replies, and none to this .*Bye"):
        played.run("Bye.")


def test_a_run_over_an_empty_recording_says_so_and_is_done_by_rules(
    library: ragnb.Library, goal: str, tmp_path: Path
) -> None:
    played = ragnb.RecordedGenerator(None, tmp_path / "none.jsonl")
    run = ragnb.Agent(library, llm=played).ask(goal)
    notes = " ".join(note for entry in run.entries for note in entry.outcome.notes)
    assert "holds 0 replies, and none to this prompt" in notes
    assert run.answer is not None
    assert run.answer.conclusions


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"a": 1}\n')
    with pytest.raises(InputError, match="no recording: line 1"):
        ragnb.RecordedGenerator(None, path)
