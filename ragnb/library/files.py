"""Which files of a folder are read, as which text, and what was left out and why."""

import fnmatch
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import Final, Literal, TypeAlias

from ragnb.errors import LibraryError
from ragnb.library.kinds import MAX_BYTES, TEXT_SUFFIXES, refusal
from ragnb.library.readers import ARCHIVES, READERS, Converted, SkippedError, convert
from ragnb.library.readers.archive import listing, unpack

__all__ = ["TEXT_SUFFIXES", "Found", "Paths", "Report", "Row", "Scan", "decode", "scan"]

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
IGNORED: Final = ("node_modules", "__pycache__", "*.ragnb")
"""Folders that are never entered, beside all hidden ones; an index is one of them."""

_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_HIGH: Final = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What became of one file (or of one document handed in)."""

    path: str
    status: Literal["read", "unchanged", "skipped", "failed", "removed"]
    why: str = ""
    chunks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of all files; ``ignored`` counts hidden and ignored entries that have no row."""

    rows: tuple[Row, ...] = ()
    ignored: int = 0

    def of(self, *statuses: str) -> tuple[Row, ...]:
        """Return the rows with one of these statuses."""
        return tuple(row for row in self.rows if row.status in statuses)

    def __str__(self) -> str:
        counts = Counter(row.status for row in self.rows)
        parts = [f"{count} {status}" for status, count in sorted(counts.items())]
        if self.ignored:
            parts.append(f"{self.ignored} hidden or ignored")
        lines = [", ".join(parts) or "nothing was read"]
        lines += [f"{row.status} {row.path}: {row.why}" for row in self.rows if row.why]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that can be read; ``id`` is its POSIX path below the scanned folder.

    Attributes:
        member: Of a file in an archive its path there; ``path`` is the archive.
    """

    id: str
    path: Path
    member: str = ""

    def load(self) -> bytes:
        """Return the bytes of the file.

        Raises:
            LibraryError: It can't be opened or unpacked.
        """
        if self.member:
            return unpack(self.path, self.member, MAX_BYTES)
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise LibraryError(f"can't be opened: {error.strerror or error}") from error

    def convert(self, data: bytes) -> Converted:
        """Return the text of the file's bytes, converted where its kind asks for it.

        Raises:
            LibraryError: It is damaged or holds no text; a `SkippedError` if it is sound.
            MissingExtraError: Its reader needs packages that are not installed.
        """
        suffix = PurePosixPath(self.id).suffix.lower()
        if suffix in READERS:
            return convert(data, suffix)
        text, note = decode(data)
        return Converted(text=text, note=note)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What lies below one folder, before anything is read."""

    base: Path
    found: tuple[Found, ...]
    rows: tuple[Row, ...]
    """Files that won't be read."""
    ignored: int


def decode(data: bytes) -> tuple[str, str]:
    r"""Turn a file's bytes into text with ``\n`` line ends and no byte order mark.

    Unicode is tried first, then GB 18030 where the bytes come in pairs as Chinese ones do, then
    the Western code pages. The second value says which guess was made.

    >>> decode(b"\xef\xbb\xbfa\r\nb")
    ('a\nb', '')
    >>> decode("café".encode("latin-1"))
    ('café', 'not Unicode: read as cp1252')

    Raises:
        LibraryError: The bytes are no text.
    """
    text, note = _decoded(data)
    return text.replace("\r\n", "\n").replace("\r", "\n"), note


def _decoded(data: bytes) -> tuple[str, str]:
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
    if encoding in {"utf-8", "utf-8-sig"} and b"\0" in data:
        raise LibraryError("holds binary data, not text")
    try:
        return data.decode(encoding), ""
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise LibraryError(f"begins as {encoding} but is damaged further on") from error
    runs = _HIGH.findall(data)
    paired = sum(len(run) for run in runs if len(run) % 2 == 0)
    guesses = ["cp1252", "latin-1"]
    if paired > 0.9 * sum(map(len, runs)):
        guesses.insert(0, "gb18030")
    for guess in guesses:
        try:
            return data.decode(guess), f"not Unicode: read as {guess}"
        except UnicodeDecodeError:
            continue
    raise LibraryError("can't be decoded")  # not reached: latin-1 knows every byte


def scan(paths: Paths) -> Scan:
    """List what can be read below a folder, in a glob pattern, in one file or in a list of these.

    Args:
        paths: A folder, a file, a pattern such as ``"notes/**/*.md"``, or several of them.

    Raises:
        LibraryError: Something named does not exist, or nothing there can be read.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise LibraryError("No file or folder was named. Give a folder, a file or a pattern.")
    roots: list[Path] = []
    bases: list[str] = []
    for item in given:
        name = os.path.abspath(Path(item).expanduser())  # noqa: PTH100 - resolve() follows links
        if os.path.lexists(name):
            roots.append(Path(name))
            bases.append(name if Path(name).is_dir() else str(Path(name).parent))
        elif has_magic(name):
            matches = sorted(glob(name, recursive=True))  # noqa: PTH207 - skips hidden files
            matches = [match for match in matches if not _ignored(match)]
            if not matches:
                raise LibraryError(f"No file matches {os.fspath(item)!r}. Check the pattern.")
            roots += [Path(match) for match in matches if not Path(match).is_dir()]
            parts = Path(name).parts
            fixed = next(index for index, part in enumerate(parts) if has_magic(part))
            bases.append(str(Path(*parts[:fixed])))
        else:
            raise LibraryError(
                f"There is no file or folder {os.fspath(item)!r}. "
                f"Check the spelling; relative paths start at {str(Path.cwd())!r}."
            )
    base = Path(os.path.commonpath(bases))
    return _Walk(base).over(roots, ", ".join(repr(os.fspath(item)) for item in given))


def _ignored(path: str) -> bool:
    return any(fnmatch.fnmatch(part, p) for part in Path(path).parts for p in IGNORED)


class _Walk:
    """Collects files below a base, each once, in the order of their ids."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.found: dict[str, Found] = {}
        self.rows: dict[str, Row] = {}
        self.ignored = 0
        self.entered: set[str] = set()

    def over(self, roots: Iterable[Path], named: str) -> Scan:
        for root in roots:
            for path in self._files(root) if root.is_dir() else [root]:
                self._take(path)
        if not self.found:
            skipped = Report(rows=tuple(self.rows.values()), ignored=self.ignored)
            held = f" It holds: {str(skipped).rstrip('.')}." if self.rows or self.ignored else ""
            held = held or " It is empty."
            raise LibraryError(
                f"Nothing in {named} can be read.{held}\n"
                "Readable are text, source code and "
                f"{', '.join(sorted(READERS.keys() | ARCHIVES))} files."
            )
        return Scan(
            base=self.base,
            found=tuple(self.found[key] for key in sorted(self.found)),
            rows=tuple(self.rows[key] for key in sorted(self.rows)),
            ignored=self.ignored,
        )

    def _files(self, folder: Path) -> Iterator[Path]:
        real = os.path.realpath(folder)
        if real in self.entered:
            self.ignored += 1
            return
        self.entered.add(real)
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            self._row(folder, "failed", f"can't be opened: {error.strerror or error}")
            return
        for entry in entries:
            if entry.name.startswith(".") or _ignored(entry.name):
                self.ignored += 1
            elif not entry.is_dir():
                yield entry
            elif entry.is_symlink() and self._inside(entry):
                self.ignored += 1  # read at its own place, or a loop
            else:
                yield from self._files(entry)

    def _inside(self, link: Path) -> bool:
        target, base = Path(os.path.realpath(link)), Path(os.path.realpath(self.base))
        return target.is_relative_to(base) or base.is_relative_to(target)

    def _row(self, path: Path, status: Literal["skipped", "failed"], why: str) -> None:
        name = path.relative_to(self.base).as_posix()
        self.rows[name] = Row(path=name, status=status, why=why)

    def _take(self, path: Path) -> None:
        suffix = path.suffix.lower()
        if not path.exists():
            self._row(path, "failed", "a link that points nowhere")
        elif not path.is_file():
            self._row(path, "skipped", "not a regular file")
        elif suffix in ARCHIVES:
            self._archive(path)
        elif why := refusal(suffix, path.stat().st_size):
            self._row(path, "skipped", why)
        else:
            name = path.relative_to(self.base).as_posix()
            self.found[name] = Found(id=name, path=path)

    def _archive(self, path: Path) -> None:
        try:
            members = listing(path)
        except LibraryError as error:
            self._row(path, "skipped" if isinstance(error, SkippedError) else "failed", str(error))
            return
        above = path.relative_to(self.base).as_posix()
        for member, size, refused in members:
            inside = PurePosixPath(member)
            if _ignored(member) or any(part.startswith((".", "__MACOSX")) for part in inside.parts):
                self.ignored += not refused
                if not refused:
                    continue
            name = f"{above}/{member}"
            nested = "an archive inside an archive" if inside.suffix.lower() in ARCHIVES else ""
            if why := refused or nested or refusal(inside.suffix.lower(), size):
                self.rows[name] = Row(path=name, status="skipped", why=why)
            else:
                self.found[name] = Found(id=name, path=path, member=member)
