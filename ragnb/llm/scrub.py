"""Keep keys out of whatever is shown, written or raised."""

import os
import re
from collections.abc import Iterable
from typing import Any, Final

__all__ = ["scrub", "secrets_of"]

_NAMED: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
_KEYS: Final = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|key)[-_][\w-]{6,}|\bBearer\s+\S+|\bAIza[\w-]{10,}"
    r"|(?<=://)[^/@\s:]*:[^/@\s]*(?=@)|(?i:api[-_ ]?key[\"']?\s*[=:]\s*[\"']?)[^\s\"',}]{4,}"
)
_SHORT: Final = 6


def secrets_of(generator: Any) -> tuple[str, ...]:
    """Return the values of the secrets that a generator holds, also of those inside it."""
    found: list[str] = []
    for value in getattr(generator, "__dict__", {}).values():
        if hasattr(value, "resolve_value"):
            try:
                secret = value.resolve_value()
            except ValueError:  # its variable is not set
                continue
            if isinstance(secret, str):
                found.append(secret)
        elif isinstance(value, list) and value and hasattr(value[0], "run"):
            found += [secret for part in value for secret in secrets_of(part)]
    return tuple(found)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text without keys: the given ones, those of the environment, and what looks so.

    >>> scrub("401: Incorrect API key provided: sk-abcdef123456.")
    '401: Incorrect API key provided: [key].'
    """
    known = [value for name, value in os.environ.items() if _NAMED.search(name)]
    for secret in sorted({*known, *secrets}, key=len, reverse=True):
        if len(secret) >= _SHORT:
            text = text.replace(secret, "[key]")
    return _KEYS.sub("[key]", text)
