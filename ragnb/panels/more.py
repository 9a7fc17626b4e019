"""What stands behind tabs: hits, answer, change, diary, branches, timeline and state."""

from functools import partial
from typing import TYPE_CHECKING, Final

from ragnb.agent.run import Run
from ragnb.agent.until import Step
from ragnb.panels.choice import Choice
from ragnb.panels.tags import button, head, icon, kind_badge, node, segments, select
from ragnb.records import Exchange, Grounding
from ragnb.views.answer import answer_parts
from ragnb.views.baseline import baseline
from ragnb.views.branches import difference_parts
from ragnb.views.change import change_parts
from ragnb.views.exchange import ROLES, SHOWN, head_of
from ragnb.views.hits import hits_parts
from ragnb.views.markup import Html, joined, visible
from ragnb.views.sentences import happened
from ragnb.views.state import search_list
from ragnb.views.timeline import longest, timeline_parts
from ragnb.views.words import cost, count, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragnb.agent.loop import Loop

__all__ = [
    "answer_tab",
    "branches_tab",
    "change_tab",
    "diary_tab",
    "hits_tab",
    "search_tab",
    "timeline_tab",
]


_SAID: Final = 6_000
"""Characters of a message to a model that are shown."""


def hits_tab(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the hits of a search, with the searches to choose from."""
    state = loop.state
    asked = [search for search in state.searches if search.status != "pending"]
    if not asked:
        told = node("p", "No search was made yet.", _class="m")
        return {"hits/head": head("Hits"), "hits/empty": told}
    fitting = [search for search in asked if search.query.question_id == choice.question]
    chosen = state.search(choice.search) or (fitting or asked)[-1]
    names = {
        search.query.id: f"search {number}: {short(search.query.text, 70)}"
        for number, search in enumerate(asked, start=1)
    }
    menu = select(names, chosen.query.id, name="Search", action="search")
    parts = {"hits/head": head("Hits", menu)}
    return parts | {f"hits/{key}": html for key, html in hits_parts(chosen, state).items()}


def search_tab(loop: "Loop") -> dict[str, Html]:
    """Return the searches of a state, folded."""
    return {"searches/list": search_list(loop.state)} if loop.state.searches else {}


def answer_tab(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the answer so far, with plain RAG beside it where it was asked for."""
    state = loop.state
    run = Run(loop.trace, loop.head, name=loop.name)
    parts: dict[str, Html] = {"answer/head": head("Answer")}
    if choice.plain is None:
        beside = button("Plain RAG beside it", "plain", sign="retrieve")
        parts["answer/beside"] = node("p", beside)
    if state.answer is None:
        torn = len({item.question_id for item in state.open_conflicts})
        told = f"If it had to end here: {count(len(state.answered), 'question')} answered"
        told += f", {torn} in conflict" if torn else ""
        now = button("Answer now", "answer_now", sign="answer")
        none = node("p", node("b", "No answer yet. "), told, ".")
        parts["answer/none"] = joined([none, node("p", now)])
    else:
        for key, html in answer_parts(state.answer, state, badge=_cited).items():
            if key != "goal":
                parts[f"answer/{key}"] = html
    if choice.plain is not None:
        parts["answer/plain"] = baseline(run, choice.plain)
    return parts


def _cited(item: Grounding) -> Html:
    """Return the number of a quote as a way to its place in its source."""
    marks = {"data_action": "evidence", "data_id": item.evidence_id, "data_open": "reader"}
    title = "Open the reader"
    return node("button", f"[{item.n}]", type="button", _class="lnk cite", title=title, **marks)


def change_tab(step: Step | None) -> dict[str, Html]:
    """Return all that the last step changed."""
    if step is None:
        empty = node("p", "Nothing has changed yet: no step was taken.", _class="m")
        return {"change/head": head("Change"), "change/step": empty}
    spent = cost(step.entry.outcome.usage)
    told = f"Step {step.after.entries}, {step.entry.action.kind}{': ' if spent else ''}{spent}"
    lines = joined(change_parts(step).values())
    beside = node("span", told, _class="m s")
    parts = {"change/head": head("Change", beside), "change/step": node("div", lines)}
    for number, exchange in enumerate(step.entry.outcome.exchanges[:SHOWN], start=1):
        parts[f"change/asked-{number}"] = _asked(exchange)
    return parts


def _asked(exchange: Exchange) -> Html:
    """Return what a model was sent and replied, folded under its line."""
    said = [(ROLES.get(each.role, each.role), each.text) for each in exchange.messages]
    lines = [
        joined(
            [node("p", name, _class="m s"), node("div", visible(text, _SAID), _class="txt mono")]
        )
        for name, text in [*said, ("What it replied", exchange.reply or "(nothing)")]
    ]
    bad = node("b", f"Not used: {short(exchange.problem, 400)}", _class="con")
    lines += [node("p", icon("failed"), " ", bad)] if exchange.problem else []
    return node("details", node("summary", head_of(exchange)), *lines)


def diary_tab(steps: "Sequence[Step]", choice: Choice) -> dict[str, Html]:
    """Return a line a step; a click on its number goes there."""
    parts = {"diary/head": head("Diary")}
    if not steps:
        parts["diary/empty"] = node("p", "Nothing has run yet.", _class="m")
    for step in steps:
        key = step.entry.id
        parts[f"diary/{key}"] = choice.once(("diary", key), partial(_diary_row, step))
    return parts


def _diary_row(step: Step) -> Html:
    number = str(step.after.entries)
    go = button(number, "goto", look="lnk", data_value=number)
    reason = short(step.entry.action.reason)
    why = node("span", f" {reason}", _class="m s") if reason else None
    said = node("span", short(happened(step), 300), why)
    return node("p", go, kind_badge(step.entry.action.kind), said, _class="di")


def branches_tab(loop: "Loop", choice: Choice) -> dict[str, Html]:
    """Return the branches of the trace, and two of them side by side."""
    rows = []
    for name, branch in loop.trace.heads.items():
        state = loop.trace.state(branch.tip)
        end = state.stop.code.replace("_", " ") if state.stop else "not ended"
        told = f"{count(state.entries, 'step')}, {count(len(state.evidence), 'quote')}, {end}"
        here = name == loop.name
        title = node("b", short(name, 60)) if here else short(name, 60)
        other = [
            button("compare", "compare", look="lnk", data_value=name),
            button("open", "branch", look="lnk", data_value=name),
        ]
        sign = icon("strong" if here else "fork")
        lines = [sign, title, node("span", told, _class="m s"), *(other if not here else [])]
        rows.append(node("li", *lines))
    if not rows:
        rows.append(node("li", "Nothing has run yet.", _class="m"))
    parts = {"branches/head": head("Branches"), "branches/list": node("ul", *rows, _class="br")}
    if choice.branch and choice.branch in loop.trace.heads:
        other_run = Run(loop.trace, loop.trace.heads[choice.branch].tip, name=choice.branch)
        names = (loop.name, choice.branch)
        for key, html in difference_parts(loop.diff(other_run), names=names).items():
            parts[f"branches/{key}"] = html
    return parts


def timeline_tab(steps: "Sequence[Step]", choice: Choice) -> dict[str, Html]:
    """Return the timeline as a drawing, or its head alone where a live figure takes its place."""
    if choice.figure and steps:
        told = node("span", longest(steps), _class="m s")
        ways = {"time": "by time", "step": "by step"}
        group = segments(ways, choice.by, "by", name="Draw")
        return {"timeline/head": head("Timeline", told, group)}
    drawn = joined(timeline_parts(steps).values())
    return {"timeline/head": head("Timeline"), "timeline/drawing": drawn}
