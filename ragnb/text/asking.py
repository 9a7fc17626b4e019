"""Tell the question in a sentence from what is said before it."""

import re
from typing import Final

from ragnb.text.sentences import sentences

__all__ = ["ASK", "AUXILIARY", "TELL", "led_in"]

ASK: Final = "who|whom|whose|what|when|where|which|why|how"
AUXILIARY: Final = (
    "is|are|was|were|do|does|did|can|could|should|must|will|would|has|have|may|might|shall"
)
TELL: Final = "list|explain|describe|compare|name|tell|summari[sz]e|show|give|find|define"
_BEFORE: Final = r"(?:(?:at|in|on|to|by|for|from|with|after|before|of)\s+)?"
_LEAD: Final = re.compile(
    rf"(?P<lead>[^?？]+?[,;:])\s+(?={_BEFORE}(?:{ASK}|{AUXILIARY})\b)", re.IGNORECASE
)
_MARKS: Final = ("?", "？")
_ASKING: Final = re.compile(
    rf"\s*(?:(?:and|but|so|then|please)\s+)*{_BEFORE}"
    rf"(?:(?:when|where)\s+(?:{AUXILIARY})\b|(?:who|whom|whose|what|which|why|how)\b"
    rf"|(?:{AUXILIARY}|{TELL})\b)",
    re.IGNORECASE,
)


def led_in(text: str) -> tuple[str, str]:
    """Return what is said before the first question, and what follows from there on.

    What is said first often says which case is meant, so it belongs to the question.

    >>> led_in("If it is turned down, how soon will I hear?")
    ('If it is turned down,', 'how soon will I hear?')
    >>> led_in("The disk is full. When it is, who is told?")
    ('The disk is full. When it is,', 'who is told?')
    >>> led_in("Who signs, and when does it end?")
    ('', 'Who signs, and when does it end?')
    """
    asks = (start for start, end in sentences(text) if text[start:end].rstrip()[-1:] in _MARKS)
    start = next(asks, 0)
    found = _LEAD.match(text, start)
    if found is not None and not _ASKING.match(found["lead"]):
        start = found.end()
    return text[:start].rstrip(), text[start:]
