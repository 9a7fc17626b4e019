"""Shorten a text for a model's working memory: its beginning, and what can't be guessed again."""

import re
from typing import Final

from ragnb.text.values import names, values

__all__ = ["short_for_models"]

_BEGINNING: Final = 0.4
_CUT: Final = " … "
_MARK: Final = re.compile(r"\[chunk [^\s\]]+\]")
"""An id by which a passage can be read again."""


def short_for_models(text: str, limit: int = 200) -> str:
    """Return a text as it is if it is short, else its beginning with what stands behind that.

    Ids, dates and numbers are kept before names, each whole and once, as far as there is room.

    Args:
        text: Any text.
        limit: Characters that are kept at most.

    >>> long = "The board met in the morning and had coffee and cake. " * 3
    >>> short_for_models(long + "CP-3 allows 1,500 EUR from 3 March 2025, says Ada Moreau.", 90)
    'The board met in the morning and had … CP-3; 1,500 EUR; 3 March 2025; Ada Moreau'
    >>> short_for_models("All is well.")
    'All is well.'
    """
    whole = " ".join(text.split())
    if len(whole) <= limit:
        return whole
    begin = whole[: int(limit * _BEGINNING)].rstrip()
    rest = whole[len(begin) :]
    marks = _MARK.findall(rest)
    facts = sorted(values(rest), key=lambda value: value.kind != "identifier")
    told = [*marks[:2], *(v.text for v in facts), *marks[2:], *(v.text for v in names(rest))]
    kept: list[str] = []
    room = limit - len(begin) - len(_CUT)
    for said in map(str.strip, told):
        known = any(said in other for other in (begin, *kept))
        if said and not known and len(said) + 2 <= room:
            kept.append(said)
            room -= len(said) + 2
    return f"{begin}{_CUT}{'; '.join(kept)}".rstrip()
