"""Conflicts: what two quotes say, side by side, and what settled it."""

from ragnb.agent.state import State
from ragnb.records import Conflict, Evidence
from ragnb.text.cues import is_chinese
from ragnb.views.evidence import said_in, source_name
from ragnb.views.languages import say
from ragnb.views.look import CONFLICT, SUPPORT, heading, icon, muted, quote, side_by_side, small
from ragnb.views.markup import Html, joined, tag
from ragnb.views.words import CONFLICTS, day, evidence_name, question_name, short, trust

__all__ = ["conflict_parts"]

SHOWN = 6
"""Conflicts that are shown; the rest is counted."""


def conflict_parts(
    state: State, *, numbers: dict[str, int] | None = None, closed: bool = True
) -> dict[str, Html]:
    """Return a block a conflict, open ones first.

    Args:
        state: What holds the conflicts and their quotes.
        numbers: Under which number an answer cites a quote, by its id.
        closed: Show those that are settled too.
    """
    zh = numbers is not None and is_chinese(state.goal)  # only an answer speaks Chinese
    found = sorted(state.conflicts, key=lambda item: item.status == "resolved")
    if not closed:
        found = [item for item in found if item.status != "resolved"]
    parts = {
        "-".join(("conflict", *item.key)): _block(state, item, numbers or {}, zh=zh)
        for item in found[:SHOWN]
    }
    if len(found) > SHOWN:
        parts["conflict-more"] = muted(f"and {len(found) - SHOWN} conflicts more")
    return parts


def _block(state: State, item: Conflict, numbers: dict[str, int], *, zh: bool) -> Html:
    by_id = {each.id: each for each in state.evidence}
    name = question_name(state, item.question_id)
    how = {
        "open": say("since step {}", zh, item.opened_at),
        "unresolved": say("nothing settles it; a person has to", zh),
        "resolved": say("settled at step {}", zh, item.closed_at),
    }[item.status]
    what = say("Conflict on {}: {} ", zh, name, say(CONFLICTS[item.kind], zh))
    head = heading(icon("conflict"), f" {what}", muted(how))
    sides = [
        _side(state, item, by_id.get(key), numbers, zh=zh) for key in (item.first, item.second)
    ]
    settled = item.rule and item.status == "resolved"
    why = say("Settled by: {}.", zh, say(short(item.rule), zh)) if settled else ""
    return joined(
        [
            head,
            side_by_side(*sides, least=200),
            tag("p", why, style="margin:4px 0 0 0") if why else None,
        ]
    )


def _side(
    state: State, item: Conflict, evidence: Evidence | None, numbers: dict[str, int], *, zh: bool
) -> Html:
    if evidence is None:
        return quote(muted(say("This quote was removed.", zh)), edge=CONFLICT)
    settled = bool(item.winner)
    holds = item.winner == evidence.id
    told = " · this one holds" if holds else " · set aside"
    state_of = say(told, zh) if settled else ""
    number = numbers.get(evidence.id)
    badge = f"[{number or evidence_name(state, evidence.id)}] "
    notes = [day(evidence.updated, zh=zh)] if evidence.updated else []
    status = say(short(evidence.status, 40), zh)
    notes += [say("status {}", zh, status)] if evidence.status else []
    notes += [say("trust {}", zh, say(trust(evidence.trust), zh))]
    return joined(
        [
            tag("b", short(evidence.in_short, 90)),
            state_of,
            quote(
                tag("b", badge),
                said_in(evidence),
                tag("br"),
                small(source_name(evidence), muted(f" · {' · '.join(notes)}")),
                edge=SUPPORT if holds else CONFLICT,
            ),
        ]
    )
