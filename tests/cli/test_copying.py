"""Notebooks and demo documents are copied out, and nobody's work is written over."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ragnb import demo
from ragnb.cli import app
from ragnb.cli.copying import copy_notebooks, notebook_folder
from ragnb.errors import InputError

FIRST = "00-first-run.ipynb"


def test_notebooks_and_demo_documents_are_copied(tmp_path: Path) -> None:
    place = tmp_path / "new" / "course"
    result = CliRunner().invoke(app, ["notebooks", str(place)])
    assert result.exit_code == 0
    assert (place / FIRST).read_bytes() == (notebook_folder() / FIRST).read_bytes()
    for document in demo.documents().rglob("*"):
        if document.is_file():
            name = document.relative_to(demo.documents())
            assert (place / "demo" / name).read_bytes() == document.read_bytes()
    assert "jupyter lab" in result.stdout


def test_a_file_that_was_changed_is_left_as_it_is_and_named(tmp_path: Path) -> None:
    copy_notebooks(tmp_path)
    (tmp_path / FIRST).write_text("my own")
    again = copy_notebooks(tmp_path)
    assert again.kept == (FIRST,)
    assert not again.written
    assert (tmp_path / FIRST).read_text() == "my own"
    assert FIRST in str(again)
    assert "--force" in str(again)


def test_force_writes_over_what_differs_alone(tmp_path: Path) -> None:
    copy_notebooks(tmp_path)
    (tmp_path / FIRST).write_text("my own")
    assert copy_notebooks(tmp_path, force=True).written == (FIRST,)
    assert (tmp_path / FIRST).read_bytes() == (notebook_folder() / FIRST).read_bytes()


def test_a_link_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("mine")
    place = tmp_path / "course"
    place.mkdir()
    (place / FIRST).symlink_to(other)
    assert copy_notebooks(place).kept == (FIRST,)
    copy_notebooks(place, force=True)
    assert other.read_text() == "mine"


def test_a_folder_that_can_not_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written"):
        copy_notebooks(tmp_path / "file")
    result = CliRunner().invoke(app, ["notebooks", str(tmp_path / "file")])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
