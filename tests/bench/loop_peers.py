"""The same step that does nothing, in other frameworks: what ``loop.py`` compares itself with."""

import importlib.metadata
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["Contenders", "installed_peers"]

Contenders: TypeAlias = dict[str, Callable[[int], float]]
"""By name, what does a run of so many steps and returns the seconds that it took."""


def installed_peers(folder: Path) -> tuple[Contenders, list[str]]:
    """Return the peers that are here, and a line on each one that is not."""
    found: Contenders = {}
    absent = []
    makers: dict[str, Callable[[], Contenders]] = {
        "langgraph": _langgraph,
        "haystack-ai": _haystack,
        "apache-burr": lambda: _burr(folder),
    }
    for package, make in makers.items():
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            absent.append(f"{package} is not installed: pip install {package}")
        else:
            found |= make()
    return found, absent


def _langgraph() -> Contenders:
    """Return a LangGraph of one node that goes back to itself."""
    from typing import TypedDict

    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, StateGraph

    class Count(TypedDict):
        n: int
        steps: int

    graph = StateGraph(Count)
    graph.add_node("work", lambda state: {"n": state["n"] + 1})
    graph.add_edge(START, "work")
    graph.add_conditional_edges("work", lambda s: END if s["n"] >= s["steps"] else "work")

    def timed(*, saving: bool) -> Callable[[int], float]:
        def run(steps: int) -> float:
            app = graph.compile(checkpointer=InMemorySaver() if saving else None)
            config: Any = {"recursion_limit": steps + 5, "configurable": {"thread_id": "1"}}
            began = time.perf_counter()
            done = app.invoke({"n": 0, "steps": steps}, config)
            taken = time.perf_counter() - began
            _counted(done["n"], steps)
            return taken

        return run

    return {
        "LangGraph": timed(saving=False),
        "LangGraph, checkpoints in memory": timed(saving=True),
    }


def _haystack() -> Contenders:
    """Return Haystack's Agent; a step is a reply of a mock model and the tool that it calls."""
    from haystack import component
    from haystack.components.agents import Agent
    from haystack.dataclasses import ChatMessage, ToolCall
    from haystack.tools import Tool

    @component
    class Model:
        def __init__(self, steps: int) -> None:
            self.left = steps

        @component.output_types(replies=list[ChatMessage])
        def run(self, messages: list[ChatMessage], tools: Any = None) -> dict[str, Any]:
            self.left -= 1
            if self.left < 0:
                return {"replies": [ChatMessage.from_assistant("done")]}
            call = ToolCall(tool_name="nothing", arguments={}, id=str(self.left))
            return {"replies": [ChatMessage.from_assistant(tool_calls=[call])]}

    def run(steps: int) -> float:
        tool = Tool(
            name="nothing",
            description="Does nothing.",
            parameters={"type": "object", "properties": {}},
            function=lambda: "ok",
        )
        agent = Agent(chat_generator=Model(steps), tools=[tool], max_agent_steps=steps + 5)
        agent.warm_up()
        began = time.perf_counter()
        done = agent.run(messages=[ChatMessage.from_user("Do nothing.")])
        taken = time.perf_counter() - began
        _counted(sum(bool(message.tool_call_results) for message in done["messages"]), steps)
        return taken

    return {
        "Haystack Agent (model and tool)": run,
    }


def _burr(folder: Path) -> Contenders:
    """Return a Burr application of one action that goes back to itself."""
    from burr.core import ApplicationBuilder, State, action, default, expr
    from burr.tracking import LocalTrackingClient

    @action(reads=["n"], writes=["n"])
    def work(state: State) -> State:
        return state.update(n=state["n"] + 1)

    @action(reads=["n"], writes=[])
    def end(state: State) -> State:
        return state

    def timed(*, tracked: bool) -> Callable[[int], float]:
        def run(steps: int) -> float:
            builder = (
                ApplicationBuilder()
                .with_actions(work=work, end=end)
                .with_transitions(("work", "end", expr(f"n >= {steps}")), ("work", "work", default))
                .with_state(n=0)
                .with_entrypoint("work")
            )
            if tracked:
                client = LocalTrackingClient(project="bench", storage_dir=str(folder))
                builder = builder.with_tracker(client)
            app = builder.build()
            began = time.perf_counter()
            _, _, state = app.run(halt_before=["end"])
            taken = time.perf_counter() - began
            _counted(state["n"], steps)
            return taken

        return run

    return {
        "Burr": timed(tracked=False),
        "Burr, its tracker on disk": timed(tracked=True),
    }


def _counted(done: int, steps: int) -> None:
    if done != steps:
        raise RuntimeError(f"A contender did {done} steps, expected {steps}.")
