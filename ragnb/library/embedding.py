"""The default embedder: static word vectors that come inside a wheel; no download, no network.

Any object with a `name`, a `dimension` and `embed(texts)` can stand in for it. The name is kept in
the index, so that vectors of two models are never compared.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from haystack import Document, component, default_from_dict, default_to_dict
from numpy.typing import NDArray

from ragnb.errors import InputError, LibraryError
from ragnb.library.vectors import unit
from ragnb.text.cues import is_chinese

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = [
    "Embedder",
    "StaticDocumentEmbedder",
    "StaticEmbedder",
    "StaticTextEmbedder",
    "embed_query",
    "reads",
]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


@runtime_checkable
class Embedder(Protocol):
    """What an index asks of a model that turns texts into vectors."""

    @property
    def name(self) -> str:
        """A name that changes whenever the vectors would."""

    @property
    def dimension(self) -> int:
        """The length of each vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a text, of shape (len(texts), dimension)."""


def embed_query(embedder: Embedder, query: str) -> NDArray[np.float32]:
    """Return a query's vector, shape (dimension,).

    A model that embeds queries otherwise than documents says so by having ``embed_query(text)``.
    """
    own = getattr(embedder, "embed_query", None)
    made = own(query) if own else embedder.embed([query])[0]
    return np.asarray(made, dtype=np.float32)


def reads(embedder: Embedder | None, text: str) -> bool:
    """Tell whether a model was made for the language of a text.

    A model that says nothing of ``languages`` (codes such as "en" and "zh") reads every text.

    >>> reads(StaticEmbedder(), "a small dog"), reads(StaticEmbedder(), "一只小狗")
    (True, False)
    """
    known = getattr(embedder, "languages", None)
    return known is None or "zh" in known or not is_chinese(text)


class StaticEmbedder:
    """Means of static token vectors: 256 numbers a text, thousands of texts a second.

    The vectors are those of wordllama's wheel, read from its installed files; the package itself
    is not imported. They are loaded at the first use and shared by all instances.

    >>> embedder = StaticEmbedder()
    >>> vectors = embedder.embed(["a small dog", "a little puppy", "tax law"])
    >>> vectors.shape, bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    ((3, 256), True)
    """

    name = "wordllama-l2-supercat-256"
    dimension = 256
    languages = ("en",)
    """Its token vectors were distilled from English; other scripts are cut to rare tokens."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of the texts.

        A text's vector doesn't depend on the texts beside it.

        Args:
            texts: The texts; one without any token gets a vector of zeros.

        Returns:
            A float32 array of shape (len(texts), 256).

        Raises:
            InputError: A single string was given instead of a sequence of them.
            LibraryError: The files of the vectors are not installed.
        """
        if isinstance(texts, str):
            raise InputError(
                'embed() takes a list of texts and got one string: write embed(["…"]).'
            )
        tokenizer, table = _load()
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        encodings = tokenizer.encode_batch(
            [_valid(text) for text in texts], add_special_tokens=False
        )
        for row, encoding in enumerate(encodings):
            if encoding.ids:
                vectors[row] = table[encoding.ids].mean(axis=0)
        return unit(vectors)

    def tokens(self, text: str) -> NDArray[np.float32]:
        """Return a unit vector for each token of the text, for late interaction.

        Args:
            text: Any text.

        Returns:
            A float32 array of shape (number of tokens, 256).

        Raises:
            LibraryError: The files of the vectors are not installed.
        """
        tokenizer, table = _load()
        ids = tokenizer.encode(_valid(text), add_special_tokens=False).ids
        return unit(table[np.asarray(ids, dtype=np.int64)])

    def to_dict(self) -> dict[str, Any]:
        """Return the embedder as Haystack writes objects."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "StaticEmbedder":
        """Make the embedder from what `to_dict` returned."""
        return default_from_dict(cls, data)


@component
class StaticTextEmbedder:
    """The default embedder as a Haystack component for queries."""

    def __init__(self) -> None:
        self._embedder = StaticEmbedder()

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        """Return the text's vector, a list of 256 numbers, under ``embedding``."""
        return {"embedding": self._embedder.embed([text])[0].tolist()}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "StaticTextEmbedder":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)


@component
class StaticDocumentEmbedder:
    """The default embedder as a Haystack component for documents."""

    def __init__(self) -> None:
        self._embedder = StaticEmbedder()

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return copies of the documents, each with a vector of 256 numbers of its content."""
        vectors = self._embedder.embed([document.content or "" for document in documents])
        return {
            "documents": [
                replace(document, embedding=vector.tolist())
                for document, vector in zip(documents, vectors, strict=True)
            ]
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "StaticDocumentEmbedder":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)


@lru_cache(maxsize=1)
def _load() -> "tuple[Tokenizer, NDArray[np.float32]]":
    """Return the tokenizer and the table of token vectors, shape (32000, 256)."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    found = find_spec("wordllama")
    folder = Path(found.origin).parent if found and found.origin else None
    if folder is None or not ((folder / _WEIGHTS).is_file() and (folder / _TOKENIZER).is_file()):
        raise LibraryError(
            "The word vectors for search are not installed: they come with wordllama. "
            'Install it with: pip install "wordllama==0.2.2.post0"'
        )
    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    table = load_file(str(folder / _WEIGHTS))["embedding.weight"].astype(np.float32)
    return tokenizer, table


def _valid(text: str) -> str:
    """Replace lone surrogates, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
