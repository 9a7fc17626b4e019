"""A run as rows, one a step: what a table, a log or a test looks at."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ragnb.agent.actions import Action
from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import Value
from ragnb.agent.state import State

__all__ = ["rows"]


def rows(entries: Sequence[Entry], states: Sequence[State]) -> list[dict[str, Any]]:
    """Return a row for each entry; ``states`` has one more, the start first."""
    goal = states[0].goal
    found = []
    for number, (entry, after) in enumerate(zip(entries, states[1:], strict=True), start=1):
        usage = entry.outcome.usage
        found.append(
            {
                "run": entries[0].id + ":" + entries[-1].id,
                "goal": goal,
                "step": number,
                "action": entry.action.kind,
                "by": entry.by,
                "query": _query(entry.action),
                "went_in": _line(entry.action),
                "came_out": _came_out(entry.outcome.value),
                "sources": _sources(entry.outcome.value),
                "evidence": len(after.evidence),
                "gaps": len(after.open_gaps),
                "latency_ms": round(usage.seconds * 1000, 3),
                "tokens": usage.tokens,
                "money": usage.money,
                "unpriced": usage.unpriced,
                "notes": " ".join(
                    (*getattr(entry.outcome.value, "notes", ()), *entry.outcome.notes)
                ),
                "stop_reason": after.stop.code if after.stop else "",
            }
        )
    return found


def _query(action: Action) -> str:
    query = getattr(action, "query", None)
    return query.text if query is not None else ""


def _line(action: Action) -> str:
    parts = []
    for item in fields(action):
        value = getattr(action, item.name)
        if item.name in {"kind", "reason"} or value in (None, (), "", False):
            continue
        text = getattr(value, "text", None) or getattr(value, "name", None) or value
        parts.append(f"{item.name}={text}")
    return ", ".join(parts)


def _sources(value: Value) -> tuple[str, ...]:
    match value.kind:
        case "hits" | "ranked":
            found = [hit.source_id for hit in value.hits]
        case "text_read":
            found = [value.context.source_id]
        case "found":
            found = [item.source_id for item in value.evidence]
        case _:
            found = []
    return tuple(dict.fromkeys(found))


def _count(things: Sequence[object], one: str, many: str) -> str:
    return f"{len(things)} {one if len(things) == 1 else many}"


def _came_out(value: Value) -> str:  # noqa: C901, PLR0911, PLR0912 - one match over the union
    match value.kind:
        case "planned":
            questions = _count(value.questions, "question", "questions")
            return f"{questions}, {_count(value.queries, 'query', 'queries')}"
        case "hits":
            return _count(value.hits, "hit", "hits")
        case "ranked":
            return f"{len(value.hits)} kept"
        case "text_read":
            context = value.context
            return f"{context.scope} of {context.source_id}, {len(context.text)} characters"
        case "found":
            return _count(value.evidence, "quote", "quotes")
        case "assessed":
            gaps = _count(value.gaps, "gap", "gaps")
            conflicts = _count(value.conflicts, "conflict", "conflicts")
            return f"{value.verdict}: {gaps}, {conflicts}"
        case "answered":
            return _count(value.answer.conclusions, "conclusion", "conclusions")
        case "failed" | "refused":
            return value.text
        case "routed":
            return value.routing.policy
        case "recalled":
            return _count(value.items, "memory", "memories")
        case "proposed":
            return f"{value.by}: " + ", ".join(call.name for call in value.calls)
        case "decided":
            return "yes" if value.allowed else "no"
        case "tool_done":
            return value.result
        case "stopped":
            return "the end"
        case "edited":
            return "changed by a person"
