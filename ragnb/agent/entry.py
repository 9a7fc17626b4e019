"""One step of a trace, and the JSON line that holds it."""

from dataclasses import dataclass
from typing import Any, Literal

from ragnb.agent.actions import Action
from ragnb.agent.outcomes import Outcome
from ragnb.agent.wire import adapters, exchanges_adapter

__all__ = ["Entry", "entry_of", "line_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One step of a trace; its id is its position, its parent's that of the entry before it.

    ``key`` is what its outcome is recorded under, with ``occurrence`` for equal calls of a stage
    that is not deterministic; ``reused`` names the entry whose outcome was given back.
    """

    id: str
    parent: str
    action: Action
    outcome: Outcome
    by: Literal["policy", "person"] = "policy"
    branch: str = "main"
    key: str = ""
    occurrence: int = 0
    reused: str = ""


def line_of(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON data."""
    actions, values, usages, _ = adapters()
    line = {
        "entry": entry.id,
        "parent": entry.parent,
        "action": actions.dump_python(entry.action, mode="json"),
        "value": values.dump_python(entry.outcome.value, mode="json"),
        "usage": usages.dump_python(entry.outcome.usage, mode="json"),
        "by": entry.by,
        "branch": entry.branch,
    }
    if entry.outcome.notes:
        line["notes"] = list(entry.outcome.notes)
    if entry.outcome.provisional:
        line["provisional"] = True
    if entry.outcome.exchanges:
        asked = exchanges_adapter().dump_python(entry.outcome.exchanges, mode="json")
        line["exchanges"] = asked
    if entry.key:
        line |= {"key": entry.key, "occurrence": entry.occurrence, "reused": entry.reused}
    return line


def entry_of(line: dict[str, Any]) -> Entry:
    """Return the entry of JSON data.

    Raises:
        ValueError, KeyError, TypeError: The data is no entry.
    """
    actions, values, usages, _ = adapters()
    texts = {name: line[name] for name in ("entry", "parent", "by", "branch")}
    texts |= {name: line.get(name, "") for name in ("key", "reused")}
    for name, value in texts.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}, expected a text")
    if line["by"] not in {"policy", "person"}:
        raise ValueError(f"by is {line['by']!r}, expected 'policy' or 'person'")
    return Entry(
        id=line["entry"],
        parent=line["parent"],
        action=actions.validate_python(line["action"]),
        outcome=Outcome(
            value=values.validate_python(line["value"]),
            usage=usages.validate_python(line["usage"]),
            notes=_notes(line),
            provisional=line.get("provisional") is True,
            exchanges=exchanges_adapter().validate_python(line.get("exchanges", [])),
        ),
        by=line["by"],
        branch=line["branch"],
        key=texts["key"],
        occurrence=int(line.get("occurrence", 0)),
        reused=texts["reused"],
    )


def _notes(line: dict[str, Any]) -> tuple[str, ...]:
    notes = line.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(text, str) for text in notes):
        raise TypeError(f"notes is {notes!r}, expected texts")
    return tuple(notes)
