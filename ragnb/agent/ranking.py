"""Every source that a run ever hit, best first."""

from ragnb.agent.state import State

__all__ = ["ranking"]

_SUPPORT = {"strong": 3.0, "partial": 2.0, "weak": 1.0}


def ranking(state: State) -> tuple[str, ...]:
    """Return source ids: by their best evidence first, then by their best place in a search."""
    best: dict[str, float] = {}
    for search in state.searches:
        for hit in search.hits:
            best[hit.source_id] = max(best.get(hit.source_id, 0.0), 0.5 / hit.rank)
        for hit in search.ranked or ():
            best[hit.source_id] = max(best.get(hit.source_id, 0.0), 1.0 / hit.rank)
    for evidence in state.evidence:
        value = _SUPPORT[evidence.support] + min(max(evidence.score, 0.0), 0.999)
        best[evidence.source_id] = max(best.get(evidence.source_id, 0.0), value)
    return tuple(sorted(best, key=lambda source: (-round(best[source], 6), source)))
