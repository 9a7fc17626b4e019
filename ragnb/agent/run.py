"""A run: what a person keeps, reads and saves of one branch."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragnb.agent.ranking import ranking
from ragnb.agent.rows import rows
from ragnb.agent.state import State
from ragnb.agent.trace import Entry, Trace
from ragnb.errors import MissingExtraError
from ragnb.records import Answer, Evidence

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run", "load"]


class Run:
    """One branch of a trace, from its goal to where it stands."""

    def __init__(self, trace: Trace, head: str) -> None:
        self.trace = trace
        self.head = head
        self._states: list[State] | None = None

    @property
    def states(self) -> list[State]:
        """The states of the branch, the start first."""
        if self._states is None:
            self._states = self.trace.states(self.head)
        return self._states

    @property
    def state(self) -> State:
        """The last state."""
        return self.states[-1]

    @property
    def goal(self) -> str:
        """What was asked."""
        return self.state.goal

    @property
    def answer(self) -> Answer | None:
        """The answer; None while the run goes on."""
        return self.state.answer

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence that was found, in the order of finding."""
        return self.state.evidence

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the branch."""
        return self.trace.path(self.head)

    def ranking(self) -> tuple[str, ...]:
        """Return the ids of every source ever hit, best first as the whole run judged them."""
        return ranking(self.state)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return one row a step: what went in, what came out, and what it cost.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("run.to_dataframe()", "pandas", "lab") from error
        found: list[dict[str, Any]] = rows(self.entries, self.states)
        return pd.DataFrame(found)

    def save(self, path: str | Path) -> None:
        """Write the run's trace as JSON lines into a new file.

        Raises:
            TraceError: The file exists already, or can't be written.
        """
        self.trace.save(path)


def load(path: str | Path) -> Run:
    """Open a saved run; nothing in it is executed.

    Raises:
        TraceError: The file is no trace, is of a newer version, or holds nothing whole.
    """
    trace = Trace.load(path)
    return Run(trace, trace.tip)
