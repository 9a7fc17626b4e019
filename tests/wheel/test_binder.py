"""What Binder builds: installed as it is, the first notebook run, the memory of it measured.

Not part of the default run, for it installs every dependency: `.ci/run wheel`.
"""

import json
import os
import re
import socket
import subprocess
import time
import urllib.request
import venv
from pathlib import Path
from urllib.error import URLError

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST = "notebooks/00-first-run.ipynb"
_RUN = """
import json, pathlib, sys, threading, time
import nbformat, psutil
from nbclient import NotebookClient

path = pathlib.Path(sys.argv[1])
peak = 0

def memory():
    me = psutil.Process()
    total = 0
    for process in [me, *me.children(recursive=True)]:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            pass
    return total

def watch():
    global peak
    while True:
        peak = max(peak, memory())
        time.sleep(0.05)

threading.Thread(target=watch, daemon=True).start()
begun = time.monotonic()
notebook = nbformat.read(path, as_version=4)
NotebookClient(notebook, resources={"metadata": {"path": str(path.parent)}}).execute()
print(json.dumps({"peak": peak, "seconds": time.monotonic() - begun}))
"""


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("binder")
    stub = folder / "stubs" / "node"
    stub.parent.mkdir()
    stub.write_text("#!/bin/sh\necho node was called >&2\nexit 1\n")
    stub.chmod(0o755)
    venv.create(folder / "venv", with_pip=True)
    begun = time.monotonic()
    python = str(folder / "venv" / "bin" / "python")
    command = [python, "-m", "pip", "install", "--quiet", "-r", "binder/requirements.txt"]
    done = subprocess.run(
        command, env=_environ(folder), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    print(f"\nbinder: installed in {time.monotonic() - begun:.0f} s")  # noqa: T201 - a figure to keep
    return folder


def _environ(folder: Path) -> dict[str, str]:
    path = f"{folder / 'venv' / 'bin'}:{folder / 'stubs'}:/usr/bin:/bin"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PATH": path, "HOME": str(folder)}


def test_every_version_is_pinned_and_no_address_is_named() -> None:
    lines = (ROOT / "binder" / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert len(pins) > 50
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==\S+", line) for line in pins)
    for path in (ROOT / "binder").iterdir():
        assert "://" not in path.read_text()


def test_what_is_installed_is_what_is_pinned(place: Path) -> None:
    done = subprocess.run(
        [place / "venv" / "bin" / "pip", "freeze", "--exclude", "ragnb"],
        capture_output=True,
        text=True,
        check=True,
    )
    pinned = set((ROOT / "binder" / "constraints.txt").read_text().splitlines())
    assert set(done.stdout.splitlines()) <= pinned


def test_the_first_notebook_runs_in_less_than_a_gigabyte(place: Path) -> None:
    done = subprocess.run(
        [place / "venv" / "bin" / "python", "-c", _RUN, ROOT / FIRST],
        env=_environ(place),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    figures = f"{found['seconds']:.1f} s, {found['peak'] / 1e6:.0f} MB at most"
    print(f"\nbinder: first notebook in {figures}")  # noqa: T201 - the same
    assert found["peak"] < 1_000_000_000


def test_the_server_opens_the_first_notebook(place: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [ROOT / "binder" / "start", "jupyter-lab", "--no-browser", "--allow-root"]
    options = [f"--port={port}", "--ip=127.0.0.1", "--IdentityProvider.token="]
    with (place / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, *options], env=_environ(place), cwd=ROOT, stdout=log, stderr=log
        )
    try:
        assert _opened(f"http://127.0.0.1:{port}/").endswith(f"/lab/tree/{FIRST}")
    finally:
        server.kill()
        server.wait(timeout=30)


def _opened(address: str) -> str:
    """Return the address that a server leads to, once it has started."""
    for _ in range(60):
        try:
            with urllib.request.urlopen(address, timeout=30) as page:  # noqa: S310 - this machine
                return str(page.url)
        except URLError:
            time.sleep(0.5)
    raise AssertionError("the server did not start")
