import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ragnb.agent.run import load
from ragnb.records import content_id

CHILD = """
import sys
from ragnb.agent.actions import Assess, Extract, Read, Retrieve
from ragnb.agent.loop import Loop
from ragnb.agent.outcomes import Assessed, Found, Hits, TextRead
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Scripted
from ragnb.agent.state import start
from ragnb.agent.trace import Trace
from ragnb.records import Answer, Budget, Context, Hit, Query, content_id


class Fast:
    def call(self, kind, given):
        match kind:
            case "retrieve":
                hit = Hit(chunk_id="s#0", source_id="s", rank=1, score=0.5)
                return Hits(hits=(hit,) * 20)
            case "read":
                text = given["id"] * 100
                context = Context(
                    id=given["id"], source_id="s", scope="window", start=0, end=len(text), text=text
                )
                return TextRead(context=context)
            case "extract":
                return Found(evidence=())
        return Assessed(verdict="insufficient")


begun = start("How long?", budget=Budget(rounds=10**6, steps=10**6, seconds=1e9))
question = begun.questions[0].id
actions = []
for n in range(5000):
    query = Query.of(f"word{n} term{n}", question)
    actions += [Retrieve(query=query), Read(id=f"c{n}")]
    actions += [Extract(question_id=question, context_id=f"c{n}"), Assess()]
performer = Performer(Fast(), lambda state: Answer(goal=state.goal))
loop = Loop(Trace(begun, sys.argv[1]), Scripted(actions=tuple(actions)), performer)
while True:
    step = loop.step()
    print(step.entry.id, content_id(step.after.searches[-1], step.after.spent), flush=True)
"""


@pytest.mark.parametrize("seed", range(8))
def test_every_step_that_was_said_to_be_done_outlives_a_kill(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "trace.jsonl"
    wait = random.Random(seed).uniform(0, 0.15)  # noqa: S311 - a reproducible choice, no secret
    command = [sys.executable, "-c", CHILD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(wait)
        child.kill()
        said = (first + child.stdout.read()).split("\n")[:-1]
    read = load(path)
    states = read.states
    assert said
    assert len(states) == len(read.entries) + 1
    for line in said:
        number, seen = line.split()
        after = states[int(number)]
        assert after.entries == int(number)
        assert content_id(after.searches[-1], after.spent) == seen
