"""Killed in the middle of a step: a run of each policy goes on from its file to the same answer."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ragnb
from ragnb.agent.calls import Stages
from ragnb.stages import mail_tools

CHILD = """
import sys
import ragnb
from ragnb.agent.calls import Stages
from ragnb.stages import mail_tools

path, policy, goal, at, outbox = sys.argv[1:]
begun = 0
call = Stages.call

def held(self, kind, given):
    global begun
    begun += 1
    if begun == int(at):
        print("held", flush=True)
        sys.stdin.read()
    return call(self, kind, given)

def send(to, subject, body):
    with open(outbox, "a") as box:
        box.write(to + chr(10))
    print("held", flush=True)
    sys.stdin.read()

Stages.call = held
with ragnb.demo.library() as library:
    tools = mail_tools(send)
    agent = ragnb.Agent(library, policy=policy, tools=tools, approve=lambda call: True)
    loop = agent.start(goal, trace=path)
    while loop.state.stop is None:
        print(loop.step().entry.id, flush=True)
print("not held", flush=True)
"""
GOAL = "How do CP-2 and CP-3 differ in the credit for a breach on the Assured plan?"
MAIL = "Send an e-mail to ops@example.org about the limit up to which care agents grant credit."
HELD = 7
"""The call of a stage in which the process is killed."""
POLICIES = ["plan", "routed", "tool_calling"]


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


def _agent(library: ragnb.Library, policy: str, sent: list[str]) -> ragnb.Agent:
    tools = mail_tools(lambda to, subject, body: sent.append(to))
    return ragnb.Agent(library, policy=policy, tools=tools, approve=lambda call: True)


def _killed(path: Path, policy: str, goal: str, at: int = 0) -> list[str]:
    """Run until the call of a stage is begun, or a mail is sent; kill there; return what was done.

    Args:
        path: Where the trace is written.
        policy: The policy.
        goal: The goal.
        at: Which call of a stage is held; 0 for none.
    """
    given = [str(path), policy, goal, str(at), str(path.with_suffix(".out"))]
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, *given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        said: list[str] = []
        while (line := child.stdout.readline().strip()) not in {"held", ""}:
            said.append(line)
        child.kill()
    assert line == "held"
    return said


@pytest.mark.parametrize("policy", POLICIES)
def test_a_run_killed_in_a_step_goes_on_to_the_same_answer(
    library: ragnb.Library, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trace.jsonl"
    said = _killed(path, policy, GOAL, HELD)
    cut = ragnb.load(path)
    assert [entry.id for entry in cut.entries] == said
    assert cut.answer is None
    agent = _agent(library, policy, [])
    whole = agent.ask(GOAL)

    made: list[str] = []
    call = Stages.call

    def counted(self: Stages, kind: str, given: Any) -> Any:
        made.append(kind)
        return call(self, kind, given)

    monkeypatch.setattr(Stages, "call", counted)
    loop = cut.resume(agent)
    run = loop.run()
    loop.trace.close()
    assert whole.answer is not None
    assert run.answer is not None
    assert run.answer.conclusions == whole.answer.conclusions
    assert run.answer.stop == whole.answer.stop
    assert [entry.action for entry in run.entries] == [entry.action for entry in whole.entries]
    assert len(made) + HELD - 1 == _calls(whole)
    assert ragnb.load(path).answer == run.answer


def _calls(run: ragnb.Run) -> int:
    """Count the steps that a stage carried out."""
    return sum(entry.action.kind not in {"stop", "approve"} for entry in run.entries)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_mail_that_may_have_gone_out_before_a_kill_is_not_sent_again(
    library: ragnb.Library, policy: str, tmp_path: Path
) -> None:
    path = tmp_path / "trace.jsonl"
    _killed(path, policy, MAIL)
    assert path.with_suffix(".out").read_text() == "ops@example.org\n"
    sent: list[str] = []
    loop = ragnb.load(path).resume(_agent(library, policy, sent))
    run = loop.run()
    loop.trace.close()
    assert sent == []
    assert run.answer is not None
    assert run.answer.stop is not None
    assert any("unknown whether send_email was done" in note for note in run.trace.notes)
