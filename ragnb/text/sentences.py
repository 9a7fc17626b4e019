"""Cut text into sentences, English and Chinese, Markdown included."""

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["sentences"]

_FIELD: Final = r"(?:\*\*)?(?:[A-Z][\w /-]{0,24}|[a-z][A-Za-z_-]{1,24}):(?:\*\*)?\s+\S"
_NEW_BLOCK: Final = re.compile(rf"[ \t]*(?:#{{1,6}}\s|[-*+•]\s|\(?\d{{1,3}}[.)]\s|\||>|{_FIELD})")
_STANDS_ALONE: Final = re.compile(r"[ \t]*(?:#{1,6}\s|\|)")
_DRAWS: Final = re.compile(r"[ \t]*(?:=+|-{2,}|\*{3,}|_{3,}|(?:```|~~~).*)\s*")
_MARKER: Final = re.compile(
    r"[ \t]*(?:#{1,6}\s+|>\s*|[-*+•]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,3}[.)]\s+)*"
)
_LINE: Final = re.compile(r"[^\n]*\n?")
_CLOSERS: Final = "\"'”’)]）】」』》〉*_"
_END: Final = re.compile(rf"(?:[。！？!?…]+|\.+)(?P<close>[{re.escape(_CLOSERS)}]*)")
_LAST_WORD: Final = re.compile(r"[^\s(\[\"“‘'（]*$")
_TITLES: Final = """
    mr mrs ms mx dr prof rev hon st sr fr gen col lt capt sgt maj cmdr gov sen rep pres messrs mme
    mlle vs cf e.g i.e eg ie viz resp approx al vol pp fig figs eq eqs sect para ed eds trans mt ft
"""
_BEFORE_NUMBERS: Final = """
    no nos p art c ca ch sec ver v jan feb mar apr jun jul aug sep sept oct nov dec est
"""
_WHOLE_NAMES: Final = "etc inc ltd co corp bros jr u.s u.k u.n e.u a.m p.m ph.d d.c"
_STARTING: Final = """
    the a an this that these those it he she they we i you in on at for from by as if when while
    after before since although but and so then however there here its his her their our my all no
"""
_ALWAYS_GOES_ON: Final = frozenset(_TITLES.split())
_GOES_ON_BEFORE_NUMBER: Final = frozenset(_BEFORE_NUMBERS.split())
_MAY_END: Final = frozenset(_WHOLE_NAMES.split())
_STARTERS: Final = frozenset(_STARTING.split())
_INITIALS: Final = re.compile(r"[A-Z]|(?:[A-Z]\.-?)+[A-Z]")
_NEXT_WORD: Final = re.compile(r"\s*[\"'“‘(\[（*_]*([^\W_]+)")


def sentences(text: str) -> list[tuple[int, int]]:
    r"""Find the sentences of text.

    A full stop ends a sentence unless it belongs to an abbreviation, an initial, a decimal or a
    domain. A blank line, a heading, a list item, a quoted line and a table row end one without a
    full stop. Markers of headings, lists and quotes are left out, and so are lines that only draw.

    Returns:
        Start and end of each sentence in code points, in order, trimmed, without overlap.

    >>> text = "Dr. Ng paid 3.5 euros. He left.\n- one\n- two"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Ng paid 3.5 euros.', 'He left.', 'one', 'two']
    """
    found: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        begin = start
        for cut in _cuts(text, start, end):
            found += _trimmed(text, begin, cut)
            begin = cut
        found += _trimmed(text, begin, end)
    return found


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Give the paragraphs, headings, list items and table rows, without their markers."""
    begin = end = 0
    for match in _LINE.finditer(text):
        line = match.group()
        bare = line.strip()
        draws = _DRAWS.fullmatch(line) or not any(c.isalnum() for c in bare)
        alone = _STANDS_ALONE.match(line)
        if not bare or alone or _NEW_BLOCK.match(line) or (draws and not _END.match(bare)):
            if begin < end:
                yield begin, end
            begin = match.start()
            marker = _MARKER.match(line)
            if marker:
                begin += marker.end()
            end = begin if draws or not bare else match.end()
            if alone and begin < end:
                yield begin, end
                begin = end
            if not bare or draws:
                begin = end = match.end()
        else:
            end = match.end()
    if begin < end:
        yield begin, end


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Give the offsets inside a block after which a new sentence begins."""
    for match in _END.finditer(text, start, end):
        after = match.end()
        mark = match.group()
        if after >= end:
            return
        if mark[0] in "。！？":
            if not (match["close"] and text[after] in "，、,；"):
                yield after
        elif mark[0] == "…":
            if not text[after].isalnum() or "\u3400" <= text[after] <= "\u9fff":
                yield from _if_new(text, after, end)
        elif text[after].isspace() or "\u3400" <= text[after] <= "\u9fff":
            if mark[0] in "!?" or mark.startswith(".."):
                yield from _if_new(text, after, end)
            elif not _goes_on(text, start, match.start(), after, end):
                yield after


def _if_new(text: str, after: int, end: int) -> Iterator[int]:
    """Cut there unless the text goes on in lower case."""
    word = _NEXT_WORD.match(text, after, end)
    if not (word and word.group(1)[0].islower()):
        yield after


def _goes_on(text: str, start: int, dot: int, after: int, end: int) -> bool:
    """Tell whether the full stop at dot belongs to a word and the sentence goes on."""
    following = _NEXT_WORD.match(text, after, end)
    if not following:
        return False
    next_word = following.group(1)
    initial = len(next_word) == 1 and text[following.end() : following.end() + 1] == "."
    starts = next_word.lower() in _STARTERS and not (initial and next_word.isupper())
    last = _LAST_WORD.search(text, max(start, dot - 24), dot)
    raw = last.group().strip("*_") if last else ""
    word = raw.lower()
    if next_word[0].islower():
        short = word in _ALWAYS_GOES_ON | _MAY_END | _GOES_ON_BEFORE_NUMBER or len(word) == 1
        goes_on = short or not starts
    elif word in _MAY_END:
        goes_on = not starts and word not in {"etc", "a.m", "p.m"}
    elif word in _GOES_ON_BEFORE_NUMBER and not _INITIALS.fullmatch(raw):
        goes_on = next_word[0].isdigit()
    elif _INITIALS.fullmatch(raw):
        goes_on = not starts and raw != "I"
    else:
        numbered = word.isdecimal() and not text[start : dot - len(raw)].strip()
        goes_on = numbered or word in _ALWAYS_GOES_ON
    return goes_on


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the span without white space around it, if a letter or digit is in it."""
    part = text[start:end]
    if any(char.isalnum() for char in part):
        begin = start + len(part) - len(part.lstrip())
        yield begin, begin + len(part.strip())
