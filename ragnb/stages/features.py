"""What tells that a span bears on a question: few named features, one number each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ragnb.records import Context, SubQuestion
from ragnb.stages.coverage import Asked, Covered, cover
from ragnb.stages.links import aliases, named
from ragnb.stages.spans import Span
from ragnb.stages.wanted import cell, told
from ragnb.text.values import names

__all__ = ["VALUED", "Judged", "judged", "names_nothing", "span_features"]

VALUED: Final = frozenset({"who", "when", "where", "how_many"})
"""Kinds of questions that ask for a name, a date, a place or a number."""
_SHORT: Final = 6
"""Fewer words than that seldom tell anything by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A span beside its question.

    Attributes:
        quote: The span's words.
        covered: How much of the question it covers.
        says: The words that give the sort of answer that is asked for; None if it has none.
        features: By their names.
        model: Which fitted weights judge them.
    """

    quote: str
    covered: Covered
    says: str | None
    features: Mapping[str, float]
    model: str


def judged(
    question: SubQuestion,
    wanted: Asked,
    context: Context,
    span: Span,
    *,
    vectors: bool,
    like: float,
    around: float,
    opens: bool,
) -> Judged:
    """Judge a span of what was read.

    Args:
        question: What is asked.
        wanted: What it is about.
        context: What was read.
        span: A stretch of ``context.text``.
        vectors: Whether words of like meaning count.
        like: The cosine of the question's vector and the span's.
        around: The share of the question that all of what was read covers.
        opens: Whether it is the first of its source or section; that counts only where the
            question names something, for there what opens a source tells what it is.
    """
    quote = context.text[span.start : span.end]
    places = [
        (" ".join((*span.headings, context.section)), 0.75),
        (f"{context.title} {re.sub(r'[-_/.]+', ' ', context.source_id)}", 0.7),
        (span.lead, 0.5),
    ]
    said = f"{span.lead}\n{quote}" if span.kind == "row" else quote
    covered = cover(wanted, said, places, vectors=vectors)
    headings = (*context.section.split(" › "), *span.headings)
    says, near = told(question.text, question.kind, quote, headings)
    if span.kind == "row":
        says = cell(question.text, span.lead, quote) or says
    features = {
        **span_features(question, context.title, context.source_id, covered, says),
        "near": near,
        "like": like,
        "around": around,
        "short": float(len(quote.split()) < _SHORT),
        "asks": float(quote.rstrip()[-1:] in "?？"),
    }
    model = "span_apart"
    if not names_nothing(question.text):
        model = "span"
        features["opens"] = float(opens)
    return Judged(quote=quote, covered=covered, says=says, features=features, model=model)


@lru_cache(maxsize=256)
def names_nothing(question: str) -> bool:
    """Tell whether a question has no name, so that what it is about must be told by its words.

    >>> names_nothing("How long are readings kept?"), names_nothing("Who founded Oslo?")
    (True, False)
    """
    return not names(question)


def span_features(
    question: SubQuestion, title: str, source_id: str, covered: Covered, says: str | None
) -> dict[str, float]:
    """Return the features of a span but for its place and for what stands near its value.

    Returns:
        ``own`` and ``whole``: shares of the question that it covers, by its own words and with
        those around it. ``named``: of the question's names. ``plain``: of its other words, and
        ``told``: by its own; ``typed_told``: the same where the asked sort of value is there.
        ``titled``: whether the question names its source. ``typed`` and ``untyped``: whether it
        holds the sort of value that is asked for, or lacks it.
    """
    valued = question.kind in VALUED
    return {
        "own": covered.own,
        "whole": covered.whole,
        "named": covered.named,
        "plain": covered.plain,
        "told": covered.told,
        "typed_told": covered.told * (valued and says is not None),
        "titled": float(bool(named(aliases(title, source_id), question.text))),
        "typed": float(valued and says is not None),
        "untyped": float(valued and says is None),
    }
