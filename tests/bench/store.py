"""What the embedded store costs as it grows, beside Haystack's in-memory store and bm25s.

    RAGNB_DATA=<folder> python tests/bench/store.py [--large] [--peers none]

Chunks are sentences of that folder, recombined, with their real vectors. Each engine and size runs
in a process of its own, one after the other; times are medians in milliseconds and comparable only
within one printed table.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from haystack import Document
from store_data import CHUNKS_A_SOURCE, SENTENCES_A_CHUNK, chunks, median, peak, queries, sentences

from ragnb.library.embedding import StaticEmbedder
from ragnb.library.library import Library
from ragnb.library.retrievers import EmbeddedRetriever
from ragnb.library.store import EmbeddedDocumentStore

__all__ = ["main"]

SIZES = (1_000, 10_000, 100_000)
LARGE = 1_000_000
PEER_SIZES = (10_000, 100_000)
TOP = 20
COLUMNS = {
    "build": "build s",
    "rss": "peak MiB",
    "disk": "disk MiB",
    "open": "open ms",
    "bm25": "BM25",
    "vector": "vector",
    "hybrid": "hybrid",
    "filtered": "1 % filter",
    "recall": "recall@20",
    "coded": "codes",
    "coded_recall": "recall@20",
    "add": "add one",
    "update": "update file",
}


def ragnb(pool: list[str], size: int, folder: Path) -> dict[str, float]:
    """Measure the embedded store."""
    embedder = StaticEmbedder()
    embedder.embed(["once"])
    place = folder / "index"
    start = time.perf_counter()
    with EmbeddedDocumentStore(place, embedder=embedder) as store:
        for batch in chunks(pool, size):
            store.write_documents(batch)
    row = {"build": time.perf_counter() - start, "rss": peak()}
    row["disk"] = sum(path.stat().st_size for path in place.iterdir()) / 2**20
    start = time.perf_counter()
    with EmbeddedDocumentStore(place, embedder=embedder) as store:
        store.bm25("incident commander")
        row["open"] = 1000 * (time.perf_counter() - start)
        asked = queries(pool, 50)
        retriever = EmbeddedRetriever(store, top_k=TOP)
        row["bm25"] = median([lambda q=q: store.bm25(q, TOP) for q in asked])
        row["vector"] = median([lambda q=q: store.nearest(q, TOP) for q in asked])
        row["hybrid"] = median([lambda q=q: retriever.run(q) for q in asked])
        store.index_field("meta.team")
        row["filtered"] = median(
            [lambda q=q, n=n: retriever.run(q, filters=team(n)) for n, q in enumerate(asked)]
        )
        row["recall"] = recall(store, asked)
    with EmbeddedDocumentStore(place, embedder=embedder, exact_limit=0) as store:
        row["coded"] = median([lambda q=q: store.nearest(q, TOP) for q in asked])
        row["coded_recall"] = recall(store, asked)
        adds = []
        for n in range(10):
            name, text = f"new{n}", f"The zebrafish{n} count is {n}."
            start = time.perf_counter()
            store.write_documents([Document(id=name, content=text, meta={"source_id": name})])
            seen = store.bm25(f"zebrafish{n}", 1)[0][0], store.nearest(text, 1)[0][0]
            adds.append(1000 * (time.perf_counter() - start))
            if seen != (name, name):
                raise SystemExit(f"{name} was written and not found: {seen}")
        row["add"] = statistics.median(adds)
    return row


def update(pool: list[str], size: int, folder: Path) -> dict[str, float]:
    """Measure the update of one file among the files of a library."""
    draw = random.Random(3)  # noqa: S311 (the same numbers each time)
    files = folder / "files"
    files.mkdir()
    for n in range(size // CHUNKS_A_SOURCE):
        parts = (
            " ".join(draw.choice(pool) for _ in range(SENTENCES_A_CHUNK))
            for _ in range(CHUNKS_A_SOURCE)
        )
        (files / f"{n}.txt").write_text("\n\n".join(parts))
    times = []
    with Library.from_folder(files, index=folder / "library") as library:
        for n in range(5):
            changed = files / f"{n}.txt"
            changed.write_text(changed.read_text() + f"\n\nThe okapi{n} is new.")
            start = time.perf_counter()
            library.update(files)
            times.append(1000 * (time.perf_counter() - start))
            if not library.search(f"okapi{n}", channels=["bm25"]):
                raise SystemExit("An update was not found.")
    return {"update": statistics.median(times)}


def in_memory(pool: list[str], size: int, folder: Path) -> dict[str, float]:
    """Measure Haystack's InMemoryDocumentStore with the same vectors."""
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    del folder
    embedder = StaticEmbedder()
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    start = time.perf_counter()
    for batch in chunks(pool, size):
        vectors = embedder.embed([document.content or "" for document in batch])
        store.write_documents(
            [
                replace(one, embedding=vector.tolist())
                for one, vector in zip(batch, vectors, strict=True)
            ]
        )
    row = {"build": time.perf_counter() - start, "rss": peak()}
    asked = queries(pool, 50)[: 7 if size > 10_000 else 15]

    def words(query: str, filters: dict[str, Any] | None = None) -> object:
        return store.bm25_retrieval(query, filters=filters, top_k=TOP)

    def meaning(query: str, filters: dict[str, Any] | None = None) -> object:
        vector = embedder.embed([query])[0].tolist()
        return store.embedding_retrieval(vector, filters=filters, top_k=TOP)

    row["bm25"] = median([lambda q=q: words(q) for q in asked])
    row["vector"] = median([lambda q=q: meaning(q) for q in asked])
    row["hybrid"] = median([lambda q=q: (words(q), meaning(q)) for q in asked])
    row["filtered"] = median(
        [lambda q=q, n=n: (words(q, team(n)), meaning(q, team(n))) for n, q in enumerate(asked)]
    )
    return row


def bm25s(pool: list[str], size: int, folder: Path) -> dict[str, float]:
    """Measure bm25s, which searches by words alone and can't be added to."""
    import bm25s as package

    del folder
    start = time.perf_counter()
    texts = [document.content or "" for batch in chunks(pool, size) for document in batch]
    searcher = package.BM25()
    searcher.index(package.tokenize(texts, show_progress=False), show_progress=False)
    row = {"build": time.perf_counter() - start, "rss": peak()}

    def search(query: str) -> object:
        cut = package.tokenize([query], show_progress=False)
        return searcher.retrieve(cut, k=TOP, show_progress=False)

    row["bm25"] = median([lambda q=q: search(q) for q in queries(pool, 50)])
    return row


def team(number: int) -> dict[str, Any]:
    """Return a filter that one chunk in a hundred passes."""
    return {"field": "meta.team", "operator": "==", "value": number % 100}


def recall(store: EmbeddedDocumentStore, asked: list[str]) -> float:
    """Return which share of the 20 truly nearest chunks is found; chunks that tie are as good."""
    facts = store._database.facts()
    rows = store._vectors.rows(facts["edition"], facts["slots"], facts["dimension"])
    shares = []
    for query in asked:
        vector = StaticEmbedder().embed([query])[0]
        exact = np.sort(rows @ vector)[-TOP:]
        found = [score for _, score in store.nearest(query, TOP)]
        shares.append(sum(score >= exact[0] - 2e-6 for score in found) / len(exact))
    return statistics.mean(shares)


ENGINES = {"ragnb": ragnb, "update": update, "InMemory": in_memory, "bm25s": bm25s}


def measure(engine: str, size: int) -> dict[str, float]:
    """Run one engine at one size in a process of its own."""
    command = [sys.executable, __file__, "--one", engine, "--sizes", str(size)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(rows: list[tuple[str, int, dict[str, float]]]) -> str:
    """Return the rows as text."""
    head = ["engine", "chunks", *COLUMNS.values()]
    lines = [
        [engine, f"{size:,}", *(_number(row.get(key)) for key in COLUMNS)]
        for engine, size, row in rows
    ]
    widths = [max(len(line[n]) for line in [head, *lines]) for n in range(len(head))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in [head, *lines]
    )


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--large", action="store_true", help=f"also {LARGE:,} chunks")
    parser.add_argument("--peers", choices=["all", "none"], default="all")
    parser.add_argument("--one", choices=list(ENGINES), help=argparse.SUPPRESS)
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data or not (pool := sentences(Path(data))):
        print("Skipped: RAGNB_DATA names no folder with .md files or corpus.jsonl.")
        return
    if options.one:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(ENGINES[options.one](pool, options.sizes[0], Path(folder))))
        return
    rows = []
    for size in [*options.sizes, *([LARGE] if options.large else [])]:
        row = measure("ragnb", size)
        if size < LARGE:
            row |= measure("update", size)
        rows.append(("ragnb", size, row))
        if options.peers == "all" and size in PEER_SIZES:
            rows.append(("InMemory", size, measure("InMemory", size)))
            if importlib.util.find_spec("bm25s"):
                rows.append(("bm25s", size, measure("bm25s", size)))
    versions = [f"Python {platform.python_version()}", f"{os.cpu_count()} cores"]
    versions += [f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "haystack-ai")]
    print(
        f"{len(pool):,} sentences; {', '.join(versions)}. Times in ms where nothing else is said."
    )
    print("codes: vectors by sign codes alone, which are the default above 250,000 chunks.")
    print(table(rows))


if __name__ == "__main__":
    main()
