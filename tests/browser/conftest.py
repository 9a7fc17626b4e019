"""One JupyterLab for the whole suite, and pages in it that report whatever goes wrong."""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=20_000)

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
SETTINGS = {
    "docmanager-extension/plugin": {"autosave": False},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
KERNEL = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
ASK = (
    f"async (code) => {{ const kernel = {KERNEL};"
    """ let text = '';
  const future = kernel.requestExecute({code: 'print(' + code + ')', store_history: false});
  future.onIOPub = (m) => { if (m.header.msg_type === 'stream') text += m.content.text;
    if (m.header.msg_type === 'error') text += m.content.evalue; };
  await future.done; return text.trim(); }"""
)
TELL = (
    f"async (code) => {{ const kernel = {KERNEL};"
    """ const done = kernel.requestExecute({code, store_history: false}).done;
  return (await done).content.status; }"""
)
SEVEN = ("reading 'schema'", "'filebrowser:open-path' not registered")
"""What Notebook 7 itself says when it starts."""
AT_REST = re.compile("waiting for you|^ended")
START = """import ragnb
agent = ragnb.Agent(ragnb.demo.library())
loop = agent.start("How long are raw temperature readings kept, and who may grant a credit?")"""


def _get(url: str, method: str = "GET") -> bytes | None:
    with contextlib.suppress(OSError):
        request = urllib.request.Request(url, method=method)  # noqa: S310 - our own server
        with urllib.request.urlopen(request, timeout=10) as reply:  # noqa: S310
            return bytes(reply.read())
    return None


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """Start JupyterLab on a free port; gives its address, its token and its folder."""
    home = tmp_path_factory.mktemp("lab")
    root = tmp_path_factory.mktemp("notebooks")
    for name, value in SETTINGS.items():
        file = home / "LAB_SETTINGS/@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base, token = f"http://127.0.0.1:{port}", secrets.token_hex(16)
    places = ("LAB_SETTINGS", "LAB_WORKSPACES", "_CONFIG", "_RUNTIME")
    folders = {f"JUPYTER{name}_DIR": str(home / name) for name in places}
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
        "--expose-app-in-browser", "--JupyterNotebookApp.expose_app_in_browser=True",
        "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
        f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={token}",
    ]  # fmt: skip
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            env={**os.environ, **folders},
        )  # fmt: skip
        try:
            deadline = time.monotonic() + 90
            while not _get(f"{base}/api/status?token={token}"):
                assert server.poll() is None, (home / "server.log").read_text()
                assert time.monotonic() < deadline, (home / "server.log").read_text()
                time.sleep(0.2)
            yield base, token, root
        finally:
            _get(f"{base}/api/shutdown?token={token}", "POST")
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Notebook:
    """A notebook that is open in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ask(self, code: str) -> str:
        """Return what the kernel prints for an expression."""
        return str(self.page.evaluate(ASK, code))

    def tell(self, code: str) -> None:
        """Run a statement in the kernel."""
        assert self.page.evaluate(TELL, code) == "ok", code

    def waits_for(self, code: str, wanted: object, seconds: float = 20) -> None:
        """Wait until the kernel prints a text for an expression."""
        deadline = time.monotonic() + seconds
        while (said := self.ask(code)) != str(wanted):
            assert time.monotonic() < deadline, f"{code} is {said}, not {wanted}"
            self.page.wait_for_timeout(50)

    def settles(self, code: str, wanted: object) -> None:
        """Wait for the kernel as `waits_for`, then until the page shows the loop at rest there.

        A key that is pressed before the page has heard of a step's end meets disabled controls.
        """
        self.waits_for(code, wanted)
        self.waits_for("loop.player.on", False)
        bar = self.page.locator(".rb-view-inspector").first
        expect(bar.locator(".rs b")).to_have_text(f"Step {self.ask('loop.state.entries')}")
        expect(bar.locator(".rb-bar .chip")).to_have_text(AT_REST)

    def waits_in_page(self, code: str) -> None:
        """Wait until a JavaScript expression is true."""
        self.page.wait_for_function(code, timeout=20_000)

    def save(self) -> None:
        """Save the notebook's file."""
        self._run("docmanager:save")

    def run(self) -> None:
        """Run all cells."""
        self._run("notebook:run-all-cells")

    def restart(self) -> None:
        """Restart the kernel."""
        self.page.evaluate(f"async () => {{ await {KERNEL}.restart(); }}")

    def shut_down(self) -> None:
        """Shut all kernels down."""
        self.page.evaluate(
            "async () => { await window.jupyterapp.serviceManager.sessions.shutdownAll(); }"
        )

    def _run(self, command: str, **given: str) -> None:
        self.page.evaluate(
            "async ([command, given]) => {"
            " await window.jupyterapp.commands.execute(command, given); }",
            [command, given],
        )

    def click(self, selector: str, inside: str = ".rb-view-inspector") -> None:
        """Click the first control of a panel that a selector finds."""
        self.page.locator(f"{inside} {selector}").first.click(timeout=15_000)


@pytest.fixture(scope="session")
def written(lab: tuple[str, str, Path]) -> Callable[..., Path]:
    """Return what writes a notebook into the folder of JupyterLab; without cells it is there."""

    def write(name: str, *cells: str) -> Path:
        file = lab[2] / name
        if cells:
            file.write_text(json.dumps(_notebook(cells)))
        return file

    return write


@pytest.fixture
def notebook(
    lab: tuple[str, str, Path],
    written: Callable[..., Path],
    chromium: Browser,
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Notebook]]:
    """Open notebooks; at the end nothing may have gone wrong or asked the outside in them.

    What is `spared` may be said: words of an error that the page itself reports.
    """
    base, token, _ = lab
    troubles: list[str] = []
    contexts = []

    def opened(
        *cells: str,
        width: int = 1000,
        dark: bool = False,
        name: str = "",
        run: bool = True,
        seven: bool = False,
        spared: tuple[str, ...] = (),
    ) -> Notebook:
        found = name or f"{request.node.name}.ipynb"
        file = written(found.replace("[", "-").replace("]", ""), *cells)
        context = chromium.new_context(viewport={"width": width, "height": 1100})
        contexts.append(context)
        page = context.new_page()

        def told(text: str) -> None:
            if not any(each in text for each in (*spared, *(SEVEN if seven else ()))):
                troubles.append(text[:500])

        page.on("pageerror", lambda error: told(f"uncaught: {error}"))
        page.on("console", lambda m: told(m.text) if m.type == "error" else None)

        def outside(route: Any) -> None:
            troubles.append(f"asked for {route.request.url}")
            route.abort()

        page.route(lambda url: not url.startswith((base, "data:", "blob:")), outside)
        kind = "notebooks" if seven else "doc/tree"
        page.goto(f"{base}/{kind}/{file.name}?token={token}", timeout=90_000)
        page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=90_000)
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        book = Notebook(page)
        book._run("apputils:change-theme", theme=theme)
        if run:
            book.run()
            page.wait_for_selector(".rb [data-key]", state="attached", timeout=30_000)
        return book

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


def _notebook(cells: tuple[str, ...]) -> dict[str, Any]:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": [
            {"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None,
             "outputs": [], "source": source}
            for n, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }  # fmt: skip


@pytest.fixture
def start() -> str:
    """Return the first cell: a loop at step 0."""
    return START
