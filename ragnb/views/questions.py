"""Questions with their short answers, the supports found for them, and what is missing."""

from typing import Final

from ragnb.agent.actions import Action
from ragnb.agent.state import State
from ragnb.records import SubQuestion
from ragnb.views.look import (
    CONFLICT,
    GAP,
    GREY,
    SUPPORT,
    Icon,
    frame,
    heading,
    icon,
    muted,
    small,
)
from ragnb.views.markup import Child, Html, joined, tag
from ragnb.views.plan import plan_parts, plan_text
from ragnb.views.words import NEXT_FOR, count, missing, short

__all__ = [
    "question_parts",
    "questions_html",
    "questions_text",
    "served_by",
    "sides",
    "summary",
]

SHOWN: Final = 20
"""Questions that are shown; the rest is counted."""


def question_parts(state: State, *, serving: str = "") -> dict[str, Html]:
    """Return a head and a block for each question, by its id.

    Args:
        state: What holds them.
        serving: The id of the question that the next step works on.
    """
    parts = {"questions": heading("Questions ", muted(summary(state)))}
    for number, question in enumerate(state.questions[:SHOWN], start=1):
        parts[f"question-{question.id}"] = _block(state, question, number, serving)
    if len(state.questions) > SHOWN:
        parts["question-more"] = muted(f"and {len(state.questions) - SHOWN} more")
    return parts


def questions_html(state: State) -> str:
    """Return the questions of a state as HTML, each with its gaps."""
    return frame(plan_parts(state) | question_parts(state))


def questions_text(state: State) -> str:
    """Return the questions of a state as plain text, each with its gaps."""
    torn = {item.question_id for item in state.conflicts if item.status != "resolved"}
    told = plan_text(state)
    lines = [*([told] if told else []), f"Questions: {summary(state)}"]
    for number, question in enumerate(state.questions[:SHOWN], start=1):
        done = question.id in state.answered
        mark = "in conflict" if question.id in torn else "answered" if done else "open"
        found = count(len(state.evidence_for(question.id)), "quote")
        lines.append(f"Q{number} {mark}, {found}: {short(question.text, 400)}")
        lines += [
            f"   Missing: {missing(state, gap)}. {short(gap.detail)}".rstrip()
            for gap in state.open_gaps
            if gap.question_id == question.id
        ]
    if len(state.questions) > SHOWN:
        lines.append(f"and {len(state.questions) - SHOWN} more")
    return "\n".join(lines)


def served_by(action: Action | None, state: State) -> str:
    """Return the id of the question that an action works on; empty for none."""
    if step_id := getattr(action, "step", ""):
        steps = (step for step in state.plan_steps if step.id == step_id)
        return next((step.question_id for step in steps), "")
    query = getattr(action, "query", None)
    return str(query.question_id if query else getattr(action, "question_id", ""))


def summary(state: State) -> str:
    """Return how many questions are answered, in conflict and open."""
    torn = {item.question_id for item in state.conflicts if item.status != "resolved"}
    done = set(state.answered)
    left = len(state.questions) - len(done | torn)
    counts = [(len(done), "answered"), (len(torn), "in conflict"), (left, "open")]
    return ", ".join(f"{number} {word}" for number, word in counts if number)


def sides(state: State, question_id: str) -> list[str]:
    """Return what the two sides of a conflict that nothing settled say."""
    says = {item.id: short(item.in_short, 60) for item in state.evidence}
    found = {
        says[side]: None
        for item in state.conflicts
        if item.question_id == question_id and item.status != "resolved"
        for side in (item.first, item.second)
        if side in says
    }
    return list(found)[:4]


def _block(state: State, question: SubQuestion, number: int, serving: str) -> Html:
    said = sides(state, question.id)
    torn = bool(said)
    done = question.id in state.answered
    gaps = [gap for gap in state.open_gaps if gap.question_id == question.id]
    sign: Icon = "conflict" if torn else "check" if done else "gap"
    edge = CONFLICT if torn else SUPPORT if done else GAP if gaps else GREY
    best = sorted(state.evidence_for(question.id), key=lambda item: item.grade)
    lines: list[Child] = [icon(sign), tag("b", f" Q{number} "), short(question.text, 400)]
    if best:
        says = " or ".join(said) or short(best[0].in_short, 110)
        dots = joined(icon(item.support) for item in best[:6])
        more = muted(f" +{len(best) - 6}") if len(best) > 6 else None
        strength = tag("b", says) if best[0].support != "weak" else says
        lines += [tag("br"), dots, more, " ", strength]
    else:
        lines += [tag("br"), muted("nothing yet")]
    for gap in gaps:
        since = f" since step {gap.opened_at}. " if gap.opened_at else ". "
        advice = f" Later: {NEXT_FOR[gap.suggested]}." if gap.suggested in NEXT_FOR else ""
        reason = tag("b", missing(state, gap).capitalize())
        lines += [tag("br"), small(reason, since, short(gap.detail), muted(advice))]
    if question.id == serving:
        lines += [tag("br"), small(tag("b", "The next step works on this."))]
    style = f"margin:0 0 6px 0;padding:2px 0 2px 10px;border-left:3px solid {edge}"
    return tag("div", *lines, style=style)
