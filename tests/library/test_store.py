import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream, SparseEmbedding
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.testing.document_store import DocumentStoreBaseTests
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.errors import InputError, LibraryError
from ragnb.library import lexical
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.retrievers import EmbeddedRetriever
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


class TestHaystackContract(DocumentStoreBaseTests):
    @pytest.fixture
    def document_store(self) -> Iterator[EmbeddedDocumentStore]:
        with EmbeddedDocumentStore() as made:
            yield made

    def test_write_documents(self, document_store: EmbeddedDocumentStore) -> None:
        document = Document(content="test doc")
        assert document_store.write_documents([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([document])
        self.assert_documents_are_equal(document_store.filter_documents(), [document])


def _chunks(source: str, texts: list[str]) -> list[Document]:
    return [
        Document(id=f"{source}-{n}", content=text, meta={"source_id": source, "index": n})
        for n, text in enumerate(texts)
    ]


def test_what_was_written_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    document = Document(
        id="all",
        content="naïve 你好",
        meta={"a": [1, {"b": None}], "é": True},
        blob=ByteStream(b"\x00\xff", mime_type="x/y"),
        sparse_embedding=SparseEmbedding([1], [0.5]),
        embedding=[0.1, 0.7],
        score=0.25,
    )
    with EmbeddedDocumentStore(tmp_path / "new" / "index") as store:
        store.write_documents([document])
    with EmbeddedDocumentStore(tmp_path / "new" / "index") as store:
        assert store.filter_documents() == [document]
        assert store.nearest([0.1, 0.7]) == [("all", 1.0)]


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


def test_an_overwritten_document_loses_its_old_words_and_vector(
    store: EmbeddedDocumentStore,
) -> None:
    store.write_documents(
        [Document(id="sea", content="Volcanoes erupt.")], DuplicatePolicy.OVERWRITE
    )
    assert store.bm25("salty") == []
    assert store.bm25("volcano")[0][0] == store.nearest("an eruption of lava", 1)[0][0] == "sea"
    assert [document.id for document in store.filter_documents()] == list(TEXTS)


def test_a_deleted_document_is_found_by_no_channel(store: EmbeddedDocumentStore) -> None:
    store.delete_documents(["sea", "unknown"])
    assert store.bm25("salty sea") == []
    assert "sea" not in dict(store.nearest("salty sea", 10))


def test_get_keeps_the_order_asked_for_and_leaves_unknown_ids_out(
    store: EmbeddedDocumentStore,
) -> None:
    assert [each.id for each in store.get(["tax", "none", "dog"])] == ["tax", "dog"]
    assert store.get(["tax"])[0] is not store.get(["tax"])[0]


def test_neighbours_are_the_chunks_of_one_source_in_reading_order() -> None:
    with EmbeddedDocumentStore() as store:
        store.write_documents([*_chunks("b", list("uvwxyz"))[::-1], *_chunks("a", list("rst"))])
        assert [each.content for each in store.neighbours("b", 1, 3)] == ["v", "w", "x"]
        assert [each.content for each in store.neighbours("b", 5, 9)] == ["z"]


def test_a_source_is_kept_whole_and_dropped_with_its_chunks() -> None:
    with EmbeddedDocumentStore() as store:
        with store.writing():
            store.put_source("b", "one\ntwo", {"title": "T"}, "hash")
            store.write_documents(_chunks("b", ["one", "two"]))
            store.write_documents(_chunks("a", ["other"]))
        assert store.source("b") == ("one\ntwo", {"title": "T"}, "hash")
        assert store.sources() == [("b", {"title": "T"}, "hash")]
        store.drop_source("b")
        assert store.source("b") is None
        assert [each.id for each in store.filter_documents()] == ["a-0"]
        assert store.bm25("one two") == []


def test_an_error_takes_back_all_that_was_written_with_it(store: EmbeddedDocumentStore) -> None:
    before = (store.generation, store.nearest("dog"), store.bm25("dog"))

    def write_and_fail() -> None:
        with store.writing():
            store.put_source("s", "text", {}, "h")
            store.write_documents([Document(id="new", content="Another dog.")])
            assert "new" in dict(store.nearest("dog"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert store.source("s") is None
    assert (store.generation, store.nearest("dog"), store.bm25("dog")) == before
    store.write_documents([Document(id="cat", content="A cat sleeps.")])
    assert store.nearest("a sleeping cat", 1)[0][0] == "cat"


def test_a_refused_batch_writes_nothing(store: EmbeddedDocumentStore) -> None:
    with pytest.raises(DuplicateDocumentError):
        store.write_documents([Document(id="x", content="x"), Document(id="x", content="y")])
    assert store.count_documents() == len(TEXTS)


def test_every_change_raises_the_generation(store: EmbeddedDocumentStore) -> None:
    seen = [store.generation]
    for change in (
        lambda: store.put_source("s", "t", {}, "h"),
        lambda: store.write_documents([Document(id="n", content="n")]),
        lambda: store.delete_documents(["n"]),
        lambda: store.drop_source("s"),
    ):
        change()
        seen.append(store.generation)
    assert seen == sorted(set(seen))


def test_two_stores_on_one_folder_see_each_others_changes(tmp_path: Path) -> None:
    embedder = StaticEmbedder()
    first = EmbeddedDocumentStore(tmp_path, embedder=embedder)
    second = EmbeddedDocumentStore(tmp_path, embedder=embedder)
    with first, second:
        assert second.nearest("dog") == []
        first.write_documents([Document(id="a", content="A dog.")])
        assert [name for name, _ in second.nearest("dog")] == ["a"]
        second.delete_documents(["a"])
        assert first.nearest("dog") == first.bm25("dog") == []


def test_threads_read_while_others_write(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:

        def guarded(work: Any) -> threading.Thread:
            def run() -> None:
                try:
                    work()
                except BaseException as error:  # noqa: BLE001 (handed to the test)
                    failures.append(error)

            thread = threading.Thread(target=run)
            thread.start()
            return thread

        def write(prefix: str) -> None:
            for n in range(15):
                store.write_documents(_chunks(f"{prefix}{n}", ["a dog barks", "a cat sleeps"]))

        def read() -> None:
            for _ in range(30):
                names = [name for name, _ in store.bm25("dog") + store.nearest("dog", 5)]
                assert len(store.get(names)) == len(set(names))

        threads = [guarded(lambda p=p: write(p)) for p in "ab"] + [guarded(read) for _ in "abc"]
        for thread in threads:
            thread.join()
        assert failures == []
        assert store.count_documents() == len(store.nearest("dog", 100)) == 60


CRASH = """
import os, sys
from haystack import Document
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore
store = EmbeddedDocumentStore(sys.argv[1], embedder=StaticEmbedder())
store.write_documents([Document(id="kept", content="A dog barks.")])
with store.writing():
    store.put_source("lost", "text", {}, "h")
    store.write_documents([Document(id="lost", content="A cat sleeps.")])
    os._exit(9)
"""


def test_after_a_crash_the_committed_part_is_there_and_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path)], check=False)
    assert done.returncode == 9
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:
        assert [name for name, _ in store.nearest("cat", 5)] == ["kept"]
        assert store.sources() == []
        store.write_documents([Document(id="next", content="Snow falls.")])
        assert store.nearest("Snow falls.", 1) == [("next", 1.0)]


class OtherEmbedder(StaticEmbedder):
    name = "other"


def test_an_index_opens_with_its_own_embedder_or_without_one(tmp_path: Path) -> None:
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:
        store.write_documents([Document(id="a", content="A dog.")])
    with pytest.raises(LibraryError, match=r"wordllama.*other"):
        EmbeddedDocumentStore(tmp_path, embedder=OtherEmbedder())
    with EmbeddedDocumentStore(tmp_path) as store:
        assert store.channels == ("bm25",)
        assert store.bm25("dog")
        with pytest.raises(LibraryError, match="without an embedder"):
            store.nearest("dog")
        with pytest.raises(LibraryError, match="opened without one"):
            store.write_documents([Document(content="A cat.")])


def test_an_index_of_a_newer_ragnb_is_refused(tmp_path: Path) -> None:
    EmbeddedDocumentStore(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "index.sqlite")
    with connection:
        connection.execute("UPDATE facts SET value = 99 WHERE name = 'schema'")
    connection.close()
    with pytest.raises(LibraryError, match="version 99"):
        EmbeddedDocumentStore(tmp_path)


def test_what_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_text("This is not a database, whatever its name says. " * 9)
    with pytest.raises(LibraryError, match="can't be opened as an index"):
        EmbeddedDocumentStore(tmp_path)
    with pytest.raises(LibraryError, match="folder"):
        EmbeddedDocumentStore(tmp_path / "index.sqlite")


def test_a_missing_vector_file_is_told(tmp_path: Path) -> None:
    with EmbeddedDocumentStore(tmp_path) as store:
        store.write_documents([Document(id="a", content="a", embedding=[1.0, 0.0])])
    (tmp_path / "vectors.f32").unlink()
    with (
        EmbeddedDocumentStore(tmp_path) as store,
        pytest.raises(LibraryError, match="build the index anew"),
    ):
        store.nearest([1.0, 0.0])


def test_a_temporary_index_goes_with_its_store() -> None:
    store = EmbeddedDocumentStore()
    path = store.path
    assert path.is_dir()
    store.close()
    assert not path.exists()
    with pytest.raises(LibraryError, match="closed"):
        store.count_documents()


@pytest.mark.parametrize(
    "document",
    [
        Document(id="a", content="x", meta={"x": float("nan")}),
        Document(id="a", content="x", meta={"x": object()}),
        Document(id="a", content="\ud800"),
        Document(id="a", content="x", meta={"x": "\ud800"}),
        Document(id="a", content="x", embedding=[float("inf")]),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_name(document: Document) -> None:
    with EmbeddedDocumentStore() as store:
        with pytest.raises(InputError, match="'a'"):
            store.write_documents([document])
        assert store.count_documents() == 0


def test_vectors_of_another_length_are_refused(store: EmbeddedDocumentStore) -> None:
    with pytest.raises(InputError, match="3 numbers"):
        store.write_documents([Document(content="x", embedding=[1.0, 2.0, 3.0])])
    with pytest.raises(InputError, match="2 numbers"):
        store.nearest([1.0, 0.0])


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
    assert len(documents) == len(TEXTS)
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
