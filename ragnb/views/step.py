"""A step: what was done and why, what came of it, and what it changed."""

from ragnb.agent.until import Step
from ragnb.views.change import change_parts, change_text
from ragnb.views.exchange import exchanges_parts, head_of
from ragnb.views.look import CONFLICT, KINDS, card, frame, kind_icon, muted, paragraph
from ragnb.views.markup import Html, joined, tag
from ragnb.views.sentences import happened, served
from ragnb.views.words import ACTIONS, cost, model_cost, short

__all__ = ["step_html", "step_parts", "step_text"]


def step_parts(step: Step) -> dict[str, Html]:
    """Return what was done, and what it changed."""
    action, value = step.entry.action, step.entry.outcome.value
    spent = cost(step.entry.outcome.usage)
    notes = [f"Step {step.after.entries}", ACTIONS[action.kind]]
    notes += ["by a person"] if step.entry.by == "person" else []
    notes += ["from the record"] if step.entry.reused else []
    notes += [spent] if spent else []
    bad = value.kind in {"failed", "refused"}
    gap = served(action, step.before)
    head = tag("b", happened(step), style="font-size:15px;font-weight:600;line-height:1.35")
    done = card(
        paragraph(muted(" · ".join(notes))),
        paragraph(kind_icon(action.kind), " ", head),
        paragraph(muted("Why "), short(action.reason, 400)) if action.reason else None,
        paragraph(muted("Serves "), gap) if gap else None,
        *(paragraph(muted("Note "), short(note, 400)) for note in step.entry.outcome.notes),
        edge=CONFLICT if bad else KINDS[action.kind],
    )
    changed = {"changed": joined([muted("What it changed")]), **change_parts(step)}
    return {"done": done, **changed, **exchanges_parts(step.entry.outcome.exchanges)}


def step_html(step: Step) -> str:
    """Return a step as HTML."""
    return frame(step_parts(step))


def step_text(step: Step) -> str:
    """Return a step as plain text."""
    reason = step.entry.action.reason
    lines = [f"Step {step.after.entries}: {happened(step)}"]
    lines += [f"Why: {short(reason, 400)}"] if reason else []
    lines += [f"Note: {short(note, 400)}" for note in step.entry.outcome.notes]
    asked = model_cost(step.entry.outcome.usage)
    lines += [f"Cost: {asked}"] if asked else []
    lines += [f"Asked: {head_of(each)}" for each in step.entry.outcome.exchanges]
    return "\n".join([*lines, change_text(step)])
