"""Panels on one loop: they stay in step, have twins and names, and nothing stays behind."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from ragnb.agent.loop import Loop
from ragnb.errors import InputError
from ragnb.panels import EvidencePanel, Inspector, Panel, named, shower
from ragnb.panels.board import Board
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, twin

Pages = Callable[[Board], Any]


def test_two_panels_follow_one_loop(loop: Loop, page_of: Pages) -> None:
    pages = [page_of(Inspector(loop)), page_of(EvidencePanel(loop)), page_of(Inspector(loop))]
    pages[0].click("round")
    pages[1].panel.flush()
    pages[2].panel.flush()
    assert loop.state.evidence
    assert set(pages[0].parts) == set(pages[2].parts)
    for item in loop.state.evidence:
        assert all(f"evidence/{item.id}" in page.parts for page in pages)


def test_a_closed_panel_leaves_nothing_behind(loop: Loop, page_of: Pages) -> None:
    panel: Panel | None = Inspector(loop)
    assert panel is not None
    page_of(panel)
    gone = weakref.ref(panel)
    panel.close()
    panel = None
    gc.collect()
    assert gone() is None
    assert loop.player._watchers == []


def test_a_panel_that_no_page_shows_draws_nothing(loop: Loop, page_of: Pages) -> None:
    page = page_of(Inspector(loop))
    page.panel._hear(page.panel, {"kind": "gone"}, [])
    count = len(page.heard)
    loop.step()
    assert len(page.heard) == count


def test_every_panel_has_a_twin_at_every_step(loop: Loop) -> None:
    def check() -> None:
        for view in LABELS:
            text = twin(loop, view, Choice())
            assert text.startswith("<div")
            assert "<button" not in text
            assert "class=" not in text

    check()
    loop.run()
    check()


def test_the_named_panels_show_what_their_name_says(loop: Loop) -> None:
    for name in named.__all__:
        panel = getattr(named, name)(loop)
        assert panel.view == name.removesuffix("Panel").lower()
        assert set(panel.twin()) == {"text/plain", "text/html"}
        panel.close()
    with pytest.raises(InputError, match="evidence"):
        Panel(loop, "nothing")


def test_a_widget_saves_no_more_than_its_name(loop: Loop) -> None:
    loop.run()
    state = Inspector(loop).get_state()
    own = {key: value for key, value in state.items() if key not in {"_esm", "_css"}}
    assert len(repr(own)) < 3_000


def test_without_a_kernel_a_loop_shows_its_twin(loop: Loop) -> None:
    assert shower(loop) is None
    assert loop._ipython_display_ is None
    assert set(loop._repr_mimebundle_()) == {"text/plain", "text/html"}
