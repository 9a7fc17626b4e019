"""The SQLite file of an index: its tables, one connection a thread, transactions, its facts."""

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ragnb.errors import LibraryError
from ragnb.library.filters import register

__all__ = ["SCHEMA_VERSION", "Database"]

SCHEMA_VERSION: Final = 2
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
    # What filters by source and by place look up; written as the filters are compiled.
    """CREATE INDEX IF NOT EXISTS chunks_source_id ON chunks (
        json_extract(meta, '$."source_id"'), json_extract(meta, '$."index"'))""",
    # The log of slots whose chunk is gone, until they are compacted.
    "CREATE TABLE IF NOT EXISTS freed (number INTEGER PRIMARY KEY AUTOINCREMENT, slot INTEGER)",
    # The terms are made in Python and joined by spaces: anything but a space belongs to a term.
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_terms USING fts5(
        terms, content='chunks', content_rowid='id',
        tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'")""",
    "CREATE VIRTUAL TABLE IF NOT EXISTS chunk_words USING fts5vocab(chunk_terms, 'row')",
)
_NEW: Final = {"generation": 0, "slots": 0, "edition": 0, "chunks": 0, "length": 0}


class Database:
    """A SQLite file that any thread may read and one thread at a time writes.

    Args:
        path: The file; it is created with its tables when missing. In a folder that may not be
            written it can be read all the same.
        durable: Whether commits must survive a loss of power; no for temporary files.

    Raises:
        LibraryError: The file is no index, can't be opened, or is of another version.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.durable = durable
        self.readonly = path.exists() and not os.access(path.parent, os.W_OK)
        self._local = threading.local()
        self._lock = threading.RLock()
        self._opened: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._opening = threading.Lock()
        self._closed = False
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise LibraryError(
                f"{path} can't be opened as an index ({error}). Give a folder that holds an index "
                "of ragnb, or a new one that you may write to."
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

        Raises:
            LibraryError: The disk is full, the folder can't be written, or another process has
                been writing for too long.
        """
        with self._lock:
            connection = self.connection
            if self.writes:
                yield connection
                return
            if self.readonly:
                raise LibraryError(
                    f"The index in {self.path.parent} can be read and not changed: you may not "
                    "write to that folder. Copy it, or build the index in another one."
                )
            try:
                with self._transaction(connection):
                    yield connection
            except sqlite3.Error as error:
                raise LibraryError(
                    f"The index in {self.path.parent} can't be written ({error}). It is as it was "
                    "before. Free some space, or wait until nothing else writes to it."
                ) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give one unchanging view of the index to all that is read inside.

        Raises:
            LibraryError: The file is damaged, or was closed meanwhile.
        """
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        try:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise LibraryError(
                f"{self.path} can't be read ({error}). If it was closed, open it again; if it is "
                "damaged, build the index anew."
            ) from error

    def fact(self, name: str) -> Any:
        """Return what the index says of itself under a name, or None."""
        row = self.connection.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()
        return row[0] if row else None

    def facts(self) -> dict[str, Any]:
        """Return all that the index says of itself; embedder and dimension may be None."""
        rows = self.connection.execute("SELECT name, value FROM facts").fetchall()
        return {"embedder": None, "dimension": None, **dict(rows)}

    def state(self, **facts: Any) -> None:
        """Write facts; to be called inside `writing`."""
        self.connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    def add(self, **amounts: int) -> None:
        """Raise numbers among the facts; to be called inside `writing`."""
        self.connection.executemany(
            "UPDATE facts SET value = value + ? WHERE name = ?",
            [(amount, name) for name, amount in amounts.items()],
        )

    def close(self) -> None:
        """Close the connections of all threads."""
        self._closed = True
        with self._opening:
            while self._opened:
                self._opened.pop()[1].close()

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[None]:
        connection.execute("BEGIN IMMEDIATE")
        self._local.depth = 1
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                with suppress(sqlite3.Error):  # what is told is why the writing failed
                    connection.execute("ROLLBACK")
            raise
        finally:
            self._local.depth = 0

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise LibraryError(f"The index {self.path} was closed. Open it again to use it.")
        connection = sqlite3.connect(
            self._address(), uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        with self._opening:
            for pair in [pair for pair in self._opened if not pair[0].is_alive()]:
                pair[1].close()
                self._opened.remove(pair)
            self._opened.append((threading.current_thread(), connection))
        if not self.readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {'FULL' if self.durable else 'OFF'}")
        register(connection)
        return connection

    def _address(self) -> str:
        address = self.path.resolve().as_uri()
        if not self.readonly:
            return address
        log = self.path.with_name(self.path.name + "-wal")
        return f"{address}?mode=ro" + ("" if log.exists() else "&immutable=1")

    def _prepare(self) -> None:
        """Make the tables of a new index and look at the version of an old one."""
        connection = self.connection
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
            with self._lock, self._transaction(connection):
                for statement in _TABLES:
                    connection.execute(statement)
                if self.fact("schema") is None:
                    self.state(schema=SCHEMA_VERSION, **_NEW)
        version = self.fact("schema")
        if version == SCHEMA_VERSION:
            return
        newer = isinstance(version, int) and version > SCHEMA_VERSION
        raise LibraryError(
            f"{self.path} has version {version} of the index format and this ragnb reads "
            f"{SCHEMA_VERSION}. "
            + ("Upgrade with: pip install -U ragnb" if newer else "Build the index anew.")
        )
