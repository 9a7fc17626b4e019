"""The trace: a tree of entries, appended to disk as steps end, of which a branch is a path.

On disk it is JSON lines: a header with the format's version, the configuration and the state at
the start; then texts, entries, heads, intents and notes. `ragnb.agent.opening` reads it back.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from weakref import WeakValueDictionary

from ragnb.agent.actions import UseTool
from ragnb.agent.advance import advance
from ragnb.agent.entry import Entry, line_of
from ragnb.agent.outcomes import Failed
from ragnb.agent.state import State
from ragnb.agent.wire import Texts, adapters
from ragnb.display import bundle
from ragnb.errors import TraceError

__all__ = ["FORMAT", "Head", "Trace"]

FORMAT = 1
"""Version of the file format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where a branch stands, and how far it goes; ids of entries, empty at the start."""

    at: str = ""
    tip: str = ""


class Trace:
    """A tree of entries over the state at the start.

    Args:
        start: The state before the first entry.
        path: A file to append to; None keeps the trace in memory.
        config: What the run was made with: fingerprints by name, compared when it is resumed.
        texts: Long texts that are known already.

    Raises:
        TraceError: The file exists already, or can't be written.
    """

    def __init__(
        self,
        start: State,
        path: str | Path | None = None,
        *,
        config: Mapping[str, str] | None = None,
        texts: Texts | None = None,
    ) -> None:
        self.start = start
        self.config = dict(config or {})
        self.entries: dict[str, Entry] = {}
        self.children: dict[str, list[str]] = {}
        self.heads: dict[str, Head] = {}
        self.recorded: dict[tuple[str, int], Entry] = {}
        """Entries whose outcome may be given back, by key and occurrence."""
        self.intents: dict[str, str] = {}
        """Calls with effects that were begun: call id to the name of the tool."""
        self.notes: list[str] = []
        self.lost = ""
        """What a damaged file could not give back, in words."""
        self.path = Path(path) if path is not None else None
        self.whole = 0
        """Bytes of the file that were read back whole."""
        self.lock = threading.RLock()
        self.loops: WeakValueDictionary[str, object] = WeakValueDictionary()
        """Who steps on a branch now, by the branch's name."""
        self._after: dict[str, State] = {"": start}
        self._texts = texts or Texts()
        self._file: IO[bytes] | None = None
        if self.path is not None:
            self._file = _created(self.path)
            header = {
                "ragnb": FORMAT,
                "config": self.config,
                "start": adapters()[3].dump_python(start, mode="json"),
            }
            self._file.write(json.dumps(header).encode() + b"\n")

    def add(self, entry: Entry, after: State | None = None) -> None:
        """Append an entry below its parent; ``after`` is the state it leads to, if known."""
        if self._file is not None:
            self._write(line_of(entry))
        self.put(entry, after)

    def put(self, entry: Entry, after: State | None = None) -> None:
        """Take an entry into memory alone.

        Raises:
            ValueError: Its parent is not there, or its id is taken.
            TypeError: Its outcome is of a kind that its action never has.
        """
        if entry.parent and entry.parent not in self.entries:
            raise ValueError(f"entry {entry.id} follows {entry.parent!r}, which is not there")
        if not entry.id or entry.id in self.entries:
            raise ValueError(f"entry id {entry.id!r} is empty or taken")
        before = self._after[entry.parent]
        self._after[entry.id] = after or advance(before, entry.action, entry.outcome)
        self.entries[entry.id] = entry
        self.children.setdefault(entry.parent, []).append(entry.id)
        self.heads.pop(entry.branch, None)  # the branch that moved last stands last
        self.heads[entry.branch] = Head(at=entry.id, tip=entry.id)
        if isinstance(entry.action, UseTool):
            self.intents.pop(entry.action.call.id, None)
        lasting = not isinstance(entry.outcome.value, Failed) and not entry.outcome.provisional
        if entry.key and not entry.reused and lasting:
            self.recorded.setdefault((entry.key, entry.occurrence), entry)

    def set_head(self, name: str, head: Head) -> None:
        """Remember where a branch stands."""
        if self.heads.get(name) != head:
            self.heads.pop(name, None)
            self.heads[name] = head
            self._write({"head": name, "at": head.at, "tip": head.tip})

    def intend(self, action: UseTool) -> None:
        """Write down that a tool with effects is about to be used."""
        self.intents[action.call.id] = action.call.name
        self._write({"intent": action.call.id, "tool": action.call.name})

    def note(self, text: str) -> None:
        """Write down what a reader should know, once."""
        if text not in self.notes:
            self.notes.append(text)
            self._write({"note": text})

    def child(self, parent: str) -> Entry | None:
        """Return the newest child of an entry, or None."""
        found = self.children.get(parent)
        return self.entries[found[-1]] if found else None

    def branch(self, tip: str) -> tuple[Entry, ...]:
        """Return the entries from the start to an entry."""
        found = []
        while tip:
            entry = self.entries[tip]
            found.append(entry)
            tip = entry.parent
        return tuple(reversed(found))

    def state(self, entry_id: str) -> State:
        """Return the state that an entry led to; the start for an empty id."""
        return self._after[entry_id]

    def states(self, tip: str) -> list[State]:
        """Return the states on the path to an entry, the start first: the fold of advance."""
        return [self.start, *(self._after[entry.id] for entry in self.branch(tip))]

    @property
    def tip(self) -> str:
        """The id of the entry that was added last, or an empty string."""
        return next(reversed(self.entries), "")

    def reopen(self) -> None:
        """Go on appending to the file that it was read from, after what is whole in it."""
        if self.path is None or self._file is not None:
            return
        try:
            self._file = self.path.open("r+b", buffering=0)
            self._file.truncate(self.whole)
            self._file.seek(self.whole)
        except OSError as error:
            raise TraceError(f"{str(self.path)!r} can't be written ({error.strerror}).") from error

    def close(self) -> None:
        """Close the file; the trace stays in memory."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "trace")

    def _write(self, data: dict[str, Any]) -> None:
        if self._file is None:
            return
        new: list[tuple[str, str]] = []
        packed = self._texts.pack(data, new)
        lines = [{"text": text_id, "is": text} for text_id, text in new] + [packed]
        encoded = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        self._file.write(encoded.encode())


def _created(path: Path) -> IO[bytes]:
    try:
        return path.open("xb", buffering=0)
    except OSError as error:
        raise TraceError(
            f"No trace can be written to {str(path)!r} ({error.strerror}); "
            "name a file that doesn't exist yet, in a folder that can be written."
        ) from error
