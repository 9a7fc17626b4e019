"""Questions, conflicts and quotes as cards that can be clicked."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ragnb.agent.bills import Bill
from ragnb.agent.state import State
from ragnb.panels.choice import Choice
from ragnb.panels.tags import button, head, icon, node, segments
from ragnb.records import Conflict, Evidence, SubQuestion
from ragnb.views.evidence import fidelity, said_in, source_name
from ragnb.views.markup import Html, joined
from ragnb.views.questions import sides, summary
from ragnb.views.words import (
    CONFLICTS,
    NEXT_FOR,
    billed,
    count,
    day,
    evidence_name,
    missing,
    question_name,
    short,
    standing,
    trust,
)

__all__ = ["conflict_cards", "evidence_cards", "question_cards"]

SHOWN: Final = 60
"""Cards of a kind that are shown; the rest is counted."""


def question_cards(state: State, choice: Choice, *, serving: str = "") -> dict[str, Html]:
    """Return a head and a card a question; a click filters what else is shown."""
    parts = {"questions/head": head("Questions", node("span", summary(state), _class="m s"))}
    for number, question in enumerate(state.questions[:SHOWN], start=1):
        card = _question(state, question, number, choice, serving)
        parts[f"questions/{question.id}"] = card
    return parts


def _question(
    state: State, question: SubQuestion, number: int, choice: Choice, serving: str
) -> Html:
    torn = _unsettled(state, question.id)
    gaps = [gap for gap in state.open_gaps if gap.question_id == question.id]
    done = question.id in state.answered
    look = "con" if torn else "ok" if done else "gap" if gaps else ""
    sign = "conflict" if torn else "check" if done else "gap"
    chosen = choice.question == question.id
    title = node(
        "button",
        node("span", icon(sign), _class=look or "m"),
        node("b", f"Q{number}"),
        node("span", short(question.text, 400)),
        type="button",
        _class="qb",
        data_action="question",
        data_id=question.id,
        aria_pressed="true" if chosen else "false",
    )
    lines: list[Html] = [title, _short_answer(state, question)]
    for gap in gaps:
        since = f" since step {gap.opened_at}. " if gap.opened_at else ". "
        later = f" Later: {NEXT_FOR[gap.suggested]}." if gap.suggested in NEXT_FOR else ""
        name = node("b", missing(state, gap).capitalize(), _class="gap")
        waive = button("waive", "waive", look="lnk", data_id=gap.question_id, data_value=gap.reason)
        detail = f"{since}{short(gap.detail)}"
        lines.append(
            node("p", name, detail, node("span", later, _class="m"), " ", waive, _class="in s")
        )
    if torn:
        since = f" since step {torn[0].opened_at}"
        lines.append(node("p", node("b", "In conflict", _class="con"), since, _class="in s"))
    if question.id == serving:
        lines.append(node("p", icon("step"), " the next step works on this", _class="in s srv"))
    here = " cur" if question.id == serving else ""
    return node("div", *lines, _class=f"q {look}{here}{' on' if chosen else ''}")


def _short_answer(state: State, question: SubQuestion) -> Html:
    found = sorted(state.evidence_for(question.id), key=lambda item: item.grade)
    if not found:
        return node("p", "nothing yet", _class="in m")
    text = " or ".join(sides(state, question.id)) or short(found[0].in_short, 110)
    dots = [node("span", icon(item.support), title=item.support) for item in found[:6]]
    more = f" +{len(found) - 6}" if len(found) > 6 else ""
    firm = node("b", text) if found[0].support != "weak" else text
    look = "m" if found[0].support == "weak" else "ok"
    return node("p", node("span", *dots, more, _class=f"dots {look}"), " ", firm, _class="in")


def conflict_cards(state: State, choice: Choice) -> dict[str, Html]:
    """Return a card a conflict that is not settled, the two quotes side by side."""
    found = _unsettled(state, choice.question)
    return {f"evidence/conflict-{'-'.join(item.key)}": _conflict(state, item) for item in found}


def _unsettled(state: State, question_id: str = "") -> list[Conflict]:
    """Return the conflicts that nothing settled yet or can settle, of one question or of all."""
    return [
        item
        for item in state.conflicts
        if item.status != "resolved" and question_id in {"", item.question_id}
    ]


def _conflict(state: State, item: Conflict) -> Html:
    by_id = {each.id: each for each in state.evidence}
    since = f" since step {item.opened_at}" if item.status == "open" else " nothing settles it"
    name = node("b", f"Conflict on {question_name(state, item.question_id)}", _class="con")
    told = node("span", since, _class="m s")
    sign = node("span", icon("conflict"), _class="con")
    title = node("p", sign, " ", name, f" {CONFLICTS[item.kind]}", told)
    both = [_side(state, item, by_id[key]) for key in (item.first, item.second) if key in by_id]
    return node("div", title, node("div", *both, _class="pair"), _class="cf")


def _side(state: State, item: Conflict, found: Evidence) -> Html:
    holds = button("This one holds", "resolve", look="lnk", data_id="|".join(item.key),
                   data_value=found.id)  # fmt: skip
    return node("div", *_body(state, found), holds)


def evidence_cards(
    state: State,
    choice: Choice,
    since: Mapping[str, int] = MappingProxyType({}),
    costs: Mapping[str, Bill] = MappingProxyType({}),
) -> dict[str, Html]:
    """Return a head with the questions to filter by, open conflicts, and a card a quote.

    Args:
        state: What is known.
        choice: What is looked at.
        since: At which step a quote was found, by its id.
        costs: What quotes cost, by their ids.
    """
    items = [each for each in state.evidence if choice.question in {"", each.question_id}]
    told = fidelity(items) if items else "No quote is found yet."
    beside = node("span", told, _class="m s")
    parts = {"evidence/head": head("Evidence", beside, _filter(state, choice))}
    parts |= conflict_cards(state, choice)
    old = set(state.assessments[-1].known) if state.assessments else set()
    for item in reversed(items[-SHOWN:]):
        chosen = item.id == choice.evidence
        step, spent = since.get(item.id), billed(costs.get(item.id))
        card = _quote(state, item, step, spent, new=item.id not in old, chosen=chosen)
        parts[f"evidence/{item.id}"] = card
    if len(items) > SHOWN:
        parts["evidence/more"] = node("p", f"and {len(items) - SHOWN} found before", _class="m")
    return parts


def _filter(state: State, choice: Choice) -> Html | None:
    if len(state.questions) < 2:
        return None
    names = {"": "all"} | {q.id: f"Q{n}" for n, q in enumerate(state.questions[:12], start=1)}
    return segments(names, choice.question, "question", name="Show quotes on", mark="data_id")


def _body(state: State, item: Evidence) -> list[Html]:
    title = node(
        "button",
        node("span", evidence_name(state, item.id), _class="id"),
        node("b", short(item.in_short, 90)),
        type="button",
        _class="eh",
        data_action="evidence",
        data_id=item.id,
        data_open="reader",
        title="Open the reader",
    )
    notes = [day(item.updated)] if item.updated else []
    behind = standing(item.status)
    notes += [short(item.status, 40)] if item.status and not behind else []
    notes += [f"trust {trust(item.trust)}"]
    notes += ["hedged"] if item.hedged else []
    notes += [f"also in {count(len(item.also_in), 'document')}"] if item.also_in else []
    weak = "m" if item.support == "weak" else "ok"
    meta = node(
        "p",
        node("span", icon(item.support), f" {item.support}", _class=weak),
        node("span", source_name(item)),
        node("b", behind) if behind else None,
        node("span", " · ".join(notes), _class="m"),
        _class="src s",
    )
    row = [node("p", short(item.row, 400), _class="s")] if item.row else []
    return [title, node("blockquote", said_in(item)), *row, meta]


def _quote(
    state: State, item: Evidence, since: int | None, spent: str, *, new: bool, chosen: bool
) -> Html:
    drop = button("drop", "drop", look="lnk", data_id=item.id)
    where = question_name(state, item.question_id)
    where += f" · step {since}" if since else ""
    lines = [*_body(state, item), node("p", where, " · ", drop, _class="m s at")]
    lines += [node("p", spent, _class="m s")] if spent else []
    if not item.verified:
        bad = node("b", "not found in the source it names", _class="con")
        lines.append(node("p", icon("failed"), " ", bad, ": it can't support a conclusion"))
    look = " bad" if not item.verified else " new" if new else ""
    return joined([node("div", *lines, _class=f"ev{look}{' on' if chosen else ''}")])
