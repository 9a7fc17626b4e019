"""Asks every policy the demo's forty labelled questions, without a model, and prints one table.

python tests/bench/policies.py [--policy tool_calling one_shot] [--misses] [--scripted]

With --scripted a second table stands beside it, of a scripted model that copies from what it is
given: plumbing, for it shows that replies come through, and nothing of what a model is worth.

grounded   conclusions that rest on a verbatim quote ÷ conclusions
answer     answerable questions whose labelled answer stands in the quotes ÷ answerable
declined   unanswerable questions without a conclusion ÷ unanswerable
calls      searches and uses of a tool a question: mean, and the most on a question of one part
steps      steps of the plan that were done ÷ steps of the plan (only where a policy plans steps)
redundant  refused and repeated queries and calls ÷ those proposed
loops      runs in which a refusal or a repetition happened twice ÷ runs
"""

import argparse
import runpy
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Any

from demo import judge

import ragnb
from ragnb.agent.actions import Retrieve, UseTool
from ragnb.agent.outcomes import Refused
from ragnb.agent.policies import policy_names
from ragnb.text import near_duplicate


@dataclass
class Tally:
    """What was counted for one policy."""

    grounded: list[bool] = field(default_factory=list)
    answers: list[bool] = field(default_factory=list)
    declines: list[bool] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    single: list[int] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    proposed: int = 0
    redundant: int = 0
    loops: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def repetitions(run: ragnb.Run) -> tuple[int, int]:
    """Return how many queries and calls were proposed, and how many repeated another."""
    asked: list[tuple[str, str, str]] = []
    again = 0
    for entry in run.entries:
        action = entry.action
        if isinstance(action, Retrieve):
            told = ("query", action.query.question_id, action.query.text)
        elif isinstance(action, UseTool):
            told = (action.call.name, "", repr(sorted(action.call.arguments.items())))
        else:
            continue
        same = any(
            old[:2] == told[:2]
            and (old[2] == told[2] or (told[0] == "query" and near_duplicate(old[2], told[2])))
            for old in asked
        )
        again += same or isinstance(entry.outcome.value, Refused)
        asked.append(told)
    return len(asked), again


def count(library: ragnb.Library, policy: str, llm: Any = None) -> Tally:
    """Ask all questions under one policy."""
    tally = Tally()
    agent = ragnb.Agent(library, policy=policy, llm=llm)
    for item in ragnb.demo.questions():
        began = time.perf_counter()
        run = agent.ask(item.question)
        tally.seconds.append(time.perf_counter() - began)
        found = judge(library, run, item)
        (tally.answers if item.answerable else tally.declines).append(found["answer"])
        tally.grounded.append(found["grounded"] and found["verbatim"])
        tally.calls.append(run.state.tool_calls)
        if len(run.state.questions) == 1:
            tally.single.append(run.state.tool_calls)
        if steps := run.state.plan_steps:
            tally.steps.append(mean(step.status == "done" for step in steps))
        proposed, again = repetitions(run)
        tally.proposed += proposed
        tally.redundant += again
        tally.loops.append(again > 1)
        if not found["answer"]:
            tally.missed.append(f"  {item.kind:<13}{run.state.stop.code:<17}{item.question}")
    return tally


def main() -> None:
    """Print a row a policy."""
    parser = argparse.ArgumentParser(description="Ask all policies the demo's questions.")
    parser.add_argument("--policy", nargs="+", default=list(policy_names()))
    parser.add_argument("--misses", action="store_true", help="name the questions that failed")
    parser.add_argument("--scripted", action="store_true", help="with a scripted model too")
    options = parser.parse_args()
    with ragnb.demo.library() as library:
        _table(library, options)
        if options.scripted:
            print("\nplumbing: a scripted model that copies from what it is given")
            tests = Path(__file__).parents[1]
            replies = runpy.run_path(str(tests / "llm" / "conftest.py"))["scripted"]
            _table(library, options, ragnb.ScriptedGenerator(replies))


def _table(library: ragnb.Library, options: argparse.Namespace, llm: Any = None) -> None:
    print(
        f"{'policy':<14}{'grounded':>10}{'answer':>9}{'declined':>10}{'calls':>7}"
        f"{'most, single':>14}{'steps':>7}{'redundant':>11}{'loops':>8}{'median':>9}"
    )
    for policy in options.policy:
        t = count(library, policy, llm)
        steps = f"{mean(t.steps):.2f}" if t.steps else "-"
        print(
            f"{policy:<14}{mean(t.grounded):>10.2f}"
            f"{f'{sum(t.answers)}/{len(t.answers)}':>9}"
            f"{f'{sum(t.declines)}/{len(t.declines)}':>10}"
            f"{mean(t.calls):>7.1f}{max(t.single):>14}{steps:>7}"
            f"{t.redundant / max(1, t.proposed):>11.3f}{mean(t.loops):>8.3f}"
            f"{1000 * median(t.seconds):>6.0f} ms"
        )
        if options.misses:
            print(*t.missed, sep="\n")


if __name__ == "__main__":
    main()
