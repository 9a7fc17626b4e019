"""Evidence from what a tool looked up: the rows and lines that answer, word for word."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ragnb.records import Context, Evidence, SubQuestion, Support
from ragnb.stages.coverage import asked
from ragnb.stages.toolbox.cues import with_quarters
from ragnb.stages.toolbox.spec import Span
from ragnb.text.cues import is_chinese, question_kind
from ragnb.text.numerals import DIGITS
from ragnb.text.tokens import terms

__all__ = ["STRONG", "backed", "taken_up"]

STRONG: Final = 0.7
"""Share of a question's words that a look-up must take up to answer it."""
PARTIAL: Final = 0.5
FEW: Final = 3
"""Rows that a look-up may give and still be an answer where no list is asked for."""
_MOST: Final = 5
_ADDING: Final = frozenset(
    terms("total sum average mean median count number together altogether all how many what is")
    + terms("highest largest biggest maximum dearest longest most lowest smallest fewest minimum")
    + terms("cheapest shortest")
)
"""Words that ask for a number to be worked out, or for nothing in particular."""


def backed(
    question: SubQuestion, contexts: Sequence[Context], spans: Iterable[Span], about: str
) -> tuple[Evidence, ...]:
    """Return the evidence of a look-up on a question: at most five quotes.

    Which rows fit was decided by comparing values, so a quote is as strong as the look-up takes up
    the words of the question: with its conditions, the columns it shows and what they hold. It is
    weak where the noun after "which" or "what" is not taken up, or where many rows fit and no list
    is asked for: such a look-up doesn't tell the answer from the rest.

    Args:
        question: What is asked.
        contexts: The texts that the spans stand in.
        spans: Where the rows or lines stand, and what each says.
        about: What was looked up: the table and its columns, the conditions, the expression.
    """
    by_place = {context.source_id: context for context in contexts}
    found: list[Evidence] = []
    spans = list(spans)
    head = asked(question.text).head
    several = len(spans) > FEW and question_kind(question.text) != "list"
    for span in spans[:_MOST]:
        context = by_place.get(span.source_id)
        if context is None or not context.start <= span.start < span.end <= context.end:
            continue
        quote = context.text[span.start - context.start : span.end - context.start]
        words = f"{about} {quote} {span.says}"
        share = taken_up(question.text, words)
        vague = several or bool(head and head not in terms(words.replace("_", " ")))
        found.append(
            Evidence.of(
                question.id,
                context,
                span.start,
                span.end,
                says=span.says or quote,
                cells=span.cells,
                score=0.0 if vague else round(share, 6),
                support="weak" if vague else _support(share),
                covers=() if vague else _covers(question.text, words),
            )
        )
    return tuple(found)


def _support(share: float) -> Support:
    return "strong" if share >= STRONG else "partial" if share >= PARTIAL else "weak"


def _covers(question: str, words: str) -> tuple[tuple[str, float], ...]:
    """Return the question's terms that are taken up, each with its share of the question."""
    question = with_quarters(question)
    weights = {t: w for t, w in asked(question).weights.items() if t not in _ADDING}
    if is_chinese(question):  # pairs of characters go across the bounds of words
        weights = {t: 1.0 for t in weights if len(t) == 1 or t.isascii()}
    told = set(terms(words.replace("_", " ")))
    whole = sum(weights.values()) or 1.0
    return tuple(
        (t, round(w / whole, 6)) for t, w in weights.items() if t in told or _held(t, told)
    )


def taken_up(question: str, words: str) -> float:
    """Return the share of a question's words that others take up, from 0 to 1."""
    return min(1.0, sum(share for _, share in _covers(question, words)))


def _held(term: str, told: Iterable[str]) -> bool:
    """Tell whether a number of the question is written otherwise where it was looked up."""
    bare = term.replace(",", "")
    return bool(re.fullmatch(DIGITS, bare)) and any(bare == each.replace(",", "") for each in told)
