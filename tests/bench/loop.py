"""What a step costs when its work costs nothing, here and in other frameworks.

    python tests/bench/loop.py [--steps 200] [--repeats 5] [--peers none]

All contenders run in this process, in turn, and each one's fastest repeat counts. Times are only
comparable within one printed table.
"""

import argparse
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loop_peers import Contenders, installed_peers

from ragnb.agent.actions import Action, Assess, Extract, Read, Rerank, Retrieve
from ragnb.agent.calls import STAGE_OF
from ragnb.agent.loop import Loop
from ragnb.agent.outcomes import Assessed, Found, Hits, Ranked, TextRead, Value
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Scripted
from ragnb.agent.recording import Fingerprints
from ragnb.agent.reusing import Recorder
from ragnb.agent.run import load
from ragnb.agent.state import start
from ragnb.agent.trace import Trace
from ragnb.records import Answer, Budget, Context, Evidence, Hit, Query, SubQuestion

__all__ = ["main"]

GOAL = "How long are exports kept?"
ENDLESS = Budget(rounds=10**6, steps=10**6, seconds=1e9)
WORDS = ["export", "limit", "plan", "incident", "review", "rotation", "pager", "policy"]
FORKS = 5
"""Forks at one place at least; their median counts."""
RUNS = itertools.count()
"""Numbers runs, so that no run finds the words of an earlier one in a cache."""


class Canned:
    """Stages that give at once what was made before: nothing, or 20 hits and long texts."""

    def __init__(self, steps: int, *, real: bool) -> None:
        self.real = real
        self.question = SubQuestion.of(GOAL)
        self.actions: list[Action] = []
        self.outcomes: list[Value] = []
        run = next(RUNS)
        for number in range(-(-steps // 5)):
            self._turn(number, run)

    def _turn(self, number: int, run: int) -> None:
        """Make one turn of five actions, with a query that was not asked before."""
        words = " ".join(f"{word}{run}x{number}" for word in WORDS[:3])
        query = Query.of(words, self.question.id)
        hits = tuple(_hit(number, rank) for rank in range(1, 21)) if self.real else ()
        text = " ".join(f"{WORDS[(number + n) % 8]} {number * n}" for n in range(60))[:400]
        context = Context(
            id=f"c{number}",
            source_id=f"s{number}",
            scope="window",
            start=0,
            end=len(text),
            text=text,
        )
        self.actions += [
            Retrieve(query=query),
            Rerank(query_id=query.id),
            Read(id=f"s{number}#0"),
            Extract(question_id=self.question.id, context_id=context.id),
            Assess(),
        ]
        evidence = (_evidence(context, self.question.id),) if self.real else ()
        self.outcomes += [
            Hits(hits=hits),
            Ranked(hits=hits[:5]),
            TextRead(context=context),
            Found(evidence=evidence),
            Assessed(verdict="insufficient"),
        ]
        self._next = 0

    def call(self, kind: str, given: Mapping[str, Any]) -> Value:
        """Return the next outcome."""
        self._next += 1
        return self.outcomes[self._next - 1]


def _hit(number: int, rank: int) -> Hit:
    source = f"guide/{WORDS[rank % 8]}-{(number * 7 + rank) % 60}.md"
    return Hit(
        chunk_id=f"{source}#{rank}",
        source_id=source,
        title=f"The {WORDS[rank % 8]} guide",
        section="Limits",
        start=rank * 400,
        end=rank * 400 + 400,
        rank=rank,
        score=1 / (60 + rank),
        fused_rank=rank,
        ranks=(("bm25", rank, 12.5 / rank), ("vector", rank, 0.8 / rank)),
    )


def _evidence(context: Context, question_id: str) -> Evidence:
    return Evidence(
        id=f"e{context.id}",
        question_id=question_id,
        quote=context.text[:120],
        verified=True,
        source_id=context.source_id,
        chunk_id=f"{context.source_id}#0",
        context_id=context.id,
        start=0,
        end=120,
    )


class Idle:
    """A component that is described, so that outcomes are recorded as those of a real one."""

    def to_dict(self) -> dict[str, Any]:
        """Return what Haystack's components return."""
        return {"type": "bench.Idle", "init_parameters": {}}


def ragnb_run(steps: int, *, path: Path | None = None, real: bool = False) -> tuple[float, Loop]:
    """Return the seconds that a run takes, and its loop.

    With a path there are a time-out thread, a trace on disk and keys to reuse outcomes by, as in
    the loop of an agent; without one there is nothing but the loop.
    """
    canned = Canned(steps, real=real)
    performer = Performer(canned, lambda state: Answer(goal=state.goal), threaded=path is not None)
    policy = Scripted(actions=tuple(canned.actions))
    trace = Trace(start(GOAL, budget=ENDLESS), path)
    stages = dict.fromkeys(STAGE_OF.values(), Idle())
    recorder = Recorder(Fingerprints(stages, None), trace) if path is not None else None
    loop = Loop(trace, policy, performer, recorder=recorder)
    began = time.perf_counter()
    for _ in range(steps):
        loop.step()
    taken = time.perf_counter() - began
    loop.trace.close()
    return taken, loop


def ours(folder: Path) -> Contenders:
    """Return ragnb, as a bare loop and with all that a real run has."""
    numbers = itertools.count()

    def whole(steps: int, *, real: bool) -> float:
        path = folder / f"{next(numbers)}.jsonl"
        return ragnb_run(steps, path=path, real=real)[0]

    return {
        "ragnb, inline, trace in memory": lambda steps: ragnb_run(steps)[0],
        "ragnb, time-out thread, trace on disk, recording": lambda steps: whole(steps, real=False),
        "ragnb, the same with 20 hits and long texts": lambda steps: whole(steps, real=True),
    }


def timed_in_turn(taking: Contenders, steps: int, repeats: int) -> dict[str, list[float]]:
    """Return each contender's microseconds a step, one a repeat; all take turns."""
    found: dict[str, list[float]] = {name: [] for name in taking}
    for _ in range(repeats):
        for name, run in taking.items():
            found[name].append(run(steps) / steps * 1e6)
    return found


def trace_figures(folder: Path, steps: int, repeats: int) -> str:
    """Return how large a realistic trace is, and how long it takes to open."""
    path = folder / "real.jsonl"
    _, loop = ragnb_run(steps, path=path, real=True)
    states, times = list(loop.states), []
    for _ in range(repeats):
        began = time.perf_counter()
        read = load(path).states
        times.append(time.perf_counter() - began)
        if read != states:
            raise RuntimeError("The trace that was read back folds to other states.")
    size = path.stat().st_size / 1e6
    return f"trace: {steps} steps, {size:.2f} MB; loaded and folded in {min(times) * 1e3:.1f} ms"


def fork_figures(steps: int, repeats: int) -> str:
    """Return how long a fork takes at the start, in the middle and at the end of a run."""
    _, loop = ragnb_run(steps)
    places, times = (0, steps // 2, steps), []
    for at in places:
        taken = []
        for number in range(max(repeats, FORKS)):
            began = time.perf_counter()
            loop.fork(f"{at}, {number}", at=at)
            taken.append(time.perf_counter() - began)
        times.append(f"{statistics.median(taken) * 1e3:.3f} ms at {at}")
    return f"fork, trace in memory, up to its first new step: {', '.join(times)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200, help="steps of a run")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each contender")
    parser.add_argument("--peers", choices=["all", "none"], default="all")
    args = parser.parse_args()
    os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "false")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        peers, absent = installed_peers(folder / "peers") if args.peers == "all" else ({}, [])
        taking = ours(folder) | peers
        found = timed_in_turn(taking, args.steps, args.repeats)
        lines = [f"{'µs a step':>9}  {'median':>7}  {args.steps} steps, {args.repeats} repeats"]
        for name, each in found.items():
            lines.append(f"{min(each):9.1f}  {statistics.median(each):7.1f}  {name}")
        lines.append(trace_figures(folder, args.steps, args.repeats))
        lines += [fork_figures(args.steps, args.repeats), *absent]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
