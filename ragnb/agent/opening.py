"""Open a saved trace, also a stranger's: nothing is run, and sizes and depths are bounded."""

import json
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragnb.agent.entry import Entry, entry_of
from ragnb.agent.outcomes import Found
from ragnb.agent.trace import FORMAT, Head, Trace
from ragnb.agent.wire import Texts, adapters
from ragnb.errors import TraceError
from ragnb.records import Context, Evidence

__all__ = ["LONGEST_LINE", "open_trace"]

LONGEST_LINE = 64 * 2**20
"""Bytes that one line of a trace may have."""
LARGEST = 2**30
"""Bytes that a trace may have."""
_BROKEN = (ValueError, KeyError, TypeError, RecursionError, AttributeError)


def open_trace(path: str | Path) -> Trace:
    """Read a trace back; all whole lines of a half-written file are recovered.

    Quotes are checked against the texts in the file; one that doesn't stand there is marked as
    not verified, so that it grounds nothing.

    Raises:
        TraceError: The file can't be read, is no trace, is too large or of a newer version.
    """
    path = Path(path)
    lines = _lines(path)
    try:
        trace, texts, size = _header(next(lines, b""), path)
        trace.path = path
        for number, line in enumerate(lines, start=2):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("it has no end")
                _take(trace, texts, json.loads(line))
            except _BROKEN as error:
                why = str(error) or type(error).__name__
                trace.lost = f"Line {number} is not whole ({why[:200]}); it and the rest are lost."
                break
            size += len(line)
    finally:
        lines.close()
    trace.whole = size
    return trace


def _lines(path: Path) -> Generator[bytes, None, None]:
    try:
        if path.stat().st_size > LARGEST:
            raise TraceError(f"{str(path)!r} is larger than {LARGEST} bytes, the limit of a trace.")
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise TraceError(
                        f"{str(path)!r} has a line of more than {LONGEST_LINE} bytes, the limit."
                    )
                yield line
    except OSError as error:
        raise TraceError(f"{str(path)!r} can't be read ({error.strerror}).") from error


def _header(line: bytes, path: Path) -> tuple[Trace, Texts, int]:
    """Read the first line: the format's version, the configuration and the start."""
    try:
        data = json.loads(line)
        version = data["ragnb"]
        if not isinstance(version, int):
            raise TypeError(f"its version is {version!r}")
    except _BROKEN as error:
        raise TraceError(f"{str(path)!r} is not a trace of ragnb: {error}") from error
    if version > FORMAT:
        raise TraceError(
            f"{str(path)!r} is of format {version}; this ragnb reads up to {FORMAT}. "
            "Open it with a newer ragnb."
        )
    texts = Texts()
    try:
        start = adapters()[3].validate_python(data["start"])
        config = {str(name): str(value) for name, value in data.get("config", {}).items()}
        return Trace(start, config=config, texts=texts), texts, len(line)
    except _BROKEN as error:
        raise TraceError(f"{str(path)!r} has no readable start: {error}") from error


def _take(trace: Trace, texts: Texts, line: Any) -> None:
    if "text" in line:
        texts.by_id[str(line["text"])] = str(line["is"])
        return
    line = texts.unpack(line)
    if "entry" in line:
        trace.put(_checked(entry_of(line), trace))
    elif "head" in line:
        at, tip = line["at"], line["tip"]
        for entry_id in (at, tip):
            trace.state(entry_id)  # an unknown id is a KeyError
        trace.heads.pop(str(line["head"]), None)
        trace.heads[str(line["head"])] = Head(at=at, tip=tip)
    elif "intent" in line:
        trace.intents[str(line["intent"])] = str(line["tool"])
    elif "note" in line:
        trace.notes.append(str(line["note"]))
    else:
        raise ValueError(f"a line of no known kind: {sorted(line)[:5]}")


def _checked(entry: Entry, trace: Trace) -> Entry:
    """Mark quotes that don't stand in the texts of the file."""
    value = entry.outcome.value
    if not isinstance(value, Found):
        return entry
    contexts = {item.id: item for item in trace.state(entry.parent).contexts}
    if value.context is not None:
        contexts[value.context.id] = value.context
    evidence = tuple(
        item if _stands(item, contexts) else replace(item, verified=False)
        for item in value.evidence
    )
    if evidence == value.evidence:
        return entry
    trace.notes.append(f"Step {entry.id}: a quote does not stand in the text it names.")
    return replace(entry, outcome=replace(entry.outcome, value=replace(value, evidence=evidence)))


def _stands(item: Evidence, contexts: dict[str, Context]) -> bool:
    """Check a quote where the file holds its text; a file of quotes alone can't be checked."""
    context = contexts.get(item.context_id)
    if context is None or not item.verified:
        return context is not None or not contexts
    if not context.text and context.end > context.start:
        return True
    return context.text[item.start - context.start : item.end - context.start] == item.quote
