"""What sources are called, and which of them a text names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ragnb.library.source import SourceInfo
from ragnb.text.tokens import CJK, STOP, Token, fold, tokens
from ragnb.text.values import values

__all__ = ["Names", "Naming"]

_CJK: Final = re.compile(f"[{CJK}]")
_TARGET: Final = re.compile(r"\]\(<?([^)>\s#?]+)")
_SHARED: Final = 3
"""A name of more sources than this names none."""
_LONGEST: Final = 12
_GENERIC: Final = frozenset(
    {"index", "readme", "about", "overview", "introduction", "glossary", "terms", "reading", "home"}
    | {"contents", "summary", "notes", "changelog", "license", "contributing", "main", "page"}
    | {"document", "documentation", "docs", "guide", "minutes"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """A place where a text names a source: ``text[start:end]`` is the name as it stands there."""

    source_id: str
    name: str
    start: int
    end: int


class Names:
    """The names of sources: titles, aliases, identifiers in titles, file names.

    Args:
        sources: What the library holds.

    >>> info = SourceInfo(id="adr/adr-012-log.md", title="ADR-012: A log", hash="", meta={})
    >>> [(n.source_id, n.name) for n in Names([info]).find("The change of ADR-012 shipped.")]
    [('adr/adr-012-log.md', 'ADR-012')]
    """

    def __init__(self, sources: Iterable[SourceInfo]) -> None:
        self._ids: set[str] = set()
        self._named: dict[tuple[str, ...], list[str]] = {}
        for info in sources:
            self._ids.add(info.id)
            for name in _called(info):
                words = tuple(fold(token.text) for token in tokens(name))
                if words and len(words) <= _LONGEST and not _says_nothing(words):
                    known = self._named.setdefault(words, [])
                    if info.id not in known:
                        known.append(info.id)
        self._firsts: dict[str, list[tuple[str, ...]]] = {}
        for words, ids in self._named.items():
            if len(ids) <= _SHARED:
                self._firsts.setdefault(words[0], []).append(words)
        for longest_first in self._firsts.values():
            longest_first.sort(key=lambda words: (-len(words), words))

    def find(self, text: str, *, source_id: str = "") -> list[Naming]:
        """List the sources that a text names or links to, in order; the longest name counts.

        Args:
            text: A question or passage.
            source_id: The source that the text stands in; links are read from there.
        """
        found = [*self._linked(text, source_id), *self._called_in(text)]
        return sorted(found, key=lambda naming: (naming.start, naming.end, naming.source_id))

    def _called_in(self, text: str) -> Iterator[Naming]:
        cut = tokens(text)
        folded = [fold(token.text) for token in cut]
        at = 0
        while at < len(cut):
            words = self._longest(cut, folded, at)
            if words:
                start, end = cut[at].start, cut[at + len(words) - 1].end
                for source_id in sorted(self._named[words]):
                    yield Naming(source_id=source_id, name=text[start:end], start=start, end=end)
            at += len(words) or 1

    def _longest(self, cut: list[Token], folded: list[str], at: int) -> tuple[str, ...]:
        for words in self._firsts.get(folded[at], ()):
            if tuple(folded[at : at + len(words)]) != words:
                continue
            capital = any(token.text[0].isupper() for token in cut[at : at + len(words)])
            if len(words) > 1 or capital or not words[0].isalpha() or _CJK.match(words[0]):
                return words
        return ()

    def _linked(self, text: str, source_id: str) -> Iterator[Naming]:
        folder = PurePosixPath(source_id).parent
        for match in _TARGET.finditer(text):
            parts: list[str] = []
            for part in (folder / match[1]).parts:
                if part == "..":
                    parts = parts[:-1]
                elif part != ".":
                    parts.append(part)
            target = "/".join(parts).lstrip("/")
            if target in self._ids and target != source_id:
                start = text.rfind("[", 0, match.start()) + 1
                name = text[start : match.start()]
                yield Naming(source_id=target, name=name, start=start, end=match.start())


def _called(info: SourceInfo) -> Iterator[str]:
    title = info.title
    yield title
    before, colon, _ = title.partition(":")
    if colon and before.strip():
        yield before.strip()
    for value in values(title):
        if value.kind == "identifier":
            yield value.text
    aliases = info.meta.get("aliases")
    yield from (str(alias) for alias in aliases) if isinstance(aliases, list | tuple) else ()
    if stem := PurePosixPath(info.id).stem:
        yield stem
        yield re.sub(r"[-_]+", " ", stem)


def _says_nothing(words: tuple[str, ...]) -> bool:
    if all(_CJK.match(word) for word in words):
        return len(words) < 2
    telling = [word for word in words if word not in STOP]
    return not telling or (len(words) == 1 and (words[0] in _GENERIC or len(words[0]) < 3))
