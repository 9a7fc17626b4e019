"""Reads the sets of evidence.py, and measures those that are no chains of documents."""

import json
import random
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from haystack import Document

import ragnb
from ragnb.library.library import Library
from ragnb.records import Context, Evidence, SubQuestion
from ragnb.stages import Extractor
from ragnb.stages.backing import supported
from ragnb.stages.conflicts import conflicts as disagreements
from ragnb.text import fold, question_kind

__all__ = [
    "Multihop",
    "chinese",
    "chinese_halves",
    "chinese_library",
    "conflicts",
    "holds",
    "rows",
    "support",
]


def rows(path: Path, half: str = "all") -> list[dict[str, Any]]:
    """Return the lines of a file, or the random half (seed 0) that weights are fitted on."""
    found = [json.loads(line) for line in path.open(encoding="utf-8")]
    if half == "all":
        return found
    order = list(range(len(found)))
    random.Random(0).shuffle(order)  # noqa: S311 - a fixed draw
    train = set(order[: len(order) // 2])
    return [row for at, row in enumerate(found) if (at in train) == (half == "train")]


def kept(documents: list[Document], index: str | None, name: str) -> Library:
    """Return a library of documents, from a folder if it was kept there."""
    if index is None:
        return Library.from_documents(documents)
    place = Path(index) / name
    return Library.open(place) if place.exists() else Library.from_documents(documents, index=place)


def holds(text: str, answers: Sequence[str]) -> bool:
    """Tell whether a text holds one of the strings, as whole words."""
    padded = f" {_bare(text)} "
    return any(f" {_bare(answer)} " in padded for answer in answers)


def _bare(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in fold(text)).split())


class Multihop:
    """A pool of paragraphs: its library, its texts, and the labelled bounds of sentences."""

    def __init__(self, folder: Path, index: str | None) -> None:
        self.folder = folder
        corpus = rows(folder / "corpus.jsonl")
        self.texts = {row["doc_id"]: row["text"] for row in corpus}
        self.titles = {row["doc_id"]: row["title"] for row in corpus}
        self._sentences = {row["doc_id"]: row.get("sentences", []) for row in corpus}
        self.library = kept(
            [
                Document(id=row["doc_id"], content=row["text"], meta={"title": row["title"]})
                for row in corpus
                if row["text"].strip()
            ],
            index,
            folder.name,
        )

    @cache  # noqa: B019 - one object a set
    def bounds(self, source: str) -> list[tuple[int, int]]:
        """Return where the labelled sentences stand."""
        text, at, found = self.texts.get(source, ""), 0, []
        for sentence in self._sentences.get(source, []):
            bare = sentence.strip()
            start = text.find(bare, at)
            if start < 0:
                start = at
            at = start + len(bare)
            found.append((start, at))
        return found


def judged(question: SubQuestion, texts: list[str]) -> list[list[Evidence]]:
    """Return the evidence of each text, as of sources of their own."""
    extractor = Extractor()
    return [
        extractor.run(
            question,
            Context(
                id=f"context-{at}",
                source_id=f"source-{at}",
                scope="document",
                start=0,
                end=len(text),
                text=text,
            ),
        )["evidence"]
        for at, text in enumerate(texts)
    ]


def conflicts(data: Path, options: Namespace) -> None:
    """Print precision and recall over pairs of documents of one question."""
    right = wrong = missed = noise = pairs = 0
    for row in rows(data / "conflicts" / "ramdocs" / "questions.jsonl", options.half):
        text = row["question"]
        question = SubQuestion.of(text, kind=question_kind(text))
        found = judged(question, [document["text"] for document in row["documents"]])
        for a, b in combinations(range(len(found)), 2):
            kinds = row["documents"][a]["type"], row["documents"][b]["type"]
            both = [*found[a], *found[b]]
            flag = bool(disagreements(question, both))
            if "noise" not in kinds:
                answers = [fold(row["documents"][each]["answer"]) for each in (a, b)]
                differ = answers[0] != answers[1]
                right += flag and differ
                wrong += flag and not differ
                missed += differ and not flag
            elif set(kinds) != {"noise"}:
                pairs += 1
                noise += flag
    precision = right / max(1, right + wrong)
    print(
        f"\nRAMDocs: precision {precision:.3f} at recall {right / max(1, right + missed):.3f}; "
        f"noise against an answer flagged {noise / max(1, pairs):.3f}"
    )


def support(data: Path) -> tuple[list[float], list[float], list[float]]:
    """Return the support of claims that are supported, not supported, and partially supported."""
    found: dict[str, list[float]] = {}
    for row in rows(data / "grounding" / "wice_claim_dev.jsonl"):
        score = supported(row["claim"], row["evidence"])
        found.setdefault(row["label"], []).append(score)
    return found["supported"], found["not_supported"], found["partially_supported"]


def chinese_library(data: Path, index: str | None) -> tuple[list[dict[str, Any]], Library]:
    """Return the passages of the Chinese set, and a library of them."""
    articles = json.loads((data / "chinese" / "cmrc2018_trial.json").read_text("utf-8"))["data"]
    passages = [paragraph for article in articles for paragraph in article["paragraphs"]]
    documents = [Document(id=each["id"], content=each["context"]) for each in passages]
    return passages, kept(documents, index, "cmrc")


def chinese_halves(passages: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Return pairs of passage id and question: the half that is fitted on (seed 0), and the other.

    Two questions of the set are empty, and left out.
    """
    asked = [
        (each["id"], item) for each in passages for item in each["qas"] if item["question"].strip()
    ]
    random.Random(0).shuffle(asked)  # noqa: S311 - a fixed draw
    return asked[: len(asked) // 2], asked[len(asked) // 2 :]


def chinese(
    data: Path, options: Namespace, quoted: Callable[..., Any]
) -> tuple[list[float], list[float]]:
    """Return per question whether the context comes first, and the answer in 60 characters."""
    passages, library = chinese_library(data, options.index)
    agent = ragnb.Agent(library)
    first: list[float] = []
    inside: list[float] = []
    train, test = chinese_halves(passages)
    asked = {"train": train, "test": test, "all": train + test}[options.half]
    for source, item in asked[: options.limit]:
        run = agent.ask(item["question"])
        first.append(run.ranking()[:1] == (source,))
        told = "".join(quote for *_, quote in quoted(run.answer))[:60]
        inside.append(any(answer["text"] in told for answer in item["answers"]))
    return first, inside
