"""Which quote names which source: what ties two pieces of evidence together."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from ragnb.stages.relations import near
from ragnb.text.tokens import STOP, fold, tokens
from ragnb.text.values import values

__all__ = ["aliases", "flat", "named", "nearness"]

_BRACKETS: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_LONGEST: Final = 8


@lru_cache(maxsize=4096)
def flat(text: str) -> str:
    """Return the words of a text, folded and between single spaces, with one at each end.

    >>> flat("The ADR-012, again")
    ' the adr-012 again '
    """
    return f" {' '.join(fold(token.text) for token in tokens(text))} "


@lru_cache(maxsize=4096)
def aliases(title: str, source_id: str = "") -> tuple[str, ...]:
    """Return what a source is called, as `flat` writes it, the fullest name first.

    Args:
        title: The source's title: also without brackets, a leading article, and what follows a
            comma or a colon; identifiers in it count by themselves.
        source_id: A file's name, if there is one, is another name.

    >>> aliases("The Lighthouse (2019 film)")
    (' the lighthouse 2019 film ', ' the lighthouse ', ' lighthouse ')
    """
    bare = _BRACKETS.sub("", title).strip()
    found = [title, bare, re.sub(r"^(?:the|an?)\s+", "", bare, flags=re.IGNORECASE)]
    found += [part for mark in ",:：" if (part := bare.partition(mark)[0]) != bare]
    found += [value.text for value in values(title) if value.kind == "identifier"]
    path = PurePosixPath(source_id)
    if path.suffix:
        found.append(re.sub(r"[-_]+", " ", path.stem))
    return tuple(dict.fromkeys(name for each in found if _says(name := flat(each))))


def _says(name: str) -> bool:
    words = name.split()
    telling = [word for word in words if word not in STOP and len(word) > 1]
    return bool(telling) and len(words) <= _LONGEST


def named(names: Sequence[str], text: str) -> str:
    """Return the first of the names that a text holds, or an empty string.

    Ordinary words are a name only where the text writes one of them with a capital letter.

    >>> named(aliases("Titanic (film)"), "Who directed Titanic?")
    ' titanic '
    >>> named((" order ",), "in order to")
    ''
    """
    words = flat(text)
    return next((name for name in names if name in words and _written(name, text)), "")


def _written(name: str, text: str) -> bool:
    """Tell whether a text writes a name as one: with a capital letter, a digit or not in Latin."""
    if not name.isascii() or any(char.isdigit() for char in name):
        return True
    found = [token.text for token in tokens(text)]
    folded = [fold(word) for word in found]
    words = name.split()
    return any(
        any(word != word.lower() for word in found[at : at + len(words)])
        for at in range(len(found) - len(words) + 1)
        if folded[at : at + len(words)] == words
    )


def nearness(question: str, text: str, name: str) -> float:
    """Tell how near a name stands in a text to a word akin to the question's, 0 to 1.

    Args:
        question: What is asked.
        text: What holds the name.
        name: The name as `flat` writes it; a word before it counts more than one behind.

    >>> nearness("Who directed it?", "a film directed by Ada Byron", " ada byron ")
    0.8
    """
    before, _, after = flat(text).partition(name)
    return near(question, before, after)
