"""JSON out of what a model wrote: behind its thoughts, between its sentences, mended if need be."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["json_in", "without_thoughts"]

_THOUGHT: Final = re.compile(
    r"^\s*<(think|thinking|thought|reasoning|reflection)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_CHANNEL: Final = re.compile(r"^.*<\|channel\|>\s*final\s*<\|message\|>", re.DOTALL)
_FENCE: Final = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STARTS: Final = 20
"""Opening brackets that are tried as the start of the JSON."""
_MENDED: Final = 20_000
"""Characters up to which broken JSON is mended."""
_MARKS: Final = 1500
"""Brackets and quotation marks from which on nothing is mended: it would take long."""


def without_thoughts(text: str) -> str:
    """Return a reply without the block of thoughts at its head.

    >>> without_thoughts("<think>so {} it is</think> {1}")
    '{1}'
    """
    text = _CHANNEL.sub("", text)
    while (found := _THOUGHT.match(text)) is not None and found.end() > 0:
        text = text[found.end() :]
    return text.strip()


def json_in(text: str) -> Iterator[Any]:
    """Give the objects and lists that a reply may mean, the likeliest first.

    >>> next(json_in("Sure! Here it is: {'a': [1, 2,],} Anything else?"))
    {'a': [1, 2]}
    >>> list(json_in("I don't know."))
    []
    """
    text = without_thoughts(text)
    fenced = [found.group(1).strip() for found in _FENCE.finditer(text)]
    for part in (text, *fenced):
        if (value := _strict(part)) is not None:
            yield value
    yield from _embedded(text)
    for part in (*fenced, text):
        if (value := _mended(part)) is not None:
            yield value


def _strict(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) and value else None


def _embedded(text: str) -> Iterator[Any]:
    """Give whole objects that stand between other words."""
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(_STARTS):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if value:
            yield value
        at = end - 1


def _mended(text: str) -> Any:
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    text = text[start : start + _MENDED]
    weight = 4 * (text.count("{") + text.count("[")) + text.count('"') + text.count("'")
    if start < 0 or weight > _MARKS:
        return None
    from json_repair import repair_json

    try:
        value = repair_json(text, return_objects=True)
    except Exception:  # noqa: BLE001 - it is fed with anything at all
        return None
    return value if isinstance(value, dict | list) and value else None
