"""Plan again by rule: a substitute for what failed, and fewer steps where the budget ends."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ragnb.records import PlanStep
from ragnb.records.planned import REMOVED
from ragnb.stages.hops import hop, sides, without_document
from ragnb.stages.templates import search_step
from ragnb.text.keywords import keywords
from ragnb.text.values import names

__all__ = ["replanned"]

_NAMES: Final = 3
"""Names of the goal that are added to a search at most."""


def replanned(
    goal: str, steps: Sequence[PlanStep], left: int | None
) -> tuple[list[PlanStep], list[str]]:
    """Return the steps after a failure: what failed gets a substitute, what waited for it too.

    Args:
        goal: The goal.
        steps: All steps so far, with their results.
        left: Searches that are left, where they are fewer than the steps; else None.

    Returns:
        All steps, and what was changed in words.
    """
    if left is not None:
        return _cut(steps, left)
    made: list[PlanStep] = []
    told: list[str] = []
    lost = {step.id for step in steps if step.status == "failed"}
    number = 1 + max((int(m[1]) for s in steps if (m := re.match(r"s(\d+)", s.id))), default=0)
    for at, old in enumerate(steps):
        step, later = old, steps[at + 1 :]
        before = steps[:at]
        again = any(s.status == "failed" and _serves(s, step) for s in before)
        if step.status == "failed" and not again and not any(_serves(s, step) for s in later):
            other = _substitute(goal, step, f"s{number}")
            if other is not None:
                number += 1
                made += [replace(step, question_id=other.question_id), other]
                told.append(f"{other.id} takes the place of {step.id}.")
                continue
        if step.status == "pending" and lost & {*step.depends_on}:
            query = keywords(f"{step.arguments.get('query', '')} {goal}")
            if step.tool == "search" and query != step.arguments.get("query"):
                step = replace(step, arguments={**step.arguments, "query": query})
                told.append(
                    f"{step.id} goes on without {', '.join(sorted(lost & {*step.depends_on}))}."
                )
        made.append(step)
    return made, told


def _serves(other: PlanStep, step: PlanStep) -> bool:
    same = other.question_id == step.question_id and bool(step.question_id)
    return same and other.tool in {"search", "read"} and not other.effects


def _substitute(goal: str, step: PlanStep, name: str) -> PlanStep | None:
    """Return a search in the place of a failed step; None where it would be the same again."""
    if step.effects:
        return None
    read_on = step.tool == "read" and step.attempts > 1
    if step.tool != "search" and not read_on:
        reason = f"{step.id} came to nothing; the documents are searched in its place."
        asked = without_document(step.question or goal)
        made = search_step(name, asked, reason)
        return made if asked != step.question else replace(made, question_id=step.question_id)
    if step.error == REMOVED:
        made = search_step(name, step.question or goal, "Something else is looked for, by meaning.")
        arguments = {**made.arguments, "channels": ["vector"]}
        return replace(made, arguments=arguments, question_id=step.question_id)
    if step.depends_on and hop(goal):  # what was put into the question led nowhere
        return search_step(name, goal, f"{step.id} led nowhere; the whole goal is searched for.")
    return _with_names(goal, step, name, read_on=read_on)


def _with_names(goal: str, step: PlanStep, name: str, *, read_on: bool) -> PlanStep | None:
    """Return a search that adds the names of the goal which the step's own did not have."""
    asked = keywords(step.question) if read_on else str(step.arguments.get("query", ""))
    more = [each.text for each in names(goal) if each.text.lower() not in asked.lower()]
    if not more or sides(goal):
        return None
    reason = f"{step.id} found nothing; {', '.join(more[:_NAMES])} may lead further."
    made = search_step(name, step.question or goal, reason)
    query = " ".join([str(made.arguments["query"]), *more[:_NAMES]])
    return replace(made, arguments={"query": query}, question_id=step.question_id)


def _cut(steps: Sequence[PlanStep], left: int) -> tuple[list[PlanStep], list[str]]:
    made: list[PlanStep] = []
    told: list[str] = []
    for old in steps:
        step = old
        if step.status == "pending" and not step.for_each:
            left -= 1
            if left < 0:
                step = replace(step, status="skipped", error="No search was left for it.")
                told.append(f"{step.id} is left out: no search is left for it.")
        made.append(step)
    return made, told
