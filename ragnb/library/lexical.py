"""BM25 over the term index.

SQLite proposes candidates and Python scores them, with a weight of terms that stays above zero
also in a library of three chunks (SQLite's own is zero for a term that half of the chunks hold).
In a large index the candidates come from the rarest terms of the query, as far as some thousands
of chunks; the common terms then only help to order these.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ragnb.library.filters import Sql

__all__ = ["search_terms"]

_SATURATION: Final = 1.2
_NORMALISATION: Final = 0.75
_POSTINGS: Final = 20_000
"""How many postings of the rarest terms are looked through for candidates."""
_CANDIDATES: Final = 200
_QUERY_TERMS: Final = 64


def search_terms(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    *,
    top_k: int,
    where: Sql,
    size: tuple[int, int],
) -> list[tuple[str, float]]:
    """Return the chunks that hold any of the terms, best first.

    Args:
        connection: The index.
        terms: Index terms of the query; repeats don't count.
        top_k: At most so many chunks are returned.
        where: A compiled filter.
        size: The number of chunks in the index, and of terms in all of them.

    Returns:
        Pairs of document id and score, rounded to 1e-6; equal scores are ordered by id.
    """
    frequencies = _frequencies(connection, terms)
    ordered = sorted(frequencies, key=lambda term: (frequencies[term], term))[:_QUERY_TERMS]
    if not ordered or top_k < 1:
        return []
    chunks, length = size
    wanted = max(_CANDIDATES, 4 * top_k)
    rare = _rarest(ordered, frequencies)
    found = _candidates(connection, rare, where, wanted)
    if len(found) < top_k and len(rare) < len(ordered):
        found = _candidates(connection, ordered, where, wanted)
    weights = {
        term: math.log(1 + (chunks - frequencies[term] + 0.5) / (frequencies[term] + 0.5))
        for term in ordered
    }
    mean = max(length / max(chunks, 1), 1.0)
    scored = [(document, round(_score(words, weights, mean), 6)) for document, words in found]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:top_k]


def _frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[str, int]:
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
    join = "" if where[0] == "1" else "CROSS JOIN chunks ON chunks.id = chunk_terms.rowid "
    rows = connection.execute(
        "SELECT document, terms FROM chunks WHERE id IN (SELECT place FROM ("  # noqa: S608
        "SELECT chunk_terms.rowid AS place, bm25(chunk_terms) AS badness FROM chunk_terms "
        f"{join} WHERE chunk_terms MATCH ? AND {where[0]} ORDER BY badness, place LIMIT ?))",
        [match, *where[1], count],
    )
    return [(document, words.split(" ")) for document, words in rows]


def _score(words: Sequence[str], weights: dict[str, float], mean: float) -> float:
    counts = Counter(word for word in words if word in weights)
    share = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * len(words) / mean)
    return math.fsum(
        weights[term] * count * (_SATURATION + 1) / (count + share)
        for term, count in counts.items()
    )
