"""The diary: a run in plain sentences, one a step, with why it was done."""

from collections.abc import Sequence

from ragnb.agent.loop import Loop
from ragnb.agent.run import Run
from ragnb.agent.trace import Trace
from ragnb.agent.until import Step
from ragnb.views.look import frame, kind_icon, muted
from ragnb.views.markup import Html, tag
from ragnb.views.sentences import happened
from ragnb.views.words import cost, model_cost, short

__all__ = ["diary_html", "diary_parts", "diary_text", "steps_of", "steps_to"]


_NUMBER = (
    "display:inline-block;width:22px;padding:0 6px 0 0;text-indent:0;text-align:right;"
    "font-size:12px;opacity:0.78"
)


def steps_of(thing: Run | Loop) -> list[Step]:
    """Return the steps of a run, or of a loop up to where it stands."""
    return steps_to(thing.trace, thing.head)


def steps_to(trace: Trace, tip: str) -> list[Step]:
    """Return the steps on the way to an entry of a trace."""
    entries, states = trace.branch(tip), trace.states(tip)
    pairs = zip(entries, states, states[1:], strict=False)
    return [Step(entry=entry, before=old, after=new) for entry, old, new in pairs]


def diary_parts(steps: Sequence[Step]) -> dict[str, Html]:
    """Return a line a step, by its number; a line never changes when others follow."""
    if not steps:
        return {"empty": tag("p", muted("Nothing has run yet; loop.step() begins."))}
    return {f"step-{number}": _row(number, step) for number, step in enumerate(steps, start=1)}


def diary_html(thing: Run | Loop) -> str:
    """Return the diary as HTML."""
    return frame(diary_parts(steps_of(thing)))


def diary_text(thing: Run | Loop) -> str:
    """Return the diary as plain text for a terminal."""
    lines = []
    for number, step in enumerate(steps_of(thing), start=1):
        lines.append(f"{number:>3}. {happened(step)}")
        if step.entry.action.reason:
            lines.append(f"     Why: {short(step.entry.action.reason)}")
        lines += [f"     Note: {short(note)}" for note in step.entry.outcome.notes]
        asked = model_cost(step.entry.outcome.usage)
        lines += [f"     Cost: {asked}"] if asked else []
    return "\n".join(lines) or "Nothing has run yet."


def _row(number: int, step: Step) -> Html:
    spent = cost(step.entry.outcome.usage)
    notes = [short(step.entry.action.reason)] if step.entry.action.reason else []
    notes += [short(note) for note in step.entry.outcome.notes]
    notes += [spent] if spent else []
    if step.entry.by == "person":
        notes.insert(0, "by a person")
    return tag(
        "p",
        tag("span", str(number), style=_NUMBER),
        kind_icon(step.entry.action.kind),
        " ",
        happened(step),
        muted(f"  {' · '.join(notes)}") if notes else None,
        style="margin:0 0 2px 0;padding:0 0 0 46px;text-indent:-46px",
    )
