"""Fits the weights of ragnb/stages/weights.json on half of the multi-hop questions (seed 0),
and on the questions that folder_training.json asks of three folders.

    RAGNB_DATA=<folder> python tests/bench/fit_evidence.py [--index <folder>] [--write]

Logistic models, one after the other: ``span`` (does a sentence bear on the question, seen by
itself), ``pair`` and ``again`` (the same, seen beside the others), ``answer`` (does it hold the
answer), ``clause`` (does this part of it) and ``enough`` (do they answer the question, which is
asked again without its gold documents; not in MuSiQue, where too little is found). Each example is
also taken with its titles hidden, so that nothing depends on sources that are called by their
subject; what is seen beside the others has weights of its own where names don't lead from source
to source.
"""

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evidence_sets import Multihop, holds, rows
from fitting import Example, listwise, logistic
from folder_pool import Folder, folders

from ragnb.records import Context, Evidence, SubQuestion
from ragnb.stages import Extractor, Planner, Reranker, Retriever, fitted
from ragnb.stages.clauses import clause_features, clauses
from ragnb.stages.enough import completed, enough_features
from ragnb.stages.features import names_nothing
from ragnb.stages.pairs import pair_features
from ragnb.stages.picking import CANDIDATES, Picked, model_of, picked, scored

__all__ = ["Reading", "fit_and_write", "taken"]

SETS = ("hotpotqa", "2wikimultihopqa", "musique")
READ = 8
SPANS = 6
FOLDERS = 3
"""So often each question on a folder counts, for there are few of them."""
AGAIN = 3
"""Every third of them is asked again without its document: three of four can be answered."""


def hidden(context: Context, at: int) -> Context:
    """Return what was read as if its source were called by a number."""
    return replace(context, title="", source_id=f"{at}-{context.source_id}")


class Reading:
    """What is read for a question: the windows around the best hits."""

    def __init__(self, pool: Any) -> None:
        self.pool = pool
        self.retriever = Retriever(pool.library)
        self.reranker = Reranker()

    def __call__(self, question: str, gone: Sequence[str] = ()) -> list[Context]:
        """Return windows, best first, from sources that are not gone."""
        filters = {"operator": "not in", "field": "meta.source_id", "value": list(gone)}
        found = self.retriever.run(query=question, filters=filters if gone else None)["documents"]
        found = self.reranker.run(query=question, documents=found, top_k=READ)["documents"]
        return [self.pool.library.read(document.id) for document in found]


def labelled(pool: Any, row: Mapping[str, Any], source: str, start: int, end: int) -> bool:
    """Tell whether a span is most of a supporting sentence, or tells the answer."""
    source = shown(pool, source)
    for doc, index in row.get("supporting_sentences", ()):
        bounds = pool.bounds(source) if doc == source else []
        if index < len(bounds):
            inside = min(end, bounds[index][1]) - max(start, bounds[index][0])
            if inside > 0 and 2 * inside >= min(end - start, bounds[index][1] - bounds[index][0]):
                return True
    text = pool.texts.get(source, "")[start:end]
    for step in row.get("decomposition", ()):
        if step["doc"] == source and holds(text, [step["answer"]]):
            return True
    gold = source in row["gold_docs"]
    return gold and holds(text, answers(row))


def shown(pool: Any, source: str) -> str:
    """Return what a source is called, hidden or not."""
    return source if source in pool.texts else source.rsplit("-", 1)[-1]


def answers(row: Mapping[str, Any]) -> list[str]:
    """Return the strings that answer a question, each by itself."""
    return row.get("answers") or [row["answer"]]


def fit(
    pools: Sequence[tuple[Multihop, list[dict[str, Any]], Callable[..., list[Context]]]],
) -> dict[str, dict[str, float]]:
    """Fit the models, one after the other."""
    cases = [
        (pool, row, question, Extractor(12, library=pool.library), contexts, gold)
        for pool, questions, read in pools
        for at, row in enumerate(questions)
        for question, query in asked(row["question"])
        for gold in golds(pool, at, row)
        for contexts in variants(pool, read(query, () if gold else row["gold_docs"]))
    ]
    models = _of_spans(cases)
    use(models)
    found = []
    for pool, row, question, extractor, contexts, gold in cases:
        evidence = taken(extractor, question, contexts)
        found.append((pool, row, question, evidence, gold))
    tied = [each for each in found if each[-1] and not names_nothing(each[2].text)]
    scores = [[item.score for item in evidence] for *_, evidence, _ in tied]
    for model in ("pair", "again"):
        features = [
            pair_features(question, evidence, known)
            for (_, _, question, evidence, _), known in zip(tied, scores, strict=True)
        ]
        models |= parted(
            model,
            [
                (each, labelled(pool, row, item.source_id, item.start, item.end))
                for (pool, row, _, evidence, _), listed in zip(tied, features, strict=True)
                for item, each in zip(evidence, listed, strict=True)
            ],
        )
        use(models)
        scores = [
            [fitted.chance(model_of(model, each), each) for each in listed] for listed in features
        ]
    models |= parted(
        "answer",
        [
            (each, tells(pool, row, item))
            for (pool, row, _, evidence, _), listed in zip(tied, features, strict=True)
            if not yes_or_no(row)
            for item, each in zip(evidence, listed, strict=True)
        ],
    )
    use(models)
    told: list[Example] = []
    for pool, row, question, evidence, gold in found:
        if not gold or yes_or_no(row):
            continue
        for piece in picked(question, scored(question, evidence)):
            item, bounds_ = piece.item, clauses(piece.item.quote)
            told += [
                (each, tells(pool, row, item, slice(*where)))
                for where, each in zip(
                    bounds_, clause_features(question, piece, bounds_), strict=True
                )
            ]
    models["clause"] = logistic(told)
    for known in ({}, models):  # pieces that complete others are found by a first fit
        models |= _of_enough(found, known)
        use(models)
    return models


def _of_spans(cases: Sequence[tuple[Any, ...]]) -> dict[str, dict[str, float]]:
    """Fit which sentence is a right one: over all, and over those of questions with a name."""
    groups: dict[str, list[list[Example]]] = {"span": [], "span_apart": []}
    for pool, row, question, extractor, contexts, gold in cases:
        if not gold:
            continue
        group = [
            (judged.features, labelled(pool, row, context.source_id, *bounds(context, span)))
            for context in contexts
            for span, judged in extractor.judged(question, context)
        ]
        if not names_nothing(question.text):
            groups["span"].append(group)
            group = [
                ({n: v for n, v in each.items() if n != "opens"}, label) for each, label in group
            ]
        groups["span_apart"].append(group)
    return {name: listwise(some) for name, some in groups.items()}


def _of_enough(
    found: Sequence[tuple[Any, ...]], known: Mapping[str, Any]
) -> dict[str, dict[str, float]]:
    """Fit whether pieces are enough."""
    enough: dict[str, list[Example]] = {"enough": [], "enough_apart": []}
    for pool, row, question, evidence, gold in found:
        ranked = scored(question, evidence)
        if "decomposition" in row or not (chosen := picked(question, ranked)):
            continue
        if known:
            chosen = completed(question, ranked, chosen)
        model = "enough_apart" if names_nothing(question.text) else "enough"
        label = gold and (not isinstance(pool, Folder) or answered(pool, row, chosen))
        enough[model].append((enough_features(question, chosen), label))
    return {name: logistic(some, rising=True) for name, some in enough.items()}


def parted(model: str, examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """Fit a model twice: where names lead from source to source, and where they don't."""
    found: dict[str, list[Example]] = {}
    for each in examples:
        found.setdefault(model_of(model, each[0]), []).append(each)
    return {name: logistic(some) for name, some in sorted(found.items())}


def yes_or_no(row: Mapping[str, Any]) -> bool:
    """Tell whether no document can hold the very answer."""
    return answers(row)[0].lower() in {"yes", "no"}


def answered(pool: Any, row: Mapping[str, Any], chosen: Sequence[Picked]) -> bool:
    """Tell whether pieces hold the answer, as far as that can be told."""
    return yes_or_no(row) or any(tells(pool, row, each.item) for each in chosen)


def asked(goal: str) -> list[tuple[SubQuestion, str]]:
    """Return what a goal asks for by itself, each with its query."""
    plan = Planner().run(goal=goal)
    pairs = zip(plan["questions"], plan["queries"], strict=True)
    return [(question, query.text) for question, query in pairs if question.required]


def tells(pool: Any, row: Mapping[str, Any], item: Evidence, part: slice = slice(None)) -> bool:
    """Tell whether evidence from a gold document, or a part of it, holds the answer."""
    gold = shown(pool, item.source_id) in row["gold_docs"]
    return gold and holds(item.quote[part], answers(row))


def golds(pool: Any, at: int, row: Mapping[str, Any]) -> tuple[bool, ...]:
    """Return whether a question is asked with its documents, without them, or both."""
    if not row["gold_docs"]:
        return (False,)
    again = not at % AGAIN if isinstance(pool, Folder) else "decomposition" not in row
    return (True, False) if again else (True,)


def variants(pool: Any, contexts: list[Context]) -> list[list[Context]]:
    """Return what was read, and the same without titles; of a folder as often, as it is."""
    if isinstance(pool, Folder):
        return [contexts] * FOLDERS
    return [contexts, [hidden(context, at) for at, context in enumerate(contexts)]]


def bounds(context: Context, span: Any) -> tuple[int, int]:
    """Return where a span of a context stands in its source."""
    return context.start + span.start, context.start + span.end


def taken(extractor: Extractor, question: SubQuestion, contexts: list[Context]) -> list[Evidence]:
    """Return the best pieces of evidence of several contexts."""
    found: dict[str, Evidence] = {}
    for context in contexts:
        few = extractor.run(question=question, context=context)["evidence"][:SPANS]
        found.update({item.id: item for item in few})
    return sorted(found.values(), key=lambda item: (-item.score, item.id))[:CANDIDATES]


def use(models: Mapping[str, Mapping[str, float]]) -> None:
    """Let the stages use weights that were just fitted."""
    fitted.weights = lambda model: models[model]  # type: ignore[assignment]


def fit_and_write(
    file: str, what: str, fit_from: Callable[[Path, str | None], dict[str, dict[str, float]]]
) -> None:
    """Read the arguments, fit, print, and write a file of weights if asked to.

    Args:
        file: The name of the file beside `ragnb.stages.fitted`.
        what: What the script does, in a line.
        fit_from: Fits, from the folder of data and the one of indexes.
    """
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--index", default=None)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data:
        print("Skipped: RAGNB_DATA names no folder.")
        return
    text = json.dumps(fit_from(Path(data), options.index), indent=1)
    print(text)
    if options.write:
        Path(fitted.__file__).with_name(file).write_text(text + "\n", encoding="utf-8")


def fit_sets(data: Path, index: str | None) -> dict[str, dict[str, float]]:
    """Fit on the multi-hop sets and the folders of a folder."""
    pools: list[tuple[Any, list[dict[str, Any]], Any]] = []
    for name in SETS:
        pool = Multihop(data / "multihop" / name, index)
        pools.append((pool, rows(pool.folder / "questions.jsonl", "train"), Reading(pool)))
    pools += [(folder, folder.rows, Reading(folder)) for folder in folders(data)]
    return fit(pools)


if __name__ == "__main__":
    fit_and_write("weights.json", "Fit the weights of the stages.", fit_sets)
