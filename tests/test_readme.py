"""What the README says can be done, done."""

import re
from pathlib import Path

import pytest

import ragnb
from ragnb.cli import app

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = re.findall(r"^    (\S.*)$", README, re.MULTILINE)


def test_the_ten_lines_show_what_a_persons_decision_changes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, object] = {}
    (block,) = PYTHON
    assert len([line for line in block.splitlines() if line]) == 10
    exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - the README is ours
    asked, left, decided = capsys.readouterr().out.split("Why it stopped: ")[:3]
    assert "1,500 EUR" in asked
    assert "Sources disagree: 24 months" in left
    assert "1. " not in left
    assert "1. 18 months: " in decided
    assert "settled by: a person" in decided
    library = names.get("library")
    assert isinstance(library, ragnb.Library)
    library.close()


def test_files_that_shell_lines_name_are_there() -> None:
    named = {name for line in SHELL for name in re.findall(r"\S+\.(?:ipynb|py|md|toml)\b", line)}
    assert named
    assert all((ROOT / name).is_file() for name in named)


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_extras_that_are_installed_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extras in re.findall(r"\.\[([a-z,]+)\]", README):
        for extra in extras.split(","):
            assert f"\n{extra} = [" in project


def test_commands_of_ragnb_exist() -> None:
    known = {command.callback.__name__ for command in app.registered_commands if command.callback}
    used = set(re.findall(r"^    \S*ragnb ([a-z]+)", README, re.MULTILINE))
    assert used
    assert used <= known
