"""Read JSON, JSON lines and tables of judgements, and say plainly what is wrong with them."""

import csv
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragnb.errors import InputError

__all__ = ["expecting", "grades_in", "json_in", "lines_in", "list_in", "pairs_of"]


@contextmanager
def expecting(path: str | Path, what: str) -> Iterator[None]:
    """Turn what goes wrong inside into an `InputError` that names path and form.

    Args:
        path: What is read.
        what: The form that is expected there, as words.

    Raises:
        InputError: A file can't be read, or has another form.
    """
    try:
        yield
    except OSError as error:
        why, name = error.strerror or error, error.filename or path
        raise InputError(f"{str(name)!r} can't be read ({why}). Give {what}.") from error
    except KeyError as error:
        raise InputError(f"{str(path)!r} is not {what}: a record lacks {error}.") from error
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        kind = type(error).__name__
        raise InputError(f"{str(path)!r} is not {what} ({kind}: {error}).") from error


def json_in(path: str | Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8-sig"))


def list_in(path: str | Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON file that holds a list of them.

    Raises:
        TypeError: It holds something else.
    """
    rows = json_in(path)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TypeError(f"it holds a {type(rows).__name__}, not a list of objects")
    return rows


def lines_in(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; empty lines are passed over.

    Raises:
        ValueError: A line holds no object; its number is said.
    """
    with Path(path).open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise ValueError(f"line {number} is no JSON: {error}") from error
            if not isinstance(row, dict):
                raise ValueError(f"line {number} holds a {type(row).__name__}, not an object")  # noqa: TRY004 - `expecting` tells them alike
            yield row


def pairs_of(given: Any, first: str, second: str) -> Iterable[tuple[Any, Any]]:
    """Return pairs that stand as lists of two, or as two lists under their names.

    >>> list(pairs_of([["a", 1]], "title", "index"))
    [('a', 1)]
    >>> list(pairs_of({"title": ["a"], "index": [1]}, "title", "index"))
    [('a', 1)]
    """
    if isinstance(given, dict):
        return list(zip(given[first], given[second], strict=True))
    return [(one, other) for one, other in given]


def grades_in(folder: Path, split: str) -> Iterator[tuple[str, str, int]]:
    """Yield query id, document id and grade, from ``qrels/<split>.tsv`` or ``qrels.jsonl``."""
    table = folder / "qrels" / f"{split}.tsv"
    if not table.exists() and (folder / "qrels.jsonl").exists():
        for row in lines_in(folder / "qrels.jsonl"):
            yield str(row["query_id"]), str(row["doc_id"]), int(row["relevance"])
        return
    with table.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            yield line["query-id"], line["corpus-id"], int(line["score"])
