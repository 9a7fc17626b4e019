"""Texts as numbers: which words and index terms stand in which sentence of which chunk."""

import re
from array import array
from typing import Final

from ragnb.library.names import bare
from ragnb.text.sentences import sentences
from ragnb.text.tokens import CJK, terms, tokens

__all__ = ["WordStream"]

_CJK: Final = re.compile(f"[{CJK}]")


class WordStream:
    """All chunks as one stream of numbers; the first sentence of each chunk is its title.

    Chunk ``c`` has the sentences from ``sentence_of[c]`` to ``sentence_of[c + 1]``; sentence ``s``
    has the ``words`` from ``word_of[s]`` to ``word_of[s + 1]``, and ``terms`` by ``term_of``.

    Attributes:
        vocabulary: Folded words and their numbers.
        index_terms: Terms and their numbers.
        names: Per word 1 where it is written so that a name may begin with it: with a capital, a
            digit, as a code such as ``config.yaml``, or as a CJK character (2).
    """

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.index_terms: dict[str, int] = {}
        self.words = array("i")
        self.names = array("b")
        self.terms = array("i")
        self.word_of = array("i", [0])
        self.term_of = array("i", [0])
        self.sentence_of = array("i", [0])
        self._seen: dict[str, tuple[int, int, tuple[int, ...]]] = {}

    def __len__(self) -> int:
        return len(self.sentence_of) - 1

    def add(self, title: str, text: str) -> None:
        """Append a chunk."""
        self._sentence(title)
        for start, end in sentences(text):
            self._sentence(text[start:end])
        self.sentence_of.append(len(self.word_of) - 1)

    def take(self, other: "WordStream", chunk: int) -> None:
        """Append a chunk of another stream that has the same vocabulary."""
        first, last = other.sentence_of[chunk], other.sentence_of[chunk + 1]
        a, b = other.word_of[first], other.word_of[last]
        c, d = other.term_of[first], other.term_of[last]
        words, terms_ = len(self.words) - a, len(self.terms) - c
        self.words.extend(other.words[a:b])
        self.names.extend(other.names[a:b])
        self.terms.extend(other.terms[c:d])
        self.word_of.extend(at + words for at in other.word_of[first + 1 : last + 1])
        self.term_of.extend(at + terms_ for at in other.term_of[first + 1 : last + 1])
        self.sentence_of.append(len(self.word_of) - 1)

    def successor(self) -> "WordStream":
        """Return an empty stream that shares this one's vocabulary."""
        after = WordStream()
        after.vocabulary, after.index_terms, after._seen = (
            self.vocabulary,
            self.index_terms,
            self._seen,
        )
        return after

    def numbers(self, text: str) -> list[tuple[int, int]]:
        """Return word number and name flag of each word of a text; -1 for unknown words."""
        found = []
        for token in tokens(text):
            seen = self._seen.get(token.text)
            word = seen[0] if seen else self.vocabulary.get(bare(token.text), -1)
            found.append((word, seen[1] if seen else _may_begin(token.text)))
        return found

    def word(self, folded: str) -> int:
        """Return the number of a folded word, a new one if need be."""
        return self.vocabulary.setdefault(folded, len(self.vocabulary))

    def _sentence(self, text: str) -> None:
        cut = tokens(text)
        chinese = False
        for token in cut:
            seen = self._seen.get(token.text)
            if seen is None:
                seen = self._seen[token.text] = self._learn(token.text)
            self.words.append(seen[0])
            self.names.append(seen[1])
            chinese = chinese or seen[1] == 2
            if not chinese:
                self.terms.extend(seen[2])
        if chinese:
            del self.terms[self.term_of[-1] :]
            self.terms.extend(self._terms(text))
        self.word_of.append(len(self.words))
        self.term_of.append(len(self.terms))

    def _learn(self, text: str) -> tuple[int, int, tuple[int, ...]]:
        return self.word(bare(text)), _may_begin(text), self._terms(text)

    def _terms(self, text: str) -> tuple[int, ...]:
        index = self.index_terms
        return tuple(index.setdefault(term, len(index)) for term in terms(text))


def _may_begin(text: str) -> int:
    if _CJK.match(text):
        return 2
    code = not text.isalnum() and any(mark in text for mark in "._/#+")
    return int(text[0].isupper() or text[0].isdigit() or code)
