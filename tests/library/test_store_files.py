"""A store in a folder: what outlives a crash, and which files are refused."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from haystack import Document
from haystack.dataclasses import ByteStream, SparseEmbedding

from ragnb.errors import LibraryError
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore


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
