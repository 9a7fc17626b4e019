"""ragnb: build, watch and teach RAG agents in a notebook.

Names are loaded when they are first used, so that ``import ragnb`` stays light.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ragnb.records import Answer, Budget, Evidence, Query, SubQuestion

_HOMES = {
    "Answer": "ragnb.records",
    "Budget": "ragnb.records",
    "Evidence": "ragnb.records",
    "Query": "ragnb.records",
    "SubQuestion": "ragnb.records",
}

__all__ = ["Answer", "Budget", "Evidence", "Query", "SubQuestion"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragnb' has no attribute {name!r}; it has {sorted(_HOMES)}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
