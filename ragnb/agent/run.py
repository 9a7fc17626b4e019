"""A run: what a person keeps, reads, saves and goes on with of one branch."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ragnb.agent.bills import Bill, bills
from ragnb.agent.entry import Entry
from ragnb.agent.opening import open_trace
from ragnb.agent.ranking import ranking
from ragnb.agent.rows import rows
from ragnb.agent.saving import Saved, Texts, save_trace
from ragnb.agent.state import State
from ragnb.agent.trace import Trace
from ragnb.display import bundle, render, render_text
from ragnb.errors import MissingExtraError
from ragnb.records import Answer, Evidence, Exchange
from ragnb.steady import is_stable

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

    from ragnb.agent.loop import Loop

__all__ = ["Run", "load"]


class _Agent(Protocol):
    def resume(self, run: "Run", *, despite_changes: bool) -> "Loop": ...


class Run:
    """One branch of a trace, from its goal to where it stands."""

    def __init__(self, trace: Trace, head: str, *, name: str = "main") -> None:
        self.trace = trace
        self.head = head
        self.name = name

    @property
    def states(self) -> list[State]:
        """The states of the branch, the start first."""
        return self.trace.states(self.head)

    @property
    def state(self) -> State:
        """The last state."""
        return self.trace.state(self.head)

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
        return self.trace.branch(self.head)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What chat models were sent and replied, call by call; empty without a model."""
        return tuple(each for entry in self.entries for each in entry.outcome.exchanges)

    @property
    def bills(self) -> dict[str, Bill]:
        """What each piece of evidence cost, by its id: the calls of the step that found it."""
        return bills(self.entries)

    def __repr__(self) -> str:
        stop = self.state.stop
        how = f"ended ({stop.code})" if stop else "not ended"
        return f"<Run {self.name!r}, {len(self.entries)} steps, {how}: {self.goal!r}>"

    def __str__(self) -> str:
        return render_text(self, "run")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "run")

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
        for row in found if is_stable() else ():
            row["latency_ms"] = 0.0
        return pd.DataFrame(found)

    def timeline(self, *, by: Literal["time", "step"] = "time") -> "Figure":
        """Return a Plotly figure: actions by kind over time, evidence, gaps and conflicts.

        Args:
            by: ``"step"`` gives each step the same width.

        Raises:
            MissingExtraError: plotly is not installed.
        """
        return render(self, "timeline", by=by)

    def latencies(self) -> "Figure":
        """Return a Plotly figure of the seconds that each step took.

        Raises:
            MissingExtraError: plotly is not installed.
        """
        return render(self, "latencies")

    def growth(self) -> "Figure":
        """Return a Plotly figure: quotes, open gaps and conflicts, and tokens after each step.

        Raises:
            MissingExtraError: plotly is not installed.
        """
        return render(self, "growth")

    def save(self, path: str | Path, texts: Texts = "all") -> Saved:
        """Write the run's trace, with all its branches, as JSON lines into a new file.

        Args:
            path: A file that doesn't exist yet.
            texts: ``"all"`` keeps the passages that were read; ``"quotes"`` the quotes alone.

        Returns:
            Which sources' texts the file holds.

        Raises:
            TraceError: The file exists already, or can't be written.
        """
        return save_trace(self.trace, path, texts, last=self.name)

    def resume(self, agent: _Agent, *, despite_changes: bool = False) -> "Loop":
        """Return a loop that goes on where this run was cut off, also in the same file.

        Args:
            agent: What goes on; it is compared with what the run was made with.
            despite_changes: Go on although the agent or its library is another now.

        Raises:
            ChangedError: Something is another now; it says what. The run can still be read.
        """
        return agent.resume(self, despite_changes=despite_changes)


def load(path: str | Path) -> Run:
    """Open a saved run on the branch that was saved, where it stood; nothing in it is executed.

    ``run.trace.lost`` says what a damaged file could not give back.

    Raises:
        TraceError: The file is no trace, is too large, or is of a newer version.
    """
    trace = open_trace(path)
    name, head = next(reversed(trace.heads.items()), ("main", None))
    return Run(trace, head.at if head else "", name=name)
