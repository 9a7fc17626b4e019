"""The index of names over a library: built when it is first needed, and kept up to date."""

import threading
import weakref
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ragnb.library.names import bare, links
from ragnb.library.quoted import quoted_names
from ragnb.library.references import References
from ragnb.library.source import SourceInfo
from ragnb.library.wordstream import WordStream
from ragnb.text.chinese import leads as leading
from ragnb.text.sentences import sentences
from ragnb.text.tokens import tokens

if TYPE_CHECKING:
    from ragnb.library.library import Library

__all__ = ["references", "sentence_naming"]

_ALL: Final = 10**9
_Names: TypeAlias = tuple[tuple[int, ...], ...]
"""Names as word numbers."""
_kept: "weakref.WeakKeyDictionary[Any, _Keeper]" = weakref.WeakKeyDictionary()
_lock: Final = threading.Lock()


def references(library: "Library") -> References:
    """Return the index of names over a library as it stands now.

    The first call reads all chunks (about 0.5 ms each); after a change only new sources are read
    again. Libraries over the same store share it; it works over any store that lists its sources
    and their chunks.
    """
    with _lock:
        keeper = _kept.setdefault(library.store, _Keeper())
    return keeper.of(library)


class _Keeper:
    """Keeps the index of one store's newest generation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._index: References | None = None
        self._stream = WordStream()
        self._read: dict[tuple[str, str, str], _Read] = {}

    def of(self, library: "Library") -> References:
        with self._lock:
            generation = library.generation
            if self._index is None or self._generation != generation:
                self._index, self._generation = self._built(library), generation
            return self._index

    def _built(self, library: "Library") -> References:
        sources = list(library.sources)
        known = {info.id: place for place, info in enumerate(sources)}
        stream = self._stream.successor()
        read: dict[tuple[str, str, str], _Read] = {}
        chunks: list[tuple[str, int]] = []
        linked: list[tuple[int, int]] = []
        quoted: Counter[tuple[int, ...]] = Counter()
        leads: list[_Names] = []
        for place, info in enumerate(sources):
            key = (info.id, info.hash, f"{info.title}\x1f{info.meta.get('origin')}")
            old, first = self._read.get(key), len(stream)
            if old is None:
                made = read[key] = _read(library, info, stream)
            else:
                made = read[key] = _Read(first, old.ids, old.links, old.quoted, old.leads)
                for chunk in range(old.first, old.first + len(old.ids)):
                    stream.take(self._stream, chunk)
            chunks += [(name, place) for name in made.ids]
            quoted.update(made.quoted)
            leads.append(made.leads)
            for chunk, sentence, target in made.links:
                if target in known:
                    at = stream.sentence_of[first + chunk] + sentence
                    linked.append((at, known[target]))
        self._stream, self._read = stream, read
        return References(stream, chunks, sources, linked, quoted, leads=leads)


class _Read:
    """What is kept of a source: chunks, links as (chunk, sentence, path), quoted names, leads."""

    __slots__ = ("first", "ids", "leads", "links", "quoted")

    def __init__(
        self,
        first: int,
        ids: tuple[str, ...],
        found: tuple[tuple[int, int, str], ...],
        quoted: frozenset[tuple[int, ...]],
        leads: _Names,
    ) -> None:
        self.first = first
        self.ids = ids
        self.links = found
        self.quoted = quoted
        self.leads = leads


def _read(library: "Library", info: SourceInfo, stream: WordStream) -> _Read:
    first = len(stream)
    ids: list[str] = []
    found: list[tuple[int, int, str]] = []
    quoted: set[tuple[int, ...]] = set()
    begins: _Names = ()
    for chunk, document in enumerate(library.store.neighbours(info.id, 0, _ALL)):
        text = document.content or ""
        stream.add(info.title, text)
        if chunk == 0:
            begins = tuple(
                tuple(stream.word(bare(token.text)) for token in tokens(name))
                for name in leading(text)
            )
        ids.append(document.id)
        if "](" in text:
            starts = [start for start, _ in sentences(text)]
            for offset, target in links(text, info.id):
                found.append((chunk, max(1, bisect_right(starts, offset)), target))
        for words in quoted_names(text):
            quoted.add(tuple(stream.word(bare(word)) for word in words))
    return _Read(first, tuple(ids), tuple(found), frozenset(quoted), begins)


def sentence_naming(text: str, index: References, chunk: int, name: int) -> tuple[str, str] | None:
    """Return the sentence of a chunk that holds a name, and the name as it is written there.

    Args:
        text: The chunk's text.
        index: The index that it is in.
        chunk: Its place there.
        name: The number of a name.
    """
    rows = slice(int(index.mention_of[chunk]), int(index.mention_of[chunk + 1]))
    held = index.mention_sentence[rows][index.mention_name[rows] == name]
    if not len(held):
        return None
    bounds = sentences(text)
    at = int(held[0] - index.first[chunk]) - 1
    if not 0 <= at < len(bounds):
        return None
    sentence = text[slice(*bounds[at])]
    return sentence, index.written(sentence, name)
