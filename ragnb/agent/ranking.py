"""Every source that a run ever hit, best first."""

from typing import Final

from ragnb.agent.state import State
from ragnb.stages.together import together

__all__ = ["ranking"]

_FOLLOWING: Final = 0.15
"""What a place counts in a search that follows up, against one in a first search."""
_EVIDENCE: Final = 0.3
"""What a source gains by a piece that surely belongs to an answer; by others in proportion."""


def ranking(state: State) -> tuple[str, ...]:
    """Return source ids, best first.

    A source gets 1/(1 + place) for its place among the sources of each search, follow-ups
    counting less, and more by the best piece of it that belongs to an answer, for the chance that
    it does; equal ones are ordered by id.
    """
    worth: dict[str, float] = {}
    for search in state.searches:
        weight = 1.0 if search.query.intent == "broad_recall" else _FOLLOWING
        sources = dict.fromkeys(hit.source_id for hit in search.hits)
        for place, source in enumerate(sources, start=1):
            worth[source] = worth.get(source, 0.0) + weight / (1 + place)
    best: dict[str, float] = {}
    for question in state.questions:
        for item, chance, _ in together(question, state.evidence).picked:
            best[item.source_id] = max(best.get(item.source_id, 0.0), chance)
    for source, chance in best.items():
        worth[source] = worth.get(source, 0.0) + _EVIDENCE * chance
    return tuple(sorted(worth, key=lambda source: (-round(worth[source], 6), source)))
