"""Compaction: the vector files without the rows whose chunk is gone."""

from typing import Final

import numpy as np

from ragnb.library.schema import Database
from ragnb.library.vectors import VectorFiles

__all__ = ["compact", "crowded"]

_SHARE: Final = 0.25
"""Above this share of freed slots a writer compacts by itself."""
_LEAST: Final = 1_000
"""Fewer freed slots than these are not worth it."""
_BLOCK: Final = 65_536


def crowded(database: Database) -> bool:
    """Tell whether so many slots are freed that the files should be compacted."""
    slots = database.fact("slots")
    freed = database.connection.execute("SELECT count(*) FROM freed").fetchone()[0]
    return bool(freed >= _LEAST and freed > _SHARE * slots)


def compact(database: Database, vectors: VectorFiles) -> int:
    """Write the vectors in use into new files and return how many slots that saves.

    To be called inside a transaction; with its commit the new files count. The old ones are left
    for those who still read them, until `VectorFiles.tidy`.
    """
    connection = database.connection
    facts = database.facts()
    owned = connection.execute(
        "SELECT slot, id FROM chunks WHERE slot IS NOT NULL ORDER BY slot"
    ).fetchall()
    saved = int(facts["slots"]) - len(owned)
    if not saved:
        return 0
    edition = int(facts["edition"]) + 1
    if owned:
        rows = vectors.rows(facts["edition"], facts["slots"], facts["dimension"])
        for start in range(0, len(owned), _BLOCK):
            slots = [slot for slot, _ in owned[start : start + _BLOCK]]
            vectors.put(edition, start, np.asarray(rows[slots]))
    moved = [(new, number) for new, (old, number) in enumerate(owned) if new != old]
    connection.executemany("UPDATE chunks SET slot = ? WHERE id = ?", moved)
    connection.execute("DELETE FROM freed")
    database.state(slots=len(owned), edition=edition)
    return saved
