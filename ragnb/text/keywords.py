"""The telling words of a text, and what stands in it for something that is not known yet."""

import re
from typing import Final

from ragnb.text.tokens import CJK, STOP, fold, tokens

__all__ = ["PLACEHOLDER", "keywords"]

PLACEHOLDER: Final = re.compile(r"\{(?P<id>[A-Za-z][\w.]*)\}")
"""What stands for the result of a step, such as {s1}."""
_CJK: Final = re.compile(f"[{CJK}]")
_HOW: Final = re.compile(r"\bhow (?:long|many|much|often|soon|far|old)\b", re.IGNORECASE)
"""Words that ask for an amount; the passage that tells it seldom holds them."""
_WORDS: Final = 16
_CHARACTERS: Final = 400


def keywords(text: str) -> str:
    """Return the telling words of a text, each once, in order: what a plan searches for.

    Placeholders are kept. A text of stop words alone stays as it is.

    >>> keywords("How late was the alarm in {s1}?")
    'late alarm {s1}'
    >>> keywords("上海办事处的电话是多少？")
    '上海办事处 电话 多少'
    """
    found: dict[str, str] = {}
    text = _HOW.sub(" ", text)
    at = 0
    for mark in [*PLACEHOLDER.finditer(text), None]:
        end = mark.start() if mark else len(text)
        for word in _words(text[at:end]):
            found.setdefault(fold(word), word)
        if mark:
            found.setdefault(mark.group(), mark.group())
            at = mark.end()
    return " ".join(list(found.values())[:_WORDS]) or " ".join(text.split())[:_CHARACTERS]


def _words(text: str) -> list[str]:
    """Return the words that tell something; neighbouring CJK characters are one."""
    found: list[str] = []
    after = -1
    for token in tokens(text):
        if fold(token.text) in STOP:
            continue
        if _CJK.match(token.text) and after == token.start:
            found[-1] += token.text
        else:
            found.append(token.text)
        after = token.end if _CJK.match(token.text) else -1
    return found
