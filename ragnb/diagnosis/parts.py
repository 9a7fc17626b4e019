"""The packages that ragnb needs or can use, as its own metadata names them."""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import Final

__all__ = ["EXTRAS", "Part", "install_line", "installed", "parts"]

EXTRAS: Final = {
    "files": "HTML, PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, mails",
    "lab": "notebooks in JupyterLab, tables of steps",
    "models": "prices of hosted models",
    "opensearch": "libraries in an OpenSearch cluster",
}
"""The extras that a user may want, and what each is for."""
_REQUIREMENT: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?")
_EXTRA: Final = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A package that ragnb needs or can use; ``version`` is empty if it is not installed."""

    name: str
    version: str
    wanted: str
    """The versions that fit, as pip writes them."""
    extra: str = ""
    """The extra of ragnb that brings it; empty for what is always needed."""


def parts() -> tuple[Part, ...]:
    """Return every package of ragnb's metadata, those always needed first.

    Of the extras only those of `EXTRAS` are listed, each package once, with the first that brings
    it. Without metadata, as in a copied source folder, there is nothing to list.
    """
    try:
        lines = metadata.requires("ragnb") or []
    except metadata.PackageNotFoundError:
        return ()
    found = [part for line in lines if (part := _part(line)) is not None]
    order = ["", *EXTRAS]
    found.sort(key=lambda part: (order.index(part.extra), part.name.lower()))
    firsts: dict[str, Part] = {}
    for part in found:
        firsts.setdefault(part.name.lower(), part)
    return tuple(firsts.values())


def _part(line: str) -> Part | None:
    matched, extra = _REQUIREMENT.match(line), _EXTRA.search(line)
    group = extra.group(1) if extra else ""
    if matched is None or (group and group not in EXTRAS):
        return None
    name, wanted = matched.group(1), matched.group(2).strip()
    return Part(name=name, version=installed(name), wanted=wanted, extra=group)


def installed(distribution: str) -> str:
    """Return the version of an installed distribution; the empty string if there is none."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def install_line(missing: Iterable[Part], *, notebook: bool) -> str:
    """Return the line that installs packages into this very Python, from a cell or a terminal.

    >>> part = Part(name="lxml", version="", wanted=">=5.3", extra="files")
    >>> install_line([part], notebook=True)
    '%pip install "lxml>=5.3"'
    """
    names = " ".join(f'"{part.name}{part.wanted}"' for part in missing)
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"%pip install {names}" if notebook else f"{python} -m pip install {names}"
