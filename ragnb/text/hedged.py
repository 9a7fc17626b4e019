"""Tell whether a quote holds back on a question."""

from ragnb.text.cues import hedge, is_chinese
from ragnb.text.permission import asks_leave
from ragnb.text.sentences import sentences

__all__ = ["holds_back"]


def holds_back(question: str, quote: str) -> bool:
    """Tell whether at least half of a quote's sentences hold back.

    A "may" is a permission where the question asks for one, or has that word too.

    >>> holds_back("What may an agent grant?", "An agent may grant 5 EUR.")
    False
    >>> holds_back("What does an agent grant?", "It is probably 5 EUR.")
    True
    """
    asked_words = set(question.lower().split()) | ({"may"} if asks_leave(question) else set())
    said = f"{question}约，大约" if is_chinese(question) else ""  # a rough number is a number
    parts = [quote[start:end] for start, end in sentences(quote)] or [quote]
    back = [
        any(w not in asked_words and w not in said for w in hedge(part).split(", ") if w)
        for part in parts
    ]
    return 2 * sum(back) >= len(parts)
