"""What numbered proposals and decisions (PEPs, RFCs, ADRs) say of themselves at their head."""

import re
from pathlib import PurePosixPath
from typing import Any, Final

__all__ = ["preamble"]

_FIELD: Final = re.compile(r":?([A-Z][\w-]*):[ \t]+(\S.*)")
_KNOWN: Final = frozenset(["pep", "title", "author", "status", "created"])
_DATES: Final = ("last-modified", "resolution-date", "post-date", "created")
_DECISION: Final = re.compile(
    r"^#[ \t]*(?:(?P<kind>ADR|RFC|PEP|KEP)[ #-]*)?(?P<number>\d{1,5})[.:)]?[ \t]*[-–—:.]?[ \t]*\S"
)
_FOLDERS: Final = re.compile(r"(?:^|[/_-])(?:adrs?|decisions?)(?:[/_-]|$)", re.IGNORECASE)


def preamble(text: str, source_id: str) -> dict[str, Any]:
    r"""Read the fields at the head of a PEP, or the number of a decision record.

    Returns:
        Some of ``title``, ``status``, ``date``, ``aliases`` and ``superseded_by``.

    >>> preamble("PEP: 8\nTitle: Style\nStatus: Active\nCreated: 05-Jul-2001\n\n", "pep-0008.rst")
    {'title': 'Style', 'status': 'Active', 'date': '05-Jul-2001', 'aliases': ['PEP 8', 'PEP-0008']}
    >>> preamble("# 3. Use queues\n", "docs/adr/0003-use-queues.md")
    {'aliases': ['ADR 3', 'ADR-0003']}
    """
    fields: dict[str, str] = {}
    for line in text[:4000].split("\n"):
        hit = _FIELD.match(line)
        if hit:
            fields.setdefault(hit[1].casefold(), hit[2].strip())
        elif not line.startswith((" ", "\t")) or not fields:
            break
    found: dict[str, Any] = {}
    if len(_KNOWN & fields.keys()) >= 2:
        found = {key: fields[key] for key in ("title", "status") if key in fields}
        if date := next((fields[key] for key in _DATES if key in fields), ""):
            found["date"] = date
        if later := fields.get("superseded-by", ""):
            found["superseded_by"] = later
    numbered = _number(text, source_id, fields.get("pep", ""))
    return {**found, "aliases": numbered} if numbered else found


def _number(text: str, source_id: str, pep: str) -> list[str]:
    if pep.isdigit():
        return [f"PEP {int(pep)}", f"PEP-{int(pep):04d}"]
    head = _DECISION.match(text.lstrip()[:300])
    path = PurePosixPath(source_id)
    named = re.match(r"(?:adr[-_ ]?)?(\d{1,5})[-_. ]", path.name, re.IGNORECASE)
    kind = (head["kind"] or "") if head else ""
    if not kind and not _FOLDERS.search(f"{path.parent}/{path.stem.split('-')[0]}"):
        return []
    number = int(head["number"]) if head else int(named[1]) if named else -1
    return [f"{kind or 'ADR'} {number}", f"{kind or 'ADR'}-{number:04d}"] if number >= 0 else []
