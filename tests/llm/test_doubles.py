"""Doubles of a model: scripted replies, and recordings that are played without a key."""

import json
from pathlib import Path
from typing import Any

import pytest
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.core.serialization import component_from_dict, component_to_dict
from haystack.dataclasses import ChatMessage, ReasoningContent, ToolCall
from haystack.utils import Secret

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


def test_a_recorded_model_is_asked_with_a_schema_and_the_file_says_so(
    library: ragnb.Library, provider: Any, generator: OpenAIChatGenerator, goal: str, tmp_path: Path
) -> None:
    path = tmp_path / "replies.jsonl"
    ragnb.Agent(library, llm=ragnb.RecordedGenerator(generator, path, about="Ours.")).ask(goal)
    assert all("response_format" in request for request in provider.requests)
    head, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert (head["model"]["model"], head["about"]) == ("test-model", "Ours.")
    asked = [line["asked"]["generation_kwargs"] for line in lines]
    assert {a["response_format"]["json_schema"]["name"] for a in asked} == {
        "PlanReply",
        "ExtractReply",
        "AssessReply",
        "AnswerReply",
    }
    assert all(a["max_completion_tokens"] > 0 for a in asked)


def test_a_prompt_that_was_recorded_with_other_arguments_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    settings = {"max_completion_tokens": 50}
    ragnb.RecordedGenerator(ragnb.ScriptedGenerator(["hello"]), path).run("Hi.", settings)
    played = ragnb.RecordedGenerator(None, path)
    assert played.run("Hi.", settings)["replies"][0].text == "hello"
    with pytest.raises(NotRecordedError, match="with another max_completion_tokens"):
        played.run("Hi.", {"max_completion_tokens": 60})


def test_a_reply_that_was_cut_is_recorded_as_cut(
    library: ragnb.Library, provider: Any, generator: OpenAIChatGenerator, goal: str, tmp_path: Path
) -> None:
    provider.fault = "cut_reply"
    path = tmp_path / "replies.jsonl"
    recorded = ragnb.RecordedGenerator(generator, path)
    first = ragnb.Agent(library, llm=recorded, policy="one_shot").ask(goal)
    played = ragnb.RecordedGenerator(None, path)
    second = ragnb.Agent(library, llm=played, policy="one_shot").ask(goal)
    assert '"finish_reason": "length"' in path.read_text()
    assert [e.outcome.notes for e in second.entries] == [e.outcome.notes for e in first.entries]
    assert second.answer == first.answer


def test_thoughts_and_tool_calls_are_played_as_they_came(tmp_path: Path) -> None:
    call = ToolCall(tool_name="search", arguments={"query": "exports"}, id="call-7")
    thoughts = ReasoningContent(reasoning_text="I should search.")
    reply = ChatMessage.from_assistant("", tool_calls=[call], reasoning=thoughts)
    path = tmp_path / "replies.jsonl"
    double = ragnb.ScriptedGenerator([reply, "one result", "no result"])
    recorder, said = ragnb.RecordedGenerator(double, path), [ChatMessage.from_user("Go.")]
    recorder.run(said, tools=[])
    results = [ChatMessage.from_tool(tool_result=text, origin=call) for text in ("30 days", "")]
    for result in results:
        recorder.run([*said, result])
    played = ragnb.RecordedGenerator(None, path)
    again = played.run(said)["replies"][0]
    assert (again.tool_calls, again.reasoning) == ([call], thoughts)
    texts = [played.run([*said, result])["replies"][0].text for result in results]
    assert texts == ["one result", "no result"]


def test_a_recording_of_another_model_is_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    ragnb.RecordedGenerator(ragnb.ScriptedGenerator(["a"], model="small"), path).run("Hi.")
    other = ragnb.RecordedGenerator(ragnb.ScriptedGenerator(["b"], model="strong"), path)
    assert other.run("Hi.")["replies"][0].text == "a"
    with pytest.raises(InputError, match=r"holds replies of small.* is strong.*another file"):
        other.run("Bye.")


def test_what_looks_like_a_key_in_a_reply_is_played_as_it_came(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    said = 'The key-value store: api_key=abcdef" and {"api_key": "sk-abcdef123456"}'
    ragnb.RecordedGenerator(ragnb.ScriptedGenerator([said]), path).run("Hi.")
    assert ragnb.RecordedGenerator(None, path).run("Hi.")["replies"][0].text == said


def test_a_recording_without_a_folder_is_refused_before_a_call_is_paid(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder doesn't exist"):
        ragnb.RecordedGenerator(ragnb.ScriptedGenerator(["a"]), tmp_path / "none" / "r.jsonl")


def test_a_player_is_written_and_read_as_haystack_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    path = tmp_path / "replies.jsonl"
    for inner in (None, "openai:m", OpenAIChatGenerator(Secret.from_env_var("OPENAI_API_KEY"))):
        data = component_to_dict(ragnb.RecordedGenerator(inner, path), "llm")
        assert KEY not in json.dumps(data)
        again = component_from_dict(ragnb.RecordedGenerator, data, "llm")
        assert again.path == path
        assert type(again.generator) is type(inner)


def test_a_recording_of_a_newer_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"recording": 99, "model": {}}\n')
    with pytest.raises(InputError, match="newer ragnb"):
        ragnb.RecordedGenerator(None, path)


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
