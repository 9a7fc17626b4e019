"""Collect the names of a library, and find them in all its sentences."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragnb.library.names import Found, NameTable, called
from ragnb.library.source import SourceInfo
from ragnb.library.wordstream import WordStream
from ragnb.text.dates import MONTHS
from ragnb.text.tokens import STOP

__all__ = ["Mentions", "read_mentions"]

LEADING: Final = 0.8
"""Strength of a name that a text begins with."""
IN_TITLE: Final = 0.5
IN_LEAD: Final = 0.4
IN_TEXT: Final = 0.1
"""Strength of a name that a chunk does not bear: in its title, its first sentence, its text."""
_INNER: Final = frozenset(
    {"of", "the", "de", "la", "du", "del", "von", "van", "der", "di", "da", "al", "el", "le", "for"}
)
_DAYS: Final = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)
_NO_NAME: Final = STOP | _INNER | _DAYS | frozenset(MONTHS)
_LONGEST: Final = 6
_PLAIN: Final = 3
"""Titles of so many words are names in lower case too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """All places where a name stands.

    Attributes:
        table: The names.
        own: Per source the number of the name that it bears; -1 for none.
        weak: Names that are more often ordinary words.
        name: Per mention the name, with ``sentence``, ``nested`` and ``strength``.
        titled_name: Per pair of a name and a chunk whose source bears it, or whose title holds
            it: the name, with ``titled_chunk`` and ``titled_strength``.
    """

    table: NameTable
    own: NDArray[np.int64]
    weak: NDArray[np.bool_]
    name: NDArray[np.int64]
    sentence: NDArray[np.int64]
    nested: NDArray[np.bool_]
    strength: NDArray[np.float64]
    titled_name: NDArray[np.int64]
    titled_chunk: NDArray[np.int64]
    titled_strength: NDArray[np.float64]


def read_mentions(
    stream: WordStream,
    source_of: NDArray[np.int64],
    sources: Sequence[SourceInfo],
    linked: Iterable[tuple[int, int]],
    quoted: Counter[tuple[int, ...]],
    *,
    leads: Sequence[Sequence[tuple[int, ...]]] = (),
) -> Mentions:
    """Collect names and find them.

    Args:
        stream: The chunks' words.
        source_of: Per chunk the place of its source.
        sources: The sources.
        linked: Links as (sentence, place of the source that is linked to).
        quoted: Names in quotation marks, by number of sources.
        leads: Per source the names that its text begins with, as word numbers.
    """
    table = NameTable()
    titles, own = _titles(table, stream, sources)
    for borne, named in zip(titles, leads, strict=False):
        for words in named:
            name = table.add(words)
            borne[name] = max(LEADING, borne.get(name, 0.0))
    spelled = {number: word for word, number in stream.vocabulary.items()}
    silent = {number for number, word in spelled.items() if word in _NO_NAME or word.isdigit()}
    counts, capital, lower = _runs(stream, source_of, spelled, silent)
    counts.update(quoted)
    for run, count in counts.items():
        if count >= 2 and not all(word in silent for word in run):
            table.add(run)
    found = _Finder(table, stream, source_of, titles)
    for sentence, place in linked:
        if own[place] >= 0:
            found.link(sentence, int(own[place]))
    weak = np.zeros(len(table), dtype=np.bool_)
    for words, number in table.names.items():
        text = [spelled[word] for word in words]
        lone = len(words) == 1 and not any(c.isdigit() for c in text[0])
        ordinary = lone and lower[words[0]] >= capital[words[0]]
        says_little = all(word in STOP or len(word) < 2 for word in text) and text[0].isascii()
        weak[number] = ordinary or says_little
    return found.mentions(own, weak)


def _titles(
    table: NameTable, stream: WordStream, sources: Sequence[SourceInfo]
) -> tuple[list[dict[int, float]], NDArray[np.int64]]:
    """Put what sources are called into the table."""
    titles: list[dict[int, float]] = []
    own = np.full(len(sources), -1, dtype=np.int64)
    for place, info in enumerate(sources):
        borne: dict[int, float] = {}
        for words, strength in called(info).items():
            numbers = tuple(stream.word(word) for word in words)
            telling = sum(word not in STOP for word in words)
            name = table.add(numbers, plain=len(words) >= _PLAIN and telling >= _PLAIN - 1)
            borne[name] = max(strength, borne.get(name, 0.0))
            if own[place] < 0:
                own[place] = name
        titles.append(borne)
    return titles, own


def _runs(
    stream: WordStream, source_of: NDArray[np.int64], spelled: dict[int, str], silent: set[int]
) -> tuple[Counter[tuple[int, ...]], Counter[int], Counter[int]]:
    """Count in how many sources each capitalised run stands, and how single words are written."""
    inner = {number for number, word in spelled.items() if word in _INNER}
    counts: Counter[tuple[int, ...]] = Counter()
    capital: Counter[int] = Counter()
    lower: Counter[int] = Counter()
    before, seen = -1, set[tuple[int, ...]]()
    for chunk in range(len(stream)):
        if int(source_of[chunk]) != before:
            counts.update(seen)
            before, seen = int(source_of[chunk]), set()
        for at in range(stream.sentence_of[chunk] + 1, stream.sentence_of[chunk + 1]):
            a, b = stream.word_of[at], stream.word_of[at + 1]
            words, names = stream.words[a:b], stream.names[a:b]
            for word, name in zip(words[1:], names[1:], strict=True):
                (capital if name else lower)[word] += 1
            for run in _capitals(words, names, inner):
                cut = run
                while cut and cut[0] in silent and not spelled[cut[0]].isdigit():
                    cut = cut[1:]
                if not cut or len(cut) > _LONGEST:
                    continue
                if len(cut) == 1 and (len(spelled[cut[0]]) < 3 or spelled[cut[0]].isdigit()):
                    continue
                seen.add(cut)
    counts.update(seen)
    return counts, capital, lower


def _capitals(words: Sequence[int], names: Sequence[int], inner: set[int]) -> list[tuple[int, ...]]:
    """Return runs of capitalised words; short words may stand inside."""
    found: list[tuple[int, ...]] = []
    start = -1
    size = len(words)
    for at in range(size + 1):
        if at < size and names[at] == 1:
            start = at if start < 0 else start
        elif start >= 0:
            ahead = next(
                (names[i] for i in range(at + 1, min(at + 3, size)) if words[i] not in inner), 0
            )
            if at < size and words[at] in inner and ahead == 1:
                continue
            found.append(tuple(words[start:at]))
            start = -1
    return found


class _Finder:
    """Finds the names of a table in all titles and sentences."""

    def __init__(
        self,
        table: NameTable,
        stream: WordStream,
        source_of: NDArray[np.int64],
        titles: list[dict[int, float]],
    ) -> None:
        self.table = table
        self._chunks: list[list[int]] = [[] for _ in titles]
        self._titles = titles
        self.name, self.sentence = array("q"), array("q")
        self.nested, self.strength = array("b"), array("d")
        last = -1
        for chunk, place in enumerate(source_of.tolist()):
            begin, end = stream.sentence_of[chunk], stream.sentence_of[chunk + 1]
            self._chunks[place].append(chunk)
            title = self._of(stream, begin)
            named = stream.words[stream.word_of[begin] : stream.word_of[begin + 1]]
            if place != last:
                for found in title:
                    titles[place].setdefault(found.name, IN_TITLE)
            leads = place != last
            last = place
            for at in range(begin + 1, end):
                a, b = stream.word_of[at], stream.word_of[at + 1]
                heading = stream.words[a:b] == named
                for found in self._of(stream, at):
                    self.name.append(found.name)
                    self.sentence.append(at)
                    self.nested.append(found.nested)
                    self.strength.append(IN_LEAD if leads else IN_TEXT)
                leads = leads and heading

    def _of(self, stream: WordStream, at: int) -> list[Found]:
        a, b = stream.word_of[at], stream.word_of[at + 1]
        return self.table.find(stream.words[a:b].tolist(), stream.names[a:b].tolist())

    def link(self, sentence: int, name: int) -> None:
        """Take a link as a mention of the name that its target bears."""
        self.name.append(name)
        self.sentence.append(sentence)
        self.nested.append(False)
        self.strength.append(IN_TEXT)

    def mentions(self, own: NDArray[np.int64], weak: NDArray[np.bool_]) -> Mentions:
        """Return what was found."""
        borne = [
            (name, chunk, strength)
            for place, names in enumerate(self._titles)
            for name, strength in names.items()
            for chunk in self._chunks[place]
        ]
        return Mentions(
            table=self.table,
            own=own,
            weak=weak,
            name=np.array(self.name, dtype=np.int64),
            sentence=np.array(self.sentence, dtype=np.int64),
            nested=np.array(self.nested, dtype=np.bool_),
            strength=np.array(self.strength, dtype=np.float64),
            titled_name=np.array([row[0] for row in borne], dtype=np.int64),
            titled_chunk=np.array([row[1] for row in borne], dtype=np.int64),
            titled_strength=np.array([row[2] for row in borne], dtype=np.float64),
        )
