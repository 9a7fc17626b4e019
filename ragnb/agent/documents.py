"""Hits and contexts on our side, Haystack Documents on the stages' side.

Each stage call gets fresh Documents, so a component that changes its inputs can't reach the
state.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ragnb.agent.state import ToolCall
from ragnb.errors import InputError
from ragnb.records import Context, Hit, Mention, content_id

if TYPE_CHECKING:
    from haystack import Document

    from ragnb.library import Library

__all__ = ["as_context", "as_documents", "as_hits", "tool_context"]


def as_hits(
    documents: object, library: "Library", top_k: int
) -> tuple[tuple[Hit, ...], tuple[Context, ...]]:
    """Return hits for a retriever's documents, and the texts of those the library lacks.

    Raises:
        InputError: The component gave something else than Documents.
    """
    from haystack import Document

    if not isinstance(documents, list) or not all(isinstance(d, Document) for d in documents):
        got = type(documents).__name__
        raise InputError(f"The retriever gave {got}, expected a list of Documents.")
    unique = {document.id: document for document in documents}
    kept = list(unique.values())[:top_k]
    known = {document.id for document in library.chunks([document.id for document in kept])}
    foreign = tuple(_foreign(document) for document in kept if document.id not in known)
    hits = tuple(_hit(document, rank, len(kept)) for rank, document in enumerate(kept, start=1))
    return hits, foreign


def _hit(document: "Document", rank: int, of: int) -> Hit:
    meta = document.meta
    score = document.score if document.score is not None else (of - rank + 1) / of
    ranks = meta.get("_ranks") or {}
    via = meta.get("_via") or ()
    return Hit(
        chunk_id=document.id,
        source_id=str(meta.get("source_id") or document.id),
        title=str(meta.get("title") or ""),
        section=str(meta.get("section") or ""),
        url=str(meta.get("url") or ""),
        page=meta.get("page"),
        updated=str(meta.get("updated") or ""),
        trust=float(meta.get("trust", 0.5)),
        start=int(meta.get("start", 0)),
        end=int(meta.get("end", len(document.content or ""))),
        rank=rank,
        score=round(float(score), 6),
        fused_rank=rank,
        ranks=tuple((name, int(place), round(float(s), 6)) for name, (place, s) in ranks.items()),
        via=tuple(Mention(**step) for step in via),
    )


def _foreign(document: "Document") -> Context:
    """Make a Document that the library doesn't know a source of its own."""
    meta = document.meta
    text = document.content or ""
    source_id = str(meta.get("source_id") or document.id)
    return Context(
        id=document.id,
        source_id=source_id,
        chunk_id=document.id,
        scope="document",
        start=0,
        end=len(text),
        text=text,
        title=str(meta.get("title") or ""),
        url=str(meta.get("url") or ""),
        updated=str(meta.get("updated") or ""),
        status=str(meta.get("status") or ""),
        trust=float(meta.get("trust", 0.5)),
        text_hash=content_id("text", text),
    )


def tool_context(call: ToolCall, result: str, title: str = "") -> Context:
    """Make what a tool worked out a source of its own, so that a quote of it can be checked."""
    told = ", ".join(f"{name}: {value}" for name, value in call.arguments.items())
    name = content_id("tool", call.name, told, result)
    return Context(
        id=name,
        source_id=f"{call.name}/{name}",
        chunk_id=name,
        scope="document",
        start=0,
        end=len(result),
        text=result,
        title=title or (f"{call.name} ({told})" if told else call.name),
        text_hash=content_id("text", result),
    )


def as_context(document: "Document") -> Context:
    """Return the chunk of a hit as something to extract from."""
    meta: dict[str, Any] = document.meta
    return Context(
        id=document.id,
        source_id=str(meta["source_id"]),
        chunk_id=document.id,
        scope="chunk",
        start=int(meta["start"]),
        end=int(meta["end"]),
        text=document.content or "",
        title=str(meta.get("title") or ""),
        section=str(meta.get("section") or ""),
        url=str(meta.get("url") or ""),
        page=meta.get("page"),
        updated=str(meta.get("updated") or ""),
        status=str(meta.get("status") or ""),
        trust=float(meta.get("trust", 0.5)),
        text_hash=str(meta.get("text_hash") or ""),
    )


def as_documents(
    hits: Iterable[Hit], foreign: Iterable[Context], library: "Library"
) -> "list[Document]":
    """Return fresh Documents for hits, in their order, with their scores."""
    from dataclasses import replace

    from haystack import Document

    hits = list(hits)
    own = {document.id: document for document in library.chunks([hit.chunk_id for hit in hits])}
    others = {context.chunk_id: context for context in foreign}
    documents = []
    for hit in hits:
        if hit.chunk_id in own:
            document = own[hit.chunk_id]
            documents.append(replace(document, score=hit.score, meta=dict(document.meta)))
        elif hit.chunk_id in others:
            context = others[hit.chunk_id]
            meta = {"source_id": context.source_id, "title": context.title}
            documents.append(
                Document(id=hit.chunk_id, content=context.text, meta=meta, score=hit.score)
            )
    return documents
