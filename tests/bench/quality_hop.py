"""Time and memory of the reference hop at growing sizes: the last part of quality.py.

Each size runs in a process of its own, over real passages with titles; above what the sets hold
they are repeated under other titles, so that names get no rarer than they are. Reads the memory
from /proc, so on Linux only.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from haystack import Document

from ragnb.evaluate.datasets import multihop
from ragnb.library.chains import follow
from ragnb.library.library import Library
from ragnb.library.linking import references
from ragnb.stages import Retriever

__all__ = ["SIZES", "hop"]

SIZES = (1_000, 10_000, 100_000)
ASKED = 60


def passages(data: Path, size: int) -> tuple[list[Document], list[str]]:
    """Return so many passages, and questions about them."""
    pools = [multihop(data / "multihop" / name) for name in ("2wikimultihopqa", "musique")]
    every = [each for pool in pools for each in pool.passages if each.text.strip()]
    documents = []
    for number in range(size):
        lap, at = divmod(number, len(every))
        one = every[at]
        title = f"{one.title} {lap}" if lap else one.title
        documents.append(
            Document(id=f"{one.id}-{lap}-{at}", content=one.text, meta={"title": title})
        )
    return documents, [each.text for pool in pools for each in pool.questions[: ASKED // 2]]


def one(data: Path, size: int) -> dict[str, float]:
    """Measure one size."""
    documents, asked = passages(data, size)
    with tempfile.TemporaryDirectory() as folder:
        before = time.perf_counter()
        with Library.from_documents(documents, index=Path(folder) / "index") as library:
            row = {"build s": time.perf_counter() - before}
            held, before = _megabytes(), time.perf_counter()
            index = references(library)
            follow(index, asked[0])
            row["names s"] = time.perf_counter() - before
            row["names MB"] = _megabytes() - held
            row["hop ms"], row["hop 95 %"] = _timed([lambda q=q: follow(index, q) for q in asked])
            stage = Retriever(library)
            stage.run(asked[0])
            row["search ms"], row["search 95 %"] = _timed([lambda q=q: stage.run(q) for q in asked])
            row["peak MB"] = _peak()
    return row


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _peak() -> float:
    """Return the most that this process held; the parent's is no part of it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def _timed(calls: list) -> tuple[float, float]:  # type: ignore[type-arg]
    times = []
    for call in calls:
        before = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - before))
    return statistics.median(times), sorted(times)[int(0.95 * len(times))]


def hop(data: Path, options: argparse.Namespace) -> None:
    """Print a row a size."""
    print("names: what the hop is led by; hop: chains alone; search: all three channels")
    head: list[str] = []
    for size in options.sizes:
        command = [sys.executable, __file__, str(data), str(size)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        row: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        if not head:
            head = list(row)
            print(f"{'chunks':>10}" + "".join(f"{name:>13}" for name in head))
        print(f"{size:>10,}" + "".join(f"{row[name]:>13.1f}" for name in head), flush=True)


if __name__ == "__main__":
    print(json.dumps(one(Path(sys.argv[1]), int(sys.argv[2]))))
