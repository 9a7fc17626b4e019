"""Make a plan that can be carried out of any plan, and say what was mended.

A plan may come from a model: its tools may not exist, its steps may wait for one another in a
circle. Nothing of that is an error; it is mended, and each mending is one sentence.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragnb.records.planned import MOST_STEPS, OWN_TOOLS, PlanStep
from ragnb.text import PLACEHOLDER, keywords

__all__ = ["repaired"]


def repaired(
    steps: Sequence[PlanStep],
    *,
    tools: Collection[str] = (),
    fields: Collection[str] = (),
    before: Collection[str] = (),
) -> tuple[tuple[PlanStep, ...], tuple[str, ...]]:
    """Return steps that can be carried out, and what was mended.

    Args:
        steps: The steps that were planned.
        tools: Names of tools beside `OWN_TOOLS`.
        fields: Metadata fields that searches can filter by, with or without ``meta.``.
        before: Ids of steps that are done already, and so may be waited for.

    Returns:
        At most `MOST_STEPS` steps with ids of their own, in an order in which each comes after
        what it waits for; and a sentence for each mending.
    """
    notes: list[str] = []
    kept = list(steps[:MOST_STEPS])
    if len(steps) > MOST_STEPS:
        notes.append(f"The plan had {len(steps)} steps; the first {MOST_STEPS} are kept.")
    kept = _named_apart(kept, set(before), notes)
    known = {*before, *(step.id for step in kept)}
    bare = {field.removeprefix("meta.") for field in fields}
    able = {*OWN_TOOLS, *tools}
    kept = [_sound(step, able, bare, known, notes) for step in kept]
    return tuple(_ordered(kept, set(before), notes)), tuple(notes)


def _named_apart(steps: Iterable[PlanStep], taken: set[str], notes: list[str]) -> list[PlanStep]:
    found: list[PlanStep] = []
    for step in steps:
        name = step.id if re.fullmatch(r"[A-Za-z][\w.]{0,20}", step.id) else "s1"
        number = 1
        while name in taken:
            name, number = f"s{number}", number + 1
        if name != step.id:
            notes.append(f"A step called “{step.id[:40]}” is now {name}, for a name of its own.")
        taken.add(name)
        found.append(replace(step, id=name))
    return found


def _sound(
    step: PlanStep, able: set[str], fields: set[str], known: set[str], notes: list[str]
) -> PlanStep:
    """Give a step a tool that there is, arguments that it can take and steps that there are."""
    step, told = _waiting(step, known)
    notes += told
    arguments = {str(name): value for name, value in step.arguments.items()}
    if step.tool not in able:
        words = " ".join(str(value) for value in arguments.values() if isinstance(value, str))
        notes.append(f"Step {step.id} asked for a tool “{step.tool[:40]}” that is not here.")
        arguments = {"query": step.question or words}
        step = replace(step, tool="search", effects=False)
    step = _fit(replace(step, arguments=arguments), notes)
    if step.tool != "search":
        return step
    return replace(step, arguments=_searching(step, step.arguments, fields, notes))


def _fit(step: PlanStep, notes: list[str]) -> PlanStep:
    """Let a step that has nothing to read search, and one that searches have words for it."""
    arguments = step.arguments
    if step.tool == "read" and not str(arguments.get("id", "")).strip():
        notes.append(f"Step {step.id} names nothing to read; it searches.")
        step, arguments = replace(step, tool="search"), {}
    if step.tool == "search" and not str(arguments.get("query") or "").strip():
        arguments = {**arguments, "query": keywords(step.question or step.reason)}
    return replace(step, arguments=arguments)


def _waiting(step: PlanStep, known: Collection[str]) -> tuple[PlanStep, list[str]]:
    """Let a step wait for the steps that it names and that there are, and for no others."""
    waits = [*step.depends_on, *_named(step.arguments), *_named(step.question)]
    waits += [step.for_each] if step.for_each else []
    missing = {name for name in waits if name not in known or name == step.id} - {"item"}
    each = step.for_each if step.for_each not in missing else ""
    lost = missing if each else missing | {"item"}
    step = replace(
        step,
        arguments=_without(step.arguments, lost),
        question=str(_without(step.question, lost)),
        for_each=each,
        depends_on=tuple(dict.fromkeys(n for n in waits if n not in missing and n != "item")),
    )
    return step, [
        f"Step {step.id} waits for a step {name[:40]} that is not there."
        for name in sorted(missing)
    ]


def _searching(
    step: PlanStep, arguments: dict[str, Any], fields: set[str], notes: list[str]
) -> dict[str, Any]:
    """Keep keywords and filters over fields that there are."""
    given = arguments.get("query")
    asked = given if isinstance(given, str) and given.strip() else step.question or step.reason
    made: dict[str, Any] = {"query": keywords(asked)}
    filters = arguments.get("filters")
    if isinstance(filters, Mapping) and not {"operator", "conditions"} & set(filters):
        bare = {str(name).removeprefix("meta."): value for name, value in filters.items()}
        unknown = sorted(set(bare) - fields)
        if unknown:
            notes.append(
                f"Step {step.id} filters by {', '.join(unknown)[:80]}; no document has it."
            )
        plain = str | int | float | bool
        filters = {n: v for n, v in bare.items() if n in fields and isinstance(v, plain)}
    if isinstance(filters, Mapping) and filters:
        made["filters"] = dict(filters)
    channels = arguments.get("channels")
    if isinstance(channels, list | tuple) and channels:
        made["channels"] = [str(name) for name in channels]
    if isinstance(arguments.get("intent"), str):
        made["intent"] = arguments["intent"]
    return made


def _named(value: object) -> list[str]:
    """Return the steps that placeholders in a text, or in the texts of arguments, name."""
    if isinstance(value, str):
        return [mark["id"] for mark in PLACEHOLDER.finditer(value)]
    if isinstance(value, Mapping):
        return [name for item in value.values() for name in _named(item)]
    if isinstance(value, list | tuple):
        return [name for item in value for name in _named(item)]
    return []


def _without(value: Any, lost: Collection[str]) -> Any:
    """Return texts without the placeholders of steps that are not there."""
    if isinstance(value, str):
        kept = PLACEHOLDER.sub(lambda m: "" if m["id"] in lost else m.group(), value)
        return kept if kept == value else " ".join(kept.split())
    if isinstance(value, Mapping):
        return {name: _without(item, lost) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without(item, lost) for item in value]
    return value


def _ordered(steps: list[PlanStep], done: set[str], notes: list[str]) -> list[PlanStep]:
    """Put each step behind what it waits for; where they wait in a circle, the first goes."""
    found: list[PlanStep] = []
    left = list(steps)
    while left:
        free = next((step for step in left if set(step.depends_on) <= done), None)
        if free is None:
            free = left[0]
            notes.append(f"Steps wait for one another in a circle; {free.id} goes first.")
            free, _ = _waiting(free, done)
            free = _fit(free, [])
        left = [step for step in left if step.id != free.id]
        done.add(free.id)
        found.append(free)
    return found
