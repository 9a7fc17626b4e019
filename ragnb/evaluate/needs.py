"""What a right answer needs: sources, and spans of them, as labelled questions name them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragnb.demo import DemoQuestion
from ragnb.evaluate.labelled import Pool, Question
from ragnb.text import fold, tokens

__all__ = ["Need", "holds", "needs_of"]

_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_WHOLE = 4
"""A needed span of so many words or fewer must be held whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A source that a right answer rests on, and the span of it that tells."""

    source: str
    """Its id in the library."""
    quote: str = ""
    """Word for word as the library reads it; empty where any part of the source will do."""
    instead: tuple["Need", ...] = ()
    """Others that say the same, any one of which may stand in."""

    @property
    def ways(self) -> tuple["Need", ...]:
        """The need itself and what may stand in for it."""
        return (self, *self.instead)


def holds(text: str, span: str) -> bool:
    """Tell whether a text holds a span, whatever the case, marks and white space.

    Of a span of more than four words the text may also be a part, of half its words or more: a
    quote that is cut to the clause that matters holds the sentence that is labelled.

    >>> holds("It is kept for **30 days**.", "30 days"), holds("30", "30 days")
    (True, False)
    >>> holds("exports are kept for 30 days", "By policy, exports are kept for 30 days.")
    True
    >>> holds("by G. Stanley Hall's book", "G. Stanley Hall")
    True
    >>> holds("사망자는 158명으로 나타났다", "사망자는 158명")
    True
    """
    inner, outer = _bare(span), _bare(text)
    if inner in outer:
        return True
    part, whole = outer.split(), inner.split()
    return len(whole) > _WHOLE and 2 * len(part) >= len(whole) and outer in inner


def _bare(text: str) -> str:
    words = [token.text for token in tokens(_POSSESSIVE.sub(" s", fold(text)))]
    return f" {' '.join(words)} " if words else ""


def needs_of(question: DemoQuestion | Question, pool: Pool | None = None) -> tuple[Need, ...]:
    """Return what a labelled question needs; nothing where it can't be answered.

    Args:
        question: A question of the demo, or of a set that `ragnb.evaluate.datasets` read.
        pool: The set's passages; with them the needed sentences are named, else the passages.

    >>> from ragnb import demo
    >>> needs_of(demo.questions()[0])[0].source
    'policy-credits.md'
    """
    if isinstance(question, DemoQuestion):
        return tuple(
            Need(source=each.source, quote=quote, instead=tuple(map(_any_part, each.instead)))
            for each in question.needed
            for quote in each.quotes
        )
    return tuple(_of_pool(question, pool))


def _any_part(source: str) -> Need:
    return Need(source=source)


def _of_pool(question: Question, pool: Pool | None) -> Iterator[Need]:
    sentences = {each.id: each.sentences for each in pool.passages} if pool else {}
    spans = [
        Need(source=name, quote=sentences[name][index].strip())
        for name, index in question.supporting
        if 0 <= index < len(sentences.get(name, ()))
    ]
    told = {each.source for each in spans}
    yield from spans
    yield from (Need(source=name) for name in question.gold if name not in told)
