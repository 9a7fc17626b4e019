"""Zip archives: what lies in them is read as if they were folders, within bounds."""

import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from ragnb.errors import LibraryError
from ragnb.library.readers.converted import SkippedError

__all__ = ["Member", "listing", "unpack"]

_MOST: Final = 10_000
"""Files of one archive that are looked at."""
_MAX_UNPACKED: Final = 500_000_000
Member = tuple[str, int, str]
"""Path inside the archive, bytes unpacked, and why it can't be read (empty when it can)."""


def listing(path: Path) -> list[Member]:
    """List the files of an archive; nothing is unpacked.

    Raises:
        LibraryError: It is damaged.
        SkippedError: It holds too much.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise LibraryError(f"damaged, or no .zip file: {error}") from error
    total = sum(info.file_size for info in infos)
    if len(infos) > _MOST or total > _MAX_UNPACKED:
        raise SkippedError(
            f"too large: {len(infos):,} files of {total // 1_000_000:,} MB unpacked; at most "
            f"{_MOST:,} files of {_MAX_UNPACKED // 1_000_000} MB are read"
        )
    return [(info.filename, info.file_size, _refused(info)) for info in infos]


def unpack(path: Path, member: str, most: int) -> bytes:
    """Return one file of an archive, into memory only.

    Args:
        path: The archive.
        member: A path as `listing` tells it.
        most: Bytes; a member that turns out to be larger is refused.

    Raises:
        LibraryError: It is damaged, gone, encrypted or larger than it said.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as stream:
            data = stream.read(most + 1)
    except (zipfile.BadZipFile, OSError, EOFError, KeyError, RuntimeError, ValueError) as error:
        raise LibraryError(f"can't be unpacked: {error}") from error
    if len(data) > most:
        raise SkippedError(f"larger than {most // 1_000_000} MB")
    return data


def _refused(info: zipfile.ZipInfo) -> str:
    parts = PurePosixPath(info.filename.replace("\\", "/")).parts
    if info.filename.startswith(("/", "\\")) or ".." in parts or ":" in info.filename[:3]:
        return "its path leads out of the archive"
    if info.flag_bits & 1:
        return "encrypted: unpack the archive with its password"
    return ""
