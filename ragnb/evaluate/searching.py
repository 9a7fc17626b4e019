"""Measures of how a run searched: repetition, waste, and what the searches brought."""

import math

from ragnb.agent.actions import Retrieve, UseTool
from ragnb.agent.outcomes import Found, Refused
from ragnb.agent.run import Run
from ragnb.agent.stopping import comparable
from ragnb.text import near_duplicate

__all__ = [
    "calls_until_most_evidence",
    "candidates_per_round",
    "ended_by_budget",
    "evidence_used",
    "looped",
    "new_evidence_per_retrieval",
    "redundant_query_rate",
    "share",
    "tool_calls",
    "unnecessary_retrieval_rate",
]

_MOST = 0.95
"""The share of the evidence that counts as nearly all."""
_AGAIN = 2
"""Repetitions from which a run went round in circles."""


def tool_calls(run: Run) -> int:
    """Searches and uses of a tool; a whole number from 0.

    >>> from ragnb.evaluate.example import example
    >>> tool_calls(example()) > 1
    True
    """
    return run.state.tool_calls


def candidates_per_round(run: Run) -> float | str:
    """Different passages that searches brought ÷ rounds with a query or a tool call; from 0.

    A passage that several rounds bring counts once; a round that was not assessed counts too.

    >>> from ragnb.evaluate.example import example
    >>> candidates_per_round(example())
    0.333333
    """
    state = run.state
    rounds = state.round + state.asking
    if not rounds:
        return "nothing was searched"
    found = {hit.chunk_id for search in state.searches for hit in search.hits}
    return share(len(found), rounds)


def new_evidence_per_retrieval(run: Run) -> float | str:
    """Pieces of evidence found ÷ searches; from 0.

    >>> from ragnb.evaluate.example import example
    >>> 0 < new_evidence_per_retrieval(example()) < 1
    True
    """
    found = sum(
        len(entry.outcome.value.evidence)
        for entry in run.entries
        if isinstance(entry.outcome.value, Found)
    )
    searches = sum(search.status in {"asked", "failed"} for search in run.state.searches)
    return share(found, searches) if searches else "nothing was searched"


def evidence_used(run: Run) -> float | str:
    """Pieces of evidence that the answer cites ÷ pieces collected; 0 to 1.

    What is cited as uncertain counts as used.

    >>> from ragnb.evaluate.example import example
    >>> evidence_used(example())
    0.5
    """
    answer = run.answer
    if not run.evidence:
        return "no evidence was found"
    if answer is None:
        return "there is no answer yet"
    cited = {quote.evidence_id for each in answer.conclusions for quote in each.groundings}
    cited |= {quote.evidence_id for each in answer.uncertainties for quote in each.groundings}
    return share(len(cited.intersection(item.id for item in run.evidence)), len(run.evidence))


def calls_until_most_evidence(run: Run) -> int | str:
    """Searches and uses of a tool until 95 % of the final evidence was in; from 0.

    The fewer of all calls these are, the more of the others brought nothing.

    >>> from ragnb.evaluate.example import example
    >>> calls_until_most_evidence(example())
    1
    """
    final = {item.id for item in run.evidence}
    if not final:
        return "no evidence was found"
    needed = math.ceil(_MOST * len(final))
    return next(
        state.tool_calls
        for state in run.states
        if len(final.intersection(item.id for item in state.evidence)) >= needed
    )


def redundant_query_rate(run: Run) -> float | str:
    """Proposed near-duplicates, refused ones included ÷ proposed queries; 0 to 1.

    A query is a near-duplicate of an earlier one of the same question, channels and filters by
    the same likeness for which a run refuses it; checks of a conflict are compared among
    themselves.

    >>> from ragnb.evaluate.example import example
    >>> redundant_query_rate(example())
    0.0
    """
    proposed = [entry for entry in run.entries if isinstance(entry.action, Retrieve)]
    return share(_repeated(run), len(proposed)) if proposed else "no query was proposed"


def looped(run: Run) -> bool | str:
    """Whether a query was refused or repeated twice or more; its mean is the loop rate.

    >>> from ragnb.evaluate.example import example
    >>> looped(example())
    False
    """
    if not any(isinstance(entry.action, Retrieve) for entry in run.entries):
        return "no query was proposed"
    return _repeated(run) >= _AGAIN


def _repeated(run: Run) -> int:
    """Count the queries that were refused, or ask what an earlier one asked."""
    seen: list[Retrieve] = []
    repeated = 0
    for entry in run.entries:
        action = entry.action
        if not isinstance(action, Retrieve):
            continue
        repeated += isinstance(entry.outcome.value, Refused) or any(
            comparable(old.query, action.query)
            and near_duplicate(old.query.text, action.query.text)
            for old in seen
        )
        seen.append(action)
    return repeated


def unnecessary_retrieval_rate(run: Run) -> float | str:
    """Retrievals after the evidence was enough ÷ retrievals; 0 to 1.

    The evidence is enough where the last assessment was satisfied.

    >>> from ragnb.evaluate.example import example
    >>> unnecessary_retrieval_rate(example())
    0.0
    """
    retrievals = unnecessary = 0
    for entry, before in zip(run.entries, run.states, strict=False):
        if isinstance(entry.action, Retrieve | UseTool):
            retrievals += 1
            last = before.assessments[-1:] if not before.unassessed else ()
            unnecessary += any(item.verdict == "satisfied" for item in last)
    return share(unnecessary, retrievals) if retrievals else "nothing was searched"


def ended_by_budget(run: Run) -> bool | str:
    """Whether a limit ended the run; its mean is the rate.

    >>> from ragnb.evaluate.example import example
    >>> ended_by_budget(example())
    False
    """
    stop = run.state.stop
    return stop.code.startswith("budget") if stop else "the run has not ended"


def share(part: int, whole: int) -> float:
    """Return a ratio, rounded to six places.

    >>> share(1, 3)
    0.333333
    """
    return round(part / whole, 6)
