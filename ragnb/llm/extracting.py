"""Extract with a model: it names quotes, code finds where they truly stand."""

import re
from collections.abc import Iterator
from typing import Final

from haystack import component

from ragnb.library import Library
from ragnb.library.headers import columns_of
from ragnb.llm import prompts
from ragnb.llm.excerpts import excerpts
from ragnb.llm.metering import note
from ragnb.llm.shapes import ExtractReply, QuoteReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import Context, Evidence, SubQuestion, Support, content_id
from ragnb.stages import Extractor
from ragnb.stages.extract import apart
from ragnb.stages.spans import row_at
from ragnb.text import holds_back, sentences
from ragnb.text.locate import locate
from ragnb.text.orders import gives_orders

__all__ = ["ModelExtractor"]

_TOKENS: Final = 1000
_SHORT: Final = 24
"""A quote of fewer characters is widened to its sentence."""
_WORTH: Final[dict[Support, float]] = {"strong": 0.9, "partial": 0.65, "weak": 0.35}
_FALSE: Final = {
    "stitched": "The model put this quote together from places that don't follow one another.",
    "not_found": "The model's quote does not stand in the text that it was given.",
}
_LOOKED: Final = 5
"""Chunks in which a quote is looked for that doesn't stand where it should."""
_UNVERIFIED: Final = 2
"""Quotes of one reply that can't be found and are kept to be shown."""


@component
class ModelExtractor(Twin[Extractor]):
    """Find the spans of a text that bear on a question, with a model.

    Each quote is replaced by the true span of the text. One that doesn't stand there is kept as
    not verified, to be seen, with whether it was made up, put together or taken from another
    source of the library, and grounds nothing; where no quote of a reply is true the rules do the
    step. What gives orders to its reader is never more than weak.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The extractor without a model.
        prices: The user's prices.
    """

    prompt = prompts.EXTRACT
    ruled = Extractor

    @component.output_types(evidence=list[Evidence])
    def run(self, question: SubQuestion, context: Context) -> dict[str, list[Evidence]]:
        """Return evidence, best first; the arguments are those of `Extractor.run`."""
        ruled: list[Evidence] = self.rules.run(question, context)["evidence"]
        if not context.text.strip():
            return {"evidence": ruled}
        sure = [(item.start - context.start, item.end - context.start) for item in ruled]
        spans = excerpts(context.text, question.text, sure)
        if (sent := sum(end - start for start, end in spans)) < len(context.text):
            told = f"{sent:,} of {len(context.text):,} characters of {context.source_id}"
            note(f"The text is long: the model was given {told}, those that fit best.")
        given = prompts.extract(question, context, spans)
        reply = structured(self.model, self.prompt, given, ExtractReply, tokens=_TOKENS)
        if reply is None:
            return {"evidence": ruled}
        library: Library | None = getattr(self.rules, "library", None)
        true: dict[str, Evidence] = {}
        false: dict[str, Evidence] = {}
        for item in reply.quotes:
            for made in _evidence(item, question, context, ruled, library):
                (true if made.verified else false).setdefault(made.id, made)
        if false:
            count = f"{len(false)} of the model's quotes"
            note(f"{count} could not be found in {context.source_id}; they ground nothing.")
        if false and not true:
            note("Rules did this step, for none of the model's quotes is true.")
            true = {item.id: item for item in ruled}
        found = sorted(true.values(), key=lambda item: (-item.score, item.start, item.id))
        return {"evidence": [*apart(found), *list(false.values())[:_UNVERIFIED]]}


def _evidence(
    item: QuoteReply,
    question: SubQuestion,
    context: Context,
    ruled: list[Evidence],
    library: Library | None,
) -> Iterator[Evidence]:
    """Make evidence of a model's quote: one piece for each span that it stands for."""
    quote = item.quote.strip()
    if len(quote) >= 890:  # a reply's text is cut at 900
        quote = re.sub(r"\s*\S*$", "", quote) or quote
    if not quote:
        return
    found = locate(quote, context.text)
    if not found.true:
        other = _elsewhere(quote, context, library) if found.kind == "not_found" else ""
        told = f"The model took this quote from {other}, not from the text that it was given."
        why = told if other else _FALSE[found.kind]
        yield _made(item, question, context, None, quote=quote, notes=(why,))
        return
    for start, end in found.spans:
        span = _widened(context, start, end)
        first, last = (context.start + place for place in span)
        same = [other for other in ruled if other.start < last and first < other.end]
        notes = tuple(dict.fromkeys(text for other in same for text in other.notes))
        if not notes and gives_orders(context.text[span[0] : span[1]]):
            notes = ("It gives orders to its reader; they are not followed.",)
        yield _made(item, question, context, span, quote="", notes=notes, seen=bool(same))


def _elsewhere(quote: str, context: Context, library: Library | None) -> str:
    """Return the source in which a quote stands that is not in the text named; empty for none."""
    if library is None:
        return ""
    for document in library.search(quote[:300], top_k=_LOOKED):
        source = str(document.meta.get("source_id") or document.id)
        if source != context.source_id and locate(quote, document.content or "").true:
            return source
    return ""


def _widened(context: Context, start: int, end: int) -> tuple[int, int]:
    """Widen a scrap to the table's row or the sentence that it stands in."""
    if end - start >= _SHORT:
        return start, end
    if (row := row_at(context, start, end)) is not None:
        return row.start, row.end
    for first, last in sentences(context.text):
        if first <= start and end <= last:
            return first, last
    return start, end


def _made(  # noqa: PLR0917 - the parts of a piece of evidence
    item: QuoteReply,
    question: SubQuestion,
    context: Context,
    span: tuple[int, int] | None,
    quote: str,
    notes: tuple[str, ...],
    *,
    seen: bool = True,
) -> Evidence:
    support: Support = item.support
    if support == "strong" and not seen:
        support = "partial"  # no word of it bears on the question: one voice alone is not enough
    if span is None or notes:
        support = "weak"
    start, end = (0, 0) if span is None else (context.start + span[0], context.start + span[1])
    place = quote if span is None else f"{start}:{end}"
    quote = quote if span is None else context.text[span[0] : span[1]]
    row = row_at(context, *span) if span is not None else None
    whole = row is not None and (row.start, row.end) == span
    return Evidence.of(
        question.id,
        context,
        start,
        end,
        id=content_id("evidence", question.id, context.source_id, context.text_hash, place),
        quote=quote,
        verified=span is not None,
        says=" ".join(item.says.split()),
        cells=tuple(columns_of(row.lead, quote)) if row is not None and whole else (),
        score=_WORTH[support],
        support=support,
        hedged=holds_back(question.text, quote),
        notes=notes,
    )
