"""Asks the questions of folder_questions.json of the folders that RAGNB_DATA holds.

    RAGNB_DATA=... python tests/bench/folders.py [--written 2] [--policy NAME] [--show]

Each question was written from the documents and committed before it was asked for the first time:
those that say ``written: 1`` first, and ``written: 2`` later. Prints per question how many needed
strings stand in quotes of the conclusions, how many needed files are cited, and the stage at which
the first of the others was lost; for those that can't be answered whether the run declined.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ragnb
from ragnb.display import render
from ragnb.evaluate import Attribution, Need, attribution

__all__ = ["attributed", "main", "questions", "report"]


def questions(written: int | None = None) -> list[dict[str, Any]]:
    """Return the questions, all or those of one writing."""
    items = json.loads(Path(__file__).with_name("folder_questions.json").read_text("utf-8"))
    return [item for item in items if written in {None, item["written"]}]


def need(item: dict[str, Any]) -> Need:
    """Return what a label names."""
    return Need(
        source=item["source"],
        quote=item["quote"],
        instead=tuple(need(each) for each in item.get("instead", ())),
    )


def asked(
    data: Path, policy: str, written: int | None
) -> Iterator[tuple[dict[str, Any], ragnb.Run, Attribution]]:
    """Ask each question of its folder, and check that every quote stands where it says."""
    libraries: dict[str, ragnb.Library] = {}
    for item in questions(written):
        name = item["folder"]
        if name not in libraries:
            libraries[name] = ragnb.Library.from_folder(data / "folders" / name / "files")
        library = libraries[name]
        run = ragnb.Agent(library, policy=policy).ask(item["question"])
        if run.answer is None or run.answer.stop is None:
            sys.exit("a run ended without an answer")
        for quote in (g for claim in run.answer.conclusions for g in claim.groundings):
            text = library.source(quote.source_id).text
            if text[quote.start : quote.end] != quote.quote:
                sys.exit(f"a quote does not stand where it says: {quote}")
        needs = [need(each) for each in item["needed"]]
        doubtful = item["kind"] == "conflict"
        yield item, run, attribution(run, needs, doubtful=doubtful, library=library)


def attributed(data: Path, policy: str) -> Iterator[tuple[dict[str, Any], Attribution]]:
    """Tell of each question where what it needs was lost."""
    for item, _, found in asked(data, policy, None):
        yield item, found


def report(data: Path, policy: str, *, written: int | None = None, show: bool = False) -> None:
    """Print one line a question and the totals."""
    cited = quoted = needed = declined = false = unanswerable = total = 0
    for item, run, found in asked(data, policy, written):
        answer = run.answer
        claims = answer.conclusions if answer else ()
        sources = {g.source_id for claim in claims for g in claim.groundings}
        files = sum(any(w.source in sources for w in f.need.ways) for f in found.fates)
        kept = len(found.fates) - len(found.lost)
        needed += len(found.fates)
        cited += files
        quoted += kept
        total += 1
        unanswerable += not found.fates
        false += not found.fates and found.answered
        declined += not found.answered
        how = f"strings {kept}/{len(found.fates)}, files {files}/{len(found.fates)}"
        verdict = how if found.answered else "declined"
        lost = "" if found.stage == "kept" else found.stage
        head = f"{item['folder'][:10]:<11}{item['kind']:<13}{verdict:<26}{lost:<18}"
        print(f"{head}{item['question']}", flush=True)
        if show:
            print(render(found, "attribution_text"))
            print(render(answer, "answer_text"), "\n")
    print(f"needed strings quoted {quoted} of {needed}, their files cited {cited} of {needed}")
    print(
        f"declined {declined} of {total}; of {unanswerable} that the folder can't answer, "
        f"answered {false}"
    )


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description="Ask questions of real folders.")
    parser.add_argument("--show", action="store_true", help="print the answers too")
    parser.add_argument("--policy", default="evidence")
    parser.add_argument("--written", type=int, choices=[1, 2], help="only those of one writing")
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data:
        sys.exit("skipped: RAGNB_DATA names no folder")
    report(Path(data), options.policy, written=options.written, show=options.show)


if __name__ == "__main__":
    main()
