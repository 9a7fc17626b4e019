"""A store of four small texts."""

from collections.abc import Iterator

import pytest
from haystack import Document

from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore

TEXTS = {
    "dog": "A small dog runs through the park.",
    "puppy": "The little puppy is running outside in the garden.",
    "tax": "Corporate tax law changes every year.",
    "sea": "The sea is salty and deep.",
}


@pytest.fixture
def store() -> Iterator[EmbeddedDocumentStore]:
    with EmbeddedDocumentStore(embedder=StaticEmbedder()) as made:
        made.write_documents([Document(id=name, content=text) for name, text in TEXTS.items()])
        yield made
