"""Tools: pure ones are used freely and reused, those with effects once an approval, never twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack import Document
from haystack.tools.tool import Tool

import ragnb
from ragnb.agent.actions import Approve, Extract, UseTool
from ragnb.agent.outcomes import Failed, Refused, ToolDone
from ragnb.agent.policies import Scripted
from ragnb.agent.state import ToolCall
from ragnb.stages import pure

SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
MAIL = ToolCall(id="call-1", name="send_mail", arguments={"to": "ops@example.org"})
LOOK = ToolCall(id="call-2", name="look_up", arguments={"to": "plan"})


class Outbox:
    """What a tool with effects really did."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.broken = False

    def send(self, to: str) -> str:
        self.sent.append(to)
        if self.broken:
            raise OSError("the mail server hung up")
        return f"sent to {to}"

    def look(self, to: str) -> dict[str, Any]:
        self.sent.append(f"looked {to}")
        return {"documents": [Document(content=f"All about {to}.", meta={"title": to})]}


@pytest.fixture
def outbox() -> Outbox:
    return Outbox()


@pytest.fixture
def agent(outbox: Outbox) -> Iterator[ragnb.Agent]:
    mail = Tool(name="send_mail", description="Send.", parameters=SCHEMA, function=outbox.send)
    look = Tool(name="look_up", description="Look.", parameters=SCHEMA, function=outbox.look)
    document = Document(id="plan", content="The plan is to ship on Monday.")
    with ragnb.Library.from_documents([document]) as library:
        yield ragnb.Agent(library, tools=[mail, pure(look)])


def test_a_tool_with_effects_is_refused_without_a_yes(agent: ragnb.Agent, outbox: Outbox) -> None:
    loop = agent.start("When do we ship?")
    assert isinstance(loop.step(UseTool(call=MAIL)).entry.outcome.value, Refused)
    loop.step(Approve(call=MAIL))
    assert isinstance(loop.step(UseTool(call=MAIL)).entry.outcome.value, Refused)
    assert outbox.sent == []


def test_a_call_that_claims_to_be_pure_is_not_believed(agent: ragnb.Agent, outbox: Outbox) -> None:
    loop = agent.start("When do we ship?")
    claimed = ToolCall(id="call-1", name="send_mail", arguments=MAIL.arguments, effects=False)
    assert isinstance(loop.step(UseTool(call=claimed)).entry.outcome.value, Refused)
    assert outbox.sent == []


def test_one_approval_covers_one_execution(agent: ragnb.Agent, outbox: Outbox) -> None:
    loop = agent.start("When do we ship?")
    loop.step(Approve(call=MAIL, answer=True))
    done = loop.step(UseTool(call=MAIL)).entry.outcome.value
    assert done == ToolDone(result="sent to ops@example.org")
    assert isinstance(loop.step(UseTool(call=MAIL)).entry.outcome.value, Refused)
    assert outbox.sent == ["ops@example.org"]


def test_rewinding_and_doing_it_again_follows_what_was_done(
    agent: ragnb.Agent, outbox: Outbox
) -> None:
    loop = agent.start("When do we ship?")
    loop.step(Approve(call=MAIL, answer=True))
    loop.step(UseTool(call=MAIL))
    loop.rewind(1).step(UseTool(call=MAIL))
    assert outbox.sent == ["ops@example.org"]
    assert len(loop.trace.entries) == 2


def test_an_approval_used_on_another_branch_is_used_up(agent: ragnb.Agent, outbox: Outbox) -> None:
    loop = agent.start("When do we ship?")
    loop.step(Approve(call=MAIL, answer=True))
    fork = loop.fork("other", at=1)
    fork.step(UseTool(call=LOOK))
    loop.step(UseTool(call=MAIL))
    refused = fork.step(UseTool(call=MAIL)).entry.outcome.value
    assert isinstance(refused, Refused)
    assert "main" in refused.text
    fork.step(Approve(call=MAIL, answer=True))
    fork.step(UseTool(call=MAIL))
    assert outbox.sent == ["looked plan", "ops@example.org", "ops@example.org"]


def test_a_failing_tool_with_effects_is_not_tried_again(agent: ragnb.Agent, outbox: Outbox) -> None:
    outbox.broken = True
    loop = agent.start("When do we ship?")
    loop.step(Approve(call=MAIL, answer=True))
    failed = loop.step(UseTool(call=MAIL)).entry.outcome.value
    assert isinstance(failed, Failed)
    assert "hung up" in failed.text
    assert isinstance(loop.step(UseTool(call=MAIL)).entry.outcome.value, Refused)
    assert len(outbox.sent) == 1


def test_a_pure_tool_is_used_without_asking_and_brings_documents(
    agent: ragnb.Agent, outbox: Outbox
) -> None:
    loop = agent.start("When do we ship?")
    step = loop.step(UseTool(call=LOOK))
    assert step.after.contexts[0].text == "All about plan."
    assert step.after.tool_calls == 1
    fork = loop.fork("again", at=0)
    fork.edit(recalled=["ship early"])
    assert fork.step(UseTool(call=LOOK)).entry.reused
    assert outbox.sent == ["looked plan"]


def test_approve_is_asked_when_a_policy_wants_to_act(agent: ragnb.Agent, outbox: Outbox) -> None:
    asked: list[ToolCall] = []

    def approve(call: ToolCall) -> bool:
        asked.append(call)
        return True

    agent.approve = approve
    agent.policy = Scripted(actions=(Approve(call=MAIL), UseTool(call=MAIL)))
    agent.ask("When do we ship?")
    assert [call.name for call in asked] == ["send_mail"]
    assert outbox.sent == ["ops@example.org"]
    agent.approve = None
    agent.ask("When do we ship?")
    assert outbox.sent == ["ops@example.org"]


def test_a_call_cut_off_in_the_middle_is_told_and_not_repeated(
    agent: ragnb.Agent, outbox: Outbox, tmp_path: Path
) -> None:
    path = tmp_path / "trace.jsonl"
    loop = agent.start("When do we ship?", trace=path)
    loop.step(Approve(call=MAIL, answer=True))
    loop.trace.intend(UseTool(call=MAIL))  # and here the process was killed
    loop.trace.close()
    again = ragnb.load(path).resume(agent)
    refused = again.step(UseTool(call=MAIL)).entry.outcome.value
    assert isinstance(refused, Refused)
    assert "unknown whether send_mail" in refused.text
    assert any("send_mail" in note for note in again.trace.notes)
    assert outbox.sent == []
    again.trace.close()


def test_an_unknown_tool_says_which_there_are(agent: ragnb.Agent) -> None:
    loop = agent.start("When do we ship?")
    call = ToolCall(id="x", name="fly")
    loop.step(Approve(call=call, answer=True))
    failed = loop.step(UseTool(call=call)).entry.outcome.value
    assert isinstance(failed, Failed)
    assert "look_up" in failed.text


def test_what_the_librarys_tools_give_can_be_quoted(agent: ragnb.Agent) -> None:
    rows = Document(id="halls.csv", content="hall,pallets\nA,12\nB,30\n")
    with ragnb.Library.from_documents([rows]) as library:
        loop = ragnb.Agent(library).start("How many pallets are in all halls together?")
        add = {
            "table": "halls.csv",
            "aggregate": [{"function": "sum", "column": "pallets"}],
        }
        table = ToolCall(id="t", name="query_table", arguments=add)
        worked_out, whole = loop.step(UseTool(call=table)).after.contexts
        assert worked_out.text == "The sum of pallets in halls.csv is 42, over 2 of 2 rows."
        assert whole.text == library.source("halls.csv").text.rstrip()
        question = loop.state.questions[0].id
        found = loop.step(Extract(question_id=question, context_id=worked_out.id)).after.evidence
        assert found[0].verified
        assert "is 42" in found[0].quote
        documents = loop.step(
            UseTool(call=ToolCall(id="s", name="search", arguments={"query": "hall B"}))
        ).after
        assert {context.source_id for context in documents.contexts} >= {"halls.csv"}
        wrong = loop.step(UseTool(call=ToolCall(id="w", name="query_table", arguments={})))
        assert isinstance(wrong.entry.outcome.value, Failed)
        assert "'table' is a required property" in wrong.entry.outcome.value.text
