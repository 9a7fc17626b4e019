"""Why a query finds a chunk: its place and score in each channel, and the terms that match."""

from dataclasses import dataclass
from typing import Final

from ragnb.errors import InputError
from ragnb.library.lexical import TermMatch
from ragnb.library.retrievers import RRF, WINDOW
from ragnb.library.store import EmbeddedDocumentStore
from ragnb.text.chinese import query_terms

__all__ = ["ChannelScore", "Explanation", "explain"]

_DEPTH: Final = 1_000
"""Down to which place a channel is searched for the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelScore:
    """A chunk in one channel.

    Attributes:
        channel: ``bm25`` or ``vector``.
        score: The BM25 score, above 0 when any term matches; or the cosine, -1 to 1.
        rank: Its place from 1; None below the first thousand.
    """

    channel: str
    score: float
    rank: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a query finds a chunk, or doesn't.

    Attributes:
        query: The query.
        chunk_id: The chunk.
        score: What its ranks give together; 0 when no channel has it in the part that is fused.
        channels: It in each channel.
        terms: The query's terms that stand in it, those that count most first.
        missing: The query's terms that don't.
    """

    query: str
    chunk_id: str
    score: float
    channels: tuple[ChannelScore, ...]
    terms: tuple[TermMatch, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.chunk_id} for {self.query!r}: {self.score:.6f}"]
        for each in self.channels:
            place = f"rank {each.rank}" if each.rank else f"below the first {_DEPTH:,}"
            lines.append(f"  {each.channel:<8} {each.score:9.4f}  {place}")
        lines.append(f"  {'term':<20} {'tf':>4} {'df':>7} {'idf':>7} {'score':>8}")
        for term in self.terms:
            numbers = f"{term.tf:>4} {term.df:>7} {term.idf:7.3f} {term.score:8.4f}"
            lines.append(f"  {term.term:<20} {numbers}")
        if self.missing:
            lines.append(f"  not in it: {', '.join(self.missing)}")
        return "\n".join(lines)


def explain(store: object, query: str, chunk_id: str) -> Explanation:
    """Explain a chunk's place for a query.

    Args:
        store: The library's store.
        query: Words, or a question.
        chunk_id: A chunk's id.

    Raises:
        InputError: There is no such chunk, or the store keeps no terms.
    """
    if not isinstance(store, EmbeddedDocumentStore):
        raise InputError(
            "Only ragnb's own index knows why it found something. Make the library with "
            "Library.from_folder or Library.from_documents."
        )
    if not store.get([chunk_id]):
        raise InputError(f"There is no chunk {chunk_id!r}. Give the id of a hit of search().")
    matched = tuple(store.matches(query, chunk_id))
    channels: list[ChannelScore] = []
    if matched:
        score = round(sum(match.score for match in matched), 6)
        found = [name for name, _ in store.bm25(query, _DEPTH)]
        channels.append(ChannelScore(channel="bm25", score=score, rank=_rank(found, chunk_id)))
    cosine = store.cosine(query, chunk_id) if "vector" in store.channels else None
    if cosine is not None:
        found = [name for name, _ in store.nearest(query, _DEPTH)]
        channels.append(ChannelScore(channel="vector", score=cosine, rank=_rank(found, chunk_id)))
    ranks = [each.rank for each in channels if each.rank and each.rank <= WINDOW]
    held = {match.term for match in matched}
    return Explanation(
        query=query,
        chunk_id=chunk_id,
        score=round(sum(1 / (RRF + rank) for rank in ranks), 6),
        channels=tuple(channels),
        terms=matched,
        missing=tuple(term for term in dict.fromkeys(query_terms(query)) if term not in held),
    )


def _rank(found: list[str], chunk_id: str) -> int | None:
    return found.index(chunk_id) + 1 if chunk_id in found else None
