"""What a step of a plan taught: names for later steps, the items of a list, a few words of it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from ragnb.records import Conflict, Evidence
from ragnb.text.values import Value, names, values

__all__ = ["items", "learned", "result", "short_name", "sides_of", "told"]

_LONGEST: Final = 60
_SHORT_ANSWER: Final = 4
"""A short answer of so few words is a name even where it is one capitalised word."""
_HEAD: Final = re.compile(r"^\d[\d,]* of \d[\d,]* \w+")


def sides_of(conflicts: Sequence[Conflict], mine: Sequence[Evidence]) -> str:
    """Return what the two sides of the first open conflict say, in short."""
    says = {item.id: item.says or item.quote[:60] for item in mine}
    for item in conflicts:
        if item.status == "open" and {item.first, item.second} <= set(says):
            return f"{says[item.first]} {says[item.second]}"
    return ""


def learned(asked: str, mine: Sequence[Evidence]) -> tuple[str, ...]:
    """Return names and identifiers in the best evidence that what is asked doesn't hold."""
    lower = asked.lower()
    found: dict[str, None] = {}
    best = sorted(mine, key=lambda item: (item.grade, -item.score, item.id))
    for item in best[:3]:
        own = [value for value in values(item.quote) if value.kind == "identifier"]
        alone = len(item.says.split()) <= _SHORT_ANSWER
        for value in (*own, *_named(item.says, lone=alone), *_named(item.quote)):
            if value.text.lower() not in lower and len(value.text) <= _LONGEST:
                found.setdefault(value.text)
    return tuple(found)


def _named(text: str, *, lone: bool = False) -> list[Value]:
    """Return names that are no part of an amount or a date, as EUR is."""
    measured = [value for value in values(text) if value.kind != "identifier"]
    return [
        name
        for name in names(text, lone=lone)
        if not any(name.start < each.end and each.start < name.end for each in measured)
    ]


def items(text: str) -> tuple[str, ...]:
    r"""Return the things of a list that a tool gave: JSON, or a line each, its name first.

    >>> items("2 of 9 documents\na.md | INC-1: Ice | 2025\nb.md | Fire | 2024")
    ('INC-1', 'Fire')
    >>> items('["tea", "coffee"]')
    ('tea', 'coffee')
    """
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, list):
        told = [_item(each) for each in data]
        return tuple(dict.fromkeys(each for each in told if each))
    lines = [line.strip(" -*•\t") for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not _HEAD.match(line)]
    if len(lines) < 2 and "|" not in text:
        return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))[:50]
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return tuple(dict.fromkeys(short_name(row[0], row[1] if len(row) > 1 else "") for row in cells))


def _item(each: object) -> str:
    if isinstance(each, Mapping):
        title = each.get("title") or each.get("name") or each.get("id") or ""
        return short_name(str(each.get("id", "")), str(title))
    return str(each).strip()


def short_name(source: str, title: str) -> str:
    """Return the identifier in a title, else the title, else the source's id."""
    code = next((value.text for value in values(title) if value.kind == "identifier"), "")
    return code or title or source


def told(fresh: Sequence[Evidence]) -> str:
    """Name new evidence: what it says, and where."""
    parts = [
        f"“{(item.says or item.quote)[:80]}” ({item.title or item.source_id})" for item in fresh
    ]
    return "; ".join(parts[:3])


def result(mine: Sequence[Evidence]) -> str:
    """Return in short what the best evidence says."""
    best = sorted(mine, key=lambda item: (item.grade, -item.score, item.id))
    return "; ".join((item.says or item.quote)[:90] for item in best[:2])
