"""The whole table of quality without a model, in one command.

    RAGNB_DATA=<folder> python tests/bench/quality.py [part ...] [--sets NAME ...]
        [--sample N] [--seed S] [--variants NAME ...] [--sizes N ...]

Parts, all by default: ``retrieval`` (rankings alone), ``runs`` (whole runs: one_shot and evidence
with words alone, hybrid, all channels, one channel or the reranker left out), ``misses`` (at which
stage what is needed is lost, for the sets, the demo and the folders), ``demo`` and ``folders``
(labelled questions), ``evidence`` (supporting sentences, declining, conflicts, support, Chinese),
``hop`` (time and memory of the reference hop at growing sizes). ``--sample`` draws so many
questions of each set by the seed; 0 takes all. Every figure on a set has a bootstrap 95 % interval
in brackets; a difference is paired, question by question.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import folders
import quality_hop
import quality_misses
import quality_retrieval
import quality_runs

__all__ = ["main"]

SETS = ("hotpotqa", "2wikimultihopqa", "musique")


def retrieval(data: Path, options: argparse.Namespace) -> None:
    """Print the rankings of each set."""
    every = argparse.Namespace(
        sets=[*options.sets, *quality_retrieval.PLAIN],
        rankers=list(quality_retrieval.RANKERS),
        half="all",
        limit=None,
        sample=options.sample,
        seed=options.seed,
    )
    quality_retrieval.retrieval(every, data)


def other(script: str, *arguments: str) -> None:
    """Run another bench of this folder."""
    sys.stdout.flush()
    subprocess.run([sys.executable, Path(__file__).with_name(script), *arguments], check=True)


def evidence(data: Path, options: argparse.Namespace) -> None:
    """Print what evidence.py measures; of a sample the first questions."""
    del data
    limit = ["--limit", str(options.sample)] if options.sample else []
    other("evidence.py", *options.sets, "conflicts", "support", "chinese", *limit)


PARTS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "retrieval": retrieval,
    "runs": quality_runs.runs,
    "misses": quality_misses.misses,
    "demo": lambda _data, _options: other("demo.py"),
    "folders": lambda data, _options: folders.report(data, "evidence"),
    "evidence": evidence,
    "hop": quality_hop.hop,
}


def main() -> None:
    """Read the arguments and print each part."""
    parser = argparse.ArgumentParser(description="Measure quality without a model.")
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--sample", type=int, default=50, help="questions a set; 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    names = list(quality_runs.VARIANTS)
    parser.add_argument("--variants", nargs="+", choices=names, default=names)
    parser.add_argument("--sizes", nargs="+", type=int, default=list(quality_hop.SIZES))
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {sorted(unknown)}; there are {list(PARTS)}")
    data = os.environ.get("RAGNB_DATA")
    if not data:
        sys.exit("skipped: RAGNB_DATA names no folder")
    for part in options.parts or PARTS:
        print(f"\n## {part}", flush=True)
        PARTS[part](Path(data), options)


if __name__ == "__main__":
    main()
