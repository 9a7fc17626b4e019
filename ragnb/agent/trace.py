"""The trace: a tree of entries, appended to disk as steps end, of which a branch is a path.

On disk it is JSON lines: a header with the format's version and the state at the start, then
texts, entries and heads. A half-written last line is left out when it is read again.
"""

import json
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ragnb.agent.actions import Action
from ragnb.agent.advance import advance
from ragnb.agent.outcomes import Outcome
from ragnb.agent.state import State
from ragnb.agent.wire import Texts, adapters
from ragnb.errors import TraceError

__all__ = ["FORMAT", "Entry", "Trace"]

FORMAT = 1
"""Version of the file format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One step of a trace; its id is its position, its parent's that of the entry before it."""

    id: str
    parent: str
    action: Action
    outcome: Outcome
    by: Literal["policy", "person"] = "policy"


class Trace:
    """A tree of entries over the state at the start.

    Args:
        start: The state before the first entry.
        path: A file to append to; None keeps the trace in memory.

    Raises:
        TraceError: The file exists already, or can't be written.
    """

    def __init__(
        self, start: State, path: str | Path | None = None, *, texts: Texts | None = None
    ) -> None:
        self.start = start
        self.entries: dict[str, Entry] = {}
        self.children: dict[str, list[str]] = {}
        self.heads: dict[str, tuple[str, str]] = {}
        self.lost = ""
        """What a damaged file could not give back, in words."""
        self.lock = threading.RLock()
        self._texts = texts or Texts()
        self._file = None
        if path is not None:
            try:
                self._file = Path(path).open("xb", buffering=0)  # noqa: SIM115 - kept open
            except OSError as error:
                raise TraceError(
                    f"No trace can be written to {str(path)!r} ({error.strerror}); "
                    "name a file that doesn't exist yet, in a folder that can be written."
                ) from error
            header = {"ragnb": FORMAT, "start": adapters()[3].dump_python(start, mode="json")}
            self._file.write(json.dumps(header).encode() + b"\n")

    def add(self, entry: Entry) -> None:
        """Append an entry below its parent."""
        if self._file is not None:
            actions, values, usages, _ = adapters()
            self._write(
                {
                    "entry": entry.id,
                    "parent": entry.parent,
                    "action": actions.dump_python(entry.action, mode="json"),
                    "value": values.dump_python(entry.outcome.value, mode="json"),
                    "usage": usages.dump_python(entry.outcome.usage, mode="json"),
                    "by": entry.by,
                }
            )
        self.put(entry)

    def put(self, entry: Entry) -> None:
        """Take an entry into memory alone.

        Raises:
            ValueError: Its parent is not there.
        """
        if entry.parent and entry.parent not in self.entries:
            raise ValueError(f"entry {entry.id} follows {entry.parent}, which is not there")
        self.entries[entry.id] = entry
        self.children.setdefault(entry.parent, []).append(entry.id)

    def set_head(self, name: str, head: str, tip: str) -> None:
        """Remember where a loop stands, and how far its branch goes."""
        if self.heads.get(name) != (head, tip):
            self.heads[name] = (head, tip)

    def path(self, head: str) -> tuple[Entry, ...]:
        """Return the entries from the start to an entry."""
        found = []
        while head:
            entry = self.entries[head]
            found.append(entry)
            head = entry.parent
        return tuple(reversed(found))

    def states(self, head: str) -> list[State]:
        """Return the states on the path to an entry, the start first: the fold of advance."""
        states = [self.start]
        for entry in self.path(head):
            states.append(advance(states[-1], entry.action, entry.outcome))
        return states

    @property
    def tip(self) -> str:
        """The id of the entry that was added last, or an empty string."""
        return next(reversed(self.entries), "")

    def save(self, path: str | Path) -> None:
        """Write the whole trace into a new file.

        Raises:
            TraceError: The file exists already, or can't be written.
        """
        copy = Trace(self.start, path)
        for entry in self.entries.values():
            copy.add(entry)
        copy.close()

    def close(self) -> None:
        """Close the file; the trace stays in memory."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @classmethod
    def load(cls, path: str | Path) -> "Trace":
        """Read a trace back; all whole lines of a half-written file are recovered.

        Raises:
            TraceError: The file is no trace, is of a newer version, or holds nothing whole.
        """
        try:
            lines = Path(path).read_bytes().split(b"\n")
        except OSError as error:
            raise TraceError(f"{str(path)!r} can't be read ({error.strerror}).") from error
        texts = Texts()
        trace = _header(lines[0], texts, path)
        for number, line in enumerate(lines[1:], start=2):
            if not line:
                continue
            try:
                entry = _read(json.loads(line), texts)
                if entry is not None:
                    trace.put(entry)
            except (ValueError, KeyError, TypeError) as error:
                trace.lost = f"Line {number} and what follows it is not whole: {error}"
                break
        return trace

    def _write(self, data: dict[str, Any]) -> None:
        if self._file is None:
            return
        new: list[tuple[str, str]] = []
        packed = self._texts.pack(data, new)
        lines = [{"text": text_id, "is": text} for text_id, text in new] + [packed]
        encoded = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        self._file.write(encoded.encode())


def _read(line: dict[str, Any], texts: Texts) -> Entry | None:
    """Return the entry of a line, or take the text that the line holds."""
    if "text" in line:
        texts.by_id[line["text"]] = line["is"]
        return None
    line = texts.unpack(line)
    actions, values, usages, _ = adapters()
    return Entry(
        id=line["entry"],
        parent=line["parent"],
        action=actions.validate_python(line["action"]),
        outcome=Outcome(
            value=values.validate_python(line["value"]),
            usage=usages.validate_python(line["usage"]),
        ),
        by=line["by"],
    )


def _header(line: bytes, texts: Texts, path: str | Path) -> Trace:
    """Read the first line: the format's version and the state at the start."""
    try:
        data = json.loads(line)
        version = data["ragnb"]
    except (ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{str(path)!r} is not a trace of ragnb: {error}") from error
    if version > FORMAT:
        raise TraceError(
            f"{str(path)!r} is of format {version}; this ragnb reads up to {FORMAT}. "
            "Open it with a newer ragnb."
        )
    try:
        return Trace(adapters()[3].validate_python(data["start"]), texts=texts)
    except (ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{str(path)!r} has no readable start: {error}") from error
