"""Haystack documents as rows of the index, and back."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import numpy as np
from haystack import Document
from haystack.dataclasses import ByteStream, SparseEmbedding

from ragnb.errors import InputError
from ragnb.text.tokens import terms

__all__ = ["COLUMNS", "check_text", "document_of", "indexed_text", "meta_json", "row_of"]

COLUMNS: Final = "document, source, place, meta, content, terms, length, other, embedding"
"""The columns of `row_of`, in its order."""


def row_of(document: Document) -> tuple[Any, ...]:
    """Return a document as the values of `COLUMNS`.

    Raises:
        InputError: Its meta is not JSON data, or a text is not valid Unicode.
    """
    words = " ".join(terms(indexed_text(document))).split()
    source, place = document.meta.get("source_id"), document.meta.get("index")
    other = {
        "blob": document.blob.to_dict() if document.blob else None,
        "score": document.score,
        "sparse": document.sparse_embedding.to_dict() if document.sparse_embedding else None,
    }
    row = (
        document.id,
        source if isinstance(source, str) else None,
        place if isinstance(place, int) else None,
        meta_json(document.meta, document.id),
        document.content,
        " ".join(words),
        len(words),
        json.dumps(other) if any(value is not None for value in other.values()) else None,
        None if document.embedding is None else _exact(document.embedding, document.id),
    )
    for text in (document.id, document.content):
        check_text(text or "", document.id)
    return row


def indexed_text(document: Document) -> str:
    """Return what a document is searched by: its content, below what its words stand in."""
    context = document.meta.get("context")
    content = document.content or ""
    return f"{context}\n{content}" if content and isinstance(context, str) and context else content


def document_of(row: Sequence[Any], *, embedding: bool) -> Document:
    """Return a new document of a row (document, content, meta, other, embedding)."""
    name, content, meta, rest, vector = row
    other: dict[str, Any] = json.loads(rest) if rest else {}
    blob, sparse = other.get("blob"), other.get("sparse")
    return Document(
        id=name,
        content=content,
        meta=json.loads(meta),
        blob=ByteStream.from_dict(blob) if blob else None,
        score=other.get("score"),
        sparse_embedding=SparseEmbedding.from_dict(sparse) if sparse else None,
        embedding=np.frombuffer(vector, "<f8").tolist() if embedding and vector else None,
    )


def meta_json(meta: dict[str, Any], owner: str) -> str:
    """Return meta as JSON; dates are written in ISO form.

    Raises:
        InputError: Something in it has no JSON form.
    """
    try:
        text = json.dumps(meta, ensure_ascii=False, allow_nan=False, default=_iso)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The meta of {owner!r} can't be kept ({error}). Use texts, finite numbers, booleans, "
            "lists and dictionaries."
        ) from error
    check_text(text, owner)
    return text


def check_text(text: str, owner: str) -> None:
    """Refuse texts with lone surrogates, which no file can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"A text of {owner!r} is not valid Unicode ({error.reason} at {error.start}). "
            'Clean it with: text.encode("utf-8", "replace").decode()'
        ) from error


def _iso(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _exact(vector: Sequence[float], owner: str) -> bytes:
    array = np.asarray(vector, dtype="<f8")
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InputError(
            f"The embedding of {owner!r} must be a flat list of finite numbers; got an array of "
            f"shape {array.shape}."
        )
    return array.tobytes()
