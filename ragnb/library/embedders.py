"""Any Haystack embedder as the embedder of an index."""

from collections.abc import Sequence
from functools import cached_property
from inspect import signature
from typing import Any, Final

import numpy as np
from haystack import Document, default_from_dict, default_to_dict
from haystack.core.serialization import component_from_dict, component_to_dict, import_class_by_name
from numpy.typing import NDArray

from ragnb.errors import InputError
from ragnb.library.embedding import Embedder

__all__ = ["HaystackEmbedder", "as_embedder"]

_NAMED: Final = ("model", "model_name", "model_name_or_path", "model_id", "azure_deployment")


class HaystackEmbedder:
    """A Haystack text embedder as the embedder of an index.

    Args:
        text_embedder: A component with ``text`` → ``embedding``. Queries are embedded with it,
            and documents too where no document embedder is given.
        document_embedder: A component with ``documents`` → ``documents`` of the same model, for
            models that embed documents otherwise or some at a time.
        name: What the index remembers; by default the components' kind and model.

    Raises:
        InputError: A component has other sockets.
    """

    def __init__(
        self, text_embedder: Any, document_embedder: Any | None = None, name: str = ""
    ) -> None:
        if not _takes(text_embedder, "text"):
            raise InputError(
                f"{type(text_embedder).__name__} is no text embedder: its run() takes no 'text'."
            )
        if document_embedder is not None and not _takes(document_embedder, "documents"):
            kind = type(document_embedder).__name__
            raise InputError(f"{kind} is no document embedder: its run() takes no 'documents'.")
        self.text_embedder = text_embedder
        self.document_embedder = document_embedder
        model = next((str(getattr(text_embedder, n)) for n in _NAMED if _has(text_embedder, n)), "")
        self.name = name or f"{type(text_embedder).__name__} {model}".strip()
        for part in (text_embedder, document_embedder):
            if part is not None and hasattr(part, "warm_up"):
                part.warm_up()

    @cached_property
    def dimension(self) -> int:
        """The length of each vector; one text is embedded to know it."""
        return len(self.embed_query("length"))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return a query's vector, shape (dimension,)."""
        return np.asarray(self.text_embedder.run(text=text)["embedding"], dtype=np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of documents, shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if self.document_embedder is None:
            return np.stack([self.embed_query(text) for text in texts])
        documents = [Document(content=text, id=str(n)) for n, text in enumerate(texts)]
        made = self.document_embedder.run(documents=documents)["documents"]
        by_id = {document.id: document.embedding for document in made}
        return np.asarray([by_id[document.id] for document in documents], dtype=np.float32)

    def to_dict(self) -> dict[str, Any]:
        """Return the embedder as Haystack writes objects."""
        parts = {"text_embedder": self.text_embedder, "document_embedder": self.document_embedder}
        written = {k: v if v is None else component_to_dict(v, k) for k, v in parts.items()}
        return default_to_dict(self, name=self.name, **written)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "HaystackEmbedder":
        """Make the embedder from what `to_dict` returned."""
        parameters = dict(data["init_parameters"])
        for key in ("text_embedder", "document_embedder"):
            part = parameters[key]
            if isinstance(part, dict):
                kind = import_class_by_name(part["type"])
                parameters[key] = component_from_dict(kind, part, key)
        return default_from_dict(cls, {**data, "init_parameters": parameters})


def as_embedder(given: Any) -> Embedder:
    """Return an embedder, or a Haystack text embedder as one.

    Raises:
        InputError: It is neither.
    """
    if all(hasattr(given, name) for name in ("name", "dimension", "embed")):
        embedder: Embedder = given
        return embedder
    if _takes(given, "text"):
        return HaystackEmbedder(given)
    raise InputError(
        f"A {type(given).__name__} is no embedder. Give a Haystack text embedder, "
        "HaystackEmbedder(text_embedder, document_embedder), or an object with name, dimension "
        "and embed(texts)."
    )


def _takes(component: Any, socket: str) -> bool:
    run = getattr(component, "run", None)
    return callable(run) and socket in signature(run).parameters


def _has(component: Any, name: str) -> bool:
    return isinstance(getattr(component, name, None), str)
