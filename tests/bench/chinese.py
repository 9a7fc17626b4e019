"""Asks twenty Chinese questions on the demo's documents: how many are right, declined, wrong.

    python tests/bench/chinese.py [--show]

An answer is right if its conclusions quote the labelled words, or, where the source holds back, its
uncertainties do; wrong if it concludes without them.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import ragnb

__all__ = ["verdict"]


def verdict(item: dict[str, Any], run: ragnb.Run) -> str:
    """Return right, declined or wrong."""
    answer = run.answer
    if answer is None:
        return "failed"
    said = [g.quote for claim in answer.conclusions for g in claim.groundings]
    doubted = [g.quote for doubt in answer.uncertainties for g in doubt.groundings]
    if not item["answer"]:
        return "wrong" if said else "right"
    told = doubted if item.get("hedged") else said
    if any(item["answer"] in quote for quote in told):
        return "right"
    return "wrong" if said else "declined"


def main() -> None:
    """Print the count of each, and the answers if asked to."""
    parser = argparse.ArgumentParser(description="Ask the demo in Chinese.")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    text = Path(__file__).with_name("chinese_questions.json").read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    with ragnb.demo.library() as library:
        agent = ragnb.Agent(library)
        for item in json.loads(text):
            run = agent.ask(item["question"])
            found = verdict(item, run)
            counts[found] += 1
            if options.show or found != "right":
                print(found, run.answer, sep="\n", end="\n\n")
    print(dict(counts))


if __name__ == "__main__":
    main()
