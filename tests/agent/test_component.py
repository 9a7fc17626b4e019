"""The agent as one Haystack component: alone, written down, and in a Pipeline beside others."""

import json
from pathlib import Path
from typing import Any

import pytest
from haystack import Document, GeneratedAnswer, Pipeline, component
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.core.errors import DeserializationError
from haystack.utils import Secret

import ragnb
from ragnb.agent.policies import PlanPolicy, RoutedPolicy, policy_named, policy_names
from ragnb.errors import InputError, LibraryError

TEA = [
    Document(id="green", content="Green tea is steamed for 45 seconds.", meta={"title": "Green"}),
    Document(id="black", content="Black tea is left to wither.", meta={"title": "Black"}),
]
QUESTION = "How long is green tea steamed?"


@component
class Counter:
    @component.output_types(count=int)
    def run(self, answers: list[GeneratedAnswer], documents: list[Document]) -> dict[str, int]:
        return {"count": len(answers) + len(documents)}


@pytest.fixture
def index(tmp_path: Path) -> Path:
    place = tmp_path / "tea.ragnb"
    ragnb.Library.from_documents(TEA, index=place).close()
    return place


def test_a_query_gives_an_answer_and_the_documents_it_cites(index: Path) -> None:
    agent = ragnb.RagnbAgent(index)
    found = agent.run(QUESTION)
    answer = found["answers"][0]
    assert "45 seconds" in answer.data
    assert answer.data.endswith("[1]")
    assert answer.query == QUESTION
    assert answer.documents == found["documents"]
    assert found["documents"][0].meta["source_id"] == "green"
    quote = answer.meta["conclusions"][0]["groundings"][0]["quote"]
    assert quote in found["documents"][0].content
    assert answer.meta["stop_reason"]["code"]
    agent.close()


def test_documents_stand_in_the_order_of_the_numbers_of_their_quotes(index: Path) -> None:
    agent = ragnb.RagnbAgent(index)
    found = agent.run("How long is green tea steamed, and what is black tea left to do?")
    agent.close()
    cited = [
        (grounding["n"], grounding["chunk"])
        for claim in found["answers"][0].meta["conclusions"]
        for grounding in claim["groundings"]
    ]
    order = list(dict.fromkeys(chunk for _, chunk in sorted(cited)))
    assert len(order) == 2
    assert [document.id for document in found["documents"]] == order


def test_what_can_not_be_answered_cites_nothing(index: Path) -> None:
    agent = ragnb.RagnbAgent(index, budget=ragnb.Budget(rounds=2))
    found = agent.run("Which insurer covers the ships of Zebra Motors?")
    assert found["documents"] == []
    assert found["answers"][0].meta["open_questions"]
    assert "No conclusion" in found["answers"][0].data
    agent.close()


def test_it_works_in_a_pipeline_beside_others_and_is_written_down_with_it(index: Path) -> None:
    pipeline = Pipeline()
    budget = ragnb.Budget(rounds=3)
    pipeline.add_component("agent", ragnb.RagnbAgent(index, policy="one_shot", budget=budget))
    pipeline.add_component("counter", Counter())
    pipeline.connect("agent.answers", "counter.answers")
    pipeline.connect("agent.documents", "counter.documents")
    first = pipeline.run({"agent": {"query": QUESTION}})["counter"]["count"]
    assert first >= 2
    again = Pipeline.loads(pipeline.dumps(), unsafe=True)
    assert again.run({"agent": {"query": QUESTION}})["counter"]["count"] == first
    agent: Any = again.get_component("agent")
    assert (agent.policy, agent.budget) == ("one_shot", budget)


def test_an_open_library_is_written_down_by_its_folder(index: Path) -> None:
    policy = ragnb.EvidencePolicy(read=2)
    with ragnb.Library.open(index) as library:
        agent = ragnb.RagnbAgent(library, policy=policy)
        expected = agent.run(QUESTION)["answers"][0].data
        data = agent.to_dict()
    assert data["init_parameters"]["library"] == str(index.resolve())
    again = ragnb.RagnbAgent.from_dict(data)
    assert again.policy == policy
    assert again.run(QUESTION)["answers"][0].data == expected
    again.close()
    assert again.run(QUESTION)["answers"][0].data == expected
    again.close()


def test_a_stage_of_the_users_own_is_written_down_too(index: Path) -> None:
    from ragnb.stages import Reranker

    agent = ragnb.RagnbAgent(index, stages={"rerank": Reranker()})
    pipeline = Pipeline()
    pipeline.add_component("agent", agent)
    again: Any = Pipeline.loads(pipeline.dumps(), unsafe=True).get_component("agent")
    assert isinstance(again.stages["rerank"], Reranker)


def test_every_policy_of_ragnb_with_its_settings_is_written_down_and_no_subclass_of_one_is(
    index: Path,
) -> None:
    policies = [policy_named(name) for name in policy_names()]
    policies += [PlanPolicy(replans=0), RoutedPolicy(check=True)]
    for policy in policies:
        data = json.loads(json.dumps(ragnb.RagnbAgent(index, policy=policy).to_dict()))
        assert ragnb.RagnbAgent.from_dict(data).policy == policy

    class Own(ragnb.EvidencePolicy):
        pass

    with pytest.raises(InputError, match="Own"):
        ragnb.RagnbAgent(index, policy=Own()).to_dict()


def test_a_strange_module_in_a_stage_is_refused(index: Path) -> None:
    data = ragnb.RagnbAgent(index).to_dict()
    data["init_parameters"]["stages"] = {"rerank": {"type": "os.path", "init_parameters": {}}}
    with pytest.raises(DeserializationError):
        ragnb.RagnbAgent.from_dict(data)


def test_what_can_not_be_written_down_says_why(index: Path) -> None:
    with (
        ragnb.Library.from_documents(TEA) as library,
        pytest.raises(InputError, match="temporary"),
    ):
        ragnb.RagnbAgent(library).to_dict()
    with pytest.raises(InputError, match="Scripted"):
        ragnb.RagnbAgent(index, policy=ragnb.Scripted(actions=())).to_dict()


def test_a_folder_without_a_library_is_told_when_it_is_opened(tmp_path: Path) -> None:
    agent = ragnb.RagnbAgent(tmp_path / "nothing")
    with pytest.raises(LibraryError, match="no library"):
        agent.warm_up()


def test_a_model_is_written_down_by_name_by_role_and_as_a_component(index: Path) -> None:
    double = ragnb.ScriptedGenerator(["hm"] * 50)
    agent = ragnb.RagnbAgent(index, llm=double)
    assert "45 seconds" in agent.run(QUESTION)["answers"][0].data
    assert double.calls
    agent.close()
    named = OpenAIChatGenerator(api_key=Secret.from_env_var("NO_SUCH_KEY", strict=False), model="m")
    given = {"plan": "ollama:small", "answer": named}
    data = ragnb.RagnbAgent(index, llm=given).to_dict()
    assert json.loads(json.dumps(data)) == data
    again = ragnb.RagnbAgent.from_dict(data)
    assert again.llm["plan"] == "ollama:small"
    assert again.llm["answer"].model == "m"
    assert again.to_dict() == data
    assert ragnb.RagnbAgent(index).to_dict()["init_parameters"]["llm"] is None


@pytest.mark.parametrize(
    ("llm", "why"),
    [
        (OpenAIChatGenerator(api_key=Secret.from_token("sk-made-up"), model="m"), "from_env_var"),
        (ragnb.ScriptedGenerator(lambda _: "hm"), "can't be written down"),
        ("http://user:pass@host/v1#m", "holds a user"),
        ({"plan": "http://host/v1?key=x#m"}, "query"),
    ],
)
def test_a_model_with_a_secret_or_a_function_is_not_written_down(
    index: Path, llm: Any, why: str
) -> None:
    with pytest.raises(InputError, match=why) as told:
        ragnb.RagnbAgent(index, llm=llm).to_dict()
    assert "sk-made-up" not in str(told.value)
    assert "pass@" not in str(told.value)


def test_a_strange_module_as_a_model_is_refused(index: Path) -> None:
    data = ragnb.RagnbAgent(index).to_dict()
    data["init_parameters"]["llm"] = {"type": "os.path", "init_parameters": {}}
    with pytest.raises(DeserializationError):
        ragnb.RagnbAgent.from_dict(data)
