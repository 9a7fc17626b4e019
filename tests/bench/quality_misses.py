"""Where the misses are lost, by stage: for the sets, the demo and the folders.

By `ragnb.evaluate.attribution`: of the sets once for the sentences that are labelled as needed
(of MuSiQue the passages), once for the answer's string; of the demo and the folders for the spans
that their labels name, and for what can't be answered.
"""

import argparse
import sys
from pathlib import Path

import folders
from evidence import YES_NO
from evidence_sets import holds
from quality_retrieval import library_of, sampled

import ragnb
from ragnb.demo import questions as demo_questions
from ragnb.evaluate import Attribution, Need, attribution, attributions, needs_of
from ragnb.evaluate.datasets import multihop
from ragnb.evaluate.labelled import Question

__all__ = ["misses"]

POLICIES = ("one_shot", "evidence")


def misses(data: Path, options: argparse.Namespace) -> None:
    """Print a table for each set, for the demo and for the folders: a column a policy."""
    for name in options.sets:
        pool = multihop(data / "multihop" / name)
        texts = {each.id: each.text for each in pool.passages}
        spans: dict[str, list[Attribution]] = {policy: [] for policy in POLICIES}
        answers: dict[str, list[Attribution]] = {policy: [] for policy in POLICIES}
        with library_of(pool) as library:
            for policy in POLICIES:
                agent = ragnb.Agent(library, policy=policy)
                for question in sampled(pool.questions, options.sample, options.seed):
                    run = agent.ask(question.text)
                    spans[policy].append(
                        attribution(run, needs_of(question, pool), library=library)
                    )
                    if needed := answer_of(question, texts):
                        answers[policy].append(attribution(run, [needed], library=library))
        shown(f"{name}, what is labelled as needed", spans)
        shown(f"{name}, the answer's string", answers)
    with ragnb.demo.library() as library:
        shown("demo", {policy: of_demo(library, policy) for policy in POLICIES})
    shown("folders", {p: [each for _, each in folders.attributed(data, p)] for p in POLICIES})


def answer_of(question: Question, texts: dict[str, str]) -> Need | None:
    """Return the answer's string in whichever needed passages hold it; None for yes and no."""
    if not question.answers or question.answers[0].lower() in YES_NO:
        return None
    ways = [
        Need(source=name, quote=answer)
        for name in question.gold
        for answer in question.answers
        if holds(texts.get(name, ""), [answer])
    ]
    return (
        Need(source=ways[0].source, quote=ways[0].quote, instead=tuple(ways[1:])) if ways else None
    )


def of_demo(library: ragnb.Library, policy: str) -> list[Attribution]:
    """Ask the demo's questions."""
    agent = ragnb.Agent(library, policy=policy)
    return [
        attribution(
            agent.ask(item.question),
            needs_of(item),
            doubtful=item.kind in {"conflict", "hedged"},
            library=library,
        )
        for item in demo_questions()
    ]


def shown(head: str, found: dict[str, list[Attribution]]) -> None:
    """Print how many needs and, in brackets, how many runs were lost at each stage."""
    every = {policy: attributions(each) for policy, each in found.items()}
    print(f"\n{head}: needs (runs, by their earliest loss; of them called enough all the same)")
    names = [f"{policy}, {len(each.items)} runs" for policy, each in every.items()]
    print(f"{'':<20}" + "".join(f"{name:<24}" for name in names).rstrip())
    for counts in zip(*(each.stages() for each in every.values()), strict=True):
        cells = [f"{each.needs:>4} ({each.runs:>3}; {each.satisfied:>3})" for each in counts]
        print(f"{counts[0].stage:<20}" + "".join(f"{cell:<24}" for cell in cells).rstrip())
    sys.stdout.flush()
