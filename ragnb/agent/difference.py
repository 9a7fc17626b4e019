"""Two branches side by side: where they part, and what each found, claims and costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragnb.agent.actions import Action
from ragnb.agent.entry import Entry
from ragnb.agent.state import State
from ragnb.display import bundle, render_text
from ragnb.records import Claim, Evidence, Gap, Usage

__all__ = ["Difference", "difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How another branch differs from one; gained is what only the other has."""

    at: int | None
    """The first step, from 1, at which they differ; None where they don't."""
    ours: Action | None
    theirs: Action | None
    evidence_gained: tuple[Evidence, ...]
    evidence_lost: tuple[Evidence, ...]
    claims_gained: tuple[Claim, ...]
    claims_lost: tuple[Claim, ...]
    gaps_opened: tuple[Gap, ...]
    gaps_closed: tuple[Gap, ...]
    spent: Usage
    spent_there: Usage

    def __str__(self) -> str:
        return render_text(self, "difference")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "difference")


def difference(
    ours: Sequence[Entry], state: State, theirs: Sequence[Entry], other: State
) -> Difference:
    """Compare two paths and the states that they lead to."""
    shared = 0
    for mine, other_entry in zip(ours, theirs, strict=False):
        same = mine.action == other_entry.action
        if not same or mine.outcome.value != other_entry.outcome.value:
            break
        shared += 1
    parted = shared < max(len(ours), len(theirs))
    return Difference(
        at=shared + 1 if parted else None,
        ours=ours[shared].action if shared < len(ours) else None,
        theirs=theirs[shared].action if shared < len(theirs) else None,
        evidence_gained=_missing(other.evidence, state.evidence),
        evidence_lost=_missing(state.evidence, other.evidence),
        claims_gained=_claims(other, state),
        claims_lost=_claims(state, other),
        gaps_opened=_gaps(other, state),
        gaps_closed=_gaps(state, other),
        spent=state.spent,
        spent_there=other.spent,
    )


def _missing(these: Sequence[Evidence], known: Sequence[Evidence]) -> tuple[Evidence, ...]:
    ids = {item.id for item in known}
    return tuple(item for item in these if item.id not in ids)


def _claims(these: State, known: State) -> tuple[Claim, ...]:
    said = {claim.id for claim in known.answer.conclusions} if known.answer else set()
    claims = these.answer.conclusions if these.answer else ()
    return tuple(claim for claim in claims if claim.id not in said)


def _gaps(these: State, known: State) -> tuple[Gap, ...]:
    keys = {gap.key for gap in known.open_gaps}
    return tuple(gap for gap in these.open_gaps if gap.key not in keys)
