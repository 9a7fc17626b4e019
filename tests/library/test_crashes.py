"""The index when things go wrong: killed writers, full disks, folders for reading only."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy

from ragnb.errors import LibraryError
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore

START = """
import os, sys
from haystack import Document
from ragnb.errors import LibraryError
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore
embedder = StaticEmbedder()
embedder.embed(["once"])
folder = sys.argv[1]
"""
LOAD = (
    START
    + """
first = int(sys.argv[2])
store = EmbeddedDocumentStore(folder, embedder=embedder)
for turn in range(first, first + 10_000):
    with store.writing():
        store.put_source(f"s{turn}", f"text {turn}", {}, "h")
        store.drop_source(f"s{turn - 3}")
        meta = {"source_id": f"s{turn}"}
        store.write_documents(
            [Document(id=f"{turn}-{n}", content=f"turn{turn} part {n}", meta={**meta, "index": n})
             for n in range(20)]
        )
    print(turn, flush=True)
"""
)
READ = (
    START
    + """
store = EmbeddedDocumentStore(folder, embedder=embedder)
print("ready", flush=True)
seen = 0
while seen < 40:
    with store._database.reading():
        count = store.count_documents()
        words = store.bm25("part", 1000)
        assert len(words) == count == len(store.filter_documents()), words
        assert count % 5 == 0 and count >= seen, count
    near = len(store.nearest("turn part", 1000))
    assert near % 5 == 0 and near >= count, near
    seen = count
print(seen)
"""
)
FULL = (
    START
    + """
import resource
store = EmbeddedDocumentStore(folder, embedder=embedder)
store.write_documents([Document(id="old", content="The sea is salty.")])
before = store.generation, store.bm25("salty"), store.nearest("salty")
limit = max(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)) + 20_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    store.write_documents([Document(id=f"{n}", content=f"okapi {n} " * 50) for n in range(500)])
except LibraryError as error:
    print(error)
assert (store.generation, store.bm25("salty"), store.nearest("salty")) == before
assert store.bm25("okapi") == []
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.write_documents([Document(id="new", content="okapi")])
assert store.bm25("okapi")[0][0] == store.nearest("okapi", 1)[0][0] == "new"
"""
)
READONLY = (
    START
    + """
if os.getuid() == 0:
    os.setuid(65534)
for attempt in range(2):
    with EmbeddedDocumentStore(folder, embedder=embedder) as store:
        assert store.bm25("salty")[0][0] == store.nearest("salt", 1)[0][0] == "old"
        try:
            store.write_documents([Document(id="new", content="okapi")])
        except LibraryError as error:
            print(error)
        assert store.count_documents() == 1
try:
    EmbeddedDocumentStore(os.path.join(folder, "below"))
except LibraryError as error:
    print(error)
"""
)


def _start(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _finished(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    return out


def test_a_killed_writer_loses_nothing_that_it_had_acknowledged(tmp_path: Path) -> None:
    acknowledged = -1
    for turn in range(3):
        process = _start(LOAD, tmp_path, acknowledged + 1)
        assert process.stdout is not None
        assert process.stderr is not None
        assert int(process.stdout.readline()) == acknowledged + 1
        time.sleep(random.Random(turn).uniform(0.0, 0.4))  # noqa: S311
        process.send_signal(signal.SIGKILL)
        lines = process.stdout.read().splitlines()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        acknowledged = max(acknowledged + 1, *(int(line) for line in lines), 0)
        start = time.perf_counter()
        with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:
            held = {name for name, _, _ in store.sources()}
            assert time.perf_counter() - start < 2.0
            assert f"s{acknowledged}" in held
            newest = max(int(name[1:]) for name in held)
            assert (
                acknowledged <= newest <= acknowledged + 1
            )  # written, and killed before it said so
            assert held == {f"s{n}" for n in range(max(0, newest - 2), newest + 1)}
            names = {document.id for document in store.filter_documents()}
            assert names == {f"{s[1:]}-{n}" for s in held for n in range(20)}
            assert {name for name, _ in store.nearest("turn part", 100)} == names
            assert {name for name, _ in store.bm25("part", 100)} == names
        acknowledged = newest


def test_two_processes_read_while_one_writes_and_compacts(tmp_path: Path) -> None:
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as store:
        readers = [_start(READ, tmp_path) for _ in range(2)]
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        for turn in range(8):
            store.write_documents(
                [Document(id=f"{turn}-{n}", content=f"turn {turn} part {n}") for n in range(5)]
            )
            store.write_documents(
                [Document(id=f"{turn}-{n}", content=f"turn part {n}") for n in range(5)],
                DuplicatePolicy.OVERWRITE,
            )
            store.compact()
            time.sleep(0.02)
    assert [_finished(reader) for reader in readers] == ["40\n", "40\n"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits are set as POSIX knows them")
def test_a_full_disk_is_told_and_leaves_the_index_whole(tmp_path: Path) -> None:
    said = _finished(_start(FULL, tmp_path))
    assert "can't be written" in said
    assert "as it was before" in said


@pytest.fixture
def readonly() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)  # noqa: PTH101, S103
        folder = Path(place) / "index"
        with EmbeddedDocumentStore(folder, embedder=StaticEmbedder()) as store:
            store.write_documents([Document(id="old", content="The sea is salty.")])
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="rights are set as POSIX knows them")
def test_an_index_in_a_folder_for_reading_only_is_searched_and_not_changed(readonly: Path) -> None:
    said = _finished(_start(READONLY, readonly)).splitlines()
    assert len(said) == 3
    assert "can be read and not changed" in said[0]
    assert "can't be used as a folder" in said[2]
    with EmbeddedDocumentStore(readonly, embedder=StaticEmbedder()) as store:
        assert store.count_documents() == 1


@pytest.mark.parametrize("version", [1, 99])
def test_an_index_of_another_format_is_refused_with_what_to_do(
    tmp_path: Path, version: int
) -> None:
    with EmbeddedDocumentStore(tmp_path) as store, store._database.writing():
        store._database.state(schema=version)
    with pytest.raises(LibraryError, match="pip install -U" if version == 99 else "anew"):
        EmbeddedDocumentStore(tmp_path)
