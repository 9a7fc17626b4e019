"""Which source of a library a name stands for."""

from typing import Any

from ragnb.library.names import bare, called
from ragnb.library.source import SourceInfo
from ragnb.text.tokens import tokens

__all__ = ["Named"]


class Named:
    """Finds sources by what they are called: title, alias, identifier, name of the file.

    Args:
        library: Whose sources; without one nothing has a name.
    """

    def __init__(self, library: Any = None) -> None:
        self._library = library
        self._known: tuple[int, dict[tuple[str, ...], SourceInfo | None]] = (-1, {})

    def source(self, name: str) -> SourceInfo | None:
        """Return the only source of a name; None where none is called so, or several are."""
        if self._library is None:
            return None
        exact = next((info for info in self._library.sources if info.id == name), None)
        words = tuple(bare(token.text) for token in tokens(name))
        return exact or self._names().get(words)

    def _names(self) -> dict[tuple[str, ...], SourceInfo | None]:
        generation = self._library.generation
        if self._known[0] != generation:
            found: dict[tuple[str, ...], SourceInfo | None] = {}
            for info in self._library.sources:
                for words in called(info):
                    found[words] = None if words in found else info
            self._known = (generation, found)
        return self._known[1]
