"""The main job on real input: a folder, a question, a grounded answer; from Python and terminal."""

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ragnb
from ragnb.cli import app

HANDBOOK = """# Handbook

## Ending an incident

The incident commander declares the incident over once the service is stable for 30 minutes.

## After the incident

The incident commander schedules a postmortem within 5 business days. Owners write it together.
"""
LEAVE = """# Leave

Employees get 28 days of paid leave per year. Unused days expire at the end of March.
"""
QUESTION = "Who declares the incident over, and how many days of paid leave do employees get?"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = tmp_path / "docs"
    place.mkdir()
    (place / "handbook.md").write_text(HANDBOOK)
    (place / "leave.md").write_text(LEAVE)
    return place


def test_a_folder_answers_a_question_with_quotes_that_stand_in_its_files(folder: Path) -> None:
    with ragnb.Library.from_folder(folder) as library:
        run = ragnb.Agent(library).ask(QUESTION)
    answer = run.answer
    assert answer is not None
    assert answer.stop is not None
    assert len(answer.conclusions) == 2
    quotes = [g for claim in answer.conclusions for g in claim.groundings]
    for quote in quotes:
        text = (folder / quote.source_id).read_text()
        assert text[quote.start : quote.end] == quote.quote
    said = " ".join(quote.quote for quote in quotes)
    assert "incident commander" in said
    assert "28 days" in said
    assert ragnb.measures(run)["quote_fidelity"] == 1.0


def test_a_question_that_the_folder_cannot_answer_is_declined(folder: Path) -> None:
    with ragnb.Library.from_folder(folder) as library:
        answer = ragnb.Agent(library).ask("What is the revenue of Zebra Motors in 1987?").answer
    assert answer is not None
    assert not answer.conclusions
    assert answer.partial
    assert answer.open_questions[0].searched


def test_the_plain_chain_asks_once(folder: Path) -> None:
    with ragnb.Library.from_folder(folder) as library:
        run = ragnb.Agent(library, policy="one_shot").ask("How many days of paid leave?")
    assert run.state.tool_calls == 1
    assert run.answer is not None
    assert run.answer.conclusions


def test_nothing_leaves_the_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    with ragnb.Library.from_folder(folder) as library:
        assert ragnb.Agent(library).ask(QUESTION).answer is not None


def test_a_saved_run_is_opened_again_whole(folder: Path, tmp_path: Path) -> None:
    with ragnb.Library.from_folder(folder) as library:
        run = ragnb.Agent(library).ask(QUESTION)
    run.save(tmp_path / "run.jsonl")
    again = ragnb.load(tmp_path / "run.jsonl")
    assert again.states == run.states
    assert again.answer == run.answer


def test_the_terminal_prints_one_json_object_alone(folder: Path, tmp_path: Path) -> None:
    before = sorted(folder.rglob("*"))
    trace = tmp_path / "trace.jsonl"
    command = ["ask", str(folder), QUESTION, "--json", "--trace", str(trace)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["sources"][0]["source_id"] in {"handbook.md", "leave.md"}
    assert {"goal", "conclusions", "open_questions", "uncertainties", "sources"} < set(answer)
    assert ragnb.load(trace).answer is not None
    assert sorted(folder.rglob("*")) == before


def test_the_terminal_prints_numbered_quotes_sources_and_the_reason(folder: Path) -> None:
    result = CliRunner().invoke(app, ["ask", str(folder), QUESTION, "--verbose"])
    assert result.exit_code == 0
    assert "[1] “" in result.stdout
    assert "Sources" in result.stdout
    assert "Why it stopped" in result.stdout
    assert "Search for" in result.stderr


@pytest.mark.parametrize("kind", ["missing", "empty", "unreadable"])
def test_a_folder_without_anything_to_read_is_told_in_one_line(tmp_path: Path, kind: str) -> None:
    place = tmp_path / kind
    if kind != "missing":
        place.mkdir()
    if kind == "unreadable":
        (place / "picture.png").write_bytes(b"\x89PNG")
    result = CliRunner().invoke(app, ["ask", str(place), QUESTION])
    assert result.exit_code == 2
    assert str(place) in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout
