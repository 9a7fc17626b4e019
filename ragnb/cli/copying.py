"""Copies the notebooks and the demo company's documents to a folder of the user."""

import filecmp
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragnb.errors import InputError

__all__ = ["Copied", "copy_notebooks", "notebook_folder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What became of each file; the paths are relative to the folder."""

    folder: Path
    written: tuple[str, ...]
    same: tuple[str, ...]
    """Were there already with the same content."""
    kept: tuple[str, ...]
    """Were there already with another content, and were left as they are."""

    def __str__(self) -> str:
        lines = [f"Copied to {self.folder}: {_files_count(self.written)}."]
        if self.same:
            lines.append(f"There already, and the same: {_files_count(self.same)}.")
        if self.kept:
            lines.append(
                f"There already, but different, and left as they are: {', '.join(self.kept)}. "
                "--force writes over them."
            )
        lines.append(f"Open the first one: jupyter lab {self.folder / '00-first-run.ipynb'}")
        return "\n".join(lines)


def _files_count(names: tuple[str, ...]) -> str:
    return "1 file" if len(names) == 1 else f"{len(names)} files"


def notebook_folder() -> Path:
    """Return where the notebooks lie: inside the installed package, or in the checkout.

    Raises:
        InputError: They are in neither place.
    """
    package = Path(__file__).resolve().parents[1]
    for place in (package / "_notebooks", package.parent / "notebooks"):
        if any(place.glob("*.ipynb")):
            return place
    raise InputError(
        f"The notebooks are neither in {str(package)!r} nor beside it. Install ragnb from its "
        "wheel, or run this from a checkout."
    )


def copy_notebooks(folder: str | Path, *, force: bool = False) -> Copied:
    """Copy the notebooks into a folder, and the demo documents into ``demo`` below it.

    A file that is there with another content is left as it is.

    Args:
        folder: Where to; made if it doesn't exist.
        force: Write over files that differ.

    Raises:
        InputError: The folder is a file, or can't be written.
    """
    place = Path(folder).expanduser()
    written, same, kept = [], [], []
    try:
        for name, origin in _files():
            target = place / name
            if target.is_file() and filecmp.cmp(origin, target, shallow=False):
                same.append(name)
            elif os.path.lexists(target) and not force:
                kept.append(name)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                shutil.copyfile(origin, target)
                written.append(name)
    except OSError as error:
        raise InputError(
            f"{str(place)!r} can't be written ({error.strerror or error}). "
            "Name a folder that you may write to."
        ) from error
    return Copied(folder=place, written=tuple(written), same=tuple(same), kept=tuple(kept))


def _files() -> Iterator[tuple[str, Path]]:
    """Yield each file's name in the user's folder, and where it comes from."""
    from ragnb import demo

    for start, below in ((notebook_folder(), ""), (demo.documents(), "demo/")):
        for path in sorted(start.rglob("*")):
            inner = path.relative_to(start)
            if path.is_file() and not any(part.startswith(".") for part in inner.parts):
                yield f"{below}{inner.as_posix()}", path
