"""When a step that runs is told of, and which wish waits for its end."""

import time
from typing import TYPE_CHECKING, Final

from ragnb.panels.looking import LOOKS

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["GRACE", "busy", "must_wait"]

GRACE: Final = 0.25
"""Seconds that a single step may take before a panel tells that it runs: most are done by then,
and controls that go and come back in a blink would lose the focus and make the page jump."""
_WISHES: Final = frozenset(("pause", "speed"))
"""What may be said at any time."""
_ENDS: Final = frozenset(("answer_now", "stop"))
"""What is looked at when the step that runs ends; a loop that holds needs to be told again."""


def busy(loop: "Loop") -> bool:
    """Return whether a panel tells that the loop runs."""
    player = loop.player
    young = time.monotonic() - player.began < GRACE
    return player.on and not (player.once and young)


def must_wait(loop: "Loop", action: str) -> bool:
    """Return whether a wish can only be done after the step that runs now, and will be then.

    While the loop goes on by itself only a pause changes that; a wish that needs a loop at rest
    is refused then, as before. Before a rest there is one step to wait for.
    """
    player = loop.player
    if not player.on or action in LOOKS | _WISHES:
        return False
    return player.holding or (player.once and action not in _ENDS)
