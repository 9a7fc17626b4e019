"""Where the misses of many runs are lost, by stage."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragnb.display import bundle
from ragnb.errors import InputError, MissingExtraError
from ragnb.evaluate.attribution import Attribution
from ragnb.evaluate.following import KEPT, STAGES

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Attributions", "StageCount", "attributions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCount:
    """How much was lost at a stage, or kept."""

    stage: str
    needs: int
    """Things needed whose fate it was."""
    runs: int
    """Runs of which it is the earliest stage that lost something."""
    satisfied: int
    """Of these runs those whose last assessment called the evidence enough all the same."""


@dataclass(frozen=True, slots=True)
class Attributions:
    """What became of all that was needed, run by run."""

    items: tuple[tuple[str, Attribution], ...]
    """Each with a label, such as the question or its kind."""

    def stages(self) -> tuple[StageCount, ...]:
        """Return a count for each stage in order, and for what was kept; also where it is 0."""
        needs = Counter(fate.stage for _, each in self.items for fate in each.fates)
        needs["overstated"] += sum(bool(each.overstated) for _, each in self.items)
        return tuple(
            StageCount(
                stage=stage,
                needs=needs[stage],
                runs=len(mine := [each for _, each in self.items if each.stage == stage]),
                satisfied=sum(each.satisfied for each in mine),
            )
            for stage in (*STAGES, KEPT)
        )

    def to_dataframe(self) -> "pd.DataFrame":
        """Return one row for each thing that was needed: run, source, span, stage, why.

        A run that nothing was needed for has one row.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("to_dataframe()", "pandas", "lab") from error
        return pd.DataFrame(
            [row for label, each in self.items for row in _rows(label, each)],
            columns=[
                "label",
                "goal",
                "source",
                "quote",
                "stage",
                "detail",
                "run_stage",
                "satisfied",
                "stop",
            ],
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "attributions")


def attributions(
    found: Iterable[Attribution] | Mapping[str, Attribution],
) -> Attributions:
    """Put the attributions of many runs together.

    Args:
        found: What `attribution` returned for each run; a mapping also gives labels, else the
            goals are the labels.

    Raises:
        InputError: Something among them is no attribution.

    >>> from ragnb.evaluate import Need, attribution
    >>> from ragnb.evaluate.example import example
    >>> missed = Need(source="exports", quote="meets in May")
    >>> both = attributions([attribution(example(), [missed]), attribution(example(), [])])
    >>> [(each.stage, each.runs) for each in both.stages() if each.runs]
    [('left out', 1), ('overstated', 1)]
    """
    if isinstance(found, Mapping):
        return Attributions(tuple((str(label), _checked(each)) for label, each in found.items()))
    return Attributions(tuple((_checked(each).goal, each) for each in found))


def _checked(each: object) -> Attribution:
    if not isinstance(each, Attribution):
        raise InputError(
            f"attributions() got a {type(each).__name__}; expected what attribution(run, …) gives."
        )
    return each


def _rows(label: str, each: Attribution) -> list[dict[str, Any]]:
    shared = {
        "label": label,
        "goal": each.goal,
        "run_stage": each.stage,
        "satisfied": each.satisfied,
        "stop": each.stop,
    }
    fates = [
        {
            "source": fate.need.source,
            "quote": fate.need.quote,
            "stage": fate.stage,
            "detail": fate.detail,
        }
        for fate in each.fates
    ]
    nothing = "Nothing was needed, and nothing concluded."
    detail = " ".join(each.overstated) or nothing
    alone = {"source": "", "quote": "", "stage": each.stage, "detail": detail}
    return [{**shared, **fate} for fate in fates or [alone]]
