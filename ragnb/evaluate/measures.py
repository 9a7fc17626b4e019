"""Measures of one run. One that can't be computed says why, and is never NaN or a false 0."""

import inspect
from collections.abc import Callable
from typing import Any, Final

from ragnb.agent.run import Run
from ragnb.display import bundle
from ragnb.errors import InputError
from ragnb.evaluate.planning import planned_per_step, replan_ratio, step_completeness
from ragnb.evaluate.searching import (
    calls_until_most_evidence,
    candidates_per_round,
    ended_by_budget,
    evidence_used,
    looped,
    new_evidence_per_retrieval,
    redundant_query_rate,
    share,
    tool_calls,
    unnecessary_retrieval_rate,
)
from ragnb.stages.together import together

__all__ = [
    "Measures",
    "coverage",
    "definitions",
    "grounding_rate",
    "measures",
    "quote_fidelity",
    "sufficiency",
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
    return share(sum(bool(claim.groundings) for claim in claims), len(claims))


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
    return share(sum(question in said for question in required), len(required))


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
    return share(good, len(quotes))


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


_ALL: Final[tuple[Callable[[Run], float | int | bool | str], ...]] = (
    grounding_rate,
    coverage,
    quote_fidelity,
    sufficiency,
    evidence_used,
    tool_calls,
    calls_until_most_evidence,
    candidates_per_round,
    new_evidence_per_retrieval,
    redundant_query_rate,
    looped,
    unnecessary_retrieval_rate,
    step_completeness,
    planned_per_step,
    replan_ratio,
    ended_by_budget,
)


class Measures(dict[str, float | int | bool | str]):
    """Measures of a run by their names; in a notebook a table in which each says what it is."""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "measures")


def measures(run: Run) -> Measures:
    """Return every measure of a run by its name; a text says why one can't be computed.

    Raises:
        InputError: What is given is no run.

    >>> from ragnb.evaluate.example import example
    >>> measures(example())["coverage"]
    0.5
    """
    if not isinstance(run, Run):
        raise InputError(f"measures() got a {type(run).__name__}; expected a Run, as loop.run().")
    return Measures({measure.__name__: measure(run) for measure in _ALL})


def definitions() -> dict[str, str]:
    """Return for each measure its definition in one sentence.

    >>> definitions()["coverage"]
    'Required sub-questions with a conclusion ÷ required sub-questions; 0 to 1.'
    """
    return {each.__name__: (inspect.getdoc(each) or "").partition("\n")[0] for each in _ALL}
