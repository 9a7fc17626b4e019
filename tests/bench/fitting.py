"""Fits logistic models with few, named features."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Example", "listwise", "logistic"]

_TINY = 1e-4
"""Of a step of Newton's method at least so much is taken."""

Example = tuple[Mapping[str, float], bool]


def logistic(
    examples: Sequence[Example], *, ridge: float = 1.0, rounds: int = 50, rising: bool = False
) -> dict[str, float]:
    """Return the weights of a logistic model by Newton's method, with an L2 penalty.

    Args:
        examples: Features by their names, and the label.
        ridge: The penalty.
        rounds: Steps of the method.
        rising: No weight may be below 0; features that would have one get 0.

    >>> found = logistic([({"x": 0.0}, False), ({"x": 1.0}, True)] * 20)
    >>> found["x"] > 2 and found["bias"] < 0
    True
    """
    named = sorted(examples[0][0])
    x = np.array([[1.0, *(each[name] for name in named)] for each, _ in examples])
    y = np.array([float(label) for _, label in examples])
    w = np.zeros(x.shape[1])
    penalty = np.diag([1e-6, *([ridge] * len(named))])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (p - y) + penalty @ w
        w -= np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, slope)
    found = {name: round(float(v), 3) for name, v in zip(["bias", *named], w, strict=True)}
    worst = min(named, key=lambda name: found[name])
    if rising and found[worst] < 0:
        rest = [({n: v for n, v in each.items() if n != worst}, y) for each, y in examples]
        return logistic(rest, ridge=ridge, rounds=rounds, rising=True) | {worst: 0.0}
    return found


def listwise(
    groups: Sequence[Sequence[Example]], *, ridge: float = 1.0, rounds: int = 30
) -> dict[str, float]:
    """Return the weights of a logistic model that put what is right before what stands beside it.

    The weights maximise the chance to draw one of the right examples from its group, by the
    softmax of the scores (a conditional logit, after McFadden, 1974); what a whole group has in
    common doesn't count. Scale and bias are then fitted over all examples, so that scores are
    chances again.

    Args:
        groups: Examples that compete with each other; those without a right and a wrong one are
            left out.
        ridge: The L2 penalty.
        rounds: Steps of Newton's method.

    >>> pair = [({"x": 1.0, "hard": 5.0}, True), ({"x": 0.0, "hard": 5.0}, False)]
    >>> found = listwise([pair] * 20)
    >>> found["x"] > 2 and abs(found["hard"]) < 1
    True
    """
    some = [group for group in groups if len({label for _, label in group}) > 1]
    named = sorted(some[0][0][0])
    lists = [
        (
            np.array([[each[name] for name in named] for each, _ in group]),
            np.array([float(label) for _, label in group]),
        )
        for group in some
    ]
    w = np.zeros(len(named))
    for _ in range(rounds):
        slope, bend = ridge * w, ridge * np.eye(len(named))
        for x, y in lists:
            p = _softmax(x @ w)
            mean = p @ x
            slope -= _softmax(np.where(y > 0, x @ w, -np.inf)) @ x - mean
            bend += (x * p[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(bend, slope)
        size, now = 1.0, _loss(lists, w, ridge)
        while size > _TINY and _loss(lists, w - size * step, ridge) > now:
            size /= 2  # a whole step of Newton's method may lead too far
        w -= size * step
    scored = [
        ({"score": float(row @ w)}, bool(label))
        for x, y in lists
        for row, label in zip(x, y, strict=True)
    ]
    scale = logistic(scored, ridge=0.0)
    return {
        "bias": scale["bias"],
        **{name: round(float(v) * scale["score"], 3) for name, v in zip(named, w, strict=True)},
    }


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(scores - scores.max())
    chances: NDArray[np.float64] = raised / raised.sum()
    return chances


def _loss(
    lists: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    w: NDArray[np.float64],
    ridge: float,
) -> float:
    drawn = sum(float(np.log(y @ _softmax(x @ w) + 1e-300)) for x, y in lists)
    return ridge * float(w @ w) / 2 - drawn
