"""Read around a chunk, or a source."""

from typing import Any

from haystack import component, default_to_dict

from ragnb.library.library import Library
from ragnb.records import Context, Scope
from ragnb.stages.named import Named
from ragnb.stages.parts import over_library

__all__ = ["Reader"]


@component
class Reader:
    """Read a stretch of a source, with offsets.

    Args:
        library: Where to read.
    """

    version: str = "1"

    def __init__(self, library: Library) -> None:
        self.library = library
        self._named = Named(library)

    @component.output_types(context=Context)
    def run(self, id: str, scope: Scope = "window") -> dict[str, Context]:  # noqa: A002 - a socket
        """Return what was read.

        Args:
            id: A chunk or a source, by its id or by what it is called.
            scope: ``chunk``, ``window``, ``section`` or ``document``.

        Raises:
            InputError: The id or the scope is unknown.
        """
        named = self._named.source(id) if not self.library.chunks([id]) else None
        return {"context": self.library.read(named.id if named else id, scope)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        return default_to_dict(self, library=self.library.store.to_dict())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Reader":
        """Make the component from what `to_dict` returned."""
        return over_library(cls, data)
