"""The stages an agent has by default, and the check of those that a user brings."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ragnb.agent.actions import Synthesize
from ragnb.agent.inputs import inputs
from ragnb.agent.sockets import listed
from ragnb.agent.state import State
from ragnb.errors import InputError
from ragnb.records import Answer, StopReason

if TYPE_CHECKING:
    from haystack.tools.tool import Tool

    from ragnb.library import Library

__all__ = ["checked", "default_components", "fallback"]

_SOCKETS: dict[str, tuple[set[str], set[str]]] = {
    "plan": ({"goal", "fields", "filters", "again", "known"}, {"questions", "queries"}),
    "route": ({"goal"}, {"routing"}),
    "steps": ({"goal", "steps"}, {"questions", "steps"}),
    "reflect": (
        {"step", "steps", "questions", "evidence", "searches"},
        {"verdict", "gaps", "conflicts", "reflection"},
    ),
    "retrieve": (set(), {"documents"}),
    "rerank": ({"query", "documents"}, {"documents"}),
    "read": ({"id", "scope"}, {"context"}),
    "extract": ({"question", "context"}, {"evidence"}),
    "assess": (
        {"questions", "evidence", "searches", "settled"},
        {"verdict", "gaps", "conflicts"},
    ),
    "synthesize": (
        {"goal", "questions", "evidence", "gaps", "conflicts", "searches"},
        {"answer"},
    ),
    "reply": ({"goal", "sources"}, {"answer"}),
    "choose": (
        {"goal", "questions", "tools", "evidence", "gaps", "conflicts", "pending", "calls"}
        | {"status"},
        {"proposals"},
    ),
}
"""Per stage: the input sockets it is called with, the output sockets that are read."""


def default_components(library: "Library", tools: Iterable["Tool"] = ()) -> dict[str, Any]:
    """Return the key-less stages over a library."""
    from ragnb import stages

    return {
        "tools": stages.ToolRunner(tools, library),
        "choose": stages.Chooser(library),
        "plan": stages.Planner(),
        "route": stages.Router(library),
        "steps": stages.StepPlanner(library=library),
        "reflect": stages.Reflector(library=library),
        "retrieve": stages.Retriever(library),
        "rerank": stages.Reranker(),
        "read": stages.Reader(library),
        "extract": stages.Extractor(library=library),
        "assess": stages.Assessor(),
        "synthesize": stages.Synthesizer(),
        "reply": stages.Replier(),
    }


def checked(components: Mapping[str, Any]) -> dict[str, Any]:
    """Return a user's components, each found to have the sockets of its stage.

    Raises:
        InputError: There is no stage of a name, or a component has other sockets.
    """
    for stage, component in components.items():
        if stage not in _SOCKETS:
            raise InputError(f"There is no stage {stage!r}; there are {sorted(_SOCKETS)}.")
        takes, gives = _sockets_of(component)
        need_in, need_out = _SOCKETS[stage]
        fits = need_in <= takes and need_out <= gives
        if stage == "retrieve":
            fits = fits and bool({"query", "query_embedding"} & takes)
            need_in = {"query or query_embedding"}
        if not fits:
            raise InputError(
                f"{type(component).__name__} can't be the stage {stage!r}: it takes "
                f"{sorted(takes)} and gives {sorted(gives)}; expected {sorted(need_in)} and "
                f"{sorted(need_out)}."
            )
    return dict(components)


def _sockets_of(component: Any) -> tuple[set[str], set[str]]:
    try:
        takes = component.__haystack_input__._sockets_dict  # noqa: SLF001 - no public list
        gives = component.__haystack_output__._sockets_dict  # noqa: SLF001 - the same
    except AttributeError:
        raise InputError(
            f"{component!r} is no Haystack component; decorate its class with @component."
        ) from None
    return set(takes), set(gives)


def fallback(state: State) -> Answer:
    """Return the key-less answer from what a state holds, for a run that ends without one."""
    from ragnb.stages import compose

    given = inputs(state, Synthesize(closing=StopReason(code="user")))
    given.pop("settled")
    return compose(**listed(given))
