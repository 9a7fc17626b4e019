"""Two sources that disagree, a loop over them, and a browser as far as messages go."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ragnb
from ragnb.agent.loop import Loop
from ragnb.library import Library
from ragnb.panels.board import Board

META = "---\ntitle: {}\nupdated: 2025-11-03\nstatus: current\n---\n"


POLICY = (
    META.format("Export policy")
    + """# Export policy

## Interactive exports

An interactive export holds at most 50,000 rows. The Data Board decided the limit.
"""
)


HANDBOOK = (
    META.format("Support handbook")
    + """# Support handbook

## Exports

An interactive export holds at most 100,000 rows. Press Export in the menu.
"""
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("docs")
    (folder / "policy.md").write_text(POLICY)
    (folder / "handbook.md").write_text(HANDBOOK)
    with Library.from_folder(folder) as made:
        yield made


@pytest.fixture
def loop(library: Library) -> Loop:
    return ragnb.Agent(library).start("How many rows does an interactive export hold at most?")


class Page:
    """A browser as far as messages go: it keeps the parts as panel.js does."""

    def __init__(self, panel: Board) -> None:
        self.panel = panel
        self.parts: dict[str, str] = {}
        self.order: list[str] = []
        self.heard: list[dict[str, Any]] = []
        panel.send = self.hear
        panel._hear(panel, {"kind": "ready"}, [])

    def hear(self, message: dict[str, Any]) -> None:
        self.heard.append(message)
        if message.get("fresh"):
            self.parts = {}
        for key in message.get("drop", ()):
            del self.parts[key]
            self.order.remove(key)
        self.parts |= message["set"]
        for key, before in message.get("after", ()):
            self.order.insert(0 if before is None else self.order.index(before) + 1, key)
        self.order = list(message.get("order", self.order))

    def click(self, action: str, **more: Any) -> None:
        self.panel._hear(self.panel, {"kind": "act", "action": action, **more}, [])

    @property
    def shows(self) -> dict[str, str]:
        return {key: self.parts[key] for key in self.order}


@pytest.fixture(scope="session")
def page_of() -> Callable[[Board], Page]:
    """Return what shows a panel in a page."""
    return Page
