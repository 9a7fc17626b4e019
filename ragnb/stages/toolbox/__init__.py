"""Tools over a library, and a few more: each says what it does, takes and returns."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ragnb.stages.toolbox.calculating import CALCULATE, calculate
from ragnb.stages.toolbox.listing import (
    LIST_DOCUMENTS,
    QUERY_METADATA,
    list_documents,
    query_metadata,
)
from ragnb.stages.toolbox.mail import DRAFT_EMAIL, SEND_EMAIL, mail_tools
from ragnb.stages.toolbox.querying import QUERY_TABLE, query_table
from ragnb.stages.toolbox.searching import FINISH, READ, SEARCH, finish, read, search
from ragnb.stages.toolbox.spec import ToolSpec, as_tool, check_arguments, described

if TYPE_CHECKING:
    from haystack.tools.tool import Tool

    from ragnb.library import Library

__all__ = [
    "LIBRARY_TOOLS",
    "MAIL_TOOLS",
    "ToolSpec",
    "check_arguments",
    "described",
    "functions",
    "library_tools",
    "mail_tools",
]

LIBRARY_TOOLS: Final[Mapping[str, ToolSpec]] = {
    spec.name: spec
    for spec in (
        SEARCH,
        READ,
        LIST_DOCUMENTS,
        QUERY_METADATA,
        QUERY_TABLE,
        CALCULATE,
        FINISH,
    )
}
"""The contracts of the tools that every agent has, by name; none of them has effects."""
MAIL_TOOLS: Final[Mapping[str, ToolSpec]] = {spec.name: spec for spec in (DRAFT_EMAIL, SEND_EMAIL)}
"""The contracts of `mail_tools`, by name."""


def functions(library: "Library") -> dict[str, Callable[..., dict[str, Any]]]:
    """Return what carries the library's tools out, by name."""
    return {
        "search": partial(search, library),
        "read": partial(read, library),
        "list_documents": partial(list_documents, library),
        "query_metadata": partial(query_metadata, library),
        "query_table": partial(query_table, library),
        "calculate": calculate,
        "finish": finish,
    }


def library_tools(library: "Library") -> "list[Tool]":
    r"""Return the library's tools as Haystack Tools, each marked pure.

    They fit any Haystack Agent too; an agent of ragnb has them without being given them.

    >>> from haystack import Document
    >>> from ragnb.library import Library
    >>> with Library.from_documents([Document(id="a.csv", content="x,y\n1,2\n3,4\n")]) as one:
    ...     tools = {tool.name: tool for tool in library_tools(one)}
    ...     add = [{"function": "sum", "column": "y"}]
    ...     tools["query_table"].invoke(table="a.csv", aggregate=add)["result"]
    'The sum of y in a.csv is 6, over 2 of 2 rows.'
    """
    from ragnb.stages.tools import pure

    made = functions(library)
    return [pure(as_tool(spec, made[name])) for name, spec in LIBRARY_TOOLS.items()]
