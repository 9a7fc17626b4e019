"""A source: one whole document as the library keeps it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Source", "SourceInfo", "fields_of", "hash_text", "plain_meta"]

_LONGEST: Final = 200
"""Characters of a text value that a chunk carries; nobody filters by longer ones."""
_EXAMPLES: Final = 5


def hash_text(text: str) -> str:
    """Return the hash by which a text is known: 32 hexadecimal digits of BLAKE2b.

    >>> len(hash_text("")), hash_text("a") == hash_text("b")
    (32, False)
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """What is known of a document, without its text.

    Attributes:
        id: Of a file its POSIX path below the folder; of a document handed in its own id.
        title: What people call it.
        hash: The hash of its text.
        meta: ``updated``, ``status``, ``trust``, ``url``, ``aliases``, ``links`` (paths and names
            it links to), ``path``, and what else its front matter or its document says.
    """

    id: str
    title: str
    hash: str
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(SourceInfo):
    """A whole document.

    Attributes:
        text: All of it; offsets everywhere in ragnb count its code points.
    """

    text: str = field(repr=False)


def plain_meta(info: SourceInfo) -> dict[str, str | bool | int | float]:
    """Return what a chunk carries of its source's meta: numbers, booleans and short texts."""
    return {
        key: value
        for key, value in info.meta.items()
        if isinstance(value, bool | int | float)
        or (isinstance(value, str) and len(value) <= _LONGEST)
    }


def fields_of(infos: Iterable[SourceInfo]) -> dict[str, tuple[Any, ...]]:
    """Return the names that filters can use, as ``meta.status``, each with some of its values."""
    values: dict[str, dict[Any, None]] = {}
    for info in infos:
        for key, value in {**plain_meta(info), "source_id": info.id}.items():
            if value != "":
                values.setdefault(f"meta.{key}", {})[value] = None
    return {
        name: tuple(sorted(found, key=lambda value: (isinstance(value, str), value))[:_EXAMPLES])
        for name, found in sorted(values.items())
    }
