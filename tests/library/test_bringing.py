"""What a person brings along: another embedder, another store; and why a hit was found."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from haystack import Document, Pipeline, component
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.errors import FilterError

from ragnb.errors import InputError, LibraryError
from ragnb.library import Chunking, Library
from ragnb.library.chunking import chunk
from ragnb.library.embedders import HaystackEmbedder, as_embedder
from ragnb.library.embedding import StaticDocumentEmbedder, StaticEmbedder, StaticTextEmbedder
from ragnb.library.retrievers import EmbeddedRetriever
from ragnb.library.source import Source, hash_text
from ragnb.library.store import EmbeddedDocumentStore

TEXT = """# Leave

Everyone has days off.

## Annual leave

Employees take 25 days of annual leave. Unused days expire in March.

## Sick leave

Sick leave needs a doctor's note from the third day on.
"""
DOCUMENTS = [
    Document(id="leave.md", content=TEXT, meta={"path": "leave.md"}),
    Document(id="soup", content="The canteen serves soup on Mondays.", meta={"team": "canteen"}),
]


@component
class Letters:
    """Counts letters: an embedder of another kind."""

    def __init__(self, model: str = "letters-26") -> None:
        self.model = model

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        return {"embedding": [1.0 + text.lower().count(chr(97 + n)) for n in range(26)]}


def test_any_haystack_text_embedder_makes_the_vectors_of_a_library(tmp_path: Path) -> None:
    place = tmp_path / "kept"
    with Library.from_documents(DOCUMENTS, index=place, embedder=Letters()) as library:
        assert library.search("canteen soup", channels=["vector"], top_k=1)[0].meta["source_id"]
        assert "Letters letters-26" in repr(library)
    with pytest.raises(LibraryError, match="Letters letters-26"):
        Library.open(place)
    with pytest.raises(LibraryError, match="made with"):
        Library.open(place, embedder=Letters(model="other"))
    with Library.open(place, embedder=Letters()) as again:
        assert again.store.embedder is not None
        assert again.store.embedder.dimension == 26


def test_a_pair_of_embedders_embeds_queries_and_documents_apart() -> None:
    pair = HaystackEmbedder(StaticTextEmbedder(), StaticDocumentEmbedder(), name="pair")
    own = StaticEmbedder()
    texts = ["a dog", "", "a cat sleeps"]
    assert np.allclose(pair.embed(texts), own.embed(texts))
    assert np.allclose(pair.embed_query("a dog"), own.embed(["a dog"])[0])
    assert pair.embed([]).shape == (0, 256)
    with EmbeddedDocumentStore(embedder=pair) as store:
        pipeline = Pipeline()
        pipeline.add_component("retriever", EmbeddedRetriever(store))
        again = Pipeline.loads(pipeline.dumps(), allowed_modules=["ragnb.*"])
        restored = again.get_component("retriever").document_store
        with restored:
            assert isinstance(restored.embedder, HaystackEmbedder)
            assert (restored.embedder.name, restored.embedder.dimension) == ("pair", 256)
            assert isinstance(restored.embedder.document_embedder, StaticDocumentEmbedder)


def test_what_is_no_embedder_is_refused() -> None:
    with pytest.raises(InputError, match="int is no embedder"):
        as_embedder(3)
    with pytest.raises(InputError, match="takes no 'text'"):
        HaystackEmbedder(StaticDocumentEmbedder())
    with pytest.raises(InputError, match="takes no 'documents'"):
        HaystackEmbedder(StaticTextEmbedder(), StaticTextEmbedder())


def test_an_explanation_names_channels_terms_and_what_is_missing() -> None:
    with Library.from_documents(DOCUMENTS, chunking=Chunking(words=20)) as library:
        query = "unused days of annual leave for zebras"
        for hit in library.search(query):
            why = library.explain(query, hit.id)
            ranks = hit.meta["_ranks"]
            assert {each.channel: [each.rank, each.score] for each in why.channels} == {
                name: [rank, pytest.approx(score, abs=3e-6)]
                for name, (rank, score) in ranks.items()
            }
            assert why.score == pytest.approx(hit.score, abs=1e-6)
        best = library.search(query, top_k=1)[0]
        why = library.explain(query, best.id)
        unused = next(match for match in why.terms if match.term == "unus")
        assert (unused.tf, unused.df) == (1, 1)
        assert why.missing == ("zebra",)
        assert "zebra" in str(why)
        with pytest.raises(InputError, match="no chunk 'gone'"):
            library.explain(query, "gone")


def test_a_library_shows_itself_in_a_few_lines() -> None:
    with Library.from_documents(DOCUMENTS) as library:
        shown = repr(library)
    assert shown.startswith("Library: 2 sources, ")
    assert "index: temporary; channels: bm25, vector (wordllama" in shown
    assert "report: 2 read" in shown
    assert "meta.team" in shown


def _filled(store: Any) -> Any:
    sources = [
        Source(id="leave.md", text=TEXT, title="Leave", hash=hash_text(TEXT), meta={"team": "hr"}),
        Source(id="memo.md", text="# Memo\n\nSee leave.", title="Memo", hash="h", meta={}),
    ]
    vectors = StaticEmbedder()
    for source in sources:
        for each in chunk(source, Chunking(words=20)):
            vector = vectors.embed([each.content or ""])[0].tolist()
            store.write_documents(
                [Document(id=each.id, content=each.content, meta=each.meta, embedding=vector)]
            )
    return store


def test_any_document_store_is_read_as_a_library_through_its_filters() -> None:
    store = _filled(InMemoryDocumentStore())
    library = Library.over(store, retriever=InMemoryBM25Retriever(store))
    assert [info.id for info in library.sources] == ["leave.md", "memo.md"]
    assert library.fields["meta.team"] == ("hr",)
    hit = library.search("unused days expire", top_k=1)[0]
    assert hit.meta["_ranks"]["retriever"][0] == 1
    text = library.source("leave.md").text
    assert text[hit.meta["start"] : hit.meta["end"]] == hit.content
    for scope in ("chunk", "window", "section", "document"):
        found = library.read(hit.id, scope)  # type: ignore[arg-type]
        assert hit.content in found.text
        assert found.text == text[found.start : found.end]
    assert "Sick leave" in library.read(hit.id, "window").text
    assert "Sick" not in library.read(hit.id, "section").text
    assert library.read("memo.md").text.startswith("# Memo")
    only = {"field": "meta.source_id", "operator": "==", "value": "memo.md"}
    assert {each.meta["source_id"] for each in library.search("leave", filters=only)} == {"memo.md"}
    assert "InMemoryDocumentStore" in repr(library)


def test_a_retriever_by_vectors_needs_the_embedder_of_the_store() -> None:
    store = _filled(InMemoryDocumentStore(embedding_similarity_function="cosine"))
    retriever = InMemoryEmbeddingRetriever(store)
    with pytest.raises(InputError, match="takes vectors"):
        Library.over(store, retriever=retriever)
    library = Library.over(store, retriever=retriever, embedder=StaticTextEmbedder())
    assert library.search("ill employees", top_k=1)[0].meta["source_id"] == "leave.md"
    with pytest.raises(InputError, match="no retriever"):
        Library.over(store, retriever=StaticTextEmbedder())
    with pytest.raises(InputError, match="channels are"):
        library.search("x", channels=["bm25"])
    with pytest.raises(InputError, match="own index"):
        library.explain("x", library.search("leave", top_k=1)[0].id)


def test_chunks_of_haystacks_splitter_are_put_together_again() -> None:
    store = InMemoryDocumentStore()
    splitter = DocumentSplitter(split_by="word", split_length=12, split_overlap=4)
    made = splitter.run(documents=[Document(id="whole", content=TEXT)])["documents"]
    store.write_documents(made)
    retriever = InMemoryBM25Retriever(store)
    library = Library.over(store, retriever=retriever, index="split_id")
    assert library.source(made[0].meta["source_id"]).text == TEXT
    hit = library.search("doctor's note", top_k=1)[0]
    assert hit.content in library.read(hit.id, "window").text


class OneIdAtATime(InMemoryDocumentStore):
    """Filters by ids as Chroma does."""

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        if filters and filters.get("field") == "id" and filters["operator"] != "==":
            raise FilterError("id filter only supports '=='")
        return super().filter_documents(filters)


def test_a_store_that_filters_by_one_id_at_a_time_is_asked_for_each() -> None:
    store = _filled(OneIdAtATime())
    library = Library.over(store, retriever=InMemoryBM25Retriever(store))
    ids = [hit.id for hit in library.search("leave days")]
    assert len(ids) > 1
    assert [each.id for each in library.chunks([*ids, "unknown"])] == ids


def test_documents_without_any_place_are_sources_by_themselves() -> None:
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=n, content=f"About {n}s.") for n in ("dog", "cat")])
    library = Library.over(store, retriever=InMemoryBM25Retriever(store))
    assert [info.id for info in library.sources] == ["cat", "dog"]
    assert library.read("dog").text == "About dogs."
    assert library.search("cats", top_k=1)[0].meta["source_id"] == "cat"
    library.remove("cat")
    assert [info.id for info in library.sources] == ["dog"]
    with pytest.raises(InputError, match="doesn't fill it"):
        library.add(Document(content="new"))


def test_an_agent_answers_over_another_store() -> None:
    import ragnb

    store = _filled(InMemoryDocumentStore())
    library = Library.over(store, retriever=InMemoryBM25Retriever(store))
    answer = ragnb.Agent(library).ask("How many days of annual leave do employees take?").answer
    assert answer is not None
    assert "25 days" in " ".join(g.quote for c in answer.conclusions for g in c.groundings)
