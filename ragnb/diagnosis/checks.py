"""Looks at the machine: versions, front end, search, index folder, optional packages."""

import os
import platform
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ragnb import __version__
from ragnb.diagnosis.frontend import FrontEnd, front_end
from ragnb.diagnosis.parts import EXTRAS, Part, install_line, parts
from ragnb.errors import LibraryError

__all__ = ["Diagnosis", "doctor"]

_TERMINALS: Final = ("terminal", "IPython")
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is here and what is missing; its text is for people."""

    ragnb: str
    python: str
    system: str
    front_end: FrontEnd
    parts: tuple[Part, ...]
    embedder: str
    """The default embedder's name and size; empty if it doesn't work."""
    words: str
    """What searches by words: SQLite's version; empty if it has no full-text search."""
    index_folder: str
    index_bytes: int
    indexes: int
    index_writable: bool
    problems: tuple[str, ...] = ()
    """What keeps ragnb from its work, each with what to do."""
    advice: tuple[str, ...] = ()
    """What is optional and missing, each with the line that installs it."""

    @property
    def ok(self) -> bool:
        """Whether everything that is always needed is here."""
        return not self.problems

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self)}


def doctor() -> Diagnosis:
    """Look at the machine and tell what is here, what is missing and how to install it.

    Nothing is installed or written. Takes about a second: a word is embedded to see that it works.

    >>> diagnosis = doctor()
    >>> diagnosis.ok, diagnosis.embedder
    (True, 'wordllama-l2-supercat-256, 256 numbers a text')
    """
    shown, found = front_end(), parts()
    notebook = shown.name not in _TERMINALS
    problems = _needed(found, notebook=notebook)
    words = _words()
    if not words:
        problems.append(
            "This Python's SQLite has no full-text search (FTS5): use a Python from python.org, "
            "conda or your system."
        )
    embedder, root = "", ""
    if not problems:
        try:
            embedder, root = _embedder(), _root()
        except (ImportError, LibraryError) as error:
            problems.append(str(error))
    writable = not root or _writable(Path(root))
    if not writable:
        problems.append(
            f"The index folder {root!r} can't be written: make it writable, or set "
            "XDG_CACHE_HOME to a folder that is."
        )
    sizes = _sizes(Path(root)) if root else {}
    return Diagnosis(
        ragnb=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        front_end=shown,
        parts=found,
        embedder=embedder,
        words=words,
        index_folder=root,
        index_bytes=sum(sizes.values()),
        indexes=len(sizes),
        index_writable=writable,
        problems=tuple(problems),
        advice=tuple(_optional(found, notebook=notebook)),
    )


def _needed(found: tuple[Part, ...], *, notebook: bool) -> list[str]:
    missing = [part for part in found if not part.extra and not part.version]
    if not missing:
        return []
    names = ", ".join(part.name for part in missing)
    return [f"{names} missing. Install with: {install_line(missing, notebook=notebook)}"]


def _optional(found: tuple[Part, ...], *, notebook: bool) -> list[str]:
    advice = []
    for extra, purpose in EXTRAS.items():
        missing = [part for part in found if part.extra == extra and not part.version]
        if missing:
            line = install_line(missing, notebook=notebook)
            advice.append(f"For {purpose}: {line}")
    return advice


def _words() -> str:
    try:
        with sqlite3.connect(":memory:") as connection:
            connection.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
        connection.close()
    except sqlite3.OperationalError:
        return ""
    return f"SQLite {sqlite3.sqlite_version}"


def _embedder() -> str:
    from ragnb.library.embedding import StaticEmbedder

    embedder = StaticEmbedder()
    size = embedder.embed(["word"]).shape[1]
    return f"{embedder.name}, {size} numbers a text"


def _root() -> str:
    from ragnb.library.cache import index_root

    return str(index_root())


def _writable(folder: Path) -> bool:
    """Return whether a folder can be written, or made below the first one that exists."""
    place = next(path for path in (folder, *folder.parents) if path.exists())
    return place.is_dir() and os.access(place, os.W_OK)


def _sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each index in the folder."""
    if not folder.is_dir():
        return {}
    return {
        index.name: sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
        for index in folder.iterdir()
        if index.is_dir()
    }


def _lines(found: Diagnosis) -> list[str]:
    shown = found.front_end
    size = f"{found.indexes} kept, {found.index_bytes / _MEGABYTE:.1f} MB"
    lines = [
        f"ragnb {found.ragnb}, Python {found.python}, {found.system}",
        f"Shown in: {shown.name} {shown.version}".rstrip(),
        *(f"  works: {item}" for item in shown.works),
        *(f"  mind: {item}" for item in shown.mind),
        f"Search by words: {found.words or 'does not work'}",
        f"Search by meaning: {found.embedder or 'does not work'}",
        f"Indexes of folders: {found.index_folder or 'unknown'} ({size})",
    ]
    for extra, purpose in {"": "always needed", **EXTRAS}.items():
        group = [part for part in found.parts if part.extra == extra]
        if group:
            names = ", ".join(f"{part.name} {part.version or 'missing'}" for part in group)
            lines.append(f"{extra or 'core'} ({purpose}): {names}")
    lines += [f"Problem: {item}" for item in found.problems]
    lines += [f"Optional: {item}" for item in found.advice]
    lines.append("Something is missing." if found.problems else "All that ragnb needs is here.")
    return lines
