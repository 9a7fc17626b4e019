"""Use a tool; whether it has effects is marked by a person, never by a model."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from haystack import Document, component

from ragnb.errors import InputError
from ragnb.records import Context
from ragnb.stages.toolbox import LIBRARY_TOOLS, ToolSpec, check_arguments, functions

if TYPE_CHECKING:  # importing haystack.tools takes 2 s where JupyterLab is installed
    from haystack.tools.tool import Tool

    from ragnb.library import Library

__all__ = ["ToolRunner", "pure"]

_PURE = "_ragnb_pure"


def pure(tool: "Tool") -> "Tool":
    """Mark a tool as one without effects: it may be used without asking, and its results reused."""
    setattr(tool, _PURE, True)
    return tool


@component
class ToolRunner:
    """Uses one of some tools by its name: the user's Haystack Tools, and the library's own.

    Args:
        tools: The user's; each has effects unless `pure` marks it.
        library: What the tools of `LIBRARY_TOOLS` work over; without one there are none of them.

    Raises:
        InputError: Two tools have the same name.
    """

    version = "2"

    def __init__(self, tools: "Iterable[Tool]" = (), library: "Library | None" = None) -> None:
        given = list(tools)
        self.tools = {tool.name: tool for tool in given}
        self._own: dict[str, Callable[..., Any]] = {} if library is None else functions(library)
        if len(self.tools) < len(given):
            raise InputError(f"Two tools have the same name: {[tool.name for tool in given]}.")
        taken = sorted(self.tools.keys() & self._own.keys())
        if taken:
            raise InputError(f"{taken[0]!r} is a tool of the library itself; name yours otherwise.")

    @property
    def specs(self) -> dict[str, ToolSpec]:
        """The contract of each tool, the library's own first; of a user's tool as far as told."""
        own = {name: LIBRARY_TOOLS[name] for name in self._own}
        return own | {
            name: ToolSpec(
                name=name,
                description=tool.description,
                parameters=tool.parameters,
                returns="",
                example={},
                gives="",
            )
            for name, tool in self.tools.items()
        }

    def effects(self, name: str) -> bool:
        """Return whether a tool has effects; an unknown one counts as having them."""
        if name in self._own:
            return False
        tool = self.tools.get(name)
        return tool is None or not getattr(tool, _PURE, False)

    def fingerprint(self) -> dict[str, Any]:
        """Return what can be told of the tools; what they do stands in no configuration."""
        told = {name: [t.description, t.parameters] for name, t in sorted(self.tools.items())}
        return {"tools": told, "pure": [name for name in told if not self.effects(name)]}

    @component.output_types(result=str, documents=list[Document], contexts=list[Context])
    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Use a tool.

        Args:
            name: The tool's name.
            arguments: What it takes.

        Returns:
            ``result`` as text, JSON where it is none; ``documents`` that the tool gave;
            ``contexts``, stretches of the library's sources that the result rests on;
            ``made``, whether the result says more than they do; of the library's tools also
            ``spans``, where in them the answer stands, ``about``, what was looked up, and a
            ``title`` for what was made.

        Raises:
            InputError: There is no such tool, or its arguments don't fit.
        """
        specs = self.specs
        if name not in specs:
            raise InputError(f"There is no tool {name!r}; there are {sorted(specs)}.")
        if wrong := check_arguments(specs[name].parameters, arguments):
            raise InputError(f"The arguments of {name!r} don't fit: {wrong}.")
        if name in self._own:
            own: dict[str, Any] = self._own[name](**arguments)
            return {"documents": [], "contexts": [], "made": "contexts" not in own} | own
        tool = self.tools[name]
        value = _invoked(tool, arguments)
        documents = _documents(value)
        contexts = value.get("contexts") if isinstance(value, Mapping) else None
        return {
            "result": _text(tool, value, documents),
            "documents": documents,
            "contexts": list(contexts or ()),
            "made": not documents and contexts is None and not self.effects(name),
        }


def _invoked(tool: "Tool", arguments: dict[str, Any]) -> Any:
    warm_up = getattr(tool, "warm_up", None)
    if callable(warm_up):
        warm_up()
    if tool.function is None and tool.async_function is not None:
        return asyncio.run(tool.invoke_async(**arguments))
    return tool.invoke(**arguments)


def _documents(value: Any) -> list[Document]:
    found = value.get("documents", []) if isinstance(value, Mapping) else value
    many = found if isinstance(found, list | tuple) else []
    return [item for item in many if isinstance(item, Document)]


def _text(tool: "Tool", value: Any, documents: list[Document]) -> str:
    """Write a result down as the tool itself says, else its text, its documents, or as JSON."""
    how = tool.outputs_to_string or {}
    if isinstance(how.get("source"), str) and isinstance(value, Mapping):
        value = value.get(how["source"])
    if callable(how.get("handler")):
        value = how["handler"](value)
    if isinstance(value, str):
        return value
    if documents:
        return "\n\n".join(item.content or "" for item in documents)
    return json.dumps(value, ensure_ascii=False, default=str)
