"""Search in a store: by words, by vectors, and by the retriever that fuses both."""

from pathlib import Path

import numpy as np
import pytest
from haystack import Document, Pipeline
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.errors import InputError
from ragnb.library import lexical
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.retrievers import EmbeddedRetriever
from ragnb.library.store import EmbeddedDocumentStore


def test_a_chunk_is_found_by_what_it_stands_in_too() -> None:
    with EmbeddedDocumentStore(embedder=StaticEmbedder()) as store:
        meta = {"context": "Okapi handbook › Feeding"}
        store.write_documents(
            [Document(id="in", content="Twice a day.", meta=meta), Document(id="out", content="x")]
        )
        assert [name for name, _ in store.bm25("feeding okapis")] == ["in"]
        assert store.nearest("feeding an okapi", 1)[0][0] == "in"
        assert store.get(["in"])[0].content == "Twice a day."


def test_words_find_their_documents_best_first(store: EmbeddedDocumentStore) -> None:
    found = store.bm25("running dogs in the park")
    assert [name for name, _ in found] == ["dog", "puppy"]
    assert all(score == round(score, 6) > 0 for _, score in found)
    assert store.bm25("zebra") == store.bm25("") == store.bm25("the") == []


def test_a_word_of_most_chunks_still_counts_in_a_tiny_library() -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents([Document(id=str(n), content="budget " * n) for n in (1, 2, 3)])
        assert len(store.bm25("budget")) == 3


def test_chinese_is_found_by_its_characters_and_pairs() -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents(
            [
                Document(id="a", content="北京大学在海淀区。"),
                Document(id="b", content="大家都在学习，京剧很北方。"),
            ]
        )
        assert [name for name, _ in store.bm25("北京大学")] == ["a", "b"]


def test_signs_in_a_query_are_no_search_syntax(store: EmbeddedDocumentStore) -> None:
    assert [name for name, _ in store.bm25('"salty" OR (NEAR* ^sea: -deep')] == ["sea"]


def test_vectors_find_what_means_the_same(store: EmbeddedDocumentStore) -> None:
    found = store.nearest("young canine pets", top_k=2)
    assert {name for name, _ in found} == {"dog", "puppy"}
    assert store.nearest("", top_k=2) == []


def test_equal_scores_are_ordered_by_id() -> None:
    with EmbeddedDocumentStore(embedder=StaticEmbedder()) as store:
        store.write_documents([Document(id=i, content="same words") for i in "dbca"])
        assert [name for name, _ in store.bm25("words", top_k=3)] == ["a", "b", "c"]
        assert [name for name, _ in store.nearest("words", top_k=3)] == ["a", "b", "c"]


def test_filters_hold_within_the_search_and_not_after_it() -> None:
    with EmbeddedDocumentStore(embedder=StaticEmbedder()) as store:
        store.write_documents(
            [Document(id=f"{n:03}", content="red apple", meta={"n": n}) for n in range(300)]
        )
        filters = {"field": "meta.n", "operator": ">=", "value": 298}
        assert [name for name, _ in store.bm25("apple", 2, filters)] == ["298", "299"]
        assert [name for name, _ in store.nearest("apple", 2, filters)] == ["298", "299"]


def test_rare_words_give_the_same_first_places_as_all_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents(
            [
                Document(id=f"{n:03}", content="common " + ("rare gem" if n % 40 == 7 else "stone"))
                for n in range(200)
            ]
        )
        plain = store.bm25("common rare gem", top_k=5)
        monkeypatch.setattr(lexical, "_POSTINGS", 4)
        assert store.bm25("common rare gem", top_k=5) == plain
        assert len(store.bm25("common rare gem", top_k=20)) == 20


UNITS = st.lists(st.integers(-5, 5).map(float), min_size=3, max_size=3)


@settings(max_examples=25, deadline=None)
@given(st.lists(UNITS, min_size=1, max_size=12), UNITS, st.integers(1, 12))
def test_nearest_is_an_exact_cosine_search(
    rows: list[list[float]], query: list[float], top_k: int
) -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents([Document(id=f"{n:02}", embedding=row) for n, row in enumerate(rows)])
        found = store.nearest(query, top_k)
    exact = {
        f"{n:02}": float(np.dot(row, query) / np.linalg.norm(row) / np.linalg.norm(query))
        for n, row in enumerate(rows)
        if any(row) and any(query)
    }
    assert [score for _, score in found] == pytest.approx(
        sorted(exact.values(), reverse=True)[:top_k], abs=2e-6
    )
    assert all(score == pytest.approx(exact[name], abs=2e-6) for name, score in found)


def test_the_retriever_fuses_the_channels_and_tells_the_ranks(
    store: EmbeddedDocumentStore,
) -> None:
    documents = EmbeddedRetriever(store).run("small dog")["documents"]
    assert documents[0].id == "dog"
    assert documents[0].score == pytest.approx(2 / 61)
    assert set(documents[0].meta["_ranks"]) == {"bm25", "vector"}
    assert documents[0].meta["_ranks"]["vector"][0] == 1
    assert list(documents[-1].meta["_ranks"]) == ["vector"]
    assert len(documents) == 4
    assert "_ranks" not in store.get(["dog"])[0].meta


def test_the_retriever_obeys_filters_channels_and_top_k(store: EmbeddedDocumentStore) -> None:
    retriever = EmbeddedRetriever(store, top_k=3)
    assert len(retriever.run("small dog")["documents"]) == 3
    assert len(retriever.run("small dog", top_k=1)["documents"]) == 1
    assert len(retriever.run("small dog", channels=["bm25"])["documents"]) == 1
    only_sea = {"field": "id", "operator": "==", "value": "sea"}
    assert [d.id for d in retriever.run("small dog", filters=only_sea)["documents"]] == ["sea"]
    with pytest.raises(InputError, match="channels"):
        retriever.run("small dog", channels=["graph"])
    with pytest.raises(InputError, match="top_k"):
        retriever.run("small dog", top_k=0)


def test_a_retriever_without_an_embedder_searches_by_words_alone() -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents([Document(id="a", content="A dog."), Document(id="b", content="x")])
        (found,) = EmbeddedRetriever(store).run("dog")["documents"]
        assert list(found.meta["_ranks"]) == ["bm25"]


def test_a_pipeline_with_the_store_is_written_and_read_again(tmp_path: Path) -> None:
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:
        store.write_documents([Document(id="a", content="A dog.")])
        pipeline = Pipeline()
        pipeline.add_component("retriever", EmbeddedRetriever(store, top_k=7, channels=["vector"]))
        again = Pipeline.loads(pipeline.dumps(), allowed_modules=["ragnb.*"])
        retriever: EmbeddedRetriever = again.get_component("retriever")
        with retriever.document_store:
            assert (retriever.top_k, retriever.channels) == (7, ("vector",))
            result = again.run({"retriever": {"query": "dog"}})
            assert [each.id for each in result["retriever"]["documents"]] == ["a"]
