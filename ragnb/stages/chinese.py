"""What tells that a Chinese sentence answers a question.

What a source is of stands in its title and its first sentence, and is said nowhere else; so a
sentence is judged by the rest of the question, and by how much of it the whole text speaks of.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from ragnb.records import Context, SubQuestion
from ragnb.stages.chinese_wanted import is_typed
from ragnb.stages.links import aliases, named
from ragnb.stages.spans import Span
from ragnb.text.chinese import asks_about, leads, telling_terms
from ragnb.text.tokens import terms
from ragnb.text.values import values

__all__ = ["sentence_features"]

_RUN: Final = 8
_ALONE: Final = 0.3
"""What one character of a question tells, beside a pair."""


def sentence_features(
    question: SubQuestion,
    context: Context,
    spans: Sequence[Span],
    rarity: Mapping[str, float],
    begins: str = "",
) -> list[dict[str, float]]:
    """Return the features of each span of a text for a Chinese question.

    Args:
        question: What is asked.
        context: What was read.
        spans: Stretches of its text, in order.
        rarity: How much each term of the question tells, 0 to 1.
        begins: How the source begins; by default the first span, where the text begins there.

    Returns:
        ``doc``: the share of the question that the whole text and its title hold. ``pred``: the
        share that a span holds of what title and first sentence don't; ``rest``: of what isn't the
        source's name. ``local``: its share, terms weighing more that stand in few spans;
        ``doc_local`` that by ``doc``. ``before``: what the span before it adds. ``run``: the
        longest common stretch, by eight characters. ``titled``: whether the question names the
        source. ``values`` and ``no_values``: the share of the question's dates and numbers that it
        holds, and whether it holds none. ``first`` and ``defines``: whether it begins the source,
        and is asked for what that is. ``typed``: whether it holds the sort of thing that is asked
        for. ``asks``: whether it is a question. ``left``: the share that title and first sentence
        leave over.
    """
    asked = list(dict.fromkeys(telling_terms(question.text)))
    plain = {term: rarity.get(term, 1.0) * (1.0 if len(term) > 1 else _ALONE) for term in asked}
    texts = [context.text[span.start : span.end] for span in spans]
    held = [set(terms(text)) & plain.keys() for text in texts]
    begins = begins or (texts[0] if texts and context.start == 0 else "")
    place = set(terms(f"{context.title}\n{context.section}\n{begins}"))
    known = [name for name in leads(begins) if name in question.text]
    titled = bool(known) or bool(named(aliases(context.title, context.source_id), question.text))
    named_by = set(terms(f"{context.title} {' '.join(known)}")) if titled else set()
    count = Counter(term for one in held for term in one)
    size = len(spans)
    local = {
        term: (1.0 if len(term) > 1 else _ALONE) * math.log(1 + (size + 0.5) / (count[term] + 0.5))
        for term in asked
        if count[term]
    }
    doc = _share(plain, {*count, *(place & plain.keys())})
    new = {term: value for term, value in plain.items() if term not in place}
    rest = {term: value for term, value in plain.items() if term not in named_by}
    facts = {value.norm for value in values(question.text)}
    dated = {value.norm for value in values(f"{context.title}\n{context.section}")} & facts
    bare = asks_about(question.text)
    found = []
    for at, (span, text, mine) in enumerate(zip(spans, texts, held, strict=True)):
        said = {value.norm for value in values(text)} | dated if facts else set()
        above = (*span.headings, span.lead if span.kind != "sentence" else "")
        around = mine | ({term for each in above for term in terms(each)} & plain.keys())
        share = _share(local, mine)
        first = at == 0 and context.start == 0
        found.append(
            {
                "doc": doc,
                "pred": _share(new, around),
                "rest": _share(rest, around),
                "local": share,
                "doc_local": doc * share,
                "before": _share(local, mine | held[at - 1]) - share if at else 0.0,
                "run": min(_RUN, _common(bare, text)) / _RUN,
                "titled": float(titled),
                "values": len(facts & said) / len(facts) if facts else 0.0,
                "no_values": float(bool(facts) and not facts & said),
                "first": float(first),
                "defines": float(first and question.kind == "definition"),
                "typed": float(
                    is_typed(question.text, question.kind, f"{text} {' '.join(span.headings)}")
                ),
                "asks": float(text.rstrip()[-1:] in "?？"),
                "left": _share(plain, set(new)),
            }
        )
    return [{name: round(value, 6) for name, value in each.items()} for each in found]


def _share(weights: Mapping[str, float], inside: set[str]) -> float:
    total = sum(weights.values())
    return sum(value for term, value in weights.items() if term in inside) / total if total else 0.0


def _common(question: str, text: str) -> int:
    """Return the length of the longest stretch without spaces that stands in both."""
    best = 0
    for start in range(len(question)):
        while (
            start + best < len(question)
            and " " not in (part := question[start : start + best + 1])
            and part in text
        ):
            best += 1
    return best
