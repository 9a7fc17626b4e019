"""Fits the weights of ragnb/stages/weights_zh.json on half of the Chinese questions (seed 0).

    RAGNB_DATA=<folder> python tests/bench/fit_chinese.py [--index <folder>] [--write]

``span_zh``: does a sentence hold the answer. ``window_zh``: does a stretch of a likely sentence
hold it whole. ``enough_zh``: is the question answered; a third of them are asked again without
their passage.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evidence_sets import chinese_halves, chinese_library
from fit_evidence import Reading, fit_and_write, taken
from fitting import logistic

from ragnb.records import Context, SubQuestion
from ragnb.stages import Extractor, fitted
from ragnb.stages.chinese_enough import enough_features_zh
from ragnb.stages.chinese_windows import window_features, windows
from ragnb.stages.together import together
from ragnb.text import is_chinese, question_kind

__all__ = ["fit"]

LIKELY = 3
AGAIN = 3
TIMES = 1
"""Every third question is asked again without its passage: three of four can be answered."""


class Pool:
    """What `Reading` asks of a pool."""

    def __init__(self, library: Any) -> None:
        self.library = library


def fit(data: Path, index: str | None) -> dict[str, dict[str, float]]:
    """Fit the models, one after the other."""
    passages, library = chinese_library(data, index)
    train, _ = chinese_halves(passages)
    read, extractor = Reading(Pool(library)), Extractor(12, library=library)
    cases = [
        (source, item, asked(item), read(item["question"]))
        for source, item in train
        if is_chinese(item["question"])
    ]
    models: dict[str, dict[str, float]] = {}
    fitted.weights = lambda model: models[model]  # type: ignore[assignment]
    models["span_zh"] = logistic(
        [
            (both.features, context.source_id == source and tells(item, text))
            for source, item, question, contexts in cases
            for context in contexts
            for text, both in spans(extractor, question, context)
        ]
    )
    found = [(source, item, q, taken(extractor, q, read_)) for source, item, q, read_ in cases]
    models["window_zh"] = logistic(
        [
            (features, piece.source_id == source and whole(item, piece.quote[slice(*where)]))
            for source, item, question, evidence in found
            for piece in evidence[:LIKELY]
            for bounds in [windows(piece.quote)]
            for where, features in zip(
                bounds, window_features(question, piece, bounds), strict=True
            )
        ]
    )
    gone = [
        taken(extractor, question, read(item["question"], [source]))
        for source, item, question, _ in cases[::AGAIN]
    ]
    models["enough_zh"] = {"bias": 0.0}
    examples = [(q, evidence, True) for _, _, q, evidence in found]
    examples += [
        (q, each, False)
        for (_, _, q, _), each in zip(cases[::AGAIN], gone, strict=True)
        for _ in range(TIMES)
    ]
    models["enough_zh"] = logistic(
        [(features(q, evidence), gold) for q, evidence, gold in examples if evidence], rising=True
    )
    return models


def asked(item: dict[str, Any]) -> SubQuestion:
    """Return a labelled question as the planner makes it."""
    return SubQuestion.of(item["question"], kind=question_kind(item["question"]))


def spans(extractor: Extractor, question: SubQuestion, context: Context) -> Iterator[Any]:
    """Give the words of each span beside what judges it."""
    for span, both in extractor.judged(question, context):
        yield context.text[span.start : span.end], both


def features(question: SubQuestion, evidence: Any) -> dict[str, float]:
    """Return what tells whether evidence is enough."""
    return enough_features_zh(question, [each.item for each in together(question, evidence).picked])


def tells(item: dict[str, Any], text: str) -> bool:
    """Tell whether a sentence holds an answer, or is a part of a longer one."""
    bare = text.strip(" \n，,；;。！？!?：:、")
    return whole(item, text) or any(len(bare) > 8 and bare in a["text"] for a in item["answers"])


def whole(item: dict[str, Any], text: str) -> bool:
    """Tell whether a text holds an answer."""
    return any(answer["text"] in text for answer in item["answers"])


if __name__ == "__main__":
    fit_and_write("weights_zh.json", "Fit the weights for Chinese.", fit)
