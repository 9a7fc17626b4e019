"""Put chunks in a better order: each word of the query finds its likest word in the chunk."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import Document, component, default_from_dict, default_to_dict

from ragnb.errors import InputError
from ragnb.stages.coverage import Asked, asked, longest_run, seen
from ragnb.stages.wordvectors import surfaces, word_likeness
from ragnb.text.cues import NOT_IN_FORCE
from ragnb.text.tokens import terms

__all__ = ["Reranker"]

_LATE: Final = 0.2
"""Share of the word-by-word score; the rest is the place before. More made every set worse."""
_PLACE: Final = 0.85
"""What a word in the title or the headings is worth."""
_ALIKE: Final = 0.4
_LIKELY: Final = 2
"""Words are compared by meaning in so many times as many documents as are kept."""


@component
class Reranker:
    """Rerank by late interaction over static word vectors, blended with the order before.

    Each word of the query counts by how rare it is among the chunks at hand. Without word vectors
    only equal words count; ``notes`` says so.

    Args:
        top_k: How many are kept.

    Raises:
        InputError: ``top_k`` is below 1.
    """

    version: str = "1"

    def __init__(self, top_k: int = 8) -> None:
        if top_k < 1:
            raise InputError(f"Reranker(top_k={top_k}) keeps nothing: give 1 or more.")
        self.top_k = top_k

    @component.output_types(documents=list[Document], notes=list[str])
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, Any]:
        """Return the best documents, with new scores from 0 to 1.

        Args:
            query: What was searched.
            documents: Chunks, best first as they were found.
            top_k: In place of the component's own.
        """
        kept = self.top_k if top_k is None else top_k
        question = asked(query)
        inside = [seen(each.content or "") for each in documents]
        around = [seen(_place(each)) for each in documents]
        weights = _weights(question, [a | b for a, b in zip(inside, around, strict=True)])
        words = question.surfaces
        some = documents[: _LIKELY * kept]
        word_likeness((), _words(each.content or "" for each in some))  # embeds all at once
        scored: list[tuple[float, str, Document]] = []
        notes: list[str] = []
        for rank, document in enumerate(documents):
            credit = {
                term: 1.0 if term in inside[rank] else _PLACE * (term in around[rank])
                for term in weights
            }
            likely = rank < _LIKELY * kept
            if likely and not _soften(credit, words, document.content or "") and not notes:
                notes.append("No word vectors are installed: only equal words were compared.")
            late = sum(weights[term] * value for term, value in credit.items())
            run = longest_run(question.run, terms(document.content or "", stop=True), set(weights))
            late = min(1.0, late + 0.05 * min(3, max(0, run - 2)))
            score = _LATE * late + (1 - _LATE) / (1 + 0.15 * rank) + _standing(document)
            scored.append((round(min(1.0, max(0.0, score)), 6), document.id, document))
        scored.sort(key=lambda each: (-each[0], each[1]))
        return {
            "documents": [replace(each, score=score) for score, _, each in scored[:kept]],
            "notes": notes,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self, top_k=self.top_k)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Reranker":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)


def _words(texts: Iterable[str]) -> list[str]:
    return sorted({word for text in texts for word in surfaces(text).values()})


def _place(document: Document) -> str:
    meta = document.meta
    place = f"{meta.get('title', '')} {meta.get('section', '')} {meta.get('context', '')}"
    return place.replace("_", " ")


def _weights(question: Asked, texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Weigh terms by what they tell and by rarity among the texts; the weights add up to 1."""
    df = Counter(term for text in texts for term in text)
    raw = {
        term: tells * math.log(1 + (1 + len(texts)) / (1 + df[term]))
        for term, tells in question.weights.items()
    }
    total = sum(raw.values())
    return {term: weight / total for term, weight in raw.items()} if total else {}


def _soften(credit: dict[str, float], words: Mapping[str, str], text: str) -> bool:
    """Raise the credit of missing terms by the likest word; False without word vectors."""
    missing = {term: words[term] for term in credit if term in words and credit[term] < 1}
    likeness = word_likeness(list(missing.values()), _words([text]))
    if likeness is None:
        return False
    if likeness.size:
        for term, value in zip(missing, likeness.max(axis=1), strict=True):
            if value >= _ALIKE:
                credit[term] = max(credit[term], 0.8 * float(value))
    return True


def _standing(document: Document) -> float:
    """Weigh trust, and that something else is in force."""
    trust = document.meta.get("trust")
    bonus = 0.1 * (float(trust) - 0.5) if isinstance(trust, int | float) else 0.0
    return bonus - 0.05 * (document.meta.get("status") in NOT_IN_FORCE)
