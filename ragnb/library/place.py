"""Where a library is kept: a folder of its own, marked as such, or a temporary one."""

import json
import os
from pathlib import Path
from typing import Any, Final

from ragnb.errors import LibraryError
from ragnb.library.chunking import Chunking
from ragnb.library.embedders import as_embedder
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore

__all__ = ["settle"]

_MARK: Final = "library.json"
"""Tells the folder of a library from any other, and how its sources are cut."""
_FORMAT: Final = 1


def settle(
    index: str | os.PathLike[str] | None,
    chunking: Chunking | None,
    embedder: Any = None,
    *,
    new: bool,
) -> tuple[EmbeddedDocumentStore, Chunking]:
    """Open the store in a folder.

    Args:
        index: The folder; None for a temporary one.
        chunking: How sources are cut; None for what the folder says, else for the default.
        embedder: An `Embedder` or a Haystack text embedder; None for the default one.
        new: Whether a library may be begun there.

    Returns:
        The store and the chunking that holds from now on.

    Raises:
        LibraryError: The folder holds no library, or other things, or can't be written.
    """
    model = StaticEmbedder() if embedder is None else as_embedder(embedder)
    if index is None:
        return EmbeddedDocumentStore(embedder=model), chunking or Chunking()
    folder = Path(index).expanduser()
    mark = folder / _MARK
    if mark.is_file():
        kept = _read(mark)
    elif not new:
        raise LibraryError(
            f"There is no library in {str(folder)!r}. Make one with "
            f"Library.from_folder(…, index={str(folder)!r})."
        )
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LibraryError(
            f"{str(folder)!r} can't keep a library: it holds other things. "
            "Name a folder that is empty or does not exist."
        )
    else:
        kept = Chunking()
    settled = chunking or kept
    if not mark.is_file() or settled != kept:
        facts = {"format": _FORMAT, "words": settled.words, "overlap": settled.overlap}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            mark.write_text(json.dumps(facts), encoding="utf-8")
        except OSError as error:
            raise LibraryError(
                f"{str(folder)!r} can't be written ({error.strerror or error}). "
                "Name a folder that you may write to."
            ) from error
    return EmbeddedDocumentStore(folder, embedder=model), settled


def _read(mark: Path) -> Chunking:
    try:
        facts = json.loads(mark.read_text(encoding="utf-8"))
        if facts["format"] > _FORMAT:
            raise LibraryError(
                f"{str(mark.parent)!r} was made by a newer ragnb. Upgrade with: "
                "pip install -U ragnb"
            )
        return Chunking(words=facts["words"], overlap=facts["overlap"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LibraryError(
            f"{str(mark)!r} can't be read ({error}). Delete the folder and make the library anew."
        ) from error
