"""Measures of many runs: a row for each, and the means of what could be computed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragnb.agent.run import Run
from ragnb.errors import MissingExtraError
from ragnb.evaluate.measures import definitions, measures

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Mean", "means", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of a measure over the runs for which it could be computed."""

    value: float | str
    """A text says that no run gave it."""
    runs: int


def table(runs: Mapping[str, Run] | Iterable[Run]) -> "pd.DataFrame":
    """Return one row a run and one column a measure; a text says why one can't be computed.

    Args:
        runs: Runs; a mapping's keys are the index, else the goals are.

    Raises:
        InputError: Something among them is no run.
        MissingExtraError: pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingExtraError("table()", "pandas", "lab") from error
    named = (
        list(runs.items()) if isinstance(runs, Mapping) else [(each.goal, each) for each in runs]
    )
    rows = [measures(run) for _, run in named]
    return pd.DataFrame(rows, index=[name for name, _ in named], columns=list(definitions()))


def means(runs: Iterable[Run]) -> dict[str, Mean]:
    """Return for each measure its mean, true as 1: so `looped` gives the loop rate.

    A measure that can't be computed for a run is left out of its mean; ``runs`` tells how many
    are in it.

    Raises:
        InputError: Something among them is no run.

    >>> from ragnb.evaluate.example import example
    >>> means([example(), example()])["coverage"]
    Mean(value=0.5, runs=2)
    """
    rows = [measures(run) for run in runs]
    found: dict[str, Mean] = {}
    for name in definitions():
        values = [float(value) for row in rows if not isinstance(value := row[name], str)]
        mean = round(sum(values) / len(values), 6) if values else "no run gave it"
        found[name] = Mean(value=mean, runs=len(values))
    return found
