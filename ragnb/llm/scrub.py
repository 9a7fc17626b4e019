"""Keep keys out of whatever is shown, written or raised."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

__all__ = ["hide", "scrub", "secrets_of"]

_NAMED: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
_KEYS: Final = re.compile(
    r"\b(?:sk|pk|rk|xai|gsk|hf|key)[-_][\w-]{6,}|\bBearer\s+\S+|\bAIza[\w-]{10,}"
    r"|(?<=://)[^/@\s:]*:[^/@\s]*(?=@)|(?i:api[-_ ]?key[\"']?\s*[=:]\s*[\"']?)[^\s\"',}]{4,}"
)
_SHORT: Final = 6


def secrets_of(generator: Any) -> tuple[str, ...]:
    """Return the values of the secrets that a generator holds, also of those inside it.

    A password in an address is one.
    """
    return tuple(_secrets(generator, depth=3))


def _secrets(thing: Any, depth: int) -> Iterator[str]:
    for value in list(getattr(thing, "__dict__", {}).values()) if depth else ():
        if hasattr(value, "resolve_value"):
            try:
                secret = value.resolve_value()
            except ValueError:  # its variable is not set
                continue
            if isinstance(secret, str):
                yield secret
        elif isinstance(value, str) and "://" in value:
            yield _password(value)
        elif isinstance(value, list):
            for part in value:
                yield from _secrets(part, depth - 1) if hasattr(part, "run") else ()
        elif hasattr(value, "run"):
            yield from _secrets(value, depth - 1)


def _password(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:  # no address after all
        return ""


def hide(text: str, secrets: Iterable[str]) -> str:
    """Return a text without the given secrets; nothing else of it is touched.

    For what a model says, where words that only look like keys must stay: they may be quoted.

    >>> hide("The key-value store, not hunter22.", ["hunter22"])
    'The key-value store, not [key].'
    """
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORT:
            text = text.replace(secret, "[key]")
    return text


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a text without keys: the given ones, those of the environment, and what looks so.

    >>> scrub("401: Incorrect API key provided: sk-abcdef123456.")
    '401: Incorrect API key provided: [key].'
    """
    known = [value for name, value in os.environ.items() if _NAMED.search(name)]
    return _KEYS.sub("[key]", hide(text, [*known, *secrets]))
