"""Which chunk holds which terms and names which source: the arrays that chains are built over."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragnb.library.mentions import Mentions, read_mentions
from ragnb.library.names import bare
from ragnb.library.source import SourceInfo
from ragnb.library.wordstream import WordStream
from ragnb.text.tokens import terms, tokens

__all__ = ["References", "spread"]

_SATURATION: Final = 0.9
_NORMALISATION: Final = 0.4

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


def spread(first: Ints, count: Ints) -> Ints:
    """Return the numbers of ranges, one after the other.

    >>> spread(np.array([3, 10]), np.array([2, 3])).tolist()
    [3, 4, 10, 11, 12]
    """
    before = np.cumsum(count) - count
    return np.repeat(first - before, count) + np.arange(int(count.sum()))


@dataclass(slots=True)
class _Postings:
    """Per term the rows that hold it, with a weight each."""

    start: Ints
    rows: Ints
    weights: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    def of(self, term: int) -> slice:
        return slice(int(self.start[term]), int(self.start[term + 1]))


class References:
    """An index over chunks for following names from one to the next.

    Args:
        stream: The chunks' words.
        chunks: Per chunk its id and the place of its source in ``sources``.
        sources: The sources.
        linked: Links as (sentence, place of the source that is linked to).
        quoted: Names that stand in quotation marks, as word numbers, by number of sources.
        leads: Per source the names that its text begins with, as word numbers.
    """

    def __init__(
        self,
        stream: WordStream,
        chunks: list[tuple[str, int]],
        sources: list[SourceInfo],
        linked: Iterable[tuple[int, int]] = (),
        quoted: Counter[tuple[int, ...]] | None = None,
        *,
        leads: Sequence[Sequence[tuple[int, ...]]] = (),
    ) -> None:
        self.stream = stream
        self.ids = [name for name, _ in chunks]
        self.place_of = {name: place for place, name in enumerate(self.ids)}
        self.source_of = np.array([place for _, place in chunks], dtype=np.int64)
        self.sources = sources
        self.first = np.array(stream.sentence_of, dtype=np.int64)
        self._count_terms()
        mentions = read_mentions(
            stream, self.source_of, sources, linked, quoted or Counter(), leads=leads
        )
        self.table = mentions.table
        self.own = mentions.own
        self.weak = mentions.weak
        self.spelled = list(mentions.table.names)
        self._words = list(stream.vocabulary)
        self._terms: dict[int, frozenset[str]] = {}
        self._post(mentions)

    def __len__(self) -> int:
        return len(self.ids)

    def terms_of(self, name: int) -> frozenset[str]:
        """Return the index terms of a name."""
        found = self._terms.get(name)
        if found is None:
            found = self._terms[name] = frozenset(terms(self.spell(name)))
        return found

    def spell(self, name: int) -> str:
        """Return a name as folded words."""
        return " ".join(self._words[word] for word in self.spelled[name])

    def written(self, text: str, name: int) -> str:
        """Return a name as a text writes it; as folded words where it stands otherwise there."""
        cut = tokens(text)
        wanted = [self._words[word] for word in self.spelled[name]]
        folded = [bare(token.text) for token in cut]
        for at in range(len(cut) - len(wanted) + 1):
            if folded[at : at + len(wanted)] == wanted:
                return text[cut[at].start : cut[at + len(wanted) - 1].end]
        return self.spell(name)

    def _count_terms(self) -> None:
        stream, size = self.stream, len(self.ids)
        vocabulary = len(stream.index_terms)
        numbers = np.array(stream.terms, dtype=np.int64)
        bounds = np.array(stream.term_of, dtype=np.int64)
        sentences = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        chunk_of = np.repeat(np.arange(size), np.diff(self.first))
        self.chunk_of = chunk_of
        keys = np.unique(numbers * len(chunk_of) + sentences)
        self.in_sentences = _by_term(keys // max(len(chunk_of), 1), vocabulary)
        self.in_sentences.rows = keys % max(len(chunk_of), 1)
        in_chunks = chunk_of[sentences] if size else sentences
        keys, counts = np.unique(numbers * size + in_chunks, return_counts=True)
        self.in_chunks = _by_term(keys // max(size, 1), vocabulary)
        rows = self.in_chunks.rows = keys % max(size, 1)
        lengths = np.bincount(in_chunks, minlength=size)
        mean = max(float(lengths.mean()) if size else 1.0, 1e-9)
        share = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * lengths / mean)
        weights = counts * (_SATURATION + 1) / (counts + share[rows])
        self.in_chunks.weights = weights.astype(np.float32)
        frequency = np.diff(self.in_chunks.start)
        self.idf = np.log(1 + (size - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)

    def _post(self, mentions: Mentions) -> None:
        """Sort mentions by chunk, and chunks by the names they hold."""
        size, names = len(self.ids), len(self.spelled)
        order = np.argsort(mentions.sentence, kind="stable")
        sentence, name = mentions.sentence[order], mentions.name[order]
        self.mention_name, self.mention_sentence = name, sentence
        self.mention_nested = mentions.nested[order]
        self.mention_of = np.searchsorted(sentence, self.first)
        key = name * size + self.chunk_of[sentence] if size else name
        order = np.argsort(key, kind="stable")
        key, strength = key[order], mentions.strength[order]
        unique, at = np.unique(key, return_index=True)
        counts = np.diff(np.append(at, len(key)))
        best = np.maximum.reduceat(strength, at) if len(at) else strength
        titled = mentions.titled_name * size + mentions.titled_chunk
        fresh = ~np.isin(unique, titled)
        total = len(self.chunk_of)
        begin = self.first[mentions.titled_chunk]
        inside = self.first[mentions.titled_chunk + 1] - begin
        begin, inside = begin + (inside > 1), np.maximum(inside - 1, 1)
        keys = np.concatenate([titled, unique[fresh]])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        self.post_chunk = keys % max(size, 1)
        self.post_strength = np.concatenate([mentions.titled_strength, best[fresh]])[order]
        self.post_first = np.concatenate([begin, total + at[fresh]])[order]
        self.post_count = np.concatenate([inside, counts[fresh]])[order]
        by_key = np.argsort(name * size + self.chunk_of[sentence], kind="stable")
        self.post_sentences = np.concatenate([np.arange(total), sentence[by_key]])
        self.post_of = np.searchsorted(keys // max(size, 1), np.arange(names + 1))
        pairs = np.unique(
            keys // max(size, 1) * len(self.sources) + self.source_of[self.post_chunk]
        )
        held = np.bincount(pairs // max(len(self.sources), 1), minlength=names)
        whole = math.log(1 + len(self.sources)) or 1.0
        self.rarity = np.log(1 + len(self.sources) / (1 + held)) / whole


def _by_term(sorted_terms: Ints, vocabulary: int) -> _Postings:
    start = np.searchsorted(sorted_terms, np.arange(vocabulary + 1))
    return _Postings(start=start, rows=np.zeros(0, np.int64))
