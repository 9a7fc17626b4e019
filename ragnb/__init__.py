"""ragnb: build, watch and teach RAG agents in a notebook.

Names are loaded when they are first used, so that ``import ragnb`` stays light.
"""

import importlib
import os
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Privacy: Haystack reports usage unless this is set before its first import.
os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

if TYPE_CHECKING:
    from ragnb import demo
    from ragnb.agent import until
    from ragnb.agent.agent import Agent
    from ragnb.agent.component import RagnbAgent
    from ragnb.agent.loop import Loop
    from ragnb.agent.policies import EvidencePolicy, OneShot, Scripted
    from ragnb.agent.run import Run, load
    from ragnb.diagnosis import doctor
    from ragnb.evaluate import attribution, measures
    from ragnb.library import Library
    from ragnb.llm.doubles import ScriptedGenerator
    from ragnb.llm.recorded import RecordedGenerator
    from ragnb.records import Answer, Budget, Evidence, Query, SubQuestion
    from ragnb.steady import stable

_HOMES = {
    "Agent": "ragnb.agent.agent",
    "Answer": "ragnb.records",
    "Budget": "ragnb.records",
    "Evidence": "ragnb.records",
    "EvidencePolicy": "ragnb.agent.policies",
    "Library": "ragnb.library",
    "Loop": "ragnb.agent.loop",
    "OneShot": "ragnb.agent.policies",
    "Query": "ragnb.records",
    "RagnbAgent": "ragnb.agent.component",
    "RecordedGenerator": "ragnb.llm.recorded",
    "Run": "ragnb.agent.run",
    "Scripted": "ragnb.agent.policies",
    "ScriptedGenerator": "ragnb.llm.doubles",
    "SubQuestion": "ragnb.records",
    "attribution": "ragnb.evaluate.attribution",
    "demo": "",
    "doctor": "ragnb.diagnosis",
    "load": "ragnb.agent.run",
    "measures": "ragnb.evaluate.measures",
    "stable": "ragnb.steady",
    "until": "ragnb.agent",
}

__all__ = [
    "Agent",
    "Answer",
    "Budget",
    "Evidence",
    "EvidencePolicy",
    "Library",
    "Loop",
    "OneShot",
    "Query",
    "RagnbAgent",
    "RecordedGenerator",
    "Run",
    "Scripted",
    "ScriptedGenerator",
    "SubQuestion",
    "attribution",
    "demo",
    "doctor",
    "load",
    "measures",
    "stable",
    "until",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragnb' has no attribute {name!r}; it has {__all__}")
    home = _HOMES[name]
    if home in {"", "ragnb.agent"}:
        value: Any = importlib.import_module(f"{home or 'ragnb'}.{name}")
    else:
        value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
