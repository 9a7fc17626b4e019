"""How good retrieval without a model is: whole pools of multi-hop questions, and plain search.

    RAGNB_DATA=<folder> python tests/bench/quality_retrieval.py [--sets NAME ...] [--half B]
        [--rankers NAME ...] [--limit N]

Per set and ranker: recall at 2, 5 and 10, the share of questions with all needed sources among
ten, each with its bootstrap 95 % interval, and the median of milliseconds a question. Settings are
chosen on half A (a random half, seed 0) and half B is the one to believe. quality.py prints this
beside the other figures.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from haystack import Document

import ragnb
from ragnb.evaluate.datasets import beir, multihop
from ragnb.evaluate.labelled import Pool, Question
from ragnb.library.library import Library
from ragnb.stages import Retriever

__all__ = [
    "PLAIN",
    "RANKERS",
    "bootstrap",
    "half_of",
    "library_of",
    "main",
    "measured",
    "retrieval",
    "sampled",
]

MULTIHOP = ("hotpotqa", "2wikimultihopqa", "musique")
PLAIN = ("cranfield", "medline1033")
DEPTHS = (2, 5, 10)
ROUNDS = 2000

Ranker = Callable[[str], Sequence[str]]


def searched(channels: list[str] | None) -> Callable[[Library], Ranker]:
    """Return a maker of rankers: the sources of a Retriever's chunks in some channels."""

    def make(library: Library) -> Ranker:
        retriever = Retriever(library)

        def rank(question: str) -> list[str]:
            found = retriever.run(query=question, channels=channels)["documents"]
            return list(dict.fromkeys(str(d.meta["source_id"]) for d in found))

        return rank

    return make


def asked(policy: str) -> Callable[[Library], Ranker]:
    """Return a maker of rankers: the ranking of a whole run."""

    def make(library: Library) -> Ranker:
        agent = ragnb.Agent(library, policy=policy)
        return lambda question: agent.ask(question).ranking()

    return make


RANKERS: dict[str, Callable[[Library], Ranker]] = {
    "bm25": searched(["bm25"]),
    "vector": searched(["vector"]),
    "hybrid": searched(["bm25", "vector"]),
    "reference": searched(["reference"]),
    "retriever": searched(None),
    "one_shot": asked("one_shot"),
    "evidence": asked("evidence"),
}


def half_of(questions: Sequence[Question], half: str) -> list[Question]:
    """Return a random half (A or B, seed 0), or all."""
    order = list(range(len(questions)))
    random.Random(0).shuffle(order)  # noqa: S311 - no secret
    chosen = set(order[: len(order) // 2])
    if half == "all":
        return list(questions)
    return [each for at, each in enumerate(questions) if (at in chosen) == (half == "A")]


def sampled(questions: Sequence[Question], size: int, seed: int) -> list[Question]:
    """Return so many questions, drawn by a seed and in their order; 0 or too many for all."""
    if not 0 < size < len(questions):
        return list(questions)
    chosen = random.Random(seed).sample(range(len(questions)), size)  # noqa: S311 - no secret
    return [questions[at] for at in sorted(chosen)]


def bootstrap(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval by the percentile bootstrap, seed 0."""
    draw = random.Random(0)  # noqa: S311 - no secret
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(ROUNDS))
    return statistics.fmean(values), means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS) - 1]


def library_of(pool: Pool) -> Library:
    """Return a temporary library of a pool's passages."""
    return Library.from_documents(
        Document(id=each.id, content=each.text or each.title, meta={"title": each.title})
        for each in pool.passages
        if (each.text or each.title).strip()
    )


def ndcg(ranked: Sequence[str], grades: dict[str, int], depth: int = 10) -> float:
    """Return nDCG: graded gains discounted by the logarithm of their place."""
    gains = [grades.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ranked[:depth])]
    best = sorted(grades.values(), reverse=True)[:depth]
    return sum(gains) / sum(gain / math.log2(at + 2) for at, gain in enumerate(best))


def measured(ranker: Ranker, questions: Iterable[Question]) -> dict[str, list[float]]:
    """Return per measure its value for each question."""
    found: dict[str, list[float]] = {}
    for question in questions:
        before = time.perf_counter()
        ranked = ranker(question.text)
        found.setdefault("ms", []).append(1000 * (time.perf_counter() - before))
        if question.relevance:
            found.setdefault("nDCG@10", []).append(ndcg(ranked, question.relevance))
            continue
        gold = set(question.gold)
        for depth in DEPTHS:
            share = len(gold.intersection(ranked[:depth])) / len(gold)
            found.setdefault(f"R@{depth}", []).append(share)
        found.setdefault("all@10", []).append(float(gold.issubset(ranked[:10])))
    return found


def retrieval(options: argparse.Namespace, data: Path) -> None:
    """Print one line a set and ranker."""
    for name in options.sets:
        plain = name in PLAIN
        pool = beir(data / "retrieval" / name) if plain else multihop(data / "multihop" / name)
        questions = half_of(pool.questions, options.half)[: options.limit]
        questions = sampled(questions, options.sample, options.seed)
        with library_of(pool) as library:
            chunks = library.store.count_documents()
            print(f"\n{name}, half {options.half}: {len(questions)} questions, {chunks} chunks")
            for label in options.rankers:
                ranker = RANKERS[label](library)
                ranker(questions[0].text)  # what is built at the first call is not timed
                values = measured(ranker, questions)
                times = values.pop("ms")
                cells = [
                    f"{measure} {mean:.3f} [{low:.3f}, {high:.3f}]"
                    for measure, (mean, low, high) in (
                        (measure, bootstrap(each)) for measure, each in values.items()
                    )
                ]
                middle, last = statistics.median(times), sorted(times)[int(0.95 * len(times))]
                print(f"{label:<10} {'  '.join(cells)}  {middle:.1f} ms (95 %: {last:.1f})")
                sys.stdout.flush()


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description="Measure quality without a model.")
    parser.add_argument("--sets", nargs="+", choices=MULTIHOP + PLAIN, default=MULTIHOP + PLAIN)
    parser.add_argument("--rankers", nargs="+", choices=list(RANKERS), default=list(RANKERS))
    parser.add_argument("--half", choices=["A", "B", "all"], default="all")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sample", type=int, default=0, help="questions a set; 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    data = os.environ.get("RAGNB_DATA")
    options = parser.parse_args()
    if not data:
        sys.exit("skipped: RAGNB_DATA names no folder")
    retrieval(options, Path(data))


if __name__ == "__main__":
    main()
