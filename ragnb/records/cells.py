"""A table's row in words."""

from collections.abc import Sequence

__all__ = ["row_text"]


def row_text(cells: Sequence[tuple[str, str]]) -> str:
    """Return a table's row as one reads it: each cell that is not empty beside its column's name.

    >>> row_text([("Boat", "4"), ("Seats", ""), ("Material", "wood")])
    'Boat: 4 · Material: wood'
    """
    return " · ".join(f"{name}: {value}" for name, value in cells if value)
