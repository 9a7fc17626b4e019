"""How far sources are trusted, by where they come from and by what is known of them."""

import fnmatch
from collections.abc import Mapping
from typing import Any

from ragnb.errors import InputError

__all__ = ["check_trust", "trust_of"]


def check_trust(trust: Mapping[str, float] | None) -> Mapping[str, float] | None:
    """Return rules as they are, when they can be used.

    Raises:
        InputError: A value is not a number from 0 to 1.
    """
    given: Mapping[str, Any] = trust or {}
    for pattern, value in given.items():
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            raise InputError(
                f"trust={{{pattern!r}: {value!r}}} can't be used: trust is a number from 0 to 1."
            )
    return trust


def trust_of(path: str, meta: Mapping[str, Any], rules: Mapping[str, float]) -> float | None:
    """Return the trust that the most special rule gives a source, or None where no rule holds.

    Args:
        path: The source's POSIX path below its folder.
        meta: What is known of it.
        rules: A folder (``"hr"``), a pattern (``"*.eml"``) or a value (``"status=draft"``, also
            with a pattern) to the trust in what it names; longer ones go before shorter ones.

    >>> trust_of("hr/old/a.md", {"status": "draft"}, {"hr": 0.9, "hr/old": 0.2, "*.eml": 0.1})
    0.2
    >>> trust_of("a.md", {"status": "draft"}, {"status=draft": 0.3})
    0.3
    """
    holding = [pattern for pattern in rules if _holds(pattern, path, meta)]
    return rules[max(holding, key=len)] if holding else None


def _holds(pattern: str, path: str, meta: Mapping[str, Any]) -> bool:
    key, equals, wanted = pattern.partition("=")
    if equals and key in meta:
        return fnmatch.fnmatchcase(str(meta[key]).casefold(), wanted.casefold())
    folder = pattern.rstrip("/")
    return path == folder or path.startswith(f"{folder}/") or fnmatch.fnmatchcase(path, pattern)
