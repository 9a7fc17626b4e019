"""Playing a loop in the background: one step after another, held and ended between two steps."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from ragnb.agent.actions import Approve
from ragnb.agent.until import Step
from ragnb.errors import InputError

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["Ending", "Player"]

Ending: TypeAlias = Literal["", "stop", "answer"]
_BREATH: Final = 0.02
"""Seconds between two steps, in which a notebook hears clicks."""


class Player:
    """Plays a loop as an asyncio task, each step on a worker thread.

    Wishes (pause, stop, answer now) may come on any thread: they set a flag, and are looked at
    between two steps. Watchers are called on whichever thread moved the loop.

    Args:
        loop: What is played.
    """

    def __init__(self, loop: "Loop") -> None:
        self.pace = 0.0
        """Seconds between two steps, beside a short breath."""
        self.once = False
        """Whether only one step is taken, and no further one after it."""
        self.began = 0.0
        """When the step that runs now began, or playing did, on the monotonic clock."""
        self.error: Exception | None = None
        """What a step raised while playing; `settle` raises it again."""
        self._loop = loop
        self._session: object | None = None
        self._task: asyncio.Task[None] | None = None
        self._until: Callable[[Step], bool] | None = None
        self._ending: Ending = ""
        self._turning = threading.Lock()
        self._thread = 0
        self._watchers: list[Callable[[], object]] = []

    @property
    def on(self) -> bool:
        """Whether steps are being taken, or one that was begun has not ended yet."""
        return self._session is not None or self._turning.locked()

    @property
    def holding(self) -> bool:
        """Whether the step that runs now is the last one before a pause."""
        return self._session is None and self._turning.locked()

    def watch(self, callback: Callable[[], object]) -> Callable[[], None]:
        """Call back whenever the loop moved, began to play or paused; returns what ends that."""
        self._watchers.append(callback)

        def unwatch() -> None:
            if callback in self._watchers:
                self._watchers.remove(callback)

        return unwatch

    def tell(self) -> None:
        """Tell all who watch that something changed."""
        for callback in tuple(self._watchers):
            callback()

    def play(self, until: Callable[[Step], bool] | None = None, *, once: bool = False) -> None:
        """Begin to take steps, and return at once.

        Args:
            until: Pause after a step that it is true of.
            once: Pause after the first step.

        Raises:
            InputError: No event loop is running.
        """
        try:
            events = asyncio.get_running_loop()
        except RuntimeError:
            raise InputError(
                "play() needs a running event loop, as a notebook has; in a script use run()."
            ) from None
        if self._session is not None or self._loop.state.stop is not None:
            return
        self._until, self._ending, self.error = until, "", None
        self.once, self.began = once, time.monotonic()
        session = self._session = object()
        self._task = events.create_task(self._play(session))
        self.tell()

    def pause(self) -> None:
        """Take no further step after the one that runs now."""
        self._session = None
        self.tell()

    def end(self, how: Ending) -> bool:
        """Ask for the end at the next boundary; False where nothing plays."""
        if self._session is None or self._mine():
            return False
        self._ending = how
        self.tell()
        return True

    def check(self) -> None:
        """Let a person's step pass: after the one that was paused has ended.

        Raises:
            InputError: The loop is playing.
        """
        if self._mine():
            return
        if self._session is not None:
            raise InputError("This loop is running; pause it first, then step.")
        with self._turning:
            pass

    def settle(self) -> Ending:
        """Stop playing, wait for the step that runs, and return which end was asked for."""
        self._session = None
        with self._turning:
            pass
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        ending, self._ending = self._ending, ""
        return ending

    def _mine(self) -> bool:
        return self._thread == threading.get_ident()

    async def _play(self, session: object) -> None:
        while self._session is session:
            await asyncio.to_thread(self._turn, session)
            await asyncio.sleep(max(self.pace, _BREATH))

    def _turn(self, session: object) -> None:
        with self._turning:
            if self._session is not session:
                return
            self._thread = threading.get_ident()
            self.began = time.monotonic()
            try:
                self._once()
            except Exception as error:  # noqa: BLE001 - raised again by settle, told by panels
                self.error, self._session = error, None
            finally:
                self._thread = 0
        self.tell()

    def _once(self) -> None:
        ending, self._ending = self._ending, ""
        coming = self._loop.next
        if ending == "stop":
            self._loop.stop()
        elif ending == "answer":
            self._loop.answer_now()
        elif isinstance(coming, Approve) and coming.answer is None and self._loop.approve is None:
            self._session = None  # it waits for a person's yes or no
        else:
            step = self._loop.step()
            fired = self.once or (self._until is not None and self._until(step))
            if fired and not self._ending:  # an end that was asked for meanwhile comes next
                self._session = None
        if self._loop.state.stop is not None:
            self._session = None
