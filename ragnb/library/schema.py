"""The SQLite file of an index: its tables, one connection a thread, transactions, its facts."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ragnb.errors import LibraryError
from ragnb.library.filters import register

__all__ = ["SCHEMA_VERSION", "Database"]

SCHEMA_VERSION: Final = 1
"""Raised whenever an older ragnb could not read what a newer one writes."""

_WAIT: Final = 30.0
"""Seconds to wait for another writer."""

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS sources (
        id TEXT PRIMARY KEY, hash TEXT NOT NULL, meta TEXT NOT NULL, text TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS chunks (
        id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE, source TEXT, place INTEGER,
        slot INTEGER, length INTEGER NOT NULL, meta TEXT NOT NULL, content TEXT,
        terms TEXT NOT NULL, other TEXT, embedding BLOB)""",
    "CREATE INDEX IF NOT EXISTS chunks_place ON chunks (source, place)",
    "CREATE INDEX IF NOT EXISTS chunks_slot ON chunks (slot) WHERE slot IS NOT NULL",
    # The terms are made in Python and joined by spaces: anything but a space belongs to a term.
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_terms USING fts5(
        terms, content='chunks', content_rowid='id',
        tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'")""",
    "CREATE VIRTUAL TABLE IF NOT EXISTS chunk_words USING fts5vocab(chunk_terms, 'row')",
)


class Database:
    """A SQLite file that any thread may read and one thread at a time writes.

    Args:
        path: The file; it is created with its tables when missing.
        durable: Whether commits must survive a loss of power; no for temporary files.

    Raises:
        LibraryError: The file is no index, can't be opened, or was written by a newer ragnb.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.durable = durable
        self._local = threading.local()
        self._lock = threading.RLock()
        self._opened: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._opening = threading.Lock()
        self._closed = False
        try:
            with self.writing():
                self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise LibraryError(
                f"{path} can't be opened as an index ({error}). Give a folder that holds an index "
                "of ragnb, or a new one."
            ) from error
        except LibraryError:
            self.close()
            raise

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of the calling thread."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None or self._closed:
            found = self._local.connection = self._connect()
        return found

    @property
    def writes(self) -> bool:
        """Whether the calling thread is inside `writing`."""
        return getattr(self._local, "depth", 0) > 0

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Commit all that is written inside at once, or nothing if an error is raised.

        A block inside another one belongs to the outer one's commit.
        """
        with self._lock:
            connection = self.connection
            if self.writes:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            self._local.depth = 1
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._local.depth = 0

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give one unchanging view of the index to all that is read inside."""
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.execute("COMMIT")

    def fact(self, name: str) -> Any:
        """Return what the index says of itself under a name, or None."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()
        return row[0] if row else None

    def state(self, **facts: Any) -> None:
        """Write facts; to be called inside `writing`."""
        self.connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def add(self, name: str, amount: int) -> None:
        """Raise a number among the facts; to be called inside `writing`."""
        self.state(**{name: (self.fact(name) or 0) + amount})

    def close(self) -> None:
        """Close the connections of all threads."""
        self._closed = True
        with self._opening:
            while self._opened:
                self._opened.pop()[1].close()

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise LibraryError(f"The index {self.path} was closed. Open it again to use it.")
        connection = sqlite3.connect(
            self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        with self._opening:
            for pair in [pair for pair in self._opened if not pair[0].is_alive()]:
                pair[1].close()
                self._opened.remove(pair)
            self._opened.append((threading.current_thread(), connection))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if self.durable else 'OFF'}")
        register(connection)
        return connection

    def _prepare(self) -> None:
        connection = self.connection
        connection.execute(_TABLES[0])
        version = self.fact("schema")
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise LibraryError(
                f"{self.path} has version {version} of the index format and this ragnb reads up to "
                f"{SCHEMA_VERSION}. Upgrade with: pip install -U ragnb"
            )
        if version is None:
            for statement in _TABLES[1:]:
                connection.execute(statement)
            self.state(schema=SCHEMA_VERSION, generation=0, slots=0, length=0)
