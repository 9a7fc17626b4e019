"""Find a quote in its source although it was typed a little otherwise.

Compared are the letters, digits and most marks in one form (NFKC, folded); white space, quotation
marks, hyphens, emphasis and the addresses of links don't count, but where they stand between two
digits. What is given back is always the true span of the source.
"""

import itertools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from ragnb.text.tokens import CJK

__all__ = ["Located", "locate"]

_DASHES: Final = frozenset("-‐‑‒–—―−﹘﹣－\u00ad")
_DROPPED: Final = frozenset("\"'`´*_“”„‟‘’‚‛«»‹›「」『』〝〞＂＇\u200b\u200c\u200d\ufeff")
_LINK: Final = re.compile(r"!?\[([^\]\[]*)\]\([^()]{0,300}\)")
_ELLIPSIS: Final = re.compile(r"\s*(?:\[\s*(?:…|\.{3,})\s*\]|\(\s*(?:…|\.{3,})\s*\)|…+|\.{3,})\s*")
_EDGES: Final = ' .,;:!?…。，；：！？\n\t"“”'
_CJK_ONE: Final = re.compile(f"[{CJK}]")
_NEAR: Final = 300
"""Characters that an ellipsis may leave out for the quote to be one span still."""
_PIECES: Final = 3
_BACK: Final = 16
"""Characters by which a piece may be shorter than the longest that stands in the text."""
_PIECE: Final = 12
"""Compared characters that a piece of a stitched quote has at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where a quote stands.

    Attributes:
        kind: ``exact`` and ``tolerant`` (found, in other typing) have one span; ``parts`` has the
            two or more spans that an ellipsis in the quote joins; ``stitched`` was put together
            from places that nothing joins; ``elsewhere`` stands in another source than the one
            named; ``not_found`` stands nowhere.
        spans: Offsets into the source's text, in code points.
        source: The other source, of ``elsewhere``.
    """

    kind: Literal["exact", "tolerant", "parts", "stitched", "elsewhere", "not_found"]
    spans: tuple[tuple[int, int], ...] = ()
    source: str = ""

    @property
    def true(self) -> bool:
        """Whether the spans may stand for the quote."""
        return self.kind in {"exact", "tolerant", "parts"}


@dataclass(frozen=True, slots=True)
class _Key:
    """What is compared of a text, and the span of each of its characters in the text."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def locate(quote: str, text: str, elsewhere: Mapping[str, str] | None = None) -> Located:
    r"""Find a quote in a text.

    Args:
        quote: What is said to stand there.
        text: The source's text.
        elsewhere: Texts of other sources, by their ids, looked at where the quote is not found.

    >>> text = "The “old” plan ended on 5 May, so exam-\nples follow."
    >>> found = locate("the 'old' plan ended ... examples follow", text)
    >>> found.kind, text[slice(*found.spans[0])]
    ('tolerant', 'The “old” plan ended on 5 May, so exam-\nples follow')
    >>> locate("The new plan ended on 5 May", text).kind
    'not_found'
    """
    bare = quote.strip()
    at = text.find(bare) if bare else -1
    if at >= 0 and _whole(text, at, len(bare)):
        return Located(kind="exact", spans=((at, at + len(bare)),))
    wanted = _key(bare.strip(_EDGES)).text
    if not any(char.isalnum() for char in wanted):
        return Located(kind="not_found")
    key = _key(text)
    if span := _first(wanted, key, text):
        return Located(kind="tolerant", spans=(span,))
    if spans := _ellipsis(bare, key, text):
        return _joined(spans)
    for source, other in (elsewhere or {}).items():
        if span := _first(wanted, _key(other), other):
            return Located(kind="elsewhere", spans=(span,), source=source)
    spans = _stitched(wanted, key, text)
    return Located(kind="stitched" if spans else "not_found", spans=spans)


def _joined(spans: tuple[tuple[int, int], ...]) -> Located:
    """Judge the parts that an ellipsis joins by their order and by what lies between them."""
    between = [after[0] - before[1] for before, after in itertools.pairwise(spans)]
    if min(between) < 0:
        return Located(kind="stitched", spans=spans)
    if max(between) <= _NEAR:
        return Located(kind="tolerant", spans=((spans[0][0], spans[-1][1]),))
    return Located(kind="parts", spans=spans)


def _ellipsis(quote: str, key: _Key, text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a quote's parts, looked for one after the other; none if one lacks."""
    parts = [part.strip(_EDGES) for part in _ELLIPSIS.split(quote)]
    keys = [_key(part).text for part in parts if any(char.isalnum() for char in part)]
    if len(keys) < 2:
        return ()
    spans: list[tuple[int, int]] = []
    for part in keys:
        after = bisect_left(key.starts, spans[-1][1]) if spans else 0
        span = _first(part, key, text, after) or _first(part, key, text)
        if span is None:
            return ()
        spans.append(span)
    return tuple(spans)


def _stitched(
    wanted: str, key: _Key, text: str, pieces: int = _PIECES
) -> tuple[tuple[int, int], ...]:
    """Return two or three spans that make up the whole of what is wanted, or none."""
    low, high = 0, len(wanted)
    while low < high:  # the longest beginning that stands in the text
        middle = (low + high + 1) // 2
        low, high = (middle, high) if wanted[:middle] in key.text else (low, middle - 1)
    for length in range(low, max(_PIECE, low - _BACK) - 1, -1):
        if length < len(wanted) and wanted[length - 1 : length + 1].isdigit():
            continue
        span = _first(wanted[:length], key, text)
        rest = wanted[length:].lstrip(_EDGES)
        if span is None or (rest and pieces == 1):
            continue
        after = _stitched(rest, key, text, pieces - 1) if rest else ()
        if after or (not rest and pieces < _PIECES):
            return (span, *after)
    return ()


def _first(wanted: str, key: _Key, text: str, after: int = 0) -> tuple[int, int] | None:
    """Return the first span of whole words that is compared as equal."""
    at = key.text.find(wanted, after)
    while at >= 0:
        start, end = key.starts[at], key.ends[at + len(wanted) - 1]
        if _whole(text, start, end - start):
            return start, end
        at = key.text.find(wanted, at + 1)
    return None


def _whole(text: str, start: int, length: int) -> bool:
    """Tell whether a span begins and ends between words."""
    return not _inside_word(text, start) and not _inside_word(text, start + length)


def _inside_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if _CJK_ONE.match(left) or _CJK_ONE.match(right):
        return False
    return left.isalnum() and (right.isalnum() or unicodedata.combining(right) > 0)


@lru_cache(maxsize=64)
def _key(text: str) -> _Key:
    """Reduce a text to what is compared."""
    skipped = bytearray(len(text))
    for link in _LINK.finditer(text):
        for at in (*range(link.start(), link.start(1)), *range(link.end(1), link.end())):
            skipped[at] = 1
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    joint = ""
    for start, end in _clusters(text):
        cluster = text[start:end]
        if skipped[start] or cluster in _DROPPED:
            continue
        if cluster in _DASHES or cluster.isspace():
            joint = "-" if cluster in _DASHES and cluster != "\u00ad" else joint or " "
            continue
        for char in unicodedata.normalize(
            "NFKC", unicodedata.normalize("NFKC", cluster).casefold()
        ):
            if char.isspace() or char in _DROPPED or char in _DASHES:
                continue
            if joint and chars and chars[-1].isdigit() and char.isdigit():
                chars.append(joint)
                starts.append(ends[-1])
                ends.append(start)
            joint = ""
            chars.append(char)
            starts.append(start)
            ends.append(end)
    return _Key("".join(chars), tuple(starts), tuple(ends))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Give each character with the marks that combine with it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (
            unicodedata.combining(text[at]) or "\u1160" <= text[at] <= "\u11ff"
        ):
            yield start, at
            start = at
