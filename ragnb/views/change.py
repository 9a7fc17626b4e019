"""What a step changed in the state: before and after, line by line."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from ragnb.agent.state import State
from ragnb.agent.until import Step
from ragnb.views.look import muted
from ragnb.views.markup import Html, joined, tag
from ragnb.views.toolcalls import call_words
from ragnb.views.words import GAPS, count, evidence_name, missing, question_name, short

__all__ = ["Change", "change_parts", "change_text", "changes"]

Change: TypeAlias = tuple[str, str, str]
"""A sign (+ came, − went, ~ became another, = stayed), what it is about, and the words."""
SHOWN: Final = 30


def changes(step: Step) -> list[Change]:
    """Return all that a step changed; what stayed is one line at the end."""
    before, after = step.before, step.after
    found = [
        *_fields(before, after),
        *_steps(before, after),
        *_questions(before, after),
        *_searches(before, after),
        *_evidence(before, after),
        *_gaps(before, after),
        *_conflicts(before, after),
        *_end(before, after),
    ]
    return [*found, ("=", "now", _now(after))]


def change_parts(step: Step) -> dict[str, Html]:
    """Return the changes of a step as one part."""
    found = changes(step)
    lines = [_row(item) for item in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(muted(f"and {len(found) - SHOWN} changes more"))
    return {"change": joined(lines)}


def change_text(step: Step) -> str:
    """Return the changes of a step as plain text."""
    return "\n".join(f"{sign} {about}: {words}" for sign, about, words in changes(step))


def _row(item: Change) -> Html:
    sign, about, words = item
    style = "margin:0 0 2px 0;padding:0 0 0 16px;text-indent:-16px"
    if sign == "=":
        return tag("p", muted(f"{sign} {words}"), style=style)
    return tag("p", f"{sign} ", tag("b", about), f" {words}", style=style)


def _fields(before: State, after: State) -> Iterator[Change]:
    if before.goal != after.goal:
        yield "~", "goal", f"{short(before.goal)} → {short(after.goal)}"
    if before.filters != after.filters:
        yield "~", "filters", f"{short(str(before.filters))} → {short(str(after.filters))}"
    if before.budget != after.budget:
        yield "~", "budget", f"{short(str(before.budget), 200)} → {short(str(after.budget), 200)}"
    if before.route != after.route and after.route:
        yield "+", "route", f"{short(after.route.kind)}, policy {short(after.route.policy)}"
    for item in after.recalled:
        if item not in before.recalled:
            yield "+", "memory", short(item)
    for call in after.calls:
        old = before.call(call.id)
        if old != call:
            came = f"{call.status}. {short(call.result, 90)}".rstrip(". ")
            yield "~" if old else "+", "tool", f"{call_words(call)}: {came}"
    for failure in after.failures[len(before.failures) :]:
        yield "+", "failure", short(failure.text)


def _steps(before: State, after: State) -> Iterator[Change]:
    old_steps = {step.id: step for step in before.plan_steps}
    for step in after.plan_steps:
        old_step = old_steps.get(step.id)
        if old_step is None:
            yield "+", f"step {step.id}", f"{short(step.tool)}, {step.status}"
        elif old_step != step:
            how = f"{old_step.status} → {step.status}"
            if old_step.status == step.status:
                how = f"attempt {step.attempts}" if step.attempts > 1 else "with what was found"
            yield "~", f"step {step.id}", f"{how} {short(step.error or step.result)}".strip()


def _questions(before: State, after: State) -> Iterator[Change]:
    if before.questions == after.questions:
        return
    old = {item.id for item in before.questions}
    new = {item.id for item in after.questions}
    for item in before.questions:
        if item.id not in new:
            yield "−", "question", short(item.text)
    for item in after.questions:
        if item.id not in old:
            yield "+", f"question {question_name(after, item.id)}", short(item.text)


def _searches(before: State, after: State) -> Iterator[Change]:
    for search in after.searches:
        old = before.search(search.query.id)
        text = f"“{short(search.query.text)}”"
        hits = count(len(search.hits), "passage")
        if old is None:
            sent = search.status == "asked"
            yield "+", "search", f"{text}: {hits}" if sent else f"{text} is {search.status}"
        elif old.status != search.status:
            result = f", {hits}" if search.status == "asked" else ""
            yield "~", "search", f"{text}: {old.status} → {search.status}{result}"
        if search.ranked is not None and (old is None or old.ranked != search.ranked):
            yield "~", "order", f"of {text}: {hits} → {len(search.ranked)} to be read"
    known = {item.id for item in before.contexts}
    for context in after.contexts:
        if context.id not in known:
            name = short(context.title or context.source_id)
            yield "+", "text", f"{context.scope} of {name}, {len(context.text):,} characters"


def _evidence(before: State, after: State) -> Iterator[Change]:
    old = {item.id for item in before.evidence}
    new = {item.id for item in after.evidence}
    for item in after.evidence:
        if item.id not in old:
            about = f"quote {evidence_name(after, item.id)}"
            name = question_name(after, item.question_id)
            yield "+", about, f"on {name}, {item.support}: {short(item.in_short)}"
    for item in before.evidence:
        if item.id not in new:
            yield "−", f"quote {evidence_name(before, item.id)}", short(item.in_short)


def _gaps(before: State, after: State) -> Iterator[Change]:
    old = {(gap.key, gap.opened_at): gap for gap in before.gaps}
    for gap in after.gaps:
        was = old.get((gap.key, gap.opened_at))
        about = f"gap on {question_name(after, gap.question_id)}"
        if was is None:
            yield "+", about, f"{missing(after, gap)}. {short(gap.detail)}".strip()
        elif was.closed_at is None and gap.closed_at is not None:
            yield "−", about, f"{GAPS[gap.reason]}: closed"
        elif not was.waived and gap.waived:
            yield "−", about, f"{GAPS[gap.reason]}: waived by a person"
        elif was.detail != gap.detail:
            yield "~", about, f"{short(was.detail)} → {short(gap.detail)}"


def _conflicts(before: State, after: State) -> Iterator[Change]:
    old = {item.key: item for item in before.conflicts}
    says = {item.id: short(item.in_short, 90) for item in after.evidence}
    for item in after.conflicts:
        was = old.get(item.key)
        about = f"conflict on {question_name(after, item.question_id)}"
        sides = f"{says.get(item.first, '?')} or {says.get(item.second, '?')}"
        if was is None:
            how = "" if item.status == "open" else f", {item.status} {short(item.rule)}".rstrip()
            yield "+", about, f"{sides}{how}"
        elif was.status != item.status or was.winner != item.winner:
            rule = f" by {short(item.rule)}" if item.rule else ""
            yield "~", about, f"{sides}: {was.status} → {item.status}{rule}"


def _end(before: State, after: State) -> Iterator[Change]:
    if len(after.assessments) > len(before.assessments):
        new = after.assessments[-1].verdict
        old = before.assessments[-1].verdict if before.assessments else "none yet"
        yield "~", "verdict", f"{old} → {new}" if old != new else f"{new}, as before"
    if before.answer != after.answer:
        if after.answer is None:
            yield "−", "answer", "set aside by what came in"
        else:
            words = count(len(after.answer.conclusions), "conclusion")
            yield "~" if before.answer else "+", "answer", words
    if before.stop != after.stop:
        yield "~", "end", short(after.stop.text) if after.stop else "goes on again"


def _now(state: State) -> str:
    parts = [
        count(len(state.evidence), "quote"),
        count(len(state.asked), "search", "searches"),
        count(len(state.visited), "document") + " read",
        count(len(state.open_gaps), "open gap"),
        count(len(state.open_conflicts), "open conflict"),
    ]
    left = sum(item.status == "unresolved" for item in state.conflicts)
    parts += [f"{count(left, 'conflict')} that nothing settles"] if left else []
    return ", ".join(parts)
