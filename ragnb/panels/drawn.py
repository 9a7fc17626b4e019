"""What each panel shows: its live parts, and its static twin."""

from typing import TYPE_CHECKING, Final, TypeAlias

from ragnb.agent.bills import bills
from ragnb.agent.run import Run
from ragnb.errors import InputError
from ragnb.panels.bar import bar_parts, head_parts
from ragnb.panels.cards import evidence_cards, question_cards
from ragnb.panels.choice import Choice
from ragnb.panels.done import done_parts
from ragnb.panels.more import (
    answer_tab,
    branches_tab,
    change_tab,
    diary_tab,
    hits_tab,
    search_tab,
    timeline_tab,
)
from ragnb.panels.now import next_parts
from ragnb.panels.rail import meter_parts, rail_parts
from ragnb.panels.reader import reader_parts, shown_evidence
from ragnb.panels.tags import node
from ragnb.views.answer import answer_parts
from ragnb.views.branches import difference_parts
from ragnb.views.budget import budget_parts
from ragnb.views.change import change_parts
from ragnb.views.diary import diary_parts, steps_of
from ragnb.views.evidence import evidence_parts, in_context
from ragnb.views.hits import hits_parts
from ragnb.views.look import frame, muted
from ragnb.views.markup import Html
from ragnb.views.plan import plan_parts
from ragnb.views.questions import question_parts, served_by
from ragnb.views.run import loop_html, trace_html
from ragnb.views.state import state_parts
from ragnb.views.timeline import timeline_parts
from ragnb.views.words import count, evidence_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragnb.agent.loop import Loop
    from ragnb.agent.until import Step

__all__ = ["LABELS", "live_parts", "twin", "words"]

LABELS: Final = {
    "answer": "Answer",
    "branches": "Branches",
    "budget": "Budget",
    "change": "Change",
    "diary": "Diary",
    "evidence": "Evidence",
    "hits": "Hits",
    "inspector": "Inspector",
    "questions": "Questions",
    "reader": "Reader",
    "state": "State",
    "timeline": "Timeline",
}
"""What can be shown, and its name."""
_TABS: Final = ("reader", "hits", "timeline", "change", "diary", "branches", "answer")
_Draw: TypeAlias = "Callable[[Loop, Choice], Mapping[str, Html]]"


def live_parts(loop: "Loop", view: str, choice: Choice) -> dict[str, Html]:
    """Return the parts of a panel, ``region/name`` to HTML.

    Raises:
        InputError: There is no such view.
    """
    if view not in LABELS:
        raise InputError(f"There is no view {view!r} for a panel; there are {sorted(LABELS)}.")
    return dict(_LIVE[view](loop, choice))


def _questions(loop: "Loop", choice: Choice) -> dict[str, Html]:
    plan = {f"questions/{key}": html for key, html in plan_parts(loop.state).items()}
    return plan | question_cards(loop.state, choice, serving=served_by(loop.next, loop.state))


def _evidence(loop: "Loop", choice: Choice) -> dict[str, Html]:
    costs = bills(loop.trace.branch(loop.head))
    return evidence_cards(loop.state, choice, _since(steps_of(loop)), costs)


def _since(steps: "Sequence[Step]") -> dict[str, int]:
    """Return at which step each quote was found."""
    found: dict[str, int] = {}
    for step in steps:
        if len(step.after.evidence) > len(step.before.evidence):
            for item in step.after.evidence:
                found.setdefault(item.id, step.after.entries)
    return found


def _state(loop: "Loop", choice: Choice) -> dict[str, Html]:
    return {
        **_questions(loop, choice),
        **_evidence(loop, choice),
        **search_tab(loop),
        **meter_parts(loop),
    }


def _change(loop: "Loop", _: Choice) -> dict[str, Html]:
    steps = steps_of(loop)
    return change_tab(steps[-1] if steps else None)


def _tabs(loop: "Loop") -> dict[str, Html]:
    branches = len(loop.trace.heads)
    names = {key: LABELS[key] for key in _TABS}
    tabs = [
        node(
            "button",
            name,
            node("span", f" {branches}", _class="m") if key == "branches" and branches > 1 else "",
            type="button",
            role="tab",
            data_tab=key,
            data_key_press=str(number),
            _class=f"tb tb-{key}",
        )
        for number, (key, name) in enumerate(names.items(), start=1)
    ]
    return {"tabs/bar": node("div", *tabs, role="tablist", aria_label="Panels", _class="tabs")}


def _inspector(loop: "Loop", choice: Choice) -> dict[str, Html]:
    steps = steps_of(loop)
    last = steps[-1] if steps else None
    return {
        **head_parts(loop, choice),
        **bar_parts(loop, choice),
        **rail_parts(loop, choice),
        **meter_parts(loop),
        **done_parts(last),
        **next_parts(loop),
        **_questions(loop, choice),
        **evidence_cards(loop.state, choice, _since(steps)),
        **_tabs(loop),
        **reader_parts(loop, choice),
        **hits_tab(loop, choice),
        **timeline_tab(steps, choice),
        **change_tab(last),
        **diary_tab(steps, choice),
        **branches_tab(loop, choice),
        **answer_tab(loop, choice),
    }


_LIVE: "Final[dict[str, _Draw]]" = {
    "answer": answer_tab,
    "branches": branches_tab,
    "budget": lambda loop, _: meter_parts(loop),
    "change": _change,
    "diary": lambda loop, choice: diary_tab(steps_of(loop), choice),
    "evidence": _evidence,
    "hits": hits_tab,
    "inspector": _inspector,
    "questions": _questions,
    "reader": reader_parts,
    "state": _state,
    "timeline": lambda loop, choice: timeline_tab(steps_of(loop), choice),
}


def twin(loop: "Loop", view: str, choice: Choice) -> str:
    """Return a panel as HTML that needs no browser code and no style sheet.

    Raises:
        InputError: There is no such view.
    """
    if view == "inspector":
        return loop_html(loop)
    if view == "branches" and not choice.branch:
        return trace_html(loop.trace)
    if view not in LABELS:
        raise InputError(f"There is no view {view!r} for a panel; there are {sorted(LABELS)}.")
    return frame(_twin_parts(loop, view, choice) or {"empty": muted("Nothing has run yet.")})


def _twin_parts(loop: "Loop", view: str, choice: Choice) -> dict[str, Html]:  # noqa: C901, PLR0911 - one match
    state, steps = loop.state, steps_of(loop)
    match view:
        case "answer":
            return answer_parts(state.answer, state) if state.answer else {}
        case "branches":
            head = loop.trace.heads[choice.branch]
            other = Run(loop.trace, head.tip, name=choice.branch)
            return difference_parts(loop.diff(other), names=(loop.name, choice.branch))
        case "budget":
            return budget_parts(state)
        case "change":
            return change_parts(steps[-1]) if steps else {}
        case "diary":
            return diary_parts(steps)
        case "evidence":
            return evidence_parts(state, bills(loop.trace.branch(loop.head)))
        case "hits":
            asked = [search for search in state.searches if search.status != "pending"]
            return hits_parts(state.search(choice.search) or asked[-1], state) if asked else {}
        case "questions":
            return plan_parts(state) | question_parts(
                state, serving=served_by(loop.next, loop.state)
            )
        case "reader":
            item = shown_evidence(state, choice)
            context = state.context(item.context_id) if item else None
            if item is None or context is None:
                return {}
            return {"text": in_context(item, context, name=evidence_name(state, item.id))}
        case "timeline":
            return timeline_parts(steps)
        case _:
            return state_parts(state)


def words(loop: "Loop", view: str) -> str:
    """Return a panel as one line of plain text."""
    return f"{LABELS[view]} of “{loop.state.goal}” after {count(loop.state.entries, 'step')}"
