"""Measures of one run. One that can't be computed says why, and is never NaN or a false 0."""

from collections.abc import Callable
from typing import Final

from ragnb.agent.actions import Retrieve, UseTool
from ragnb.agent.outcomes import Found, Refused
from ragnb.agent.run import Run
from ragnb.errors import InputError
from ragnb.stages.together import together
from ragnb.text import near_duplicate

__all__ = [
    "coverage",
    "ended_by_budget",
    "grounding_rate",
    "measures",
    "new_evidence_per_retrieval",
    "quote_fidelity",
    "redundant_query_rate",
    "sufficiency",
    "tool_calls",
    "unnecessary_retrieval_rate",
]


def grounding_rate(run: Run) -> float | str:
    """Grounded claims ÷ claims among the conclusions; 0 to 1.

    Returns a reason in words where the answer has no conclusion.

    >>> from ragnb.evaluate.example import example
    >>> grounding_rate(example())
    1.0
    """
    claims = run.answer.conclusions if run.answer else ()
    if not claims:
        return "no conclusion was drawn"
    return _share(sum(bool(claim.groundings) for claim in claims), len(claims))


def coverage(run: Run) -> float | str:
    """Required sub-questions with a conclusion ÷ required sub-questions; 0 to 1.

    >>> from ragnb.evaluate.example import example
    >>> coverage(example())
    0.5
    """
    required = [question.id for question in run.state.questions if question.required]
    if not required:
        return "no question was required"
    said = {claim.question_id for claim in run.answer.conclusions} if run.answer else set()
    return _share(sum(question in said for question in required), len(required))


def quote_fidelity(run: Run) -> float | str:
    """Verbatim quotes ÷ quotes of the answer, checked against the texts in the trace; 0 to 1.

    >>> from ragnb.evaluate.example import example
    >>> quote_fidelity(example())
    1.0
    """
    answer = run.answer
    quotes = [] if answer is None else [g for c in answer.conclusions for g in c.groundings]
    if not quotes:
        return "the answer quotes nothing"
    contexts = run.state.contexts
    good = sum(
        any(
            context.source_id == quote.source_id
            and context.start <= quote.start
            and context.text[quote.start - context.start : quote.end - context.start] == quote.quote
            for context in contexts
        )
        for quote in quotes
    )
    return _share(good, len(quotes))


def sufficiency(run: Run) -> float:
    """Mean over the required sub-questions of the chance that the evidence answers them; 0 to 1.

    The chance is what `ragnb.stages.together` gives for the evidence that the run found.

    >>> from ragnb.evaluate.example import example
    >>> 0 < sufficiency(example()) < 1
    True
    """
    required = [question for question in run.state.questions if question.required]
    found = [together(question, run.evidence).enough for question in required]
    return round(sum(found) / len(found), 6) if found else 0.0


def tool_calls(run: Run) -> int:
    """Searches and uses of a tool; a whole number from 0.

    >>> from ragnb.evaluate.example import example
    >>> tool_calls(example()) > 1
    True
    """
    return run.state.tool_calls


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
    return _share(found, searches) if searches else "nothing was searched"


def redundant_query_rate(run: Run) -> float | str:
    """Proposed near-duplicates, refused ones included ÷ proposed queries; 0 to 1.

    >>> from ragnb.evaluate.example import example
    >>> redundant_query_rate(example())
    0.0
    """
    proposed = [entry for entry in run.entries if isinstance(entry.action, Retrieve)]
    if not proposed:
        return "no query was proposed"
    redundant = 0
    seen: list[Retrieve] = []
    for entry in proposed:
        action = entry.action
        if not isinstance(action, Retrieve):
            continue
        again = any(
            old.query.question_id == action.query.question_id
            and old.query.channels == action.query.channels
            and near_duplicate(old.query.text, action.query.text)
            for old in seen
        )
        redundant += again or isinstance(entry.outcome.value, Refused)
        seen.append(action)
    return _share(redundant, len(proposed))


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
    return _share(unnecessary, retrievals) if retrievals else "nothing was searched"


def ended_by_budget(run: Run) -> bool | str:
    """Whether a limit ended the run.

    >>> from ragnb.evaluate.example import example
    >>> ended_by_budget(example())
    False
    """
    stop = run.state.stop
    return stop.code.startswith("budget") if stop else "the run has not ended"


def _share(part: int, whole: int) -> float:
    """Return a ratio, rounded to six places.

    >>> _share(1, 3)
    0.333333
    """
    return round(part / whole, 6)


_ALL: Final[tuple[Callable[[Run], float | int | bool | str], ...]] = (
    grounding_rate,
    coverage,
    quote_fidelity,
    sufficiency,
    tool_calls,
    new_evidence_per_retrieval,
    redundant_query_rate,
    unnecessary_retrieval_rate,
    ended_by_budget,
)


def measures(run: Run) -> dict[str, float | int | bool | str]:
    """Return every measure of a run by its name; a text says why one can't be computed.

    Raises:
        InputError: What is given is no run.
    """
    if not isinstance(run, Run):
        raise InputError(f"measures() got a {type(run).__name__}; expected a Run, as loop.run().")
    return {measure.__name__: measure(run) for measure in _ALL}
