"""How a plan enters the state, and what looking back at one of its steps changes; all pure.

Placeholders are filled as soon as the steps that they name are over.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from ragnb.agent.state import State
from ragnb.records import PlanStep, Reflection, SubQuestion
from ragnb.records.planned import OWN_TOOLS
from ragnb.text import PLACEHOLDER, keywords, question_kind

__all__ = ["ITEMS", "RETRIES", "laid_out", "one_step", "reflected"]

ITEMS: Final = 6
"""Items of a list that a step is done for at most."""
RETRIES: Final = 2
"""Attempts at a step after the first."""
_USED: Final = 2
"""Names of an earlier step that are put into one argument at most."""


def one_step(state: State) -> PlanStep:
    """Return the only step of a plan that nobody made: a search for the goal."""
    goal = state.normalized_goal or state.goal
    return PlanStep(id="s1", tool="search", arguments={"query": keywords(goal)}, question=goal)


def laid_out(state: State, steps: Sequence[PlanStep]) -> State:
    """Return the state with the steps of a plan, each with the question that it serves."""
    texts = {step.id: step.question for step in steps}
    placed: list[PlanStep] = []
    for step in steps:
        over = step.status != "pending"
        if over or (step.question_id and state.question(step.question_id)):
            placed.append(step)
            continue
        text = _described(step.question, texts) or state.normalized_goal or state.goal
        needed = not any(step.id in other.depends_on for other in steps)
        question = SubQuestion.of(text, kind=question_kind(text), required=needed)
        if state.question(question.id) is None:
            state = replace(state, questions=(*state.questions, question))
        placed.append(replace(step, question_id=question.id))
    served = {step.question_id for step in placed}
    told = {item.question_id for item in state.evidence}
    kept = tuple(item for item in state.questions if item.id in served | told)
    return _bound(replace(state, plan_steps=tuple(placed), questions=kept))


def _described(text: str, texts: dict[str, str]) -> str:
    """Put the question of a step in the place of what it will find."""
    told = PLACEHOLDER.sub(
        lambda m: f"({texts[m['id']].rstrip('?？. ')})" if texts.get(m["id"]) else "", text
    )
    return " ".join(PLACEHOLDER.sub("", told).split())


def reflected(state: State, look: Reflection) -> State:
    """Return the state after a look back at a step: it is over, or gets another attempt."""
    step = state.plan_step(look.step)
    if step is None:
        return state
    again = _again(step, look) if look.next == "retry" else None
    if again is not None:
        return _put(state, again)
    status = "failed" if look.next == "retry" or look.status == "pending" else look.status
    over = replace(
        step, status=status, result=look.result, found=look.found, error=look.error or step.error
    )
    state = _put(state, over)
    if look.next == "finish":
        skipped = tuple(
            replace(item, status="skipped", result="not needed any more")
            if item.status == "pending"
            else item
            for item in state.plan_steps
        )
        return replace(state, plan_steps=skipped)
    if look.next in {"replan", "retry"}:
        state = replace(state, replan=look.reason or look.error or "A step came to nothing.")
    return _bound(_expanded(state, over))


def _again(step: PlanStep, look: Reflection) -> PlanStep | None:
    """Return the step for another attempt; None where nothing would be done otherwise."""
    tool = look.tool or step.tool
    arguments = look.arguments or step.arguments
    same = (tool, arguments) == (step.tool, step.arguments)
    if same or step.attempts > RETRIES:
        return None
    return replace(step, tool=tool, arguments=arguments, attempts=step.attempts + 1)


def _put(state: State, *steps: PlanStep) -> State:
    new = {step.id: step for step in steps}
    return replace(state, plan_steps=tuple(new.get(step.id, step) for step in state.plan_steps))


def _expanded(state: State, source: PlanStep) -> State:
    """Put a step for each item of a list in the place of the one for all."""
    found: list[PlanStep] = []
    for step in state.plan_steps:
        if step.for_each != source.id or step.status != "pending":
            found.append(step)
            continue
        items = source.found[:ITEMS]
        if not items:
            error = f"Step {source.id} gave no list to go through."
            found.append(replace(step, status="skipped", error=error))
            continue
        of = len(source.found)
        error = "" if of <= ITEMS else f"Only the first {ITEMS} of {of} were looked at."
        told = f"for each of {len(items)}"
        found.append(replace(step, status="done", result=told, error=error))
        for number, item in enumerate(items, start=1):
            filled = _filled(step, {"item": (item,)})
            found.append(replace(filled, id=f"{step.id}.{number}", for_each="", question_id=""))
            state = _asks(state, step, found[-1].question)
        parts = tuple(each.id for each in found[-len(items) :])
        found = [
            replace(each, depends_on=(*each.depends_on, *parts))
            if step.id in each.depends_on and each.id not in parts
            else each
            for each in found
        ]
    by_text = {item.text: item.id for item in state.questions}
    found = [
        each if each.question_id else replace(each, question_id=by_text.get(each.question, ""))
        for each in found
    ]
    return replace(state, plan_steps=tuple(found))


def _asks(state: State, step: PlanStep, text: str) -> State:
    """Put a question into the state, the first time in the place of the step's own."""
    old = state.question(step.question_id)
    required = old.required if old else True
    new = SubQuestion.of(text, kind=question_kind(text), required=required)
    if state.question(new.id):
        return state
    others = any(
        each.question_id == step.question_id and each.id != step.id for each in state.plan_steps
    )
    told = any(item.question_id == step.question_id for item in state.evidence)
    kept = state.questions
    if old is not None and not others and not told:
        kept = tuple(item for item in kept if item.id != old.id)
    return replace(state, questions=(*kept, new))


def _bound(state: State) -> State:
    """Fill the placeholders of steps whose forerunners are over."""
    over = {step.id: step for step in state.plan_steps if step.status != "pending"}
    for step in state.plan_steps:
        waits = [name for name in step.depends_on if name not in over]
        if step.status != "pending" or waits or not _open(step):
            continue
        words = step.tool not in OWN_TOOLS
        found = {name: _found(name, state.plan_steps, words=words) for name in over}
        filled = _filled(step, found)
        named = PLACEHOLDER.findall(step.question)
        if named and all(found.get(name) for name in named):
            state = _asks(state, step, filled.question)
            text_id = SubQuestion.of(filled.question).id
            filled = replace(filled, question_id=text_id)
        else:
            old = state.question(step.question_id)
            filled = replace(filled, question=old.text if old else filled.question)
        state = _put(state, filled)
    return state


def _found(name: str, steps: Sequence[PlanStep], *, words: bool) -> tuple[str, ...]:
    """Return what a step and its parts found: names, or for a tool all of it in words."""
    parts = [s for s in steps if s.id == name or s.id.startswith(f"{name}.")]
    if words:
        more = [[name for name in part.found if name not in part.result] for part in parts]
        lines = [
            f"{part.result} ({', '.join(names)})" if names else part.result
            for part, names in zip(parts, more, strict=True)
        ]
        told = "\n".join(line for line in lines if line)
        return (told,) if told else ()
    return tuple(dict.fromkeys(item for part in parts for item in part.found))


def _open(step: PlanStep) -> bool:
    told = json.dumps(step.arguments, ensure_ascii=False, default=str)
    return bool(PLACEHOLDER.search(step.question) or PLACEHOLDER.search(told))


def _filled(step: PlanStep, found: dict[str, tuple[str, ...]]) -> PlanStep:
    def fill(value: Any, most: int) -> Any:
        if isinstance(value, str):
            text = PLACEHOLDER.sub(
                lambda m: " ".join(found[m["id"]][:most]) if m["id"] in found else m.group(), value
            )
            return text if text == value else text.strip()
        if isinstance(value, dict):
            return {name: fill(item, most) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [fill(item, most) for item in value]
        return value

    each = "item" in found
    return replace(
        step,
        arguments=fill(step.arguments, _USED),
        question=fill(step.question, 1),
        reason=fill(step.reason, 1) if each else step.reason,
    )
