"""Read off a question which documents it asks for, by the values of their metadata."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ragnb.library.source import plain_meta
from ragnb.stages.toolbox.cues import newest
from ragnb.text.tokens import terms

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["metadata_call"]

_NO_KINDS: Final = frozenset({"path", "title", "url", "trust", "updated", "source_id"})
"""Fields whose values name one document, or are no words."""
_LISTED: Final = 20
_KIND: Final = re.compile(
    r"\b(?:minutes|policies|tickets|decisions|reports|policy|ticket|decision|report)\b",
    re.IGNORECASE,
)


def metadata_call(question: str, library: "Library") -> Mapping[str, Any] | None:
    """Return the arguments of `query_metadata` that a question asks for, or None.

    A value of a field (a status, an owner) whose every word stands in the question is a
    condition; the kind that is asked for ("which policies") must stand in the id or the title if it
    does so of some; "the newest" sorts by date.
    """
    asked = frozenset(terms(question))
    found: dict[str, str] = {}
    for info in library.sources:
        for field, value in plain_meta(info).items():
            words = frozenset(terms(str(value))) if isinstance(value, str) else frozenset()
            if field not in _NO_KINDS and words and words <= asked:
                found.setdefault(field, str(value))
    sort = newest(question) and "meta.updated" in library.fields
    if not found and not sort:
        return None
    arguments: dict[str, Any] = {
        "where": [{"field": f, "is": "=", "value": v} for f, v in sorted(found.items())]
    }
    kind = _KIND.search(question)
    stems = terms(kind["kind"]) if kind else []
    held = [info for info in library.sources if {*stems} <= {*terms(f"{info.id} {info.title}")}]
    if stems and held:
        arguments["words"] = kind["kind"] if kind else ""
    if sort:
        arguments |= {"sort_by": "updated", "descending": True}
    return arguments | {"limit": _LISTED}
