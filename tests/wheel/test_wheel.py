"""The wheel, built and installed into a fresh environment without node, used from elsewhere.

Not part of the default run, for it installs every dependency: `.ci/run wheel`.
"""

import os
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1_000_000
_PEAK = """
import atexit, resource, sys

def peak():
    print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)

atexit.register(peak)
sys.argv = ["ragnb", "demo"]
from ragnb.cli import app
app()
"""


def _done(*command: object, **options: object) -> str:
    parts = [str(part) for part in command]
    done = subprocess.run(parts, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _done(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT)
    return next(folder.glob("ragnb-*.whl"))


@pytest.fixture(scope="session")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an environment, and a node that fails when it is called."""
    folder = tmp_path_factory.mktemp("fresh")
    for name in ("node", "npm"):
        stub = folder / "stubs" / name
        stub.parent.mkdir(exist_ok=True)
        stub.write_text("#!/bin/sh\necho node was called >&2\nexit 1\n")
        stub.chmod(0o755)
    venv.create(folder / "venv", with_pip=True)
    begun = time.monotonic()
    python = folder / "venv" / "bin" / "python"
    _done(python, "-m", "pip", "install", "--quiet", wheel, env=_environ(folder))
    print(f"\ninstalled in {time.monotonic() - begun:.0f} s")  # noqa: T201 - a figure to keep
    return folder


def _environ(folder: Path) -> dict[str, str]:
    path = f"{folder / 'venv' / 'bin'}:{folder / 'stubs'}:/usr/bin:/bin"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PATH": path, "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder)}


def _fresh(folder: Path, *command: object) -> str:
    return _done(*command, env=_environ(folder), cwd=folder)


def test_the_wheel_holds_types_documents_and_notebooks_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "ragnb/py.typed" in names
    assert "ragnb/_notebooks/00-first-run.ipynb" in names
    parts = [f"panel/{path.name}" for path in (ROOT / "widgets" / "panel").iterdir()]
    for name in ("panel.js", "panel.css", "chart.js", *parts):
        assert f"ragnb/panels/static/{name}" in names
    assert not any(name.endswith((".ts", ".test.js", "package.json")) for name in names)
    for path in (ROOT / "ragnb" / "demo").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert path.relative_to(ROOT).as_posix() in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ragnb"}
    assert wheel.stat().st_size < 3 * MEGABYTE


def test_it_is_imported_from_the_environment_and_not_from_here(place: Path) -> None:
    home = _fresh(place, "python", "-c", "import ragnb; print(ragnb.__file__)")
    assert Path(home.strip()).is_relative_to(place / "venv")


def test_the_demo_answers_from_a_cold_start(place: Path) -> None:
    begun = time.monotonic()
    said = _fresh(place, "ragnb", "demo")
    cold = time.monotonic() - begun
    begun = time.monotonic()
    _fresh(place, "ragnb", "demo")
    print(f"\ndemo: {cold:.1f} s at first, {time.monotonic() - begun:.1f} s then")  # noqa: T201 - the same
    assert "Why it stopped" in said


def test_the_demo_stays_small_in_memory(place: Path) -> None:
    done = subprocess.run(
        [place / "venv" / "bin" / "python", "-c", _PEAK],
        env=_environ(place),
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    kilobytes = int(done.stderr.split("PEAK")[1])
    print(f"\ndemo: {kilobytes / 1000:.0f} MB at most")  # noqa: T201 - the same
    assert kilobytes < 1_000_000


def test_the_notebooks_and_the_demo_are_copied_out(place: Path) -> None:
    _fresh(place, "ragnb", "notebooks", "course")
    assert (place / "course" / "00-first-run.ipynb").is_file()
    assert any((place / "course" / "demo").rglob("*.md"))


def test_the_doctor_finds_all_that_is_needed_and_names_what_is_not(place: Path) -> None:
    said = _fresh(place, "ragnb", "doctor")
    assert "All that ragnb needs is here." in said
    assert "Optional: For " in said
    assert '-m pip install "' in said
