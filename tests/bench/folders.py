"""Asks the questions of folder_questions.json of the folders that RAGNB_DATA holds.

    RAGNB_DATA=... python tests/bench/folders.py [--written 2] [--show]

Each question was written from the documents and committed before it was asked for the first time:
those that say ``written: 1`` first, and ``written: 2`` later. Prints per question how many needed
strings stand in quotes of the conclusions and how many needed files are cited, and for those that
can't be answered whether the run declined.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ragnb
from ragnb.display import render
from ragnb.records import Grounding

__all__ = ["libraries", "main", "questions"]


def questions(written: int | None = None) -> list[dict[str, Any]]:
    """Return the questions, all or those of one writing."""
    items = json.loads(Path(__file__).with_name("folder_questions.json").read_text("utf-8"))
    return [item for item in items if written in {None, item["written"]}]


def libraries(data: Path, names: Iterable[str]) -> dict[str, ragnb.Library]:
    """Return a library of each folder by its name."""
    return {
        name: ragnb.Library.from_folder(data / "folders" / name / "files")
        for name in dict.fromkeys(names)
    }


def found(need: dict[str, Any], quotes: list[Grounding]) -> tuple[bool, bool]:
    """Tell of something needed whether its file is cited, and whether its string is quoted."""
    ways = [need, *need.get("instead", ())]
    cited = any(way["source"] == quote.source_id for way in ways for quote in quotes)
    told = any(
        way["source"] == quote.source_id and way["quote"] in quote.quote
        for way in ways
        for quote in quotes
    )
    return cited, told


def main() -> None:
    """Print one line a question and the totals."""
    parser = argparse.ArgumentParser(description="Ask questions of real folders.")
    parser.add_argument("--show", action="store_true", help="print the answers too")
    parser.add_argument("--policy", default="evidence")
    parser.add_argument("--written", type=int, choices=[1, 2], help="only those of one writing")
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data:
        sys.exit("skipped: RAGNB_DATA names no folder")
    items = questions(options.written)
    opened = libraries(Path(data), (item["folder"] for item in items))
    cited = quoted = needed = declined = false = unanswerable = 0
    for item in items:
        library = opened[item["folder"]]
        run = ragnb.Agent(library, policy=options.policy).ask(item["question"])
        answer = run.answer
        if answer is None or answer.stop is None:
            sys.exit("a run ended without an answer")
        quotes = [g for claim in answer.conclusions for g in claim.groundings]
        for quote in quotes:
            source = library.source(quote.source_id)
            if source.text[quote.start : quote.end] != quote.quote:
                sys.exit(f"a quote does not stand where it says: {quote}")
        judged = [found(need, quotes) for need in item["needed"]]
        needed += len(judged)
        cited += sum(file for file, _ in judged)
        quoted += sum(told for _, told in judged)
        if not item["needed"]:
            unanswerable += 1
            false += bool(quotes)
        declined += not quotes
        told = f"strings {sum(t for _, t in judged)}/{len(judged)}"
        verdict = f"{told}, files {sum(f for f, _ in judged)}/{len(judged)}"
        verdict = verdict if quotes else "declined"
        kind = item["kind"]
        print(f"{item['folder'][:10]:<11}{kind:<13}{verdict:<26}{item['question']}")
        if options.show:
            print(render(answer, "answer_text"), "\n")
    print(f"needed strings quoted {quoted} of {needed}, their files cited {cited} of {needed}")
    print(
        f"declined {declined} of {len(items)}; of {unanswerable} that the folder can't answer, "
        f"answered {false}"
    )


if __name__ == "__main__":
    main()
