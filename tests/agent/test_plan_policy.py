"""Plans on the demo library: hops, lists and comparisons; replans, tools, limits and replays."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack.tools.tool import Tool

import ragnb
from ragnb.agent.actions import Approve, Plan, Route
from ragnb.agent.plans import waves
from ragnb.errors import InputError
from ragnb.records import Budget

HOP = (
    "How late was the alarm in the incident because of which the board raised the limit for care "
    "agents?"
)
COMPARED = "How do CP-2 and CP-3 differ in the credit for a breach on the Assured plan?"
EACH = "For each incident, what was the cause?"
MISSING = "According to ADR-999, how long must a container be cooled before loading?"


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


@pytest.fixture(scope="module")
def agent(library: ragnb.Library) -> ragnb.Agent:
    return ragnb.Agent(library, policy="plan")


def _quotes(run: ragnb.Run) -> str:
    assert run.answer is not None
    return " ".join(g.quote for claim in run.answer.conclusions for g in claim.groundings)


def test_the_second_step_of_a_hop_searches_for_what_the_first_one_found(agent: ragnb.Agent) -> None:
    run = agent.ask(HOP)
    first, second = run.state.plan_steps
    assert "INC-4711" not in HOP
    assert "INC-4711" in first.found
    assert second.depends_on == (first.id,)
    assert "INC-4711" in second.arguments["query"]
    assert "INC-4711" in second.question
    assert "6 hours and 40 minutes late" in _quotes(run)


def test_a_step_is_done_for_each_item_of_the_list_that_another_one_gave(agent: ragnb.Agent) -> None:
    run = agent.ask(EACH)
    listed, template, *items = run.state.plan_steps
    names = [f"INC-{number}" for number in (4711, 4759, 4795, 4802)]
    assert listed.tool == "list_documents"
    assert list(listed.found) == names
    assert template.for_each == listed.id
    assert [item.id for item in items] == [f"{template.id}.{n}" for n in range(1, 5)]
    asked_for = [item.arguments.get("query", item.question) for item in items]  # or read again
    assert all(name in each for name, each in zip(names, asked_for, strict=True))
    assert len({name for name in run.state.visited if name.startswith("incident")}) == 4


def test_the_sides_of_a_comparison_are_independent_steps(agent: ragnb.Agent) -> None:
    run = agent.ask(COMPARED)
    first, second = run.state.plan_steps
    assert waves((first, second)) == {first.id: 1, second.id: 1}
    assert "CP-2" in first.arguments["query"]
    assert "CP-3" in second.arguments["query"]
    cited = {use.source_id for use in run.answer.sources if use.use == "cited"}  # type: ignore[union-attr]
    assert {"policy-credits.md", "policy-credits-2023.md"} <= cited
    assert run.state.tool_calls == 2


def test_a_plan_whose_document_is_missing_is_replanned_and_says_so(agent: ragnb.Agent) -> None:
    run = agent.ask(MISSING)
    assert run.state.replans == 1
    read, search = run.state.plan_steps
    assert (read.tool, read.status) == ("read", "failed")
    assert search.tool == "search"
    assert "ADR-999" not in search.question
    assert run.answer is not None
    assert any("ADR-999" in remark for remark in run.answer.remarks)
    for shown in (str(run.answer), str(run.answer.to_dict()), run.answer._repr_mimebundle_()):
        assert "No document called" in str(shown)
    assert run.answer.stop is not None
    assert run.answer.sources


def test_searches_of_a_plan_are_keywords_and_filters(agent: ragnb.Agent) -> None:
    run = agent.ask("What is the limit for care agents? status:current")
    (step,) = run.state.plan_steps
    assert step.arguments["filters"] == {"status": "current"}
    assert not {"what", "is", "the", "for", "?"} & set(step.arguments["query"].lower().split())
    assert run.state.asked[0].filters == {
        "field": "meta.status",
        "operator": "==",
        "value": "current",
    }


class Outbox:
    """What a tool really did."""

    def __init__(self) -> None:
        self.sent: list[dict[str, str]] = []

    def send(self, to: str, body: str) -> str:
        self.sent.append({"to": to, "body": body})
        return f"Sent to {to}."


def _mailing(library: ragnb.Library, outbox: Outbox, **more: Any) -> ragnb.Agent:
    fields = {"to": {"type": "string"}, "body": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "required": ["to", "body"]}
    mail = Tool(name="send_mail", description="Mail it.", parameters=schema, function=outbox.send)
    return ragnb.Agent(library, policy="plan", tools=[mail], **more)


ACTION = "Send a mail to ops@example.org with the incident because of which the limit was raised."


def test_an_action_waits_for_a_yes_and_without_one_is_not_done(library: ragnb.Library) -> None:
    outbox = Outbox()
    run = _mailing(library, outbox).ask(ACTION)
    assert run.state.route is not None
    assert run.state.route.kind == "action"
    assert outbox.sent == []
    assert any(isinstance(entry.action, Approve) for entry in run.entries)
    assert run.answer is not None
    assert any("No person allowed send_mail" in remark for remark in run.answer.remarks)
    assert run.answer.stop is not None


def test_an_action_is_done_once_with_what_was_found_before(library: ragnb.Library) -> None:
    outbox = Outbox()
    agent = _mailing(library, outbox, approve=lambda call: True)
    run = agent.ask(ACTION)
    assert [mail["to"] for mail in outbox.sent] == ["ops@example.org"]
    assert "INC-4711" in outbox.sent[0]["body"]
    assert run.state.plan_steps[-1].status == "done"


def test_a_tool_that_fails_is_told_and_ends_nothing(library: ragnb.Library) -> None:
    class Broken(Outbox):
        def send(self, to: str, body: str) -> str:
            raise OSError("the mail server hung up")

    run = _mailing(library, Broken(), approve=lambda call: True).ask(ACTION)
    assert run.answer is not None
    assert any("the mail server hung up" in remark for remark in run.answer.remarks)
    assert run.answer.stop is not None


@pytest.mark.parametrize("policy", ["plan", "routed"])
@pytest.mark.parametrize("goal", [HOP, COMPARED, MISSING])
def test_a_run_is_replayed_and_forked_with_no_call(
    library: ragnb.Library, policy: str, goal: str, tmp_path: Path
) -> None:
    agent = ragnb.Agent(library, policy=policy)
    loop = agent.start(goal)
    run = loop.run()
    run.save(tmp_path / "trace.jsonl")
    again = ragnb.load(tmp_path / "trace.jsonl")
    assert again.state == run.state
    assert again.answer == run.answer
    fork = loop.fork("again", at=0)
    assert fork.run().state.plan_steps == run.state.plan_steps
    tried_again = 0 if goal != MISSING else 2  # what failed is never given back
    assert fork.spent_now.calls == tried_again
    half = loop.fork("half", at=len(run.entries) // 2)
    half.edit(budget=Budget(rounds=9))
    assert half.run().answer == run.answer


def test_what_a_person_removes_is_planned_for_again(agent: ragnb.Agent) -> None:
    loop = agent.start("How often are temperature tags calibrated?")
    run = loop.run()
    source = run.answer.sources[0].source_id  # type: ignore[union-attr]
    loop.edit(exclude_sources=[source])
    assert "A person removed" in loop.state.replan
    later = loop.run()
    assert any(isinstance(e.action, Plan) and e.action.again for e in later.entries)
    assert later.answer is not None
    assert source not in {use.source_id for use in later.answer.sources}


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_plan_cut_off_by_its_budget_leaves_a_partial_answer(
    library: ragnb.Library, rounds: int
) -> None:
    agent = ragnb.Agent(library, policy="plan", budget=Budget(rounds=rounds))
    run = agent.ask(EACH)
    assert run.answer is not None
    assert run.answer.partial
    assert run.answer.stop is not None
    assert any(step.status in {"pending", "skipped"} for step in run.state.plan_steps)


def test_a_plan_is_cut_to_the_searches_that_are_left_and_says_so(library: ragnb.Library) -> None:
    agent = ragnb.Agent(library, policy="plan", budget=Budget(calls=3))
    run = agent.ask(EACH)
    assert run.state.tool_calls <= 3
    assert run.answer is not None
    assert run.answer.partial
    assert any("No search was left" in remark for remark in run.answer.remarks)


def test_a_plan_stopped_by_a_person_keeps_what_it_found(agent: ragnb.Agent) -> None:
    loop = agent.start(COMPARED)
    while not any(step.status == "done" for step in loop.state.plan_steps):
        loop.step()
    run = loop.stop()
    assert run.answer is not None
    assert run.answer.partial
    assert run.answer.conclusions
    assert run.answer.stop is not None
    assert run.answer.stop.code == "user"


def test_a_plan_goes_on_from_a_half_written_file(agent: ragnb.Agent, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    loop = agent.start(HOP, trace=path)
    while not loop.state.assessments:
        loop.step()
    loop.trace.close()
    path.write_bytes(path.read_bytes()[:-20])
    resumed = ragnb.load(path).resume(agent)
    assert resumed.state.plan_steps
    steps = resumed.run().state.plan_steps
    resumed.trace.close()
    assert steps == agent.ask(HOP).state.plan_steps


def test_a_person_picks_the_route_by_a_step_or_an_edit(library: ragnb.Library) -> None:
    agent = ragnb.Agent(library, policy="routed")
    by_hand = agent.start("How often are temperature tags calibrated?")
    by_hand.step(Route(to="plan"))
    assert by_hand.state.route is not None
    assert by_hand.state.route.policy == "plan"
    assert by_hand.run().state.plan_steps
    loop = agent.start("How often are temperature tags calibrated?")
    loop.step()
    assert loop.state.route is not None
    assert loop.state.route.policy == "one_shot"
    loop.edit(route="evidence")
    assert loop.state.route.reason == "A person chose it."
    assert loop.run().state.planned
    with pytest.raises(InputError, match="one_shot"):
        loop.edit(route="guess")


ROUTES = [
    ("Hello there!", "talk", "reply", 0),
    ("What can you do?", "talk", "reply", 0),
    ("你有哪些资料？", "talk", "reply", 0),
    ("How often are temperature tags calibrated?", "single", "one_shot", 1),
    ("告警推送失败后，订阅接口会重试多少次？", "single", "one_shot", 1),
    (COMPARED, "comparison", "plan", 2),
    ("Which recipe makes the fluffiest blueberry pancakes?", "outside", "one_shot", 1),
]


@pytest.mark.parametrize(("goal", "kind", "policy", "calls"), ROUTES)
def test_a_goal_is_gone_about_as_its_kind_needs(
    library: ragnb.Library, goal: str, kind: str, policy: str, calls: int
) -> None:
    run = ragnb.Agent(library, policy="routed").ask(goal)
    route = run.state.route
    assert route is not None
    assert (route.kind, route.policy) == (kind, policy)
    assert route.reason.endswith(".")
    assert run.state.tool_calls == calls
    assert run.answer is not None
    assert run.answer.stop is not None
    if policy == "reply":
        assert run.answer.text
        assert not run.answer.conclusions
    if kind == "outside":
        assert not run.answer.conclusions


def test_what_is_held_is_told_by_titles(library: ragnb.Library) -> None:
    run = ragnb.Agent(library, policy="routed").ask("What documents do you have?")
    assert run.answer is not None
    assert str(len(library.sources)) in run.answer.text
    assert library.sources[0].title in run.answer.text


def test_a_wrong_policy_is_answered_with_the_names_there_are(library: ragnb.Library) -> None:
    with pytest.raises(InputError) as told:
        ragnb.Agent(library, policy="guess")
    assert all(name in str(told.value) for name in ("evidence", "one_shot", "plan", "routed"))
