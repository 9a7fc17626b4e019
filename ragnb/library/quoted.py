"""Names that a text puts in quotation marks or book-title marks."""

import re
from typing import Final

from ragnb.text.tokens import tokens

__all__ = ["quoted_names"]

_QUOTED: Final = re.compile(
    r"[《〈「『](?P<a>[^《》〈〉「」『』\n]{2,40})[》〉」』]|[“\"](?P<b>[^“”\"\n]{2,60})[”\"](?!\w)"
)
_LONGEST: Final = 12


def quoted_names(text: str) -> set[tuple[str, ...]]:
    """Return quoted names as words, of 2 to 12 words or characters each.

    >>> quoted_names("他写了《红楼梦》。")
    {('红', '楼', '梦')}
    """
    found: set[tuple[str, ...]] = set()
    for match in _QUOTED.finditer(text):
        words = tuple(token.text for token in tokens(match["a"] or match["b"]))
        if 2 <= len(words) <= _LONGEST:
            found.add(words)
    return found
