"""The doctor tells what is here, what is missing, and the line that installs it."""

import dataclasses
import os
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import ragnb
from ragnb.diagnosis import checks, frontend, parts
from ragnb.diagnosis.parts import Part, install_line
from ragnb.errors import LibraryError

ROOT = Path(__file__).resolve().parents[2]


def _ipython(*, kernel: bool = True, **names: object) -> dict[str, ModuleType]:
    shell = SimpleNamespace(user_ns=names, **({"kernel": object()} if kernel else {}))
    module = ModuleType("IPython")
    module.get_ipython = lambda: shell  # type: ignore[attr-defined]
    return {"IPython": module}


def test_all_is_well_here_and_the_record_is_frozen() -> None:
    found = ragnb.doctor()
    assert found.ok
    assert found.front_end.name == "terminal"
    assert "haystack-ai" in str(found)
    assert found.words.startswith("SQLite 3.")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.ragnb = "2"  # type: ignore[misc]


def test_indexes_are_counted_with_their_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    index = tmp_path / "ragnb" / "indexes" / "handbook-1"
    index.mkdir(parents=True)
    (index / "a").write_bytes(b"x" * 2_000_000)
    found = ragnb.doctor()
    assert (found.indexes, found.index_bytes) == (1, 2_000_000)
    assert "1 kept, 2.0 MB" in str(found)


def test_a_missing_package_is_named_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def some() -> tuple[Part, ...]:
        return (
            Part(name="numpy", version="", wanted=">=1.26"),
            Part(name="lxml", version="", wanted=">=5.3", extra="files"),
            Part(name="openpyxl", version="3.1", wanted=">=3", extra="files"),
        )

    monkeypatch.setattr(checks, "parts", some)
    found = ragnb.doctor()
    assert not found.ok
    assert '-m pip install "numpy>=1.26"' in found.problems[0]
    assert found.advice[0].endswith('-m pip install "lxml>=5.3"')
    assert "Something is missing." in str(found)


def test_an_embedder_without_its_vectors_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise LibraryError("The word vectors are not installed.")

    monkeypatch.setattr(checks, "_embedder", missing)
    found = ragnb.doctor()
    assert found.problems == ("The word vectors are not installed.",)
    assert "Search by meaning: does not work" in str(found)


def test_an_index_folder_that_can_not_be_written_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = ragnb.doctor()
    assert not found.index_writable
    assert str(tmp_path) in found.problems[0]


def test_what_installs_is_right_for_the_place() -> None:
    part = [Part(name="lxml", version="", wanted=">=5.3")]
    assert install_line(part, notebook=True) == '%pip install "lxml>=5.3"'
    assert install_line(part, notebook=False).endswith(' -m pip install "lxml>=5.3"')


def test_the_metadata_names_what_is_needed_and_nothing_for_developers() -> None:
    names = {part.name for part in parts.parts()}
    assert {"numpy", "typer"} < names
    assert not names & {"ruff", "mypy", "hypothesis"}


def test_every_extra_for_users_is_looked_at() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) - {"dev", "bench", "browser"} <= set(parts.EXTRAS)


def test_a_package_of_two_extras_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "numpy>=1.26",
        "lxml>=5.3; extra == 'lab'",
        "lxml>=5.3; extra == 'files'",
        "ruff; extra == 'dev'",
    ]
    monkeypatch.setattr(parts.metadata, "requires", lambda _: lines)
    named = [(part.name, part.wanted, part.extra) for part in parts.parts()]
    assert named == [("numpy", ">=1.26", ""), ("lxml", ">=5.3", "files")]


@pytest.mark.parametrize(
    ("modules", "environ", "name"),
    [
        ({}, {}, "terminal"),
        (_ipython(kernel=False), {}, "IPython"),
        (_ipython(__vsc_ipynb_file__="a.ipynb"), {}, "VS Code"),
        (_ipython(), {"SERVER_SOFTWARE": "voila/0.5"}, "Voila"),
        ({**_ipython(), "google.colab": ModuleType("google.colab")}, {}, "Colab"),
    ],
)
def test_a_front_end_is_known_by_its_marks(
    modules: dict[str, ModuleType], environ: dict[str, str], name: str
) -> None:
    assert frontend.front_end(environ, modules).name == name


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python /v/bin/jupyter-lab a.ipynb", "JupyterLab"),
        ("python /v/bin/jupyter-notebook", "Notebook 7"),
        ("python run.py", "Jupyter"),
    ],
)
def test_a_jupyter_server_is_known_by_its_command(
    monkeypatch: pytest.MonkeyPatch, command: str, name: str
) -> None:
    parent = SimpleNamespace(cmdline=command.split)
    process = SimpleNamespace(parent=lambda: parent)
    psutil = SimpleNamespace(Process=lambda: process, Error=OSError)
    monkeypatch.setattr(frontend, "find_spec", lambda module: module == "psutil" or None)
    monkeypatch.setattr(frontend.importlib, "import_module", lambda _: psutil)
    found = frontend.front_end(os.environ, _ipython())
    assert found.name == name
    assert found.works
