"""What a tool says of itself: what it does, takes and returns, with an example."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # importing haystack.tools takes 2 s where JupyterLab is installed
    from haystack.tools.tool import Tool

__all__ = ["Proposal", "Span", "ToolSpec", "as_tool", "check_arguments", "described", "schema"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool's contract, without what carries it out.

    Attributes:
        name: Its name, unique among an agent's tools.
        description: What it does, and when to use it.
        parameters: What it takes, as JSON Schema.
        returns: What it returns, in words.
        example: Arguments that it can be called with.
        gives: What a call like that returns, as it is written.
    """

    name: str
    description: str
    parameters: Mapping[str, Any] = field(hash=False)
    returns: str
    example: Mapping[str, Any] = field(hash=False)
    gives: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where in a text a tool found what it gives, and what that says in a few words.

    ``source_id`` is empty for the result's own text.
    """

    source_id: str = ""
    start: int
    end: int
    says: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    """Of a table's row: its cells, each beside the name of its column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A tool that should be called next.

    Attributes:
        name: The tool's name.
        arguments: What it should be called with.
        question_id: The sub-question that it serves; empty to have it told from the words.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)
    question_id: str = ""


def schema(required: tuple[str, ...] = (), **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Write the JSON Schema of a tool's arguments; what it doesn't name is refused.

    >>> schema(("text",), text={"type": "string"})["required"]
    ['text']
    """
    return {
        "type": "object",
        "properties": {name: dict(each) for name, each in properties.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def described(spec: ToolSpec) -> str:
    """Return the description that a model reads: with what the tool returns, and an example."""
    if not spec.gives:
        return spec.description
    from pydantic_core import to_json

    example = to_json(dict(spec.example)).decode()
    return f"{spec.description} Returns {spec.returns} Example: {example} gives: {spec.gives}"


def as_tool(spec: ToolSpec, function: Callable[..., Any]) -> "Tool":
    """Return a contract and what carries it out as a Haystack Tool.

    The function returns a dictionary whose ``result`` is the text that a model reads.
    """
    from haystack.tools.tool import Tool

    return Tool(
        name=spec.name,
        description=described(spec),
        parameters=dict(spec.parameters),
        function=function,
        outputs_to_string={"source": "result"},
    )


def check_arguments(parameters: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Return in words what is wrong with a tool's arguments; empty if nothing is.

    >>> check_arguments(schema(("text",), text={"type": "string"}), {"text": 3})
    "text: 3 is not of type 'string'"
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(dict(parameters)).iter_errors(dict(arguments)))
    if error is None:
        return ""
    place = ".".join(str(part) for part in error.absolute_path)
    said = " ".join(error.message.split())[:240]
    return f"{place}: {said}" if place else said
