"""A state: all that an agent knows, what is missing, and what it may still spend."""

from ragnb.agent.state import State
from ragnb.views.budget import budget_parts
from ragnb.views.conflicts import conflict_parts
from ragnb.views.evidence import evidence_parts
from ragnb.views.look import details, frame, heading, muted, table, title
from ragnb.views.markup import Html, joined
from ragnb.views.plan import plan_parts, plan_text
from ragnb.views.questions import question_parts
from ragnb.views.toolcalls import call_list, call_words
from ragnb.views.words import count, missing, question_name, short

__all__ = ["search_list", "state_html", "state_parts", "state_text"]

SHOWN = 15
"""Searches that are listed; the rest is counted."""


def state_parts(state: State) -> dict[str, Html]:
    """Return the parts of a state, in the order of reading."""
    where = f"What is known after {count(state.entries, 'step')}"
    parts = {"goal": title(short(state.goal, 400), above=where)}
    parts |= plan_parts(state)
    parts |= question_parts(state)
    parts |= conflict_parts(state)
    parts |= evidence_parts(state)
    if state.searches:
        parts["searches"] = search_list(state)
    if state.calls:
        parts["calls"] = call_list(state)
    parts["budget"] = heading("Budget")
    parts |= budget_parts(state)
    return parts


def state_html(state: State) -> str:
    """Return a state as HTML."""
    return frame(state_parts(state))


def state_text(state: State) -> str:
    """Return a state as plain text."""
    lines = [f"{short(state.goal)} (after {count(state.entries, 'step')})"]
    lines += [told] if (told := plan_text(state)) else []
    for number, question in enumerate(state.questions, start=1):
        mark = "answered" if question.id in state.answered else "open"
        lines.append(f"Q{number} {mark}: {short(question.text)}")
        lines += [
            f"   {item.support}: “{short(item.quote)}” — {short(item.title or item.source_id)}"
            for item in state.evidence_for(question.id)[:5]
        ]
    for gap in state.open_gaps:
        name = question_name(state, gap.question_id)
        lines.append(f"Missing on {name}: {missing(state, gap)}. {short(gap.detail)}".rstrip())
    says = {item.id: short(item.in_short, 90) for item in state.evidence}
    for item in state.conflicts:
        name = question_name(state, item.question_id)
        sides = f"{says.get(item.first, '?')} or {says.get(item.second, '?')}"
        lines.append(f"Conflict on {name}, {item.status}: {sides}")
    lines += [f"Tool {call_words(call)}: {call.status}" for call in state.calls[-SHOWN:]]
    lines.append(
        f"{count(len(state.asked), 'search', 'searches')}, "
        f"{count(len(state.visited), 'document')} read, {count(len(state.evidence), 'quote')}"
    )
    return "\n".join(lines)


def search_list(state: State) -> Html:
    """Return the searches of a state as a folded table."""
    rows = [
        (
            short(search.query.text),
            question_name(state, search.query.question_id),
            count(len(search.hits), "passage") if search.status == "asked" else search.status,
            muted("–" if search.ranked is None else f"{len(search.ranked)} kept"),
        )
        for search in state.searches[-SHOWN:]
    ]
    rest = len(state.searches) - len(rows)
    more = muted(f"and {rest} before these") if rest else None
    found = table(("search", "for", "found", "reranked"), rows)
    title_of = count(len(state.searches), "search", "searches")
    return joined([heading("Searches"), details(title_of, found, more)])
