"""A run, a loop and a trace as a notebook shows them."""

from collections.abc import Sequence

from ragnb.agent.bills import bills
from ragnb.agent.loop import Loop
from ragnb.agent.run import Run
from ragnb.agent.trace import Trace
from ragnb.agent.until import Step
from ragnb.views.answer import answer_parts
from ragnb.views.answer_text import answer_text
from ragnb.views.baseline import baseline
from ragnb.views.budget import budget_parts
from ragnb.views.conflicts import conflict_parts
from ragnb.views.diary import diary_parts, steps_of
from ragnb.views.evidence import evidence_parts
from ragnb.views.exchange import exchanges_parts
from ragnb.views.look import (
    GREY,
    NEXT,
    SUPPORT,
    card,
    details,
    frame,
    heading,
    kind_icon,
    muted,
    paragraph,
    side_by_side,
    table,
    title,
)
from ragnb.views.markup import Html, joined, tag
from ragnb.views.questions import question_parts, served_by
from ragnb.views.sentences import doing, happened, served
from ragnb.views.state import state_parts, state_text
from ragnb.views.timeline import strip, timeline_parts
from ragnb.views.words import ACTIONS, cost, count, seconds, short

__all__ = [
    "loop_html",
    "loop_parts",
    "loop_text",
    "run_html",
    "run_parts",
    "run_text",
    "trace_html",
    "trace_text",
]

BRANCHES = 20
"""Branches of a trace that are listed; the rest is counted."""
_SAID = ("lead", "remarks", "table", "conclusions")
"""Parts of an answer that a loop shows; the rest stands in its questions and conflicts."""
REMARKS = 10
"""Notes of a run that are listed; the rest is counted."""


def run_parts(run: Run, plain: Run | None = None) -> dict[str, Html]:
    """Return the answer, what it rests on, and how it got there.

    Args:
        run: What is shown.
        plain: A run of plain RAG on the same goal, to stand beside it.
    """
    steps, answer = steps_of(run), run.answer
    parts = state_parts(run.state) if answer is None else answer_parts(answer, run.state)
    if plain is not None:
        parts["plain"] = baseline(run, plain)
    if answer is not None:
        why = parts.get("why", heading("How it went"))
        parts["why"] = joined([why, strip(steps), _sum(run)])
    if remarks := _remarks(steps):
        parts["notes"] = joined([heading("Notes"), tag("ul", *(tag("li", x) for x in remarks))])
    folded = joined(timeline_parts(steps).values())
    lines = joined(diary_parts(steps).values())
    parts["how"] = joined([heading("How it got there"), details("Timeline", folded)])
    parts["diary"] = details(f"Diary, {count(len(steps), 'step')}", lines)
    if exchanges := run.exchanges:
        asked = joined(list(exchanges_parts(exchanges).values())[1:])
        calls = count(len(exchanges), "model call")
        parts["asked"] = details(f"Prompts and replies, {calls}", asked)
    return parts


def run_html(run: Run, plain: Run | None = None) -> str:
    """Return a run as HTML; plain RAG on the same goal may stand beside it."""
    parts = run_parts(run, plain)
    aside = [parts.pop(key) for key in ("plain", "why") if key in parts]
    last = [parts.pop(key) for key in ("sources", "notes", "how", "diary", "asked") if key in parts]
    goal = parts.pop("goal")
    if not aside:
        return frame({"goal": goal, **parts, "last": joined(last)})
    body = side_by_side(joined(parts.values()), joined(aside), least=260, first=420)
    return frame({"goal": goal, "body": body, "last": joined(last)})


def run_text(run: Run) -> str:
    """Return a run as plain text: its answer, or what is known so far."""
    if run.answer is None:
        return f"{state_text(run.state)}\nNot ended yet."
    remarks = "".join(f"\n{text}" for text in _remarks(steps_of(run)))
    counts = _summary(run, spent=seconds(run.state.spent.seconds))  # the answer tells its cost
    return f"{answer_text(run.answer)}\n{counts}{remarks}"


def loop_parts(loop: Loop) -> dict[str, Html]:
    """Return what a loop did last and will do next, and what it knows."""
    state = loop.state
    goal = title(short(state.goal, 400), above=_where(loop))
    steps = steps_of(loop)
    parts = {"goal": goal, "done": _done(loop), "next": _next(loop)}
    if steps:
        parts["rail"] = strip(steps)
    if state.answer is not None:
        said = answer_parts(state.answer, state)
        found = [said[key] for key in _SAID if key in said]
        parts["answer"] = joined([heading("Answer"), *found])
    parts |= question_parts(state, serving=served_by(loop.next, state))
    parts |= conflict_parts(state)
    parts |= evidence_parts(state, bills(loop.trace.branch(loop.head)))
    parts["budget"] = heading("Budget")
    parts |= budget_parts(state)
    return parts


def loop_html(loop: Loop) -> str:
    """Return a loop as HTML."""
    parts = loop_parts(loop)
    goal = parts.pop("goal")
    cards = side_by_side(parts.pop("next"), parts.pop("done"), least=300)
    left = {key: html for key, html in parts.items() if key.startswith("question")}
    right = {key: html for key, html in parts.items() if key.startswith(("evidence", "conflict"))}
    rest = {key: html for key, html in parts.items() if key.startswith("budget")}
    known = side_by_side(joined(left.values()), joined(right.values()), least=300)
    told = {key: html for key, html in parts.items() if key in {"rail", "answer"}}
    return frame({"goal": goal, "cards": cards, **told, "known": known, **rest})


def loop_text(loop: Loop) -> str:
    """Return a loop as plain text."""
    upcoming = loop.next
    lines = [state_text(loop.state)]
    if upcoming is not None:
        why = f" {short(upcoming.reason)}" if upcoming.reason else ""
        lines.append(f"Next: {doing(upcoming, loop.state)}.{why}")
    return "\n".join(lines)


def trace_html(trace: Trace) -> str:
    """Return a trace as HTML: its branches and its notes."""
    rows = [
        (
            tag("b", short(name, 60)),
            str(len(trace.branch(head.tip))),
            str(len(trace.state(head.tip).evidence)),
            _end(trace, head.tip),
        )
        for name, head in list(trace.heads.items())[:BRANCHES]
    ]
    notes = [*trace.notes, *([trace.lost] if trace.lost else [])]
    parts = {
        "goal": title(short(trace.start.goal, 400), above="Trace"),
        "branches": table(("branch", "steps", "quotes", "end"), rows)
        if rows
        else paragraph(muted("Nothing has run yet.")),
    }
    if len(trace.heads) > BRANCHES:
        parts["more"] = muted(f"and {len(trace.heads) - BRANCHES} branches more")
    if notes:
        items = [tag("li", short(note, 400)) for note in notes[:BRANCHES]]
        parts["notes"] = joined([heading("Notes"), tag("ul", *items)])
    return frame(parts)


def trace_text(trace: Trace) -> str:
    """Return a trace as plain text."""
    entries = count(len(trace.entries), "entry", "entries")
    lines = [f"Trace of “{short(trace.start.goal)}”: {entries}"]
    for name, head in list(trace.heads.items())[:BRANCHES]:
        steps = count(len(trace.branch(head.tip)), "step")
        lines.append(f"  {short(name, 60)}: {steps}, {_end(trace, head.tip)}")
    return "\n".join(lines)


def _end(trace: Trace, tip: str) -> str:
    stop = trace.state(tip).stop
    return short(stop.text or stop.code) if stop else "not ended"


def _summary(run: Run, spent: str) -> str:
    state = run.state
    counts = [
        count(state.entries, "step"),
        count(state.round, "round"),
        count(state.tool_calls, "tool call")
        if state.calls
        else count(state.tool_calls, "search", "searches"),
        count(len(state.visited), "document") + " read",
    ]
    return ", ".join([*counts, spent] if spent else counts)


def _remarks(steps: Sequence[Step]) -> list[str]:
    """Return what was remarked on the steps, each once, with the steps it was remarked on."""
    where: dict[str, list[int]] = {}
    for number, step in enumerate(steps, start=1):
        for note in dict.fromkeys(step.entry.outcome.notes):
            where.setdefault(note, []).append(number)
    lines = [f"{_numbered(numbers)}: {short(note)}" for note, numbers in where.items()]
    rest = len(lines) - REMARKS
    return [*lines[:REMARKS], f"And {rest} more; the diary tells them."] if rest > 0 else lines


def _numbered(steps: list[int]) -> str:
    if len(steps) == 1:
        return f"Step {steps[0]}"
    more = f" and {len(steps) - 5} more" if len(steps) > 5 else ""
    return f"Steps {', '.join(str(number) for number in steps[:5])}{more}"


def _sum(run: Run) -> Html:
    told = _summary(run, spent=cost(run.state.spent))
    return tag("p", told, style="margin:4px 0 0 0;font-size:12px;opacity:0.78")


def _where(loop: Loop) -> str:
    state = loop.state
    branch = f" · branch {short(loop.name, 40)}" if loop.name != "main" else ""
    most = ", the last" if state.stop else f" of at most {state.budget.steps}"
    return f"Step {state.entries}{most}{branch}"


def _done(loop: Loop) -> Html:
    steps = steps_of(loop)
    if not steps:
        return paragraph(muted("Nothing has run yet. The goal is the only question so far."))
    last = steps[-1]
    above = f"Done · step {last.after.entries} · {ACTIONS[last.entry.action.kind]}"
    return joined(
        [
            paragraph(muted(above)),
            paragraph(kind_icon(last.entry.action.kind), " ", happened(last)),
        ]
    )


def _next(loop: Loop) -> Html:
    action, state = loop.next, loop.state
    big = "font-size:15px;font-weight:600;line-height:1.35"
    if action is None:
        why = state.stop
        text = short(why.text or why.code) if why else ""
        edge = SUPPORT if why and why.code == "enough" else GREY
        ended = paragraph(tag("b", "Stopped", style=big))
        above = paragraph(muted(f"Ended after step {state.entries}"))
        return card(above, ended, paragraph(text), edge=edge)
    gap = served(action, state)
    return card(
        paragraph(muted(f"Next · step {state.entries + 1} · {ACTIONS[action.kind]}")),
        paragraph(kind_icon(action.kind), " ", tag("b", doing(action, state), style=big)),
        paragraph(muted("Why "), short(action.reason, 400)) if action.reason else None,
        paragraph(muted("Serves "), gap) if gap else None,
        paragraph(tag("code", "loop.step()")),
        edge=NEXT,
    )
