"""Weights that were fitted on labelled questions; tests/bench/fit_*.py make them."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["chance", "weights"]


@cache
def weights(model: str) -> Mapping[str, float]:
    """Return the weights of a model by the names of its features; ``bias`` is one of them.

    Models for Chinese end in ``_zh`` and stand in a file of their own.
    """
    name = "weights_zh.json" if model.endswith("_zh") else "weights.json"
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    found: dict[str, float] = json.loads(text)[model]
    return found


def chance(model: str, features: Mapping[str, float]) -> float:
    """Return the probability that a logistic model gives, 0 to 1, rounded to six places."""
    known = weights(model)
    total = known["bias"] + sum(known.get(name, 0.0) * value for name, value in features.items())
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 6)
