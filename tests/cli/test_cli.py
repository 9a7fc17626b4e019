"""The commands of the terminal, each with its errors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import ragnb
from ragnb.cli import app
from ragnb.cli.asking import progress
from ragnb.errors import InputError

TEXT = "# Tea\n\nGreen tea is steamed for 45 seconds. Black tea is left to wither.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = tmp_path / "tea"
    place.mkdir()
    (place / "tea.md").write_text(TEXT)
    return place


def _run(*command: object) -> Result:
    return CliRunner().invoke(app, [str(part) for part in command])


def _fails(result: Result, *words: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_the_version_is_told() -> None:
    assert _run("--version").stdout == f"ragnb {ragnb.__version__}\n"


def test_without_a_command_the_help_lists_them() -> None:
    result = _run()
    for name in ("ask", "demo", "doctor", "notebooks"):
        assert name in result.output


def test_a_step_is_told_on_stderr_only_where_a_person_asks_for_it(folder: Path) -> None:
    question = "How long is green tea steamed?"
    silent = _run("ask", folder, question)
    told = _run("ask", folder, question, "--verbose")
    assert silent.exit_code == told.exit_code == 0
    assert silent.stderr == ""
    assert silent.stdout == told.stdout
    assert "45 seconds" in silent.stdout
    lines = told.stderr.splitlines()
    assert any(line.startswith(" 1. ") and "(why: " in line for line in lines)
    assert "Stopped" in lines[-1]


def test_quiet_tells_nothing_and_a_terminal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert progress(verbose=False, quiet=False) is not None
    assert progress(verbose=False, quiet=True) is None
    with pytest.raises(InputError, match="--verbose and --quiet"):
        progress(verbose=True, quiet=True)


def test_json_stands_alone_on_stdout(folder: Path) -> None:
    result = _run("ask", folder, "How long is green tea steamed?", "--json", "-v")
    assert json.loads(result.stdout)["conclusions"]


def test_the_index_is_kept_in_the_users_cache_and_used_again(folder: Path, tmp_path: Path) -> None:
    for _ in range(2):
        told = _run("ask", folder, "How long is green tea steamed?", "-v").stderr
    assert "1 unchanged" in told
    assert [path.name for path in folder.iterdir()] == ["tea.md"]
    assert list((tmp_path / "cache").rglob("library.json"))


def test_a_policy_or_question_that_can_not_be_used_is_told_in_one_line(folder: Path) -> None:
    _fails(_run("ask", folder, "How?", "--policy", "guess"), "'guess'", "one_shot")
    _fails(_run("ask", folder, "  "), "expected a question")
    _fails(_run("demo", ""), "expected a question")
    _fails(_run("demo", "How?", "--policy", "guess"), "'guess'", "one_shot")


def test_a_trace_is_never_written_over(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "trace.jsonl"
    there.write_text("mine")
    _fails(_run("ask", folder, "How long?", "--trace", there), str(there))
    assert there.read_text() == "mine"


def test_the_demo_tells_each_step_and_then_answers() -> None:
    result = _run("demo")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert " 1. " in result.stdout
    assert "(why: " in result.stdout
    assert "1,500 EUR" in result.stdout
    assert "Why it stopped" in result.stdout


def test_asking_the_demo_loads_nothing_that_is_slow_and_not_needed() -> None:
    code = (
        "import sys; from ragnb.cli.asking import demo_diary;"
        "list(demo_diary('Who approves a credit?', policy='evidence'));"
        "print([name for name in ('jsonschema', 'pandas', 'IPython') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_demo_takes_a_question_of_ones_own() -> None:
    result = _run("demo", "Which insurer covers the goods?", "--policy", "one_shot")
    assert result.exit_code == 0
    assert "Which insurer covers the goods?" in result.stdout


def test_the_doctor_ends_well_where_all_is_here() -> None:
    result = _run("doctor")
    assert result.exit_code == 0
    assert "All that ragnb needs is here." in result.stdout


def test_files_that_can_not_be_read_are_named_and_counted_though_nobody_watches(
    folder: Path,
) -> None:
    for number in range(5):
        (folder / f"x{number}.bin").write_bytes(b"\0\1\2")
    for _ in range(2):  # also where the index is used again
        told = _run("ask", folder, "How long is green tea steamed?", "--json")
        assert told.exit_code == 0
        assert told.stderr.startswith("5 files could not be read: x0.bin (")
        assert "x2.bin" in told.stderr
        assert "x3.bin" not in told.stderr
        assert told.stderr.endswith("; and 2 more.\n")
        assert json.loads(told.stdout)["conclusions"]
    assert _run("ask", folder, "How long is green tea steamed?", "--quiet").stderr == ""


def test_swapped_arguments_are_told(folder: Path) -> None:
    _fails(_run("ask", "How long?", folder), "is the first argument the folder?", "swapped")
    _fails(_run("ask", "w" * 5000, "How?"), "No file matches", "is the first argument the folder?")


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_folder_is_no_name_of_the_one_that_one_is_in(nothing: str, tmp_path: Path) -> None:
    _fails(_run("ask", nothing, "How?"), f"The folder given is {nothing!r}", '"."', "ragnb ask")
    _fails(_run("notebooks", nothing), f"The folder given is {nothing!r}", "ragnb notebooks FOLDER")
    assert list(tmp_path.iterdir()) == []


def test_who_asks_a_folder_called_demo_that_is_not_there_is_told_of_the_demo() -> None:
    _fails(_run("ask", "demo", "Who pays?"), "No file matches 'demo'", 'ragnb demo "QUESTION"')


def test_a_pattern_names_files_too(folder: Path) -> None:
    result = _run("ask", folder / "*.md", "How long is green tea steamed?")
    assert "45 seconds" in result.stdout
    _fails(_run("ask", folder / "*.txt", "How?"), "No file matches")


def test_a_folder_with_nothing_to_read_is_told_in_whole_sentences(tmp_path: Path) -> None:
    result = _run("ask", tmp_path, "How?")
    _fails(result, "can be read. It is empty. Readable are text, source code and .")
    assert result.stderr.endswith(" files.\n")
    assert ".;" not in result.stderr


def test_a_model_that_can_not_be_reached_is_stood_in_for_and_that_is_told(folder: Path) -> None:
    nobody = "http://127.0.0.1:9/v1#none"
    result = _run("ask", folder, "How long is green tea steamed?", "--llm", nobody)
    assert result.exit_code == 0
    assert "45 seconds" in result.stdout
    assert "model call" in result.stdout
    assert "Rules did this step" in result.stdout
    above, _, below = result.stdout.partition("\n1. ")
    assert "Note: The model could not be reached, and rules did " in above
    assert "could not be reached" not in below
    told = _run("ask", folder, "How long is green tea steamed?", "--llm", nobody, "--json")
    assert told.stderr.startswith("The model cost: ")
    found = json.loads(told.stdout)
    assert found["conclusions"]
    assert "The model could not be reached" in found["remarks"][0]
    shown = _run("demo", "Which insurer covers the goods?", "--llm", nobody, "--policy", "one_shot")
    assert "Rules did this step" in shown.stdout


@pytest.mark.parametrize("command", [("ask", "."), ("demo",)])
def test_a_name_of_no_model_is_told_in_one_line(command: tuple[str, ...], folder: Path) -> None:
    given = [folder if part == "." else part for part in command]
    result = _run(*given, "How long?", "--llm", "gpt")
    _fails(result, "'gpt' names no model", "openai:NAME")


def test_the_help_tells_the_exit_codes_and_the_models() -> None:
    shown = _run("ask", "--help").stdout
    for words in ("Exit code 0", "Exit code 1", "Exit code 2", "--llm", "ollama:NAME"):
        assert words in shown
