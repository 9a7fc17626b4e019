"""BM25 over the term index.

SQLite proposes candidates and Python scores them, with a weight of terms that stays above zero
also in a library of three chunks (SQLite's own is zero for a term that half of the chunks hold).
In a large index the candidates come from the rarest terms of the query, as far as some thousands
of chunks; the common terms then only help to order these.
"""

import json
import math
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ragnb.library.filters import Sql
from ragnb.library.live import Allowed

__all__ = ["TermMatch", "match_terms", "search_terms", "term_frequencies"]

_SATURATION: Final = 1.2
_NORMALISATION: Final = 0.75
_POSTINGS: Final = 20_000
"""How many postings of the rarest terms are looked through for candidates."""
_CANDIDATES: Final = 200
_QUERY_TERMS: Final = 64
_LISTED: Final = 20_000
"""Up to so many chunks that a filter lets through are handed to SQLite as a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermMatch:
    """A term of a query in a chunk.

    Attributes:
        term: The index term: a stem, an identifier, one or two CJK characters.
        tf: How often it stands in the chunk.
        df: In how many chunks of the library it stands.
        idf: Its weight: above 0, the higher the rarer.
        score: What it adds to the chunk's BM25 score.
    """

    term: str
    tf: int
    df: int
    idf: float
    score: float


def search_terms(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    *,
    top_k: int,
    where: Sql,
    allowed: Allowed | None,
    size: tuple[int, int],
) -> list[tuple[str, float]]:
    """Return the chunks that hold any of the terms, best first.

    Args:
        connection: The index.
        terms: Index terms of the query; repeats don't count.
        top_k: At most so many chunks are returned.
        where: A compiled filter.
        allowed: What it lets through; None for everything.
        size: The number of chunks in the index, and of terms in all of them.

    Returns:
        Pairs of document id and score, rounded to 1e-6; equal scores are ordered by id.
    """
    frequencies = term_frequencies(connection, terms)
    ordered = sorted(frequencies, key=lambda term: (frequencies[term], term))[:_QUERY_TERMS]
    if not ordered or top_k < 1:
        return []
    if allowed is not None and len(allowed.numbers) <= _LISTED:
        listed = json.dumps(allowed.numbers.tolist())
        where = ("+chunk_terms.rowid IN (SELECT value FROM json_each(?))", [listed])
    wanted = max(_CANDIDATES, 4 * top_k)
    rare = _rarest(ordered, frequencies)
    found = _candidates(connection, rare, where, wanted)
    if len(found) < top_k and len(rare) < len(ordered):
        found = _candidates(connection, ordered, where, wanted)
    weights = {term: _weight(frequencies[term], size[0]) for term in ordered}
    mean = _mean(size)
    scored = [
        (document, round(math.fsum(_scores(words, weights, mean).values()), 6))
        for document, words in found
    ]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:top_k]


def match_terms(
    connection: sqlite3.Connection, terms: Sequence[str], words: str, *, size: tuple[int, int]
) -> list[TermMatch]:
    """Return which terms of a query stand in a chunk, those that count most first.

    Args:
        connection: The index.
        terms: Index terms of the query.
        words: The chunk's terms, joined by spaces.
        size: The number of chunks in the index, and of terms in all of them.
    """
    frequencies = term_frequencies(connection, terms)
    weights = {term: _weight(df, size[0]) for term, df in frequencies.items()}
    listed = words.split(" ")
    counts = Counter(listed)
    matches = [
        TermMatch(
            term=term,
            tf=counts[term],
            df=frequencies[term],
            idf=round(weights[term], 6),
            score=round(score, 6),
        )
        for term, score in _scores(listed, weights, _mean(size)).items()
    ]
    return sorted(matches, key=lambda match: (-match.score, match.term))


def _weight(frequency: int, chunks: int) -> float:
    return math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))


def _mean(size: tuple[int, int]) -> float:
    return max(size[1] / max(size[0], 1), 1.0)


def term_frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[str, int]:
    """Return in how many chunks each term stands; those in none are left out."""
    frequencies = {}
    for term in dict.fromkeys(terms):
        row = connection.execute("SELECT doc FROM chunk_words WHERE term = ?", [term]).fetchone()
        if row:
            frequencies[term] = int(row[0])
    return frequencies


def _rarest(ordered: Sequence[str], frequencies: dict[str, int]) -> list[str]:
    chosen: list[str] = []
    postings = 0
    for term in ordered:
        chosen.append(term)
        postings += frequencies[term]
        if postings > _POSTINGS:
            break
    return chosen


def _candidates(
    connection: sqlite3.Connection, terms: Sequence[str], where: Sql, count: int
) -> list[tuple[str, list[str]]]:
    """Return the best chunks by SQLite's own measure: document ids and their terms."""
    match = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
    join = "CROSS JOIN chunks ON chunks.id = chunk_terms.rowid " if "chunks." in where[0] else ""
    rows = connection.execute(
        "SELECT document, terms FROM chunks WHERE id IN (SELECT place FROM ("  # noqa: S608
        "SELECT chunk_terms.rowid AS place, bm25(chunk_terms) AS badness FROM chunk_terms "
        f"{join} WHERE chunk_terms MATCH ? AND {where[0]} ORDER BY badness, place LIMIT ?))",
        [match, *where[1], count],
    )
    return [(document, words.split(" ")) for document, words in rows]


def _scores(words: Sequence[str], weights: dict[str, float], mean: float) -> dict[str, float]:
    """Return what each term adds to the score of a chunk with these words."""
    counts = {term: count for term in weights if (count := words.count(term))}
    share = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * len(words) / mean)
    return {
        term: weights[term] * count * (_SATURATION + 1) / (count + share)
        for term, count in counts.items()
    }
