"""The policy tool_calling without a model: proposals become actions, repetitions end, runs end."""

from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document, component
from haystack.tools import ComponentTool

import ragnb
from ragnb.agent.outcomes import Proposed, Refused
from ragnb.agent.policies import policy_named, policy_names
from ragnb.errors import InputError
from ragnb.stages import mail_tools, pure
from ragnb.stages.toolbox.spec import Proposal
from ragnb.views.diary import diary_text

WIDE = ragnb.Budget(steps=5000, rounds=500, seconds=600.0)


@component
class Fixed:
    """A chooser that proposes what it is told, round for round, and the last for ever."""

    def __init__(self, *rounds: list[Proposal]) -> None:
        self.rounds = rounds
        self.asked = 0
        self.offered: list[list[str]] = []

    @component.output_types(proposals=list)
    def run(
        self,
        goal: str,
        questions: list,
        tools: list,
        evidence: list,
        gaps: list,
        conflicts: list,
        pending: list,
        calls: list,
        status: str,
    ) -> dict[str, Any]:
        self.asked += 1
        self.offered.append([tool.name for tool in tools])
        return {"proposals": self.rounds[min(self.asked, len(self.rounds)) - 1]}


def _call(name: str, **arguments: Any) -> Proposal:
    return Proposal(name=name, arguments=arguments)


@pytest.fixture(scope="module")
def demo() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


def _agent(library: ragnb.Library, chooser: Any = None, **settings: Any) -> ragnb.Agent:
    stages = {"choose": chooser} if chooser is not None else {}
    return ragnb.Agent(library, policy="tool_calling", stages=stages, **settings)


def _kinds(run: ragnb.Run) -> list[str]:
    return [entry.action.kind for entry in run.entries]


def test_an_unknown_policy_is_answered_with_all_names() -> None:
    with pytest.raises(InputError, match="tool_calling"):
        policy_named("tools")
    assert {"evidence", "one_shot", "tool_calling"} <= set(policy_names())


def test_a_search_becomes_four_kinds_of_action_and_finish_the_answer(demo: ragnb.Library) -> None:
    run = _agent(demo).ask("Up to which amount may a care agent grant a credit alone?")
    kinds = _kinds(run)
    assert kinds[:4] == ["plan", "choose", "retrieve", "rerank"]
    assert kinds[-4:] == ["assess", "choose", "synthesize", "stop"]
    assert set(kinds[4:-4]) == {"read", "extract"}
    assert [(call.name, call.status) for call in run.state.calls] == [
        ("search", "done"),
        ("finish", "done"),
    ]
    assert run.answer is not None
    assert "1,500 EUR" in str(run.answer)
    assert run.state.tool_calls == 1
    assert "No model chooses tools here; rules stand in." in run.entries[1].outcome.notes
    assert "Rules proposed search (query: Up to which amount" in diary_text(run)


def test_a_sum_over_a_table_is_looked_up_and_quoted(demo: ragnb.Library) -> None:
    run = _agent(demo).ask("How many gateways do all depots have together?")
    assert run.answer is not None
    quote = run.answer.conclusions[0].groundings[0]
    assert quote.quote == "The sum of gateways in gateways-2025-06.csv is 133, over 3 of 3 rows."
    assert ragnb.measures(run)["quote_fidelity"] == 1.0
    assert {use.source_id for use in run.answer.sources} >= {quote.source_id}
    assert "retrieve" not in _kinds(run)


def test_a_row_of_a_table_is_found_where_a_search_alone_does_not(demo: ragnb.Library) -> None:
    run = _agent(demo).ask("How many gateways does the depot in Gdynia have in all?")
    assert run.answer is not None
    quote = run.answer.conclusions[0].groundings[0]
    text = demo.source("gateways-2025-06.csv").text
    assert quote.quote == text[quote.start : quote.end]
    assert quote.quote.startswith("Gdynia,34,")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("What is 15 % of 2,185 EUR?", "327.75"),
        (
            "What is the average freight charge on the Assured plan in the second quarter?",
            "2161.25",
        ),
        ("Which documents are deprecated?", "Interface: alarms, version 1 (polling)"),
    ],
)
def test_what_no_document_says_is_worked_out(goal: str, said: str, demo: ragnb.Library) -> None:
    answer = _agent(demo).ask(goal).answer
    assert answer is not None
    assert said in answer.conclusions[0].statement


def test_a_question_that_a_table_only_seems_to_answer_is_declined(demo: ragnb.Library) -> None:
    answer = _agent(demo).ask("Which company supplies the fuel for the generator in Gdynia?").answer
    assert answer is not None
    assert not answer.conclusions
    assert answer.sources


def test_three_to_five_tools_are_offered_by_what_the_goal_asks(demo: ragnb.Library) -> None:
    tools = mail_tools(lambda *_: None)
    goals = {
        "How long are raw temperature readings kept?": {"search", "finish"},
        "How many gateways do all depots have together?": {"query_table"},
        "Which documents are superseded?": {"query_metadata"},
        "What is 15 % of 2,185 EUR?": {"calculate"},
        "E-mail the limit for credits to ops@example.org": {"send_email", "draft_email"},
        "请把赔付规则发邮件给 ops@example.org": {"send_email"},
        "Draft an e-mail about the limit for credits": {"draft_email"},
    }
    for goal, wanted in goals.items():
        chooser = Fixed([_call("search", query=goal)], [_call("finish")])
        run = _agent(demo, chooser, tools=tools).ask(goal)
        for offered in chooser.offered:
            assert 3 <= len(offered) <= 5
            assert {"search", "finish"} <= set(offered)
        assert wanted <= set(chooser.offered[0]), goal
        assert "read" in chooser.offered[-1]
        assert ("send_email" in chooser.offered[0]) == ("send_email" in wanted), goal
        assert any(isinstance(entry.outcome.value, Proposed) for entry in run.entries)


def test_wrong_tools_and_arguments_come_back_as_errors_that_can_be_read(
    demo: ragnb.Library,
) -> None:
    chooser = Fixed(
        [_call("fly", to="Oslo"), _call("search", words="credit")],
        [_call("search", query="credit limit care agent")],
        [_call("finish")],
    )
    run = _agent(demo, chooser).ask("Up to which amount may a care agent grant a credit alone?")
    fly, wrong, search, _ = run.state.calls
    assert (fly.status, wrong.status, search.status) == ("invalid", "invalid", "done")
    assert fly.result.startswith("'fly' is not offered; offered are search, finish")
    assert "'query' is a required property" in wrong.result or "'words' was" in wrong.result
    assert run.answer is not None
    assert run.answer.conclusions


SUM = "What is the total of 2 + 2 gateways of all depots together?"
REPEATED = [
    (SUM, _call("search", query="credit limit of care agents")),
    (SUM, _call("read", id="policy-credits.md", scope="document")),
    (SUM, _call("query_table", table="gateways-2025-06.csv")),
    (SUM, _call("calculate", expression="2 + 2")),
    ("Which documents are there?", _call("list_documents", words="policy")),
]


@pytest.mark.parametrize(("goal", "proposal"), REPEATED, ids=[p.name for _, p in REPEATED])
def test_the_same_call_again_and_again_is_refused_and_ends_the_run(
    goal: str, proposal: Proposal, demo: ragnb.Library
) -> None:
    chooser = Fixed(*[[proposal]] * 1500)
    run = _agent(demo, chooser, budget=WIDE).ask(goal)
    refused = [e.outcome.value for e in run.entries if isinstance(e.outcome.value, Refused)]
    assert len(refused) == 2
    assert chooser.asked == 3
    assert run.state.stop is not None
    assert run.state.stop.code == "no_better_action"
    assert run.answer is not None
    first, *others = run.state.calls
    assert first.status == "done"
    assert {call.status for call in others} == {"refused"}
    if proposal.name != "search":
        assert refused[0].rule == "repeated"
        assert refused[0].like == first.id
        assert "with the same arguments before and gave: " in refused[0].text
    else:
        assert "asked before" in refused[0].text


def test_two_calls_in_turn_for_ever_end_too(demo: ragnb.Library) -> None:
    chooser = Fixed(*[[_call("search", query=q)] for q in ("credits", "tags calibrated")] * 700)
    run = _agent(demo, chooser, budget=WIDE).ask("How often are tags calibrated?")
    assert run.state.stop is not None
    assert run.state.stop.code == "no_better_action"
    assert chooser.asked <= 4


def test_nothing_but_misfits_ends_without_eating_the_budget(demo: ragnb.Library) -> None:
    chooser = Fixed(*[[_call("fly", to=str(n))] for n in range(1500)])
    run = _agent(demo, chooser, budget=WIDE).ask("How often are tags calibrated?")
    assert chooser.asked == 6
    assert run.state.stop is not None
    assert "could not be used" in run.state.stop.text
    assert run.answer is not None


def test_several_calls_of_one_reply_are_steps_of_one_round(demo: ragnb.Library) -> None:
    chooser = Fixed(
        [
            _call("finish"),
            _call("search", query="calibration of tags"),
            _call("read", id="policy-quality.pdf", scope="document"),
        ]
    )
    run = _agent(demo, chooser).ask("How often are temperature tags calibrated?")
    assert chooser.asked == 1
    assert run.state.round == 1
    assert _kinds(run).count("assess") == 1
    assert [call.status for call in run.state.calls] == ["done"] * 3


def test_a_users_search_of_the_web_is_used_where_the_library_has_nothing(
    demo: ragnb.Library,
) -> None:
    @component
    class Web:
        @component.output_types(documents=list[Document])
        def run(self, query: str) -> dict[str, Any]:
            text = "The revenue of Northlark Freight in 2024 was 41 million EUR."
            page = Document(content=text, meta={"url": "https://example.org", "title": "A page"})
            return {"documents": [page]}

    web = pure(ComponentTool(component=Web(), name="web_search", description="Searches the web."))
    run = _agent(demo, tools=[web]).ask("What was Northlark Freight's revenue in 2024?")
    assert run.answer is not None
    assert "web_search" in [call.name for call in run.state.calls]
    quote = run.answer.conclusions[0].groundings[0]
    assert quote.url == "https://example.org"
    assert "41 million" in quote.quote


def test_an_e_mail_waits_for_a_yes_and_is_sent_once(demo: ragnb.Library) -> None:
    sent: list[tuple[str, str, str]] = []
    tools = mail_tools(lambda *mail: sent.append(mail))
    goal = "How often are temperature tags calibrated? Send it by e-mail to ops@example.org."
    run = _agent(demo, tools=tools).ask(goal)
    assert sent == []
    call = next(call for call in run.state.calls if call.name == "send_email")
    assert (call.status, call.result) == ("refused", "A person said no to it.")
    asked: list[str] = []
    agent = _agent(demo, tools=tools, approve=lambda call: not asked.append(call.name))
    run = agent.ask(goal)
    assert asked == ["send_email"]
    assert len(sent) == 1
    assert sent[0][0] == "ops@example.org"
    assert "every 12 months" in sent[0][2]
    assert run.answer is not None


def test_a_tool_that_a_person_refused_is_not_offered_again(demo: ragnb.Library) -> None:
    mail = {"to": "a@example.org", "subject": "x", "body": "y"}
    bodies = [{**mail, "body": str(n)} for n in range(1500)]
    chooser = Fixed(*[[_call("send_email", **body)] for body in bodies])
    agent = _agent(demo, chooser, tools=mail_tools(lambda *_: None), budget=WIDE)
    run = agent.ask("Please send an e-mail to a@example.org")
    assert [call.status for call in run.state.calls][:2] == ["refused", "invalid"]
    assert "send_email" not in chooser.offered[1]
    assert chooser.asked < 10
