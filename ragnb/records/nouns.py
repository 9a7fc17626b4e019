"""What is asked, found and read, and what is missing or disagrees."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from ragnb.display import bundle
from ragnb.records.cells import row_text

__all__ = [
    "Conflict",
    "Context",
    "Evidence",
    "Filters",
    "Gap",
    "GapReason",
    "Hit",
    "Intent",
    "Mention",
    "Query",
    "Scope",
    "SubQuestion",
    "Suggestion",
    "Support",
    "content_id",
]

Intent: TypeAlias = Literal["broad_recall", "targeted_followup", "conflict_check", "reference_hop"]
Support: TypeAlias = Literal["strong", "partial", "weak"]
Scope: TypeAlias = Literal["chunk", "window", "section", "document"]
GapReason: TypeAlias = Literal[
    "search_failed",
    "no_results",
    "not_supported",
    "evidence_too_weak",
    "single_source",
    "source_conflict",
    "need_more_context",
]
Suggestion: TypeAlias = Literal[
    "retrieve_more", "read_more", "use_other_tool", "ask_person", "stop_with_uncertainty"
]
Filters: TypeAlias = dict[str, Any]


def content_id(*parts: object) -> str:
    """Return a short id of what is given: 12 hexadecimal digits of BLAKE2b.

    >>> content_id("a", "b") == content_id("a", "b"), content_id("a", "b") == content_id("ab")
    (True, False)
    """
    text = "\x1f".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuestion:
    """A part of the goal that can be answered and checked by itself."""

    id: str
    text: str
    kind: str = "other"
    """Who, when, where, how_many, yes_no, definition, list, comparison, procedure, why, other."""
    depends_on: tuple[str, ...] = ()
    required: bool = True
    channels: tuple[str, ...] = ()
    """Channels that suit the question; empty for all that the retriever has."""
    filters: Filters | None = field(default=None, hash=False)

    @classmethod
    def of(cls, text: str, **fields: Any) -> "SubQuestion":
        """Make a question whose id comes from its text."""
        return cls(id=content_id("question", text), text=text, **fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is sent to a retriever, and with which intent."""

    id: str
    text: str
    question_id: str
    intent: Intent = "broad_recall"
    keywords: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    filters: Filters | None = field(default=None, hash=False)
    reason: str = field(default="", compare=False)

    @classmethod
    def of(cls, text: str, question_id: str, **fields: Any) -> "Query":
        """Make a query whose id comes from all that decides what it finds."""
        decisive = {name: value for name, value in fields.items() if name != "reason"}
        identity = sorted(decisive.items())
        return cls(
            id=content_id("query", text, question_id, identity),
            text=text,
            question_id=question_id,
            **fields,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One step of a chain of references: this document names the next one in this sentence."""

    source_id: str
    name: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk's ranked appearance for a query, and how it got there."""

    chunk_id: str
    source_id: str
    title: str = ""
    section: str = ""
    url: str = ""
    page: int | None = None
    updated: str = ""
    trust: float = 0.5
    start: int = 0
    end: int = 0
    """Where the chunk stands in its source, so that what was read is not read again."""
    rank: int
    """Place in the newest order, from 1."""
    score: float
    fused_rank: int = 0
    """Place before reranking, from 1; 0 where nothing was fused."""
    ranks: tuple[tuple[str, int, float], ...] = ()
    """Per channel: its name, the place from 1 and the score there."""
    via: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A stretch of a source that was read: ``text == source_text[start:end]``."""

    id: str
    source_id: str
    chunk_id: str = ""
    scope: Scope
    start: int
    end: int
    text: str
    title: str = ""
    section: str = ""
    url: str = ""
    page: int | None = None
    updated: str = ""
    status: str = ""
    trust: float = 0.5
    text_hash: str = ""
    outline: tuple[str, ...] = ()
    """Of a long document: its headings, each with the sentence that follows it."""
    whole: bool = False
    """Whether it is all of its source, so that reading around it tells nothing more."""
    header: str = ""
    """Of a table's file that is read from below them: the lines that name its columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A verbatim span of a source that bears on a sub-question."""

    id: str
    question_id: str
    quote: str
    verified: bool
    """Whether ``quote`` was found word for word at ``start:end`` of the source's text."""
    source_id: str
    chunk_id: str
    context_id: str
    start: int
    end: int
    says: str = ""
    """In a few words, what the quote tells on the question: a name, date or number if asked."""
    cells: tuple[tuple[str, str], ...] = ()
    """Of a table's row: its cells, each beside the name of its column."""
    sure: bool = True
    """Whether that leaves no choice: no other value of the sort that is asked for is there."""
    score: float = 0.0
    support: Support = "partial"
    hedged: bool = False
    title: str = ""
    section: str = ""
    url: str = ""
    page: int | None = None
    updated: str = ""
    status: str = ""
    trust: float = 0.5
    text_hash: str = ""
    covers: tuple[tuple[str, float], ...] = ()
    """Terms of the question that it covers with its place, each with its share of the question."""
    also_in: tuple[str, ...] = ()
    """Ids of sources that hold the same wording."""
    notes: tuple[str, ...] = ()

    @property
    def grade(self) -> int:
        """The place of its support, to be sorted by: 0 is strong, 1 partial, 2 weak."""
        return get_args(Support).index(self.support)

    @property
    def row(self) -> str:
        """Of a table's row: what it reads beside the names of its columns."""
        return row_text(self.cells)

    @property
    def in_short(self) -> str:
        """What it says; the row or the quote where that is not sure or only its beginning."""
        known = self.sure and not (
            self.cells and self.quote.lstrip("| ").startswith(self.says[:20])
        )
        return (self.says if known else "") or self.row or self.quote

    @classmethod
    def of(
        cls, question_id: str, context: Context, start: int, end: int, **fields: Any
    ) -> "Evidence":
        """Make evidence of a stretch of what was read, with an id that comes from its place.

        It is verified, for its quote is cut from the text; other fields take precedence.
        """
        source, text_hash = context.source_id, context.text_hash
        given: dict[str, Any] = {
            "id": content_id("evidence", question_id, source, text_hash, start, end),
            "quote": context.text[start - context.start : end - context.start],
            "verified": True,
            "title": context.title,
            "section": context.section,
            "url": context.url,
            "page": context.page,
            "updated": context.updated,
            "status": context.status,
            "trust": context.trust,
        }
        return cls(
            question_id=question_id,
            source_id=source,
            chunk_id=context.chunk_id,
            context_id=context.id,
            start=start,
            end=end,
            text_hash=text_hash,
            **(given | fields),
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What is missing on a sub-question."""

    question_id: str
    reason: GapReason
    suggested: Suggestion = "retrieve_more"
    detail: str = ""
    opened_at: int = 0
    closed_at: int | None = None
    waived: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What makes two gaps the same one."""
        return (self.question_id, self.reason)

    @property
    def blocks(self) -> bool:
        """Whether its question is not answered while it is open: all but a single source."""
        return self.reason != "single_source"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two pieces of evidence that disagree."""

    question_id: str
    first: str
    second: str
    kind: Literal["number", "date", "name", "negation", "status"]
    status: Literal["open", "resolved", "unresolved"] = "open"
    rule: str = ""
    """What settled it: superseded status, newer document, more trusted source, a person, …"""
    winner: str = ""
    opened_at: int = 0
    closed_at: int | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two conflicts the same one."""
        return (self.question_id, self.first, self.second)
