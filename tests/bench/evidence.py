"""How true answers are without a model: evidence, declining, conflicts, support, Chinese.

    RAGNB_DATA=<folder> python tests/bench/evidence.py [part ...] [--limit N] [--half test] [--lost]

Parts: hotpotqa, 2wikimultihopqa, musique (supporting sentences, the answer inside 60 quoted words,
declining), conflicts (RAMDocs), support (WiCE), chinese (CMRC). All by default. ``--half`` keeps
the half that weights were fitted on (train) or the other one (test). ``--lost`` tells at which
stage answers were lost.
"""

import argparse
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evidence_sets import Multihop, chinese, conflicts, holds, rows, support

import ragnb
from ragnb.evaluate.measures import sufficiency
from ragnb.records import Answer

__all__ = ["auc", "bootstrap", "main"]

WORDS = 60
SETS = ("hotpotqa", "2wikimultihopqa", "musique")
YES_NO = {"yes", "no"}


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive score is above a negative one; ties count half.

    >>> auc([2, 1], [1, 0])
    0.875
    """
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


def bootstrap(values: Sequence[float], rounds: int = 1000) -> tuple[float, float, float]:
    """Return the mean and its 95 % interval by the percentile bootstrap, seed 0."""
    draw = random.Random(0)  # noqa: S311 - a fixed draw
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(rounds))
    return statistics.fmean(values), means[int(0.025 * rounds)], means[int(0.975 * rounds) - 1]


def shown(values: Sequence[float]) -> str:
    """Write a mean with its interval."""
    mean, low, high = bootstrap(values)
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def quoted(answer: Answer | None) -> list[tuple[str, int, int, str]]:
    """Return the quotes of the conclusions in the order of their numbers, each once."""
    found = {}
    for claim in answer.conclusions if answer else ():
        for one in claim.groundings:
            found.setdefault((one.source_id, one.start, one.end), (one.n, one.quote))
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    return [(source, start, end, quote) for (source, start, end), (_, quote) in ordered]


def first_words(quotes: Sequence[tuple[str, int, int, str]], words: int = WORDS) -> str:
    """Return the first words of quotes; the last quote may be cut."""
    kept: list[str] = []
    for *_, quote in quotes:
        cut = quote.split()[: words - sum(len(part.split()) for part in kept)]
        kept.append(" ".join(cut))
    return "\n".join(kept)


def supporting(question: dict[str, Any], pool: Multihop, quotes: Sequence[Any]) -> float:
    """Return the F1 of the sentences that the quotes stand in."""
    gold = {(doc, index) for doc, index in question["supporting_sentences"]}
    said = set()
    for source, start, end, _ in quotes:
        for index, (a, b) in enumerate(pool.bounds(source)):
            inside = min(end, b) - max(start, a)
            if inside > 0 and 2 * inside >= min(end - start, b - a):
                said.add((source, index))
    right = len(gold & said)
    return 2 * right / (len(gold) + len(said)) if gold or said else 1.0


def lost_at(question: dict[str, Any], run: Any, answers: Sequence[str]) -> str:
    """Name the stage at which the answer's string was lost."""
    state = run.state
    gold = set(question["gold_docs"])
    hits = {hit.source_id for search in state.searches for hit in search.hits}
    if not any(holds(pool_text, answers) for pool_text in question["gold_texts"]):
        return "not in the gold documents"
    holding = {
        d
        for d, t in zip(question["gold_docs"], question["gold_texts"], strict=True)
        if holds(t, answers)
    } & gold
    if not holding & hits:
        return "not retrieved"
    read = {context.source_id for context in state.contexts}
    if not holding & read:
        return "not read"
    if not any(holds(item.quote, answers) for item in state.evidence):
        return "not extracted"
    if not run.answer.conclusions:
        return "declined"
    return "left out in the answer"


def multihop(  # noqa: C901, PLR0915 - one table
    name: str, data: Path, options: argparse.Namespace
) -> None:
    """Measure one set of multi-hop questions."""
    pool = Multihop(data / "multihop" / name, options.index)
    questions = rows(pool.folder / "questions.jsonl", options.half)[: options.limit]
    agents = {p: ragnb.Agent(pool.library, policy=p) for p in ("evidence", "one_shot")}
    inside: dict[str, list[float]] = {p: [] for p in agents}
    f1: dict[str, list[float]] = {p: [] for p in agents}
    spent: list[float] = []
    enough: list[float] = []
    without: list[float] = []
    answered: list[bool] = []
    wrong: list[bool] = []
    flagged: list[float] = []
    lost: Counter[str] = Counter()
    size: list[int] = []
    for question in questions:
        answers = [question["answer"], *question.get("answer_aliases", [])]
        question["gold_texts"] = [pool.texts.get(doc, "") for doc in question["gold_docs"]]
        for policy, agent in agents.items():
            begun = time.perf_counter()
            run = agent.ask(question["question"])
            took = time.perf_counter() - begun
            quotes = quoted(run.answer)
            if "supporting_sentences" in question:
                f1[policy].append(supporting(question, pool, quotes))
            if question["answer"].lower() not in YES_NO:
                hit = holds(first_words(quotes), answers)
                inside[policy].append(hit)
                if policy == "evidence" and not hit:
                    lost[lost_at(question, run, answers)] += 1
            if policy == "evidence":
                spent.append(1000 * took)
                enough.append(sufficiency(run))
                answered.append(bool(run.answer and run.answer.conclusions))
                flagged.append(bool(run.state.conflicts))
                size.append(sum(len(q.split()) for *_, q in quotes))
        if options.declining:
            gone = {"operator": "not in", "field": "meta.source_id", "value": question["gold_docs"]}
            run = agents["evidence"].ask(question["question"], filters=gone)
            without.append(sufficiency(run))
            wrong.append(bool(run.answer and run.answer.conclusions))
    print(
        f"\n{name}: {len(questions)} questions; median {statistics.median(spent):.0f} ms a run, "
        f"95th percentile {sorted(spent)[int(0.95 * len(spent))]:.0f} ms; "
        f"quoted words {statistics.fmean(size):.0f}"
    )
    for policy in agents:
        if f1[policy]:
            print(f"  supporting sentences F1, {policy}: {shown(f1[policy])}")
        print(f"  answer inside {WORDS} quoted words, {policy}: {shown(inside[policy])}")
    pairs = zip(inside["evidence"], inside["one_shot"], strict=True)
    print(f"  difference to one_shot: {shown([float(a) - float(b) for a, b in pairs])}")
    print(f"  questions with a conflict: {statistics.fmean(flagged):.3f}")
    print(f"  answered: {statistics.fmean(answered):.3f}")
    if without:
        cut = sorted(without)[int(0.95 * len(without))]
        rate = statistics.fmean(score > cut for score in enough)
        print(
            f"  declining, AUC of sufficiency: {auc(enough, without):.3f}; answers without gold "
            f"{statistics.fmean(wrong):.3f}; above a threshold with 5 % false answers {rate:.3f}"
        )
    if options.lost:
        print("  lost: " + ", ".join(f"{stage} {n}" for stage, n in lost.most_common()))


def main() -> None:
    """Print the figures of each part."""
    parser = argparse.ArgumentParser(description="Measure evidence without a model.")
    parser.add_argument("parts", nargs="*", help="which sets; all by default")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--half", choices=["train", "test", "all"], default="all")
    parser.add_argument("--lost", action="store_true")
    parser.add_argument("--index", default=None, help="a folder that keeps the indexes")
    parser.add_argument("--no-declining", dest="declining", action="store_false")
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data:
        print("Skipped: RAGNB_DATA names no folder.")
        return
    parts = options.parts or [*SETS, "conflicts", "support", "chinese"]
    for part in parts:
        if part in SETS:
            multihop(part, Path(data), options)
    if "conflicts" in parts:
        conflicts(Path(data), options)
    if "support" in parts:
        positive, negative, partial = support(Path(data))
        print(
            f"\nWiCE: supported against not, AUC {auc(positive, negative):.3f}; "
            f"supported against the rest {auc(positive, [*negative, *partial]):.3f}"
        )
    if "chinese" in parts:
        first, inside = chinese(Path(data), options, quoted)
        print(f"\nCMRC: hit@1 {shown(first)}; answer inside 60 characters {shown(inside)}")


if __name__ == "__main__":
    main()
