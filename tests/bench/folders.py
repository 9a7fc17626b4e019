"""Asks the questions of folder_questions.json of the folders that RAGNB_DATA holds.

    RAGNB_DATA=... python tests/bench/folders.py [--show]

Prints per question whether each needed file is cited, whether each labelled string stands in a
quote of the conclusions, and for those that can't be answered whether the run declined.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import ragnb
from ragnb.display import render


def main() -> None:
    """Print one line a question and the totals."""
    parser = argparse.ArgumentParser(description="Ask questions of real folders.")
    parser.add_argument("--show", action="store_true", help="print the answers too")
    parser.add_argument("--policy", default="evidence")
    options = parser.parse_args()
    data = os.environ.get("RAGNB_DATA")
    if not data:
        sys.exit("skipped: RAGNB_DATA names no folder")
    items = json.loads(Path(__file__).with_name("folder_questions.json").read_text("utf-8"))
    libraries = {
        name: ragnb.Library.from_folder(Path(data) / "folders" / name / "files")
        for name in dict.fromkeys(item["folder"] for item in items)
    }
    cited = quoted = needed = declined = unanswerable = 0
    for item in items:
        library = libraries[item["folder"]]
        run = ragnb.Agent(library, policy=options.policy).ask(item["question"])
        answer = run.answer
        if answer is None or answer.stop is None:
            sys.exit("a run ended without an answer")
        quotes = [g for claim in answer.conclusions for g in claim.groundings]
        for quote in quotes:
            source = library.source(quote.source_id)
            if source.text[quote.start : quote.end] != quote.quote:
                sys.exit(f"a quote does not stand where it says: {quote}")
        sources = [name in {quote.source_id for quote in quotes} for name in item["needed"]]
        strings = [any(text in quote.quote for quote in quotes) for text in item["answers"]]
        needed += len(sources)
        cited += sum(sources)
        quoted += sum(strings)
        if not item["answerable"]:
            unanswerable += 1
            declined += not answer.conclusions
        verdict = "declined" if not answer.conclusions else f"files {sources}, strings {strings}"
        print(f"{item['folder'][:10]:<11}{verdict:<52}{answer.stop.code:<17}{item['question']}")
        if options.show:
            print(render(answer, "answer_text"), "\n")
    print(f"needed files cited {cited} of {needed}, labelled strings quoted {quoted} of {needed}")
    print(f"declined {declined} of {unanswerable} that the folder can't answer")


if __name__ == "__main__":
    main()
