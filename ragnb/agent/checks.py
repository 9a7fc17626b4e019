"""What every outcome must be before it enters the trace: finite numbers and valid Unicode."""

import math
import re
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["flaw"]

_SUSPECT = re.compile(rb"(?:NaN|Infinity)")


def flaw(value: object) -> str:
    """Return in words what keeps a value out of the trace, or an empty string.

    >>> flaw({"score": 0.5}), flaw({"score": float("nan")})
    ('', 'score is nan, expected a finite number')
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        encoded = to_json(value, inf_nan_mode="constants")
    except (PydanticSerializationError, UnicodeEncodeError):
        return _search(value, "the outcome") or "the outcome holds what JSON can't carry"
    return _search(value, "the outcome") if _SUSPECT.search(encoded) else ""


def _search(value: Any, name: str) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{name} is {value}, expected a finite number"
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return f"{name} holds half a surrogate pair, expected valid Unicode"
        return ""
    if is_dataclass(value):
        parts = [(item.name, getattr(value, item.name)) for item in fields(value)]
    elif isinstance(value, dict):
        parts = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list | tuple):
        parts = [(name, item) for item in value]
    else:
        return ""
    return next((found for part, item in parts if (found := _search(item, part))), "")
