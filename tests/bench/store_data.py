"""What benches of stores are fed with, and how they take time and memory."""

import json
import random
import re
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from haystack import Document

__all__ = [
    "CHUNKS_A_SOURCE",
    "SENTENCES_A_CHUNK",
    "chunks",
    "median",
    "peak",
    "queries",
    "sentences",
]

SENTENCES_A_CHUNK = 4
CHUNKS_A_SOURCE = 20


def sentences(folder: Path) -> list[str]:
    """Return the sentences of at least five words below a folder."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.rglob("*.md"))]
    for path in sorted(folder.rglob("corpus.jsonl")):
        texts += [json.loads(line)["text"] for line in path.open(encoding="utf-8")]
    found = {part.strip() for text in texts for part in re.split(r"(?<=[.!?])\s+|\n+", text)}
    return sorted(part for part in found if len(part.split()) >= 5)


def chunks(pool: list[str], size: int) -> Iterator[list[Document]]:
    """Make chunks a thousand at a time; the same ones for each engine."""
    draw = random.Random(7)  # noqa: S311 (the same numbers each time)
    for first in range(0, size, 1_000):
        yield [
            Document(
                id=f"c{n}",
                content=" ".join(draw.choice(pool) for _ in range(SENTENCES_A_CHUNK)),
                meta={
                    "source_id": f"s{n // CHUNKS_A_SOURCE}",
                    "index": n % CHUNKS_A_SOURCE,
                    "team": n % 100,
                },
            )
            for n in range(first, min(size, first + 1_000))
        ]


def queries(pool: list[str], count: int) -> list[str]:
    """Return a few words each of sentences, as a person types them."""
    draw = random.Random(11)  # noqa: S311 (the same numbers each time)
    made = []
    while len(made) < count:
        words = re.findall(r"\w{4,}", draw.choice(pool))
        if len(words) >= 5:
            made.append(" ".join(words[:8]))
    return made


def median(calls: list[Callable[[], object]]) -> float:
    """Return the median of the calls' times in milliseconds; the first two are run before."""
    for call in calls[:2]:
        call()
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def peak() -> float:
    """Return the most memory that this process ever held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
