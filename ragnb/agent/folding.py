"""The same wording found in two places is one piece of evidence that names both."""

from collections.abc import Iterable
from dataclasses import replace

from ragnb.records import Evidence
from ragnb.text import near_duplicate

__all__ = ["folded"]

_COPY = 0.9


def folded(known: Iterable[Evidence], new: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return the evidence with new pieces added, and copies of known ones folded into these.

    A copy says the same facts in nearly the same words on the same question, from another source
    of the same standing; its source is named in ``also_in``.
    """
    kept = list(known)
    for item in new:
        at = next((n for n, old in enumerate(kept) if _copy(old, item)), None)
        if at is None:
            kept.append(item)
        elif item.source_id not in kept[at].also_in:
            kept[at] = replace(kept[at], also_in=(*kept[at].also_in, item.source_id))
    return tuple(kept)


def _copy(old: Evidence, item: Evidence) -> bool:
    return (
        old.question_id == item.question_id
        and old.source_id != item.source_id
        and (old.status, old.verified) == (item.status, item.verified)
        and 2 * min(len(old.quote), len(item.quote)) > max(len(old.quote), len(item.quote))
        and near_duplicate(old.quote, item.quote, threshold=_COPY)
    )
