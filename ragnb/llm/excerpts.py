"""Of a text that is too long for one prompt, the parts that bear most on a question."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final

from ragnb.text import sentences, terms

__all__ = ["excerpts"]

LONGEST: Final = 12_000
"""Characters of a text that a model is given at once, about 3,000 tokens."""
_BLOCK: Final = 800
"""Characters from which a block is closed at the next end of a sentence."""


def excerpts(
    text: str,
    question: str,
    sure: Iterable[tuple[int, int]] = (),
    longest: int = LONGEST,
) -> list[tuple[int, int]]:
    """Return the spans of a text to be given to a model, in reading order.

    A text that fits is given whole. Of a longer one those blocks are taken that hold most of the
    question's terms, rare ones counting more (idf over the blocks), and first of all those that
    are sure to be wanted.

    Args:
        text: The text.
        question: What is asked of it.
        sure: Spans whose blocks come first.
        longest: Characters that are given at most.

    >>> excerpts("Short.", "What?")
    [(0, 6)]
    >>> long = "The sky is blue. " * 90 + "Exports stay for 30 days. " + "It rained. " * 90
    >>> [(start, end)] = excerpts(long, "How long do exports stay?", longest=900)
    >>> "Exports stay for 30 days." in long[start:end]
    True
    """
    if len(text) <= longest:
        return [(0, len(text))]
    blocks = _blocks(text, longest)
    wanted = set(terms(question))
    held = [wanted & set(terms(text[start:end])) for start, end in blocks]
    often = Counter(term for each in held for term in each)
    wished = list(sure)

    def worth(number: int) -> tuple[bool, float, int]:
        start, end = blocks[number]
        first = any(begin < end and start < stop for begin, stop in wished)
        weight = sum(math.log(1 + len(blocks) / often[term]) for term in held[number])
        return first, weight, -number

    chosen: list[tuple[int, int]] = []
    left = longest
    for number in sorted(range(len(blocks)), key=worth, reverse=True):
        start, end = blocks[number]
        if end - start <= left:
            chosen.append((start, end))
            left -= end - start
    return _merged(sorted(chosen))


def _blocks(text: str, longest: int) -> list[tuple[int, int]]:
    """Cut a text into blocks at ends of sentences; one without ends is cut anywhere."""
    ends = [end for _, end in sentences(text)] + [len(text)]
    blocks: list[tuple[int, int]] = []
    start = 0
    for end in ends:
        while end - start > longest:
            blocks.append((start, start + longest))
            start += longest
        if end - start >= _BLOCK or end == len(text):
            blocks.append((start, end))
            start = end
    return [(first, last) for first, last in blocks if text[first:last].strip()]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
