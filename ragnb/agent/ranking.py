"""Every source that a run ever hit, best first."""

from typing import Final

from ragnb.agent.state import State

__all__ = ["ranking"]

_FOLLOWING: Final = 0.3
"""What a place counts in a search that follows up, against one in a first search."""
_EVIDENCE: Final = 0.05
"""What a source gains by strong evidence; weaker evidence gives less."""
_SUPPORT: Final = {"strong": 1.0, "partial": 0.6, "weak": 0.3}


def ranking(state: State) -> tuple[str, ...]:
    """Return source ids, best first.

    A source gets 1/(1 + place) for its place among the sources of each search, follow-ups
    counting less, and a little for its best evidence; equal ones are ordered by id.
    """
    worth: dict[str, float] = {}
    for search in state.searches:
        weight = 1.0 if search.query.intent == "broad_recall" else _FOLLOWING
        sources = dict.fromkeys(hit.source_id for hit in search.hits)
        for place, source in enumerate(sources, start=1):
            worth[source] = worth.get(source, 0.0) + weight / (1 + place)
    best: dict[str, float] = {}
    for evidence in state.evidence:
        gained = _EVIDENCE * _SUPPORT[evidence.support]
        best[evidence.source_id] = max(best.get(evidence.source_id, 0.0), gained)
    for source, gained in best.items():
        worth[source] = worth.get(source, 0.0) + gained
    return tuple(sorted(worth, key=lambda source: (-round(worth[source], 6), source)))
