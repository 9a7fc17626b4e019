"""Which documents there are, and which of them have what in their metadata."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ragnb.library.source import SourceInfo, plain_meta
from ragnb.stages.toolbox.conditions import WHERE, matching, named, order
from ragnb.stages.toolbox.spec import Span, ToolSpec, schema
from ragnb.text.tokens import terms

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["LIST_DOCUMENTS", "QUERY_METADATA", "list_documents", "query_metadata"]

_MOST: Final = 100
LIST_DOCUMENTS: Final = ToolSpec(
    name="list_documents",
    description=(
        "Lists the documents of the library by id and title, all of them or those whose id or "
        "title holds some words. Use it to learn what there is, not to learn what a document says."
    ),
    parameters=schema(
        words={"type": "string", "description": "Words of the id or title; all if left out."},
        limit={"type": "integer", "minimum": 1, "maximum": _MOST},
        offset={"type": "integer", "minimum": 0},
    ),
    returns="how many documents fit, then a line a document: id, title, date, status.",
    example={"words": "credit policy"},
    gives="1 of 63 documents\npolicy-credits.md | Credits | 2025-03-03 | current",
)
QUERY_METADATA: Final = ToolSpec(
    name="query_metadata",
    description=(
        "Finds documents by what is known about them (fields such as status, owner, updated), or "
        "counts them by a field. A wrong field is answered with the names there are."
    ),
    parameters=schema(
        where=WHERE,
        words={"type": "string", "description": "Words of the id or title; any if left out."},
        show={
            "type": "array",
            "maxItems": 10,
            "items": {"type": "string"},
            "description": "Fields to show beside id and title.",
        },
        count_by={"type": "string", "description": "A field whose values are counted."},
        sort_by={"type": "string"},
        descending={"type": "boolean"},
        limit={"type": "integer", "minimum": 1, "maximum": _MOST},
    ),
    returns="how many documents fit, then a line a document, or a line a value with its count.",
    example={
        "where": [{"field": "status", "value": "current"}],
        "sort_by": "updated",
        "descending": True,
        "limit": 1,
    },
    gives="12 of 63 documents\npolicy-credits.md | Credits | status: current | updated: 2025-03-03",
)


def list_documents(
    library: "Library", words: str = "", limit: int = 30, offset: int = 0
) -> dict[str, Any]:
    """List documents.

    Args:
        library: Whose.
        words: All of them must stand in the id or the title; stems count.
        limit: Lines at most.
        offset: Lines left out before them.
    """
    wanted = set(terms(words))
    fits = [info for info in library.sources if wanted <= set(terms(f"{info.id} {info.title}"))]
    lines = [
        " | ".join(
            part
            for part in (info.id, info.title, *(_text(info, f) for f in ("updated", "status")))
            if part
        )
        for info in fits
    ]
    result = _listed(lines, f"{len(fits)} of {len(library.sources)}", limit, offset)
    return _told(result, f"documents {words}")


def query_metadata(
    library: "Library",
    *,
    where: Sequence[Mapping[str, Any]] | None = None,
    words: str = "",
    show: Sequence[str] | None = None,
    count_by: str = "",
    sort_by: str = "",
    descending: bool = False,
    limit: int = 30,
) -> dict[str, Any]:
    """Find or count documents by their metadata.

    Args:
        library: Whose.
        where: Conditions over fields; see `conditions.holds`.
        words: All of them must stand in the id or the title; stems count.
        show: Fields to show.
        count_by: A field whose values are counted, instead of listing documents.
        sort_by: A field.
        descending: The largest first.
        limit: Lines at most.

    Raises:
        InputError: No document has a field of that name.
    """
    fields = ["id", *(name.removeprefix("meta.") for name in library.fields)]
    known = list(dict.fromkeys(fields))
    conditions = [{**c, "field": _field(c["field"], known)} for c in where or ()]
    wanted = set(terms(words))
    found = [
        info
        for info in matching(library.sources, conditions, _value)
        if wanted <= set(terms(f"{info.id} {info.title}"))
    ]
    said = f"{len(found)} of {len(library.sources)}"
    if count_by:
        by = _field(count_by, known)
        counts = Counter(str(_value(info, by)) or f"(no {by})" for info in found)
        lines = [f"{value}: {n}" for value, n in sorted(counts.items(), key=lambda p: (-p[1], p))]
        return _told(_listed(lines, said, limit, 0), f"documents {by}")
    if sort_by:
        by = _field(sort_by, known)
        found = sorted(found, key=lambda info: order(_value(info, by)), reverse=descending)
    told = [c["field"] for c in conditions] + ([_field(sort_by, known)] if sort_by else [])
    shown = dict.fromkeys([*(_field(name, known) for name in show or ()), *told])
    lines = [
        " | ".join(
            [info.id, info.title]
            + [f"{name}: {_value(info, name)}" for name in shown if name not in {"id", "title"}]
        )
        for info in found
    ]
    about = " ".join([words, *(f"{c['field']} {c['value']}" for c in conditions)])
    latest = "newest latest most recent" if sort_by == "updated" and descending else ""
    return _told(_listed(lines, said, limit, 0), f"documents {about} {latest}")


def _told(result: str, about: str) -> dict[str, Any]:
    """Return a list with where each of its lines stands."""
    spans: list[Span] = []
    at = 0
    for line in result.split("\n"):
        says = line.split(" | ")[1] if " | " in line else line
        spans.append(Span(start=at, end=at + len(line), says=says))
        at += len(line) + 1
    title = "The library's own list of documents"
    return {"result": result, "spans": spans, "about": about, "title": title}


def _field(name: str, known: Sequence[str]) -> str:
    return named(name.removeprefix("meta."), known, "field")


def _value(info: SourceInfo, name: str) -> Any:
    return info.id if name in {"id", "source_id"} else plain_meta(info).get(name, "")


def _text(info: SourceInfo, name: str) -> str:
    return str(plain_meta(info).get(name, ""))


def _listed(lines: Sequence[str], said: str, limit: int, offset: int) -> str:
    shown = list(lines[offset : offset + limit])
    rest = len(lines) - offset - len(shown)
    more = [f"… and {rest} more; go on with an offset or narrow it"] if rest > 0 else []
    return "\n".join([f"{said} documents", *shown, *more])
