"""What a run says in the end, resolved so that it can be read without the run."""

from dataclasses import dataclass, field
from typing import Any, Literal

from ragnb.display import bundle, render, render_text
from ragnb.records.cells import row_text
from ragnb.records.cost import StopReason, Usage
from ragnb.records.nouns import Evidence, GapReason, Suggestion, Support

__all__ = [
    "Answer",
    "Claim",
    "Grounding",
    "OpenQuestion",
    "SourceUse",
    "Uncertainty",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """What ties a claim to a piece of evidence; resolved, so that an answer stands by itself."""

    evidence_id: str
    n: int = 0
    """The number under which the answer cites the quote, from 1."""
    quote: str
    source_id: str
    chunk_id: str
    start: int
    end: int
    title: str = ""
    url: str = ""
    status: str = ""
    """The status of its document, such as ``current`` or ``superseded``; empty if none is given."""
    cells: tuple[tuple[str, str], ...] = ()
    """Of a table's row: its cells, each beside the name of its column."""
    support: Support = "partial"
    relevance: float = 0.0

    @property
    def row(self) -> str:
        """Of a table's row: what it reads beside the names of its columns."""
        return row_text(self.cells)

    @classmethod
    def of(cls, item: Evidence, start: int = 0, end: int | None = None) -> "Grounding":
        """Cite a piece of evidence, or the part ``quote[start:end]`` of it."""
        end = len(item.quote) if end is None else end
        return cls(
            evidence_id=item.id,
            quote=item.quote[start:end],
            source_id=item.source_id,
            chunk_id=item.chunk_id,
            start=item.start + start,
            end=item.start + end,
            title=item.title,
            url=item.url,
            status=item.status,
            cells=item.cells if end - start == len(item.quote) else (),
            support=item.support,
            relevance=item.score,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of the answer, with what it rests on."""

    id: str
    statement: str
    question_id: str
    groundings: tuple[Grounding, ...]
    hedged: bool = False
    single_source: bool = False
    """Whether all that was found for it stands in one document; a risk only where that matters."""
    risks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A sub-question without an answer, why, and what was searched for it."""

    question_id: str
    question: str
    reason: GapReason
    suggested: Suggestion
    searched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """What is said with less than firm support."""

    statement: str
    question_id: str
    groundings: tuple[Grounding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUse:
    """A source of the answer: cited, read, or only found."""

    source_id: str
    quotes: tuple[int, ...] = ()
    title: str = ""
    url: str = ""
    page: int | None = None
    use: Literal["cited", "read", "found"]
    score: float = 0.0
    updated: str = ""
    trust: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a run says in the end; it can be read without the run."""

    goal: str
    conclusions: tuple[Claim, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    uncertainties: tuple[Uncertainty, ...] = ()
    sources: tuple[SourceUse, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    """The sub-questions: their ids and texts."""
    table: tuple[tuple[str, str], ...] = ()
    """Of a comparison: each thing and, in short, what the conclusions say of it."""
    remarks: tuple[str, ...] = ()
    """What a plan could not do: a document that is not here, a tool that failed, what was cut."""
    text: str = ""
    """The reply of a run that needed no retrieval; else empty."""
    partial: bool = False
    stop: StopReason | None = None
    cost: Usage = field(default_factory=Usage)
    """What chat models cost up to this answer: calls, tokens and money, without the seconds."""

    def __str__(self) -> str:
        return render_text(self, "answer")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "answer") | {"text/markdown": render(self, "answer_markdown")}

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain JSON data, with the keys that `ragnb ask --json` prints."""
        texts = dict(self.asked)
        return {
            "goal": self.goal,
            "conclusions": [
                {
                    "id": claim.id,
                    "statement": claim.statement,
                    "question": texts.get(claim.question_id, claim.question_id),
                    "groundings": [_grounding(item) for item in claim.groundings],
                    "single_source": claim.single_source,
                    "risks": list(claim.risks),
                }
                for claim in self.conclusions
            ],
            "open_questions": [
                {
                    "question": item.question,
                    "reason": item.reason,
                    "suggested": item.suggested,
                    "searched": list(item.searched),
                }
                for item in self.open_questions
            ],
            "uncertainties": [
                {
                    "statement": item.statement,
                    "question": texts.get(item.question_id, item.question_id),
                    "groundings": [_grounding(each) for each in item.groundings],
                }
                for item in self.uncertainties
            ],
            "sources": [
                {
                    "source_id": use.source_id,
                    "quotes": list(use.quotes),
                    "title": use.title,
                    "url": use.url,
                    "page": use.page,
                    "use": use.use,
                    "score": use.score,
                    "updated": use.updated,
                    "trust": use.trust,
                }
                for use in self.sources
            ],
            "table": [list(row) for row in self.table],
            "remarks": list(self.remarks),
            "text": self.text,
            "stop_reason": {"code": self.stop.code, "text": self.stop.text} if self.stop else None,
            "partial": self.partial,
            "cost": {
                "model_calls": self.cost.model_calls,
                "tokens_in": self.cost.tokens_in,
                "tokens_out": self.cost.tokens_out,
                "money": self.cost.money,
                "unpriced": self.cost.unpriced,
            },
        }


def _grounding(item: Grounding) -> dict[str, Any]:
    return {
        "n": item.n,
        "evidence": item.evidence_id,
        "quote": item.quote,
        "source_id": item.source_id,
        "title": item.title,
        "url": item.url,
        "status": item.status,
        "cells": dict(item.cells),
        "chunk": item.chunk_id,
        "start": item.start,
        "end": item.end,
        "support": item.support,
        "relevance": item.relevance,
    }
