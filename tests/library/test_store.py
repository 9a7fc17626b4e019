"""A store keeps and drops documents and sources, whole or not at all."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack import Document
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.testing.document_store import DocumentStoreBaseTests

from ragnb.errors import InputError
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore


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


def test_an_overwritten_document_loses_its_old_words_and_vector(
    store: EmbeddedDocumentStore,
) -> None:
    store.write_documents(
        [Document(id="sea", content="Volcanoes erupt.")], DuplicatePolicy.OVERWRITE
    )
    assert store.bm25("salty") == []
    assert store.bm25("volcano")[0][0] == store.nearest("an eruption of lava", 1)[0][0] == "sea"
    assert [document.id for document in store.filter_documents()] == ["dog", "puppy", "tax", "sea"]


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
    assert store.count_documents() == 4


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
