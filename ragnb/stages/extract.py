"""Find evidence by rule: spans of what was read that bear on a question."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import component, default_to_dict

from ragnb.errors import InputError
from ragnb.library.headers import columns_of
from ragnb.library.library import Library
from ragnb.records import Context, Evidence, SubQuestion, Support
from ragnb.stages.chinese import sentence_features
from ragnb.stages.coverage import Asked, Covered, asked, cover, covers
from ragnb.stages.features import Judged, judged
from ragnb.stages.fitted import chance
from ragnb.stages.parts import over_library
from ragnb.stages.rarity import Rarity
from ragnb.stages.spans import Span, cut
from ragnb.stages.wanted import first_words, rivals, wants_steps
from ragnb.stages.wordvectors import surfaces, text_likeness, word_likeness
from ragnb.text.cues import is_chinese
from ragnb.text.hedged import holds_back
from ragnb.text.orders import gives_orders

__all__ = ["Extractor", "apart"]

STRONG: Final = 0.72
PARTIAL: Final = 0.52
WEAK: Final = 0.34
TELLING: Final = 1.5
"""A question that tells less than this is never covered strongly."""
LEAST: Final = 0.005
"""A span of a lower chance to bear on the question is left out."""
LISTED: Final = 0.5
"""A list of what is asked for is so much nearer to sure than its sentences are."""
_NOTHING: Final = re.compile(
    r"\b(?:no|nothing) (?:\w+ )?(?:steps?|actions?|needs?|is|are|must|to)\b|无需|不需要"
)
"""What tells that there is nothing to be done."""
LISTED_ZH: Final = 0.1
"""From which chance on a Chinese list counts for more than its sentences."""
LEAST_ZH: Final = 0.02
"""A Chinese span of a lower chance is left out."""
STRONG_ZH: Final = 0.5
PARTIAL_ZH: Final = 0.25
"""From which chance to hold the answer on a Chinese span supports it strongly, or in part."""
_BEGINNING: Final = 600


@component
class Extractor:
    """Find the spans of a text that bear on a question, without a model.

    A span is a sentence, a list item, a table row or a short list. It is scored by how much of the
    question it covers, with the words of its headings, title and lead, and by whether it holds the
    sort of answer that is asked for.

    Args:
        max_spans: Most pieces of evidence from one text.
        vectors: Whether words of like meaning count.
        library: Tells how rare words are, so that rare ones count more.

    Raises:
        InputError: ``max_spans`` is below 1.
    """

    version: str = "2"

    def __init__(
        self,
        max_spans: int = 6,
        vectors: bool = True,  # noqa: FBT001, FBT002 - a setting
        library: Library | None = None,
    ) -> None:
        if max_spans < 1:
            raise InputError(f"Extractor(max_spans={max_spans}) finds nothing: give 1 or more.")
        self.max_spans = max_spans
        self.vectors = vectors
        self.library = library
        self._rarity = Rarity(library)

    @component.output_types(evidence=list[Evidence])
    def run(self, question: SubQuestion, context: Context) -> dict[str, list[Evidence]]:
        """Return evidence, best first, with ``quote == source_text[start:end]``.

        Args:
            question: What is asked; of a table only the rows that fit best count, unless several
                things are asked for.
            context: What was read.
        """
        wanted = self.wanted(question)
        several = wants_steps(question.text, question.kind)
        found: list[Evidence] = []
        rows: list[Evidence] = []
        for span, both in self.judged(question, context):
            if item := _evidence(question, wanted, context, span, both):
                (rows if span.kind == "row" and not several else found).append(item)
        best = max((row.score for row in rows), default=0.0)
        found += [row for row in rows if row.score == best]
        found.sort(key=lambda item: (-item.score, item.start, item.id))
        return {"evidence": apart(found)[: self.max_spans]}

    def wanted(self, question: SubQuestion) -> Asked:
        """Return what a question is about, its words weighed by rarity in the library."""
        about = asked(question.text)
        return about.by_rarity(self._rarity.of(about.weights))

    def judged(self, question: SubQuestion, context: Context) -> list[tuple[Span, Judged]]:
        """Return every span that may count for a question, each beside it."""
        wanted = self.wanted(question)
        several = wants_steps(question.text, question.kind)
        spans = [
            span
            for span in cut(context.text, context.source_id, context.header)
            if span.kind != "list" or several
        ]
        quotes = [context.text[span.start : span.end] for span in spans]
        if self.vectors:  # embeds all words at once
            word_likeness((), sorted({w for each in quotes for w in surfaces(each).values()}))
        likes = text_likeness(question.text, quotes) if self.vectors else None
        around = cover(wanted, context.text, [(context.title, 0.7)], vectors=self.vectors).whole
        opening = _opening(spans, context)
        found = [
            (
                span,
                judged(
                    question, wanted, context, span,
                    vectors=self.vectors, like=like, around=around, opens=opens,
                ),
            )
            for span, like, opens in zip(spans, likes or [0.0] * len(spans), opening, strict=True)
        ]  # fmt: skip
        if is_chinese(question.text):
            return self._chinese(question, wanted, context, found)
        return found

    def _chinese(
        self,
        question: SubQuestion,
        wanted: Asked,
        context: Context,
        found: list[tuple[Span, Judged]],
    ) -> list[tuple[Span, Judged]]:
        """Judge the spans again, as a Chinese question wants it."""
        rarity = self._rarity.of(wanted.weights)
        spans = [span for span, _ in found]
        begins = "" if context.start == 0 else self._beginning(context.source_id)
        features = sentence_features(question, context, spans, rarity, begins)
        return [
            (span, replace(both, features=each, model="span_zh"))
            for (span, both), each in zip(found, features, strict=True)
        ]

    def _beginning(self, source_id: str) -> str:
        """Return the first sentence of a source; nothing where the library doesn't know it."""
        if self.library is None or source_id not in {info.id for info in self.library.sources}:
            return ""
        text = self.library.source(source_id).text[:_BEGINNING]
        first = next((span for span in cut(text, source_id) if span.kind != "list"), None)
        return text[first.start : first.end] if first else ""

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        library = self.library.store.to_dict() if self.library else None
        return default_to_dict(
            self, max_spans=self.max_spans, vectors=self.vectors, library=library
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Extractor":
        """Make the component from what `to_dict` returned."""
        return over_library(cls, data)


def _opening(spans: Sequence[Span], context: Context) -> list[bool]:
    """Tell which spans are the first of their source or section, and lists that begin there."""
    found: list[bool] = []
    begun: set[int] = set()
    above: tuple[str, ...] | None = None if context.start == 0 else ()
    for span in spans:
        opens = span.headings != above and span.kind != "row"
        opens = opens or (span.kind == "list" and span.start in begun)
        above = span.headings
        begun |= {span.start} if opens else set()
        found.append(opens)
    return found


def _evidence(
    question: SubQuestion, wanted: Asked, context: Context, span: Span, both: Judged
) -> Evidence | None:
    quote, covered, says = both.quote, both.covered, both.says
    bears = chance(both.model, both.features)
    asks = quote.rstrip()[-1:] in "?？"
    if both.model == "span_zh":
        support = _support_zh(bears, has_answer=says is not None, asks=asks)
    else:
        support = _support(covered, has_answer=says is not None, asks=asks)
    least = LEAST_ZH if both.model == "span_zh" else LEAST
    if (support is None and bears < least) or not covered.whole:
        return None
    empty = wants_steps(question.text, question.kind) and bool(_NOTHING.search(quote))
    orders = gives_orders(quote)
    support = "weak" if empty or orders or support is None else support
    score = bears - 0.3 * orders - 0.2 * empty
    if span.kind == "list" and (
        both.model != "span_zh" or bears >= LISTED_ZH
    ):  # what it leads to goes before the line that leads in
        score = score + LISTED * (1 - score)
    headings = (*context.section.split(" › "), *span.headings)
    chosen = bool(says) and span.kind != "row"  # a row gives the cell of the column asked for
    found = rivals(question.text, question.kind, quote, headings) if chosen else []
    return Evidence.of(
        question.id,
        context,
        context.start + span.start,
        context.start + span.end,
        cells=tuple(columns_of(span.lead, quote)) if span.kind == "row" else (),
        says=found[0] if len(found) == 1 else says or first_words(quote),
        sure=len(found) < 2,
        score=round(min(1.0, max(0.0, score)), 6),
        support=support,
        hedged=holds_back(question.text, quote),
        covers=covers(wanted, covered),
        section=" › ".join(span.headings) or context.section,
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


def _support_zh(bears: float, *, has_answer: bool, asks: bool) -> Support | None:
    """Grade a Chinese span by its chance to hold the answer; None where that is small."""
    if bears < LEAST_ZH:
        return None
    if asks or not has_answer:
        return "weak"
    return "strong" if bears >= STRONG_ZH else "partial" if bears >= PARTIAL_ZH else "weak"


def apart(found: Iterable[Evidence]) -> list[Evidence]:
    """Drop what overlaps something better."""
    kept: list[Evidence] = []
    for item in found:
        if all(item.end <= other.start or other.end <= item.start for other in kept):
            kept.append(item)
    return kept
