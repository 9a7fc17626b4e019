"""Asks the forty labelled questions of the demo and prints one table by kind.

python tests/bench/demo.py [--policy evidence one_shot] [--misses]
"""

import argparse
import time
from collections import defaultdict

import ragnb


def judge(library: ragnb.Library, run: ragnb.Run, item: ragnb.demo.DemoQuestion) -> dict[str, bool]:
    """Return what holds of one run."""
    answer = run.answer
    if answer is None:
        raise SystemExit("a run ended without an answer")
    quotes = [g for claim in answer.conclusions for g in claim.groundings]
    shown = quotes + [g for doubt in answer.uncertainties for g in doubt.groundings]
    texts = {g.source_id: library.source(g.source_id).text for g in shown}
    cited = {g.source_id for g in shown}
    said = " ".join(g.quote for g in quotes)
    if item.kind in {"conflict", "hedged"}:  # both sides, and guesses, stand as uncertain
        said = " ".join(g.quote for g in shown)
    needed = [any(name in cited for name in (n.source, *n.instead)) for n in item.needed]
    return {
        "grounded": all(claim.groundings for claim in answer.conclusions),
        "verbatim": all(texts[g.source_id][g.start : g.end] == g.quote for g in shown),
        "sources": all(needed),
        "answer": all(text in said for text in item.answers) if item.answerable else not quotes,
    }


def main() -> None:
    """Print a row a kind, and what was missed."""
    parser = argparse.ArgumentParser(description="Ask the demo its labelled questions.")
    parser.add_argument("--policy", nargs="+", default=["evidence", "one_shot"])
    parser.add_argument("--misses", action="store_true", help="name the questions that failed")
    options = parser.parse_args()
    columns = ("grounded", "verbatim", "sources", "answer")
    with ragnb.demo.library() as library:
        for policy in options.policy:
            agent = ragnb.Agent(library, policy=policy)
            rows: dict[str, list[dict[str, bool]]] = defaultdict(list)
            seconds, calls, missed = [], [], []
            for item in ragnb.demo.questions():
                began = time.perf_counter()
                run = agent.ask(item.question)
                seconds.append(time.perf_counter() - began)
                calls.append(run.state.tool_calls)
                found = judge(library, run, item)
                rows[item.kind].append(found)
                if not found["answer"] or not found["sources"]:
                    missed.append(f"  {item.kind:<13}{run.answer.stop.code:<17}{item.question}")
            print(f"{policy:<14}{'n':>4}" + "".join(f"{name:>10}" for name in columns))
            every = [row for found_rows in rows.values() for row in found_rows]
            for kind, found_rows in [*rows.items(), ("all", every)]:
                shares = (sum(row[name] for row in found_rows) for name in columns)
                n = len(found_rows)
                print(f"{kind:<14}{n:>4}" + "".join(f"{share:>7}/{n:<2}" for share in shares))
            middle = sorted(seconds)[len(seconds) // 2]
            searches = sum(calls) / len(calls)
            print(f"median {middle * 1000:.0f} ms, {searches:.1f} searches a question")
            if options.misses:
                print("missed:", *missed, sep="\n")


if __name__ == "__main__":
    main()
