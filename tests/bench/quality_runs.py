"""Whole runs over multi-hop pools, with parts left out: the second part of quality.py.

A row is a policy with some channels, or without the reranker. Its columns: R@5 and all needed
sources among ten of `run.ranking()`; the answer's string inside the first 60 words that the
conclusions quote (yes/no questions left out); milliseconds a question. Then searches and tool
calls a question, and the rates of redundant queries (refused ones included), of loops, of unneeded
searches, of runs that a limit ended, and of answers. Then each row's paired difference to
``evidence``. All with their 95 % intervals.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence import YES_NO, first_words, quoted
from evidence_sets import holds
from haystack import Document, component
from quality_retrieval import bootstrap, library_of, sampled

import ragnb
from ragnb.evaluate import measures
from ragnb.evaluate.datasets import multihop
from ragnb.evaluate.labelled import Question
from ragnb.library.library import Library
from ragnb.stages import Retriever

__all__ = ["VARIANTS", "Found", "Variant", "agent_of", "runs"]

BASELINE = "evidence"
QUALITY = ("R@5", "all@10", "in 60 words")
BEHAVIOUR = ("calls", "redundant", "loops", "unneeded", "by budget", "answered")
LIMITED = ("redundant", "loops")
TARGET = 0.03
"""What a rate of `LIMITED` may be at most."""


@dataclass(frozen=True)
class Variant:
    """A policy, the channels that it may search, and whether hits are reranked."""

    policy: str
    channels: tuple[str, ...] = ("bm25", "vector", "reference")
    rerank: bool = True


VARIANTS = {
    "one_shot, BM25": Variant("one_shot", ("bm25",)),
    "one_shot, hybrid": Variant("one_shot", ("bm25", "vector")),
    "one_shot, no BM25": Variant("one_shot", ("vector", "reference")),
    "one_shot, no vectors": Variant("one_shot", ("bm25", "reference")),
    "one_shot": Variant("one_shot"),
    "evidence, BM25": Variant("evidence", ("bm25",)),
    "evidence, hybrid": Variant("evidence", ("bm25", "vector")),
    "evidence, no BM25": Variant("evidence", ("vector", "reference")),
    "evidence, no vectors": Variant("evidence", ("bm25", "reference")),
    "evidence, no rerank": Variant("evidence", rerank=False),
    "evidence": Variant("evidence"),
}
"""Hybrid is the reference channel left out; one_shot doesn't rerank by default."""


@component
class Limited:
    """Searches some channels only, whatever it is asked for."""

    def __init__(self, library: Library, channels: tuple[str, ...]) -> None:
        self.channels = channels
        self.inner = Retriever(library)

    @component.output_types(documents=list[Document])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        channels: list[str] | None = None,
    ) -> dict[str, list[Document]]:
        """Search the channels that are asked for among those that are allowed, or these."""
        both = [each for each in self.channels if not channels or each in channels]
        return self.inner.run(query, filters, top_k, both or list(self.channels))


@component
class Unranked:
    """Keeps the first documents in their order."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document], top_k: int = 5) -> dict[str, Any]:
        """Return the first documents."""
        del query
        return {"documents": documents[:top_k]}


def agent_of(variant: Variant, library: Library) -> ragnb.Agent:
    """Return the agent of a row."""
    stages: dict[str, Any] = {}
    if len(variant.channels) < 3:
        stages["retrieve"] = Limited(library, variant.channels)
    if not variant.rerank:
        stages["rerank"] = Unranked()
    return ragnb.Agent(library, policy=variant.policy, stages=stages)


@dataclass
class Found:
    """What a row found, question by question; None where a question has no such figure."""

    values: dict[str, list[float | None]] = field(default_factory=dict)

    def add(self, name: str, value: float | str | None) -> None:
        """Take a figure; a text says why there is none."""
        number = None if value is None or isinstance(value, str) else float(value)
        self.values.setdefault(name, []).append(number)

    def known(self, name: str) -> list[float]:
        """Return the figures that there are."""
        return [value for value in self.values[name] if value is not None]


def measured(agent: ragnb.Agent, questions: Sequence[Question]) -> Found:
    """Run each question."""
    found = Found()
    agent.ask(questions[0].text)  # what is built at the first call is not timed
    for question in questions:
        before = time.perf_counter()
        run = agent.ask(question.text)
        found.add("ms", 1000 * (time.perf_counter() - before))
        ranked, gold = run.ranking(), set(question.gold)
        found.add("R@5", len(gold.intersection(ranked[:5])) / len(gold))
        found.add("all@10", gold.issubset(ranked[:10]))
        said = first_words(quoted(run.answer))
        open_ = question.answers[0].lower() not in YES_NO
        found.add("in 60 words", holds(said, question.answers) if open_ else None)
        every = measures(run)
        found.add("calls", every["tool_calls"])
        found.add("redundant", every["redundant_query_rate"])
        found.add("loops", every["looped"])
        found.add("unneeded", every["unnecessary_retrieval_rate"])
        found.add("by budget", every["ended_by_budget"])
        found.add("answered", bool(run.answer and run.answer.conclusions))
    return found


def shown(values: Sequence[float]) -> str:
    """Write a mean with its interval."""
    if not values:
        return "–"
    mean, low, high = bootstrap(values)
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def runs(data: Path, options: argparse.Namespace) -> None:
    """Print three tables a set: quality, behaviour, and differences to the baseline."""
    names = list(dict.fromkeys([*options.variants, BASELINE]))
    for name in options.sets:
        pool = multihop(data / "multihop" / name)
        questions = sampled(pool.questions, options.sample, options.seed)
        with library_of(pool) as library:
            chunks = library.store.count_documents()
            print(f"\n{name}: {len(questions)} questions, {chunks} chunks")
            _head([*QUALITY, "ms (95 %)"])
            rows: dict[str, Found] = {}
            for label in names:
                rows[label] = measured(agent_of(VARIANTS[label], library), questions)
                cells = [shown(rows[label].known(each)) for each in QUALITY]
                times = sorted(rows[label].known("ms"))
                last = times[int(0.95 * len(times))]
                _line(label, [*cells, f"{statistics.median(times):.0f} ({last:.0f})"])
        print(f"\n{name}: behaviour")
        _head(BEHAVIOUR)
        for label, found in rows.items():
            means = {each: found.known(each) for each in BEHAVIOUR}
            over = [each for each in LIMITED if statistics.fmean(means[each]) > TARGET]
            note = [f"above {TARGET}: {', '.join(over)}"] if over else []
            _line(label, [*(shown(each) for each in means.values()), *note])
        print(f"\n{name}: paired differences to {BASELINE}")
        _head(QUALITY)
        for label, found in rows.items():
            if label != BASELINE:
                _line(label, [_difference(found, rows[BASELINE], each) for each in QUALITY])


def _head(names: Sequence[str]) -> None:
    _line("", names)


def _line(label: str, cells: Sequence[str]) -> None:
    print(f"{label:<21}" + "".join(f"{cell:<25}" for cell in cells).rstrip(), flush=True)


def _difference(one: Found, other: Found, name: str) -> str:
    pairs = zip(one.values[name], other.values[name], strict=True)
    values = [a - b for a, b in pairs if a is not None and b is not None]
    mean, low, high = bootstrap(values)
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"
