"""Follow names from chunk to chunk: a beam of chains, scored by what of the question they cover."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragnb.library.references import References, spread
from ragnb.text.chinese import query_terms

__all__ = ["Chain", "Settings", "follow"]

_EQUAL: Final = 0.8
"""Strength from which a chunk's source counts as bearing a name."""
_WIDE: Final = 150
"""Chunks that one chain may go on to, before they are looked at closely."""
_KEPT: Final = 60
"""Chunks that are kept of each hop."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Weights of the beam; `tests/bench` measures them."""

    hops: int = 3
    beam: int = 12
    named: float = 2.0
    """Per idf of a name in the question, for a chunk whose source bears it."""
    named_rarity: float = 20.0
    in_title: float = 0.1
    in_text: float = 0.06
    link: float = 0.7
    """Share of a chain's score that goes on to the next chunk."""
    rarity: float = 1.3
    sentence: float = 0.3
    """How much the words around a name decide whether it is followed."""
    nested: float = 0.3
    own: float = 0.5
    """Weight of the way back, from a title to the chunks that name it."""
    fresh: float = 0.7
    known: float = 0.5
    close: float = 0.3
    """Weights of words that the chain lacked, of all words, and of the best sentence."""
    fan: float = 0.9
    fan_floor: float = 0.5
    prior: float = 0.1
    prior_unnamed: float = 0.4
    """What another search counts, against the best BM25 score: little where names are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """How a chunk was reached.

    Attributes:
        chunk: Its place in the index.
        score: Its score as the end of this chain.
        name: The name that led here, from the question or from ``before``; -1 for none.
        before: The chain up to the chunk before; None at the beginning.
    """

    chunk: int
    score: float
    name: int = -1
    before: "Chain | None" = None

    @property
    def steps(self) -> tuple["Chain", ...]:
        """The chain from its beginning."""
        return (*(self.before.steps if self.before else ()), self)


@dataclass(slots=True)
class _Live:
    chain: Chain
    covered: Floats
    sources: frozenset[int] = field(default_factory=frozenset)


def follow(
    index: References,
    question: str,
    *,
    top_k: int = 50,
    prior: Mapping[str, float] | None = None,
    settings: Settings | None = None,
) -> list[Chain]:
    """Return the best chunks for a question, best first, each with the chain that led there.

    Args:
        index: The chunks.
        question: A question in words, written as usual: names are told by their capitals.
        top_k: At most so many.
        prior: Chunk ids with what another search says for them, from 0 to 1.
        settings: Weights.

    Returns:
        Chains; equal scores are ordered by chunk id.
    """
    search = _Search(index, question, settings or Settings(), prior or {})
    return search.run()[:top_k] if search.weights.size and len(index) else []


class _Search:
    def __init__(
        self, index: References, question: str, settings: Settings, prior: Mapping[str, float]
    ) -> None:
        self.index = index
        self.settings = settings
        asked = list(dict.fromkeys(query_terms(question)))
        self.asked = frozenset(asked)
        numbers = [index.stream.index_terms.get(term, -1) for term in asked]
        unknown = math.log(1 + len(index))
        self.weights = np.array(
            [index.idf[number] if number >= 0 else unknown for number in numbers], np.float32
        )
        self.in_chunk = np.zeros((len(index), len(asked)), np.float32)
        self.in_sentence = np.zeros((len(index.chunk_of), len(asked)), np.float32)
        for column, number in enumerate(numbers):
            if number < 0:
                continue
            held = index.in_chunks.of(number)
            weight = self.weights[column]
            self.in_chunk[index.in_chunks.rows[held], column] = (
                index.in_chunks.weights[held] * weight
            )
            held = index.in_sentences.of(number)
            self.in_sentence[index.in_sentences.rows[held], column] = weight
        self.base = self.in_chunk.sum(axis=1)
        self.bonus = np.zeros(len(index), np.float32)
        self.led = np.full(len(index), -1, dtype=np.int64)
        self.held: set[int] = set()
        self._begin(question, asked)
        share = settings.prior if (self.led >= 0).any() else settings.prior_unnamed
        scale = share * float(self.base.max(initial=0.0))
        for name, value in prior.items():
            if name in index.place_of:
                self.bonus[index.place_of[name]] += scale * value

    def _begin(self, question: str, asked: list[str]) -> None:
        """Give the chunks of names in the question their bonus."""
        index, settings = self.index, self.settings
        cut = index.stream.numbers(question)
        words, begins = [word for word, _ in cut], [flag for _, flag in cut]
        place = {term: column for column, term in enumerate(asked)}
        for start, _, name, nested in index.table.find(words, begins):
            self.held.add(name)
            if nested or (index.weak[name] and start == 0):
                continue
            held = slice(int(index.post_of[name]), int(index.post_of[name + 1]))
            chunks, strength = index.post_chunk[held], index.post_strength[held]
            columns = [place[term] for term in index.terms_of(name) if term in place]
            idf = float(self.weights[columns].sum())
            whole = (settings.named * idf + settings.named_rarity * index.rarity[name]) * strength
            part = np.where(strength >= 0.5, settings.in_title, settings.in_text) * idf
            equal = strength >= _EQUAL
            bonus = np.where(equal, whole, part)
            fresh = equal & (bonus > self.bonus[chunks])
            self.led[chunks[fresh]] = name
            self.bonus[chunks] += bonus.astype(np.float32)

    def run(self) -> list[Chain]:
        first = self.base + self.bonus
        found = np.flatnonzero(first > 0)
        order = found[np.argsort(-np.round(first[found], 5), kind="stable")]
        best = {
            int(chunk): Chain(
                chunk=int(chunk), score=float(first[chunk]), name=int(self.led[chunk])
            )
            for chunk in order[:_KEPT].tolist()
        }
        live = [self._live(best[chunk]) for chunk in order[: self.settings.beam].tolist()]
        for _ in range(self.settings.hops):
            ends = self._hop(live)
            for chain in ends:
                known = best.get(chain.chunk)
                if known is None or chain.score > known.score:
                    best[chain.chunk] = chain
            before = {each.chain: each for each in live}
            live = [
                self._live(chain, before[chain.before])
                for chain in ends[: self.settings.beam]
                if chain.before
            ]
        ids = self.index.ids
        return sorted(best.values(), key=lambda each: (-round(each.score, 5), ids[each.chunk]))

    def _live(self, chain: Chain, before: _Live | None = None) -> _Live:
        covered = self.in_chunk[chain.chunk]
        source = int(self.index.source_of[chain.chunk])
        if before is None:
            return _Live(chain, covered, frozenset([source]))
        return _Live(chain, np.maximum(before.covered, covered), before.sources | {source})

    def _hop(self, live: list[_Live]) -> list[Chain]:
        """Return the chunks that names in the ends of chains lead to, best first."""
        chunks, scores, names, origins = [], [], [], []
        for at, each in enumerate(live):
            reached, score, name = self._from(each)
            chunks.append(reached)
            scores.append(score)
            names.append(name)
            origins.append(np.full(len(reached), at))
        if not chunks:
            return []
        chunk: Ints = np.concatenate(chunks)
        gain = np.concatenate(scores).astype(np.float64).round(6)
        name, origin = np.concatenate(names), np.concatenate(origins)
        order = np.lexsort((origin, -gain, chunk))
        order = order[np.unique(chunk[order], return_index=True)[1]]
        order = order[np.lexsort((chunk[order], -gain[order]))][:_KEPT]
        return [
            Chain(
                chunk=int(chunk[row]),
                score=float(gain[row]),
                name=int(name[row]),
                before=live[int(origin[row])].chain,
            )
            for row in order
        ]

    def _from(self, live: _Live) -> tuple[Ints, Floats, Ints]:
        """Return the chunks that one chain's end leads to, with score and name."""
        index, settings = self.index, self.settings
        names, weights = self._names(live.chain.chunk)
        begin = index.post_of[names]
        count = index.post_of[names + 1] - begin
        rows = spread(begin, count)
        group = np.repeat(np.arange(len(names)), count)
        chunks = index.post_chunk[rows]
        reached = index.source_of[chunks]
        fresh = np.ones(len(chunks), dtype=np.bool_)
        for source in live.sources:
            fresh &= reached != source
        fresh &= self.base[chunks] + self.bonus[chunks] <= live.chain.score  # never upwards
        rows, group, chunks = rows[fresh], group[fresh], chunks[fresh]
        if not len(rows):
            return chunks, np.zeros(0, np.float32), chunks
        ease = weights * index.rarity[names] ** settings.rarity
        link = settings.link * live.chain.score * ease[group] * index.post_strength[rows]
        lacking = np.maximum(0, self.in_chunk[chunks] - live.covered).sum(axis=1)
        gain = settings.fresh * lacking + settings.known * self.base[chunks] + self.bonus[chunks]
        if len(rows) > _WIDE:
            kept = np.argpartition(-(gain + link), _WIDE)[:_WIDE]
            rows, group, chunks, gain, link = (
                each[kept] for each in (rows, group, chunks, gain, link)
            )
        gain = gain + settings.close * self._closest(rows, live.covered)
        total = gain + link
        order = np.lexsort((chunks, -total, group))
        place = np.arange(len(order)) - np.searchsorted(group[order], group[order])
        fan = np.maximum(settings.fan_floor, settings.fan**place)
        total[order] = gain[order] + link[order] * fan
        return chunks, total, names[group]

    def _closest(self, rows: Ints, covered: Floats) -> Floats:
        """Return per posting the best sentence's weight of words that are not yet covered."""
        index = self.index
        count = index.post_count[rows]
        sentences = index.post_sentences[spread(index.post_first[rows], count)]
        open_share = 1 - np.minimum(1, covered / np.maximum(self.weights, 1e-6))
        worth = self.in_sentence[sentences] @ open_share
        return np.maximum.reduceat(worth, np.cumsum(count) - count)

    def _names(self, chunk: int) -> tuple[Ints, Floats]:
        """Return the names to follow from a chunk, each with its weight from 0 to 1."""
        index, settings = self.index, self.settings
        held = slice(int(index.mention_of[chunk]), int(index.mention_of[chunk + 1]))
        sentences = index.mention_sentence[held]
        title = index.first[chunk]
        all_of_it = np.maximum(
            self.in_sentence[title : index.first[chunk + 1]], self.in_sentence[title]
        )
        worth = all_of_it.sum(axis=1)
        share = worth[sentences - title] / (worth[1:].max(initial=0.0) or 1.0)
        weight = 1 - settings.sentence + settings.sentence * share
        weight = np.where(index.mention_nested[held], settings.nested * weight, weight)
        best: dict[int, float] = {}
        for name, value in zip(index.mention_name[held].tolist(), weight.tolist(), strict=True):
            if value > best.get(name, 0.0) and not index.weak[name] and not self._is_asked(name):
                best[name] = value
        own = int(index.own[index.source_of[chunk]])
        if own >= 0 and own not in self.held:
            best[own] = max(best.get(own, 0.0), settings.own)
        return np.array(list(best), np.int64), np.array(list(best.values()), np.float32)

    def _is_asked(self, name: int) -> bool:
        return name in self.held or self.asked.issuperset(self.index.terms_of(name))
