"""Find evidence by rule: spans of what was read that bear on a question."""

import re
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.records import Context, Evidence, SubQuestion, Support, content_id
from ragnb.stages.coverage import Asked, Covered, asked, cover
from ragnb.stages.spans import Span, cut
from ragnb.stages.wanted import answers, cell, first_words, wants_steps
from ragnb.text.cues import hedge
from ragnb.text.sentences import sentences

__all__ = ["Extractor"]

STRONG: Final = 0.72
PARTIAL: Final = 0.52
WEAK: Final = 0.34
TELLING: Final = 1.5
"""A question that tells less than this is never covered strongly."""
_NOTHING: Final = re.compile(
    r"\b(?:no|nothing) (?:\w+ )?(?:steps?|actions?|needs?|is|are|must|to)\b|无需|不需要"
)
"""What tells that there is nothing to be done."""
_ORDERS: Final = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,20}\b(?:previous|prior|earlier|above)\b.{0,20}\binstructions?\b"
    r"|(?:忽略|无视).{0,10}(?:指令|指示|说明)",
    re.IGNORECASE,
)
_ORDER: Final = ("weak", "partial", "strong")


@component
class Extractor:
    """Find the spans of a text that bear on a question, without a model.

    A span is a sentence, a list item, a table row or a short list. It is scored by how much of the
    question it covers, with the words of its headings, title and lead, and by whether it holds the
    sort of answer that is asked for.

    Args:
        max_spans: Most pieces of evidence from one text.
        vectors: Whether words of like meaning count.

    Raises:
        InputError: ``max_spans`` is below 1.
    """

    version: str = "1"

    def __init__(self, max_spans: int = 3, vectors: bool = True) -> None:  # noqa: FBT001, FBT002
        if max_spans < 1:
            raise InputError(f"Extractor(max_spans={max_spans}) finds nothing: give 1 or more.")
        self.max_spans = max_spans
        self.vectors = vectors

    @component.output_types(evidence=list[Evidence])
    def run(self, question: SubQuestion, context: Context) -> dict[str, list[Evidence]]:
        """Return evidence, best first, with ``quote == source_text[start:end]``.

        Args:
            question: What is asked; of a table only the rows that fit best count, unless several
                things are asked for.
            context: What was read.
        """
        wanted = asked(question.text)
        several = wants_steps(question.text, question.kind)
        found: list[Evidence] = []
        rows: list[Evidence] = []
        for span in cut(context.text, context.source_id):
            if span.kind == "list" and not several:
                continue
            if item := self._judged(question, wanted, context, span):
                (rows if span.kind == "row" and not several else found).append(item)
        best = max((row.score for row in rows), default=0.0)
        found += [row for row in rows if row.score == best]
        found.sort(key=lambda item: (-item.score, item.start, item.id))
        return {"evidence": _apart(found)[: self.max_spans]}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self, max_spans=self.max_spans, vectors=self.vectors)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Extractor":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)

    def _judged(
        self, question: SubQuestion, wanted: Asked, context: Context, span: Span
    ) -> Evidence | None:
        quote = context.text[span.start : span.end]
        places = [
            (" ".join((*span.headings, context.section)), 0.75),
            (f"{context.title} {re.sub(r'[-_/.]+', ' ', context.source_id)}", 0.7),
            (span.lead, 0.9 if span.kind == "row" else 0.5),
        ]
        covered = cover(wanted, quote, places, vectors=self.vectors)
        headings = (*context.section.split(" › "), *span.headings)
        says = answers(question.text, question.kind, quote, headings)
        if span.kind == "row":
            says = cell(question.text, span.lead, quote) or says
        support = _support(covered, has_answer=says is not None, asks=quote.rstrip()[-1:] in "?？")
        if support is None:
            return None
        steps = span.kind == "list"
        empty = wants_steps(question.text, question.kind) and bool(_NOTHING.search(quote))
        orders = bool(_ORDERS.search(quote))
        support = "weak" if empty or orders else support
        score = 0.6 * covered.whole + 0.25 * covered.own + 0.15 * (says is not None)
        score += 0.1 * steps - 0.2 * (_ORDER.index(support) == 0)
        score -= 0.3 * orders
        start, end = context.start + span.start, context.start + span.end
        source, text_hash = context.source_id, context.text_hash
        return Evidence(
            id=content_id("evidence", question.id, source, text_hash, start, end),
            question_id=question.id,
            quote=quote,
            verified=True,
            source_id=source,
            chunk_id=context.chunk_id,
            context_id=context.id,
            start=start,
            end=end,
            says=says or first_words(quote),
            score=round(min(1.0, max(0.0, score)), 6),
            support=support,
            hedged=_hedged(question.text, quote),
            title=context.title,
            section=" › ".join(span.headings) or context.section,
            url=context.url,
            page=context.page,
            updated=context.updated,
            status=context.status,
            trust=context.trust,
            text_hash=text_hash,
            notes=("It gives orders to its reader; they are not followed.",) if orders else (),
        )


def _support(covered: Covered, *, has_answer: bool, asks: bool) -> Support | None:
    """Grade a span; None where it doesn't bear on the question."""
    if covered.whole < WEAK or covered.own <= 0 or covered.plain < 0.25:
        return None
    if covered.named < 0.5 or covered.plain < 0.4 or not covered.head or asks:
        return "weak"
    if not has_answer:
        return "weak"
    if covered.whole >= STRONG and covered.own >= 0.4 and covered.mass >= TELLING:
        return "strong"
    return "partial" if covered.whole >= PARTIAL and covered.own >= 0.25 else "weak"


def _hedged(question: str, quote: str) -> bool:
    """Tell whether at least half of a quote's sentences hold back.

    A "may" that the question has too is a permission.
    """
    asked_words = set(question.lower().split())
    parts = [quote[start:end] for start, end in sentences(quote)] or [quote]
    back = [any(w not in asked_words for w in hedge(part).split(", ") if w) for part in parts]
    return 2 * sum(back) >= len(parts)


def _apart(found: list[Evidence]) -> list[Evidence]:
    """Drop what overlaps something better."""
    kept: list[Evidence] = []
    for item in found:
        if all(item.end <= other.start or other.end <= item.start for other in kept):
            kept.append(item)
    return kept
