"""Search, read and finish: what an agent does as actions of its own, and a tool does at once."""

from typing import TYPE_CHECKING, Any, Final

from ragnb.stages.toolbox.spec import ToolSpec, schema

if TYPE_CHECKING:
    from ragnb.library import Library
    from ragnb.records import Scope

__all__ = ["FINISH", "READ", "SEARCH", "finish", "read", "search"]

KEPT: Final = 5
"""Passages that are kept of a search."""
_FOUND: Final = 20
SEARCH: Final = ToolSpec(
    name="search",
    description=(
        "Searches the documents for a question or for telling words and returns the five passages "
        "that fit best, reordered from the first twenty. The first thing to use for most goals."
    ),
    parameters=schema(
        ("query",),
        query={
            "type": "string",
            "minLength": 1,
            "maxLength": 400,
            "description": "A question, or the words that a passage would hold.",
        },
    ),
    returns="passages, each with its id, the document's title and section, and its text.",
    example={"query": "How long are exports kept?"},
    gives="1. [chunk 3f2a] Retention › Exports: Exports are kept for 30 days.",
)
READ: Final = ToolSpec(
    name="read",
    description=(
        "Reads more around a passage that was found: its neighbours, its section, or the whole "
        "document; or a document by its id. Use it where a passage breaks off or points elsewhere."
    ),
    parameters=schema(
        ("id",),
        id={"type": "string", "description": "The id of a passage or of a document."},
        scope={"enum": ["window", "section", "document"]},
    ),
    returns="the text, with the document's title; of a long document a part and its headings.",
    example={"id": "policy-credits.md", "scope": "document"},
    gives="Credits, characters 0 to 1830: A care agent may grant …",
)
FINISH: Final = ToolSpec(
    name="finish",
    description=(
        "Ends the search. The answer is then written from the evidence that was found. Use it "
        "once the evidence is enough, or if more calls would not help."
    ),
    parameters=schema(why={"type": "string", "maxLength": 400}),
    returns="nothing.",
    example={"why": "Each question has a quote."},
    gives="(the end)",
)


def search(library: "Library", query: str) -> dict[str, Any]:
    """Search, rerank and keep the best passages; all in one, as a Haystack Agent needs it."""
    from ragnb.stages.rerank import Reranker
    from ragnb.stages.retrieve import Retriever

    found = Retriever(library).run(query, top_k=_FOUND)["documents"]
    kept = Reranker().run(query=query, documents=found, top_k=KEPT)["documents"]
    lines = [
        f"{number}. [chunk {document.id}] {_place(document.meta)}: {document.content}"
        for number, document in enumerate(kept, start=1)
    ]
    return {"result": "\n".join(lines) or "Nothing was found.", "documents": kept}


def read(
    library: "Library",
    id: str,  # noqa: A002 - the tool's argument
    scope: "Scope" = "window",
) -> dict[str, Any]:
    """Read around a passage, or a document.

    Raises:
        InputError: Nothing has that id.
    """
    context = library.read(id, scope)
    head = f"{context.title or context.source_id}, characters {context.start} to {context.end}"
    outline = "\n\nIts headings:\n" + "\n".join(context.outline) if context.outline else ""
    return {"result": f"{head}: {context.text}{outline}", "contexts": [context]}


def finish(why: str = "") -> dict[str, Any]:
    """End; in an agent of ragnb this becomes the answer."""
    return {"result": why}


def _place(meta: Any) -> str:
    title = str(meta.get("title") or meta.get("source_id") or "")
    section = str(meta.get("section") or "")
    return f"{title} › {section}" if section and section != title else title
