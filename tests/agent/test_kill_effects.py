"""Killed at random moments while it forks and uses a tool with effects: nothing is done twice."""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import ragnb
from ragnb.agent.actions import UseTool
from ragnb.agent.outcomes import Refused, ToolDone

COMMON = """
import sys
from haystack import Document
from haystack.tools.tool import Tool
import ragnb
from ragnb.agent.actions import Approve, UseTool
from ragnb.agent.state import ToolCall

def send(to):
    with open(sys.argv[2], "a") as box:
        box.write(to + "\\n")
    return "sent to " + to

schema = {"type": "object", "properties": {"to": {"type": "string"}}}
tool = Tool(name="send", description="Send.", parameters=schema, function=send)
library = ragnb.Library.from_documents([Document(id="plan", content="We ship on Monday.")])
agent = ragnb.Agent(library, tools=[tool], budget=ragnb.Budget(steps=10**6, seconds=1e9))
"""
CHILD = (
    COMMON
    + """
loop = agent.start("When do we ship?", trace=sys.argv[1])
loop.step()
for number in range(10**6):
    call = ToolCall(id=f"call-{number}", name="send", arguments={"to": f"person {number}"})
    if number % 5 == 4:
        loop = loop.fork(f"fork {number}")
    loop.step(Approve(call=call, answer=True))
    step = loop.step(UseTool(call=call))
    print(step.entry.id, flush=True)
"""
)


@pytest.mark.parametrize("seed", range(6))
def test_no_effect_is_done_twice_and_unfinished_ones_are_told(tmp_path: Path, seed: int) -> None:
    path, outbox = tmp_path / "trace.jsonl", tmp_path / "outbox.txt"
    wait = random.Random(seed).uniform(0, 0.1)  # noqa: S311 - a reproducible choice, no secret
    command = [sys.executable, "-c", CHILD, str(path), str(outbox)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(wait)
        child.kill()
        said = (first + child.stdout.read()).split("\n")[:-1]
    assert said
    run = ragnb.load(path)
    assert set(said) <= set(run.trace.entries)
    done = [
        entry.action.call.id
        for entry in run.trace.entries.values()
        if isinstance(entry.action, UseTool) and isinstance(entry.outcome.value, ToolDone)
    ]
    sent = outbox.read_text().splitlines()
    assert max(Counter(sent).values()) == 1
    assert len(sent) - len(done) in {0, 1}
    if len(sent) > len(done):
        assert len(run.trace.intents) == 1
    assert len(run.trace.intents) <= 1


def test_resuming_does_not_repeat_an_effect_that_may_have_been_done(tmp_path: Path) -> None:
    path, outbox = tmp_path / "trace.jsonl", tmp_path / "outbox.txt"
    dying = (
        COMMON
        + """
import os
def send_and_die(to):
    send(to)
    os._exit(9)
tool.function = send_and_die
call = ToolCall(id="call-1", name="send", arguments={"to": "ops"})
loop = agent.start("When do we ship?", trace=sys.argv[1])
loop.step(Approve(call=call, answer=True))
loop.step(UseTool(call=call))
"""
    )
    again = (
        COMMON
        + """
call = ToolCall(id="call-1", name="send", arguments={"to": "ops"})
loop = ragnb.load(sys.argv[1]).resume(agent)
print(loop.step(UseTool(call=call)).entry.outcome.value.text)
print(*loop.trace.notes)
"""
    )
    died = subprocess.run(
        [sys.executable, "-c", dying, str(path), str(outbox)], check=False, capture_output=True
    )
    assert died.returncode == 9
    told = subprocess.run(
        [sys.executable, "-c", again, str(path), str(outbox)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("unknown whether send was done") == 2
    assert outbox.read_text() == "ops\n"
    last = ragnb.load(path).entries[-1]
    assert isinstance(last.outcome.value, Refused)
