"""Tables with merged cells, laid out as a plain grid."""

from collections.abc import Iterable, Sequence

__all__ = ["grid"]

_WIDEST = 1000


def grid(rows: Iterable[Sequence[tuple[str, int, int]]]) -> list[list[str]]:
    """Lay cells out so that a merged one repeats its text in every place that it covers.

    Args:
        rows: Cells as text, columns covered, rows covered.

    >>> grid([[("a", 1, 2), ("b", 2, 1)], [("c", 1, 1), ("d", 1, 1)]])
    [['a', 'b', 'b'], ['a', 'c', 'd']]
    """
    laid: list[list[str]] = []
    hanging: dict[int, tuple[str, int]] = {}
    for row in rows:
        line: list[str] = []
        cells = list(row)
        while (cells or any(column >= len(line) for column in hanging)) and len(line) < _WIDEST:
            at = len(line)
            if at in hanging:
                text, left = hanging.pop(at)
                line.append(text)
                if left > 1:
                    hanging[at] = (text, left - 1)
            elif cells:
                text, across, down = cells.pop(0)
                for column in range(at, at + across):
                    line.append(text)
                    if down > 1:
                        hanging[column] = (text, down - 1)
            else:
                line.append("")
        laid.append(line)
    return laid
