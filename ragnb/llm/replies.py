"""JSON out of what a model wrote: behind its thoughts, between its sentences, mended if need be."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["calls_in", "clean", "json_in", "without_thoughts"]

_THOUGHT: Final = re.compile(
    r"^\s*<(think|thinking|thought|reasoning|reflection)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_CHANNEL: Final = re.compile(r"^.*<\|channel\|>\s*final\s*<\|message\|>", re.DOTALL)
_FENCE: Final = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_DEEPEST: Final = 20
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


def calls_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the tool calls that a reply's text holds as JSON, in any of the usual forms.

    >>> calls_in('First {"name": "search", "arguments": {"query": "tea"}} and that is it.')
    [('search', {'query': 'tea'})]
    >>> calls_in('{"calls": [{"tool": "finish"}]}')
    [('finish', {})]
    """
    found: list[tuple[str, dict[str, Any]]] = []
    for data in json_in(text):
        for item in _listed(data):
            if (call := _call(item)) is not None and call not in found:
                found.append(call)
    return found


def clean(  # noqa: PLR0911 - one answer a kind of value
    value: Any, depth: int = 0
) -> Any:
    """Return JSON data that a trace can hold: valid Unicode, finite numbers, not endlessly deep.

    >>> clean({"a": float("inf"), "b": [chr(0xD800)]})
    {'a': 'inf', 'b': ['?']}
    """
    if depth > _DEEPEST:
        return None
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return str(value)
    if isinstance(value, dict):
        return {str(clean(str(k))): clean(each, depth + 1) for k, each in value.items()}
    if isinstance(value, list | tuple):
        return [clean(each, depth + 1) for each in value]
    return value if isinstance(value, int | float | None) else str(value)


def _listed(data: Any) -> list[Any]:
    for name in ("calls", "tool_calls", "tools"):
        if isinstance(data, dict) and isinstance(data.get(name), list):
            return list(data[name])
    return list(data) if isinstance(data, list) else [data]


def _call(item: Any) -> tuple[str, dict[str, Any]] | None:
    if isinstance(item, dict) and isinstance(item.get("function"), dict):
        item = item["function"]
    if not isinstance(item, dict):
        return None
    names = (item.get(key) for key in ("name", "tool", "tool_name", "function"))
    name = next((each for each in names if isinstance(each, str) and each), None)
    if name is None:
        return None
    given: Any = next(
        (item[k] for k in ("arguments", "args", "parameters", "input") if k in item), {}
    )
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {}
    return name, given if isinstance(given, dict) else {}


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
