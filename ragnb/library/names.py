"""What sources are called, and where a text says one of these names."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from ragnb.library.source import SourceInfo
from ragnb.text.tokens import CJK, STOP, fold, tokens
from ragnb.text.values import values

__all__ = ["Found", "NameTable", "bare", "called", "links"]

_CJK: Final = re.compile(f"[{CJK}]")
_TARGET: Final = re.compile(r"\]\(<?([^)>\s#?]+)")
_BRACKET: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_LONGEST: Final = 12
_WHOLE: Final = 1.0
_WITHOUT_ARTICLE: Final = 0.95
_PART: Final = 0.8
"""Strength of the part of a title before a comma or colon, and of a file's name."""
_GENERIC: Final = frozenset(
    {"index", "readme", "about", "overview", "introduction", "glossary", "terms", "reading", "home"}
    | {"contents", "summary", "notes", "changelog", "license", "contributing", "main", "page"}
    | {"document", "documentation", "docs", "guide", "minutes"}
)


def bare(word: str) -> str:
    """Return a word as names hold it: folded, without the ending of a possessive.

    >>> bare("Ada’s"), bare("ADR-012")
    ('ada', 'adr-012')
    """
    folded = fold(word)
    return folded[:-2] if folded.endswith(("'s", "’s")) else folded.rstrip("'’")


def called(info: SourceInfo) -> dict[tuple[str, ...], float]:
    """Return the names of a source as folded words, each with its strength from 0 to 1.

    They are its title, also without bracket, leading article, and what follows a comma or colon;
    identifiers in the title; aliases in its meta; its file's name.

    >>> info = SourceInfo(id="adr/log.md", title="ADR-012: A log", hash="", meta={})
    >>> called(info)
    {('adr-012', 'a', 'log'): 1.0, ('adr-012',): 1.0, ('log.md',): 1.0, ('log',): 0.8}
    """
    found: dict[tuple[str, ...], float] = {}
    for name, strength in _spoken(info):
        words = tuple(bare(token.text) for token in tokens(name))
        if words and len(words) <= _LONGEST and not _says_nothing(words):
            found.setdefault(words, strength)
    return found


def _spoken(info: SourceInfo) -> Iterator[tuple[str, float]]:
    title = info.title
    bare = _BRACKET.sub("", title).strip() or title
    yield bare, _WHOLE
    yield title, _WHOLE
    for value in values(title):
        if value.kind == "identifier":
            yield value.text, _WHOLE
    aliases = info.meta.get("aliases")
    for alias in aliases if isinstance(aliases, list | tuple) else ():
        yield str(alias), _WHOLE
    article, _, rest = bare.partition(" ")
    if article.lower() in {"the", "a", "an"} and rest:
        yield rest, _WITHOUT_ARTICLE
    for mark in (",", ":", "，", "："):
        before, found, _ = bare.partition(mark)
        if found and before.strip():
            yield before.strip(), _PART
    path = PurePosixPath(info.id)
    if path.suffix:
        yield path.name, _WHOLE
        yield path.stem, _PART
        yield re.sub(r"[-_]+", " ", path.stem), _PART


def _says_nothing(words: tuple[str, ...]) -> bool:
    if all(_CJK.match(word) for word in words):
        return len(words) < 2
    telling = [word for word in words if word not in STOP]
    if len(words) == 1:
        word = words[0]
        return not telling or word in _GENERIC or len(word) < 3 or word.isdigit()
    return False


def links(text: str, source_id: str) -> list[tuple[int, str]]:
    """Return the paths that a text links to in Markdown: offset and path, in order.

    Args:
        text: A passage.
        source_id: The source it stands in; links are read from its folder.

    >>> links("Do [the rest](../b/two.md#x).", "a/one.md")
    [(3, 'b/two.md')]
    """
    folder = PurePosixPath(source_id).parent
    found: list[tuple[int, str]] = []
    for match in _TARGET.finditer(text):
        parts: list[str] = []
        for part in (folder / match[1]).parts:
            if part == "..":
                parts = parts[:-1]
            elif part != ".":
                parts.append(part)
        target = "/".join(parts).lstrip("/")
        if target != source_id:
            found.append((max(0, text.rfind("[", 0, match.start())), target))
    return found


class Found(NamedTuple):
    """A name in a text: words from ``start`` to ``end``; nested in a longer name or not."""

    start: int
    end: int
    name: int
    nested: bool


class NameTable:
    """Names as tuples of word numbers, found in texts by longest match."""

    def __init__(self) -> None:
        self.names: dict[tuple[int, ...], int] = {}
        self._plain: set[int] = set()
        self._longest: dict[int, int] = {}
        self._longest_plain: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def add(self, words: tuple[int, ...], *, plain: bool = False) -> int:
        """Return the number of a name, a new one if need be.

        Args:
            words: Its word numbers.
            plain: Whether it is also a name where it is written in lower case.
        """
        name = self.names.setdefault(words, len(self.names))
        self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))
        if plain:
            self._plain.add(name)
            longest = self._longest_plain.get(words[0], 0)
            self._longest_plain[words[0]] = max(longest, len(words))
        return name

    def find(self, words: Sequence[int], begins: Sequence[int]) -> list[Found]:
        """Return the names in a text, longest first; those in longer ones are nested.

        Args:
            words: Word numbers of the text.
            begins: Per word, whether it is written as a name's beginning.
        """
        spans: list[tuple[int, int, int]] = []
        longest, plain, names = self._longest, self._longest_plain, self.names
        size = len(words)
        for at, word in enumerate(words):
            reach = longest.get(word, 0) if begins[at] else plain.get(word, 0)
            if not reach:
                continue
            for length in range(min(reach, size - at), 0, -1):
                name = names.get(tuple(words[at : at + length]))
                if name is not None and (begins[at] or name in self._plain):
                    spans.append((at, at + length, name))
                    break
        if len(spans) > 1:
            spans.sort(key=lambda span: (span[0] - span[1], span[0]))
        taken: list[tuple[int, int]] = []
        found: list[Found] = []
        for start, end, name in spans:
            nested = any(start < b and a < end for a, b in taken)
            found.append(Found(start, end, name, nested))
            if not nested:
                taken.append((start, end))
        return found
