"""Use a Haystack tool; whether it has effects is marked by a person, never by a model."""

import json
from typing import TYPE_CHECKING, Any

from haystack import Document, component

from ragnb.errors import InputError

if TYPE_CHECKING:  # importing haystack.tools takes 2 s where JupyterLab is installed
    from collections.abc import Sequence

    from haystack.tools.tool import Tool

__all__ = ["ToolRunner", "pure"]

_PURE = "_ragnb_pure"


def pure(tool: "Tool") -> "Tool":
    """Mark a tool as one without effects: it may be used without asking, and its results reused."""
    setattr(tool, _PURE, True)
    return tool


@component
class ToolRunner:
    """Uses one of some Haystack tools by its name.

    Args:
        tools: What may be used; each has effects unless `pure` marks it.

    Raises:
        InputError: Two tools have the same name.
    """

    version = "1"

    def __init__(self, tools: "Sequence[Tool]") -> None:
        self.tools = {tool.name: tool for tool in tools}
        if len(self.tools) < len(tools):
            raise InputError(f"Two tools have the same name: {[tool.name for tool in tools]}.")

    def effects(self, name: str) -> bool:
        """Return whether a tool has effects; an unknown one counts as having them."""
        tool = self.tools.get(name)
        return tool is None or not getattr(tool, _PURE, False)

    @component.output_types(result=str, documents=list[Document])
    def run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Use a tool.

        Args:
            name: The tool's name.
            arguments: What it takes.

        Returns:
            ``result`` as text, JSON where it is none; ``documents`` that the tool gave.

        Raises:
            InputError: There is no such tool.
        """
        if name not in self.tools:
            raise InputError(f"There is no tool {name!r}; there are {sorted(self.tools)}.")
        value = self.tools[name].invoke(**arguments)
        found = value.get("documents", []) if isinstance(value, dict) else value
        documents = [item for item in found if isinstance(item, Document)] if found else []
        if isinstance(value, str):
            return {"result": value, "documents": documents}
        if documents:
            text = "\n\n".join(item.content or "" for item in documents)
            return {"result": text, "documents": documents}
        return {"result": json.dumps(value, ensure_ascii=False, default=str), "documents": []}
