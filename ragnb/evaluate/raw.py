"""Read JSON, JSON lines and tables of judgements, and say plainly what is wrong with them."""

import csv
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ragnb.errors import InputError

__all__ = ["expecting", "grades_in", "json_in", "lines_in", "pairs_of"]


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
        why = error.strerror or error
        raise InputError(f"{str(path)!r} can't be read ({why}). Give {what}.") from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        kind = type(error).__name__
        raise InputError(f"{str(path)!r} is not {what} ({kind}: {error}).") from error


def json_in(path: str | Path) -> Any:
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8-sig"))


def lines_in(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; empty lines are passed over."""
    with Path(path).open(encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


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
