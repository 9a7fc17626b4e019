"""The loop: decide, perform, advance; one step, one round, or to the end; forwards and back."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ragnb.agent.actions import Action, Stop, Synthesize
from ragnb.agent.deciding import EndedError, allowed, decided
from ragnb.agent.difference import Difference, difference
from ragnb.agent.editing import edit_of, in_words
from ragnb.agent.entry import Entry
from ragnb.agent.live import Player
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Policy, policy_named
from ragnb.agent.reusing import Recorder
from ragnb.agent.run import Run
from ragnb.agent.state import State, ToolCall
from ragnb.agent.stopping import closing
from ragnb.agent.trace import Head, Trace
from ragnb.agent.until import Step, round_done
from ragnb.display import bundle, render_text, shower
from ragnb.errors import InputError
from ragnb.records import StopReason, Usage

__all__ = ["EndedError", "Loop"]


class Loop:
    """A policy and a performer on a branch of a trace.

    Args:
        trace: The tree of entries; the loop appends to it.
        policy: Who decides.
        performer: Who carries out.
        recorder: What gives recorded outcomes back; None records and reuses nothing.
        name: The branch's name.
        head: The id of the entry where the branch stands.
        approve: Asked whether a tool with effects may be used; no one says yes by default.
        live: Do every step anew: follow and reuse nothing.
    """

    def __init__(
        self,
        trace: Trace,
        policy: Policy,
        performer: Performer,
        *,
        recorder: Recorder | None = None,
        name: str = "main",
        head: str = "",
        approve: Callable[[ToolCall], bool] | None = None,
        live: bool = False,
    ) -> None:
        self.trace, self.policy, self.performer, self.name = trace, policy, performer, name
        self.recorder = recorder or Recorder(None, None)
        self.approve, self.live = approve, live
        self.reused = 0
        """Steps of this loop that a recorded outcome answered."""
        self.spent_now = Usage()
        """What this loop really spent: steps followed or reused cost nothing here."""
        self._path = list(trace.branch(head))
        self._at = len(self._path)
        self.player = Player(self)
        """What takes steps in the background, and tells who watches."""
        trace.loops[name] = self
        self._next: tuple[str, Action] | None = None
        self._busy = threading.Lock()
        self._subscribers: list[Callable[[Step], object]] = []

    @property
    def head(self) -> str:
        """The id of the entry where the loop stands; empty at the start."""
        return self._path[self._at - 1].id if self._at else ""

    @property
    def tip(self) -> str:
        """The id of the last entry of the branch."""
        return self._path[-1].id if self._path else ""

    @property
    def state(self) -> State:
        """What the agent knows now."""
        return self.trace.state(self.head)

    @property
    def states(self) -> tuple[State, ...]:
        """The states up to here, the start first."""
        return tuple(self.trace.states(self.head))

    @property
    def next(self) -> Action | None:
        """The decided action with its reason; None after the end."""
        head, known = self.head, self._next  # another thread may move the loop meanwhile
        state = self.trace.state(head)
        if state.stop is not None:
            return None
        if known is None or known[0] != head:
            known = self._next = (head, decided(self.policy, state))
        return known[1]

    def step(self, action: Action | None = None) -> Step:
        """Do the decided action, or another one that a person names.

        A step that equals the one that was taken here before follows it, and does nothing anew.

        Raises:
            EndedError: The run has ended; only an Edit goes on.
            InputError: The loop is stepping on another thread.
        """
        with self._stepping():
            chosen = allowed(self, action)
            call = self.recorder.call(self, chosen)
            entry = None if self.live else self.recorder.followed(self, chosen, call)
            if entry is None:
                entry = self.recorder.made(
                    self, chosen, call, by="policy" if action is None else "person"
                )
            step = self._moved(entry)
        for callback in tuple(self._subscribers):
            callback(step)
        self.player.tell()
        return step

    @contextmanager
    def _stepping(self) -> Iterator[None]:
        self.player.check()
        if not self._busy.acquire(blocking=False):
            raise InputError("This loop is running; pause it first, then step.")
        try:
            yield
        except KeyboardInterrupt:
            self.trace.note(f"Step {self._at + 1} was interrupted; what it gives is dropped.")
            raise
        finally:
            self._busy.release()

    def _moved(self, entry: Entry) -> Step:
        before = self.state
        if self._at == len(self._path) or self._path[self._at].id != entry.id:
            self._path[self._at :] = [entry]
        self._at += 1
        with self.trace.lock:
            self.trace.set_head(self.name, Head(at=self.head, tip=self.tip))
        return Step(entry=entry, before=before, after=self.state)

    def round(self) -> tuple[Step, ...]:
        """Step up to and with the next assessment or answer."""
        steps: list[Step] = []
        while self.state.stop is None:
            steps.append(self.step())
            if round_done(steps[-1]):
                break
        return tuple(steps)

    def run(self, until: Callable[[Step], bool] | None = None) -> Run:
        """Step until the end, or until a step fires the predicate; blocks."""
        while self.state.stop is None:
            step = self.step()
            if until is not None and until(step):
                break
        return Run(self.trace, self.head, name=self.name)

    async def arun(self, until: Callable[[Step], bool] | None = None) -> Run:
        """Do as `run` does, each step on a worker thread: the one door for asyncio."""
        while self.state.stop is None:
            step = await asyncio.to_thread(self.step)
            if until is not None and until(step):
                break
        return Run(self.trace, self.head, name=self.name)

    def play(self) -> None:
        """Run in the background and return at once; pause, stop and answer_now act between steps.

        Raises:
            InputError: No event loop is running, as in a script.
        """
        self.player.play()

    def pause(self) -> None:
        """Hold a loop that plays, after the step that runs now."""
        self.player.pause()

    def finish(self) -> Run:
        """Do here and now all that playing would still do; blocks, and needs no browser."""
        ending = self.player.settle()
        return self.stop() if ending == "stop" else self.answer_now() if ending else self.run()

    def stop(self) -> Run:
        """End now with the key-less answer from what there is."""
        if not self.player.end("stop") and self.state.stop is None:
            self.step(Stop(why=StopReason(code="user", text="A person stopped it.")))
        return Run(self.trace, self.head, name=self.name)

    def answer_now(self) -> Run:
        """Let the agent answer from what there is, then end."""
        if self.player.end("answer"):
            return Run(self.trace, self.head, name=self.name)
        why = StopReason(code="user", text="A person asked for the answer now.")
        if self.state.stop is None and not isinstance(closing(self.state), Stop):
            self.step(Synthesize(closing=why, reason=why.text))
        return self.stop() if self.state.closing != why else self.run()

    def rewind(self, k: int) -> "Loop":
        """Go to where ``k`` entries of the branch are done, back or forth; nothing is asked.

        Raises:
            InputError: The branch has fewer entries.
        """
        self._known(k)
        with self._stepping():
            self._at = k
            self.trace.set_head(self.name, Head(at=self.head, tip=self.tip))
        self.player.tell()
        return self

    def _known(self, k: object) -> None:
        if type(k) is not int or not 0 <= k <= len(self._path):
            raise InputError(f"There is no step {k!r}; this branch has 0 to {len(self._path)}.")

    def edit(self, **fields: Any) -> "Loop":
        """Change what a person may change; `ragnb.agent.editing.edit_of` names the fields.

        Raises:
            InputError: A field is unknown or derived, or names what isn't there.
        """
        self.step(edit_of(self.state, **fields))
        return self

    def fork(
        self,
        name: str,
        *,
        at: int | None = None,
        policy: str | Policy | None = None,
        live: bool = False,
    ) -> "Loop":
        """Return a loop on a new branch that leaves this one after ``at`` entries.

        Raises:
            InputError: A branch has that name, or this one has fewer entries.
        """
        name = in_words(name, "The fork's name", "a few words")
        if name in self.trace.heads or name == self.name:
            raise InputError(f"There is a branch {name!r} already; name the fork differently.")
        at = self._at if at is None else at
        self._known(at)
        head = self._path[at - 1].id if at else ""
        with self.trace.lock:
            self.trace.set_head(name, Head(at=head, tip=head))
        return Loop(
            self.trace,
            self.policy if policy is None else policy_named(policy),
            self.performer,
            recorder=self.recorder,
            name=name,
            head=head,
            approve=self.approve,
            live=live,
        )

    @property
    def branches(self) -> dict[str, Run]:
        """Every branch of the trace by its name, as far as it goes."""
        return {
            name: Run(self.trace, head.tip, name=name) for name, head in self.trace.heads.items()
        }

    def diff(self, other: "Loop | Run") -> Difference:
        """Compare this branch with another: where they part, and what each found."""
        theirs = other.trace.branch(other.head)
        return difference(
            self.trace.branch(self.head), self.state, theirs, other.trace.state(other.head)
        )

    @property
    def _ipython_display_(self) -> Callable[[], None] | None:
        return shower(self)

    def __repr__(self) -> str:
        return f"<Loop {self.name!r} at step {self._at}: {self.state.goal!r}>"

    def __str__(self) -> str:
        return render_text(self, "loop")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "loop")

    def subscribe(self, callback: Callable[[Step], object]) -> Callable[[], None]:
        """Call back after every step; returns what ends the subscription."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe
