"""How good the rankings are: nDCG@10 on labelled collections, beside other engines.

    RAGNB_DATA=<folder> python tests/bench/retrieval.py

The folder holds collections, each a folder with corpus.jsonl, queries.jsonl and qrels.jsonl.
"""

import importlib.util
import json
import math
import os
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from haystack import Document
from haystack.document_stores.in_memory import InMemoryDocumentStore

from ragnb.library.embedding import StaticEmbedder
from ragnb.library.library import Library

__all__ = ["main", "ndcg"]

TOP = 10
DEEP = 100

Ranking = Callable[[str], list[str]]


def ndcg(ranked: Sequence[str], relevance: dict[str, int], depth: int = TOP) -> float:
    """Return the normalised discounted cumulative gain of a ranking, with linear gains.

    >>> ndcg(["a", "b"], {"a": 1}), round(ndcg(["b", "a"], {"a": 1}), 4)
    (1.0, 0.6309)
    >>> round(ndcg(["c", "a", "x", "b"], {"a": 3, "b": 2, "c": 1}), 4)  # as trec_eval has it
    0.7884
    """
    gains = [relevance.get(name, 0) for name in ranked[:depth]]
    ideal = sorted(relevance.values(), reverse=True)[:depth]
    best = sum(gain / math.log2(place) for place, gain in enumerate(ideal, 2))
    return sum(gain / math.log2(place) for place, gain in enumerate(gains, 2)) / best


def library(documents: list[Document]) -> dict[str, Ranking]:
    """Return rankings of the library: a source stands where its best chunk does."""
    made = Library.from_documents(documents)

    def by(channels: list[str]) -> Ranking:
        return lambda query: [
            str(hit.meta["source_id"]) for hit in made.search(query, top_k=DEEP, channels=channels)
        ]

    return {
        "ragnb BM25": by(["bm25"]),
        "ragnb vectors": by(["vector"]),
        "ragnb hybrid": by(["bm25", "vector"]),
    }


def in_memory(documents: list[Document]) -> dict[str, Ranking]:
    """Return rankings of Haystack's InMemoryDocumentStore, with the same word vectors."""
    embedder = StaticEmbedder()
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    vectors = embedder.embed([document.content or "" for document in documents])
    store.write_documents(
        [
            Document(id=one.id, content=one.content, embedding=vector.tolist())
            for one, vector in zip(documents, vectors, strict=True)
        ]
    )

    def by_vector(query: str) -> list[str]:
        vector = embedder.embed([query])[0].tolist()
        return [found.id for found in store.embedding_retrieval(vector, top_k=DEEP)]

    return {
        "InMemory BM25": lambda query: [
            found.id for found in store.bm25_retrieval(query, top_k=DEEP)
        ],
        "InMemory vectors": by_vector,
    }


def bm25s(documents: list[Document]) -> dict[str, Ranking]:
    """Return the ranking of bm25s with English stems and stop words."""
    import bm25s as package
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    texts = [document.content or "" for document in documents]
    searcher = package.BM25()
    searcher.index(
        package.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False),
        show_progress=False,
    )

    def search(query: str) -> list[str]:
        cut = package.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
        found, _ = searcher.retrieve(cut, k=DEEP, show_progress=False)
        return [documents[int(place)].id for place in found[0]]

    return {"bm25s": search}


def measure(folder: Path) -> dict[str, float]:
    """Return the mean nDCG@10 of each ranking over a collection's queries that have answers."""
    corpus, asked, judged = (
        [json.loads(line) for line in (folder / f"{name}.jsonl").open(encoding="utf-8")]
        for name in ("corpus", "queries", "qrels")
    )
    documents = [
        Document(id=row["doc_id"], content=row["text"], meta={"title": row.get("title", "")})
        for row in corpus
        if row["text"].strip()
    ]
    relevant: dict[str, dict[str, int]] = {}
    for row in judged:
        if row.get("relevance", 1) > 0:
            relevant.setdefault(row["query_id"], {})[row["doc_id"]] = row.get("relevance", 1)
    rankings = {**library(documents), **in_memory(documents)}
    if importlib.util.find_spec("bm25s"):
        rankings |= bm25s(documents)
    return {
        name: statistics.mean(
            ndcg(list(dict.fromkeys(rank(row["text"]))), relevant[row["query_id"]])
            for row in asked
            if row["query_id"] in relevant
        )
        for name, rank in rankings.items()
    }


def main() -> None:
    """Print the table."""
    data = os.environ.get("RAGNB_DATA")
    folders = sorted(path.parent for path in Path(data).rglob("qrels.jsonl")) if data else []
    if not folders:
        print("Skipped: RAGNB_DATA names no folder with qrels.jsonl beside a corpus.")
        return
    columns = {folder.name: measure(folder) for folder in folders}
    names = list(next(iter(columns.values())))
    print(" " * 17 + "".join(f"{name:>14}" for name in columns) + "   (nDCG@10)")
    for name in names:
        print(f"{name:<17}" + "".join(f"{column[name]:14.4f}" for column in columns.values()))


if __name__ == "__main__":
    main()
