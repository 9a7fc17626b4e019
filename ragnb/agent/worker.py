"""One thread that stages run on, so that a stage that hangs can be left behind."""

import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["TimedOutError", "Worker"]


class TimedOutError(Exception):
    """A stage did not end in its time."""


class Worker:
    """Runs calls on a thread of its own; a call that takes too long is abandoned with its thread.

    The thread is kept for the next call, and is a daemon: an abandoned stage can't keep the
    process alive. What it gives later is dropped.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Any] | None = None
        self._results: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def __call__(self, call: Callable[[], Any], seconds: float) -> Any:
        """Return what the call returns, or raise what it raises.

        Raises:
            TimedOutError: It took more than ``seconds``.
        """
        if self._jobs is None:
            self._jobs, self._results = queue.SimpleQueue(), queue.SimpleQueue()
            target = _serve
            threading.Thread(
                target=target, args=(self._jobs, self._results), daemon=True, name="ragnb-stage"
            ).start()
        self._jobs.put((contextvars.copy_context(), call))
        try:
            value, error = self._results.get(timeout=seconds)
        except queue.Empty:
            self._abandon()
            raise TimedOutError(f"it took more than {seconds:.3g} seconds") from None
        except BaseException:  # an interrupt: the late result must not answer the next call
            self._abandon()
            raise
        if error is not None:
            raise error
        return value

    def _abandon(self) -> None:
        if self._jobs is not None:
            self._jobs.put(None)
        self._jobs = None


def _serve(jobs: "queue.SimpleQueue[Any]", results: "queue.SimpleQueue[Any]") -> None:
    while (job := jobs.get()) is not None:
        context, call = job
        try:
            results.put((context.run(call), None))
        except BaseException as error:  # noqa: BLE001 - raised again where the call was made
            results.put((None, error))
