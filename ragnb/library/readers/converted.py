"""What a reader makes of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragnb.errors import LibraryError

__all__ = ["Converted", "SkippedError"]


class SkippedError(LibraryError):
    """A file is sound, but holds nothing that can be read here: encrypted, empty, scanned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    r"""The text of a file and what the file says about itself outside of its text.

    Attributes:
        text: With ``\n`` line ends, and with Markdown headings, lists and tables unless the file
            is read as it stands.
        note: What the reader of a report should know, such as a guessed encoding.
        meta: ``title`` and ``updated`` count where the text itself names none; ``links`` (paths
            from the file), ``aliases``, and any other plain value.
        pages: Offset in ``text`` at which each page begins; empty where a file has no pages.
    """

    text: str
    note: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pages: tuple[int, ...] = ()
