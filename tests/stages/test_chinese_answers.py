"""Whole answers in Chinese, from real components over small libraries."""

import re
from collections.abc import Iterator

import pytest
from haystack import Document

import ragnb
from ragnb.records import Answer
from ragnb.stages.chinese_windows import LONGEST
from ragnb.views.answer import answer_html
from ragnb.views.answer_text import answer_markdown, answer_text

TEXTS = {
    "合同管理办法": "合同由法务部统一编号。合同样本的保存期限为五年。盖章由行政主管批准。",
    "档案室须知": "档案室每周一上午开放。合同样本的保存期限为三年。查阅档案须登记。",
    "食堂通知": "食堂午餐时间为十一时三十分至十三时。晚餐可能从六月九日起供应，尚未确定。",
    "出差规定": "住宿费每晚不超过 600 元。交通凭票报销。出差申请须提前三个工作日提交。",
    "海报": (
        "夜来香（学名略）是一种花。花香浓，叶片宽，花期从五月到八月，可以种在院子里，"
        "也可以种在花盆里，但冬天要搬进屋里，否则会冻死。"
    ),
}


@pytest.fixture(scope="module")
def agent() -> Iterator[ragnb.Agent]:
    documents = [Document(id=f"{t}.md", content=x, meta={"title": t}) for t, x in TEXTS.items()]
    with ragnb.Library.from_documents(documents) as library:
        yield ragnb.Agent(library)


def answer(agent: ragnb.Agent, goal: str) -> Answer:
    found = agent.ask(goal).answer
    assert found is not None
    return found


def quotes(found: Answer) -> list[str]:
    return [each.quote for claim in found.conclusions for each in claim.groundings]


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("盖章由谁批准？", "行政主管"),
        ("住宿费每晚最多多少元？", "600 元"),
        ("出差申请要提前多久提交？", "三个工作日"),
        ("食堂午餐是什么时候？", "十一时三十分"),
        ("夜来香的花期是什么时候？", "五月到八月"),
    ],
)
def test_a_plain_question_is_answered_by_a_short_verbatim_quote(
    agent: ragnb.Agent, goal: str, told: str
) -> None:
    found = answer(agent, goal)
    assert told in quotes(found)[0]
    for claim in found.conclusions:
        for each in claim.groundings:
            text = agent.library.source(each.source_id).text
            assert text[each.start : each.end] == each.quote
            assert len(each.quote) <= LONGEST


def test_a_sentence_that_repeats_the_question_is_strong_support(agent: ragnb.Agent) -> None:
    run = agent.ask("盖章由谁批准？")
    best = max(run.evidence, key=lambda item: item.score)
    assert (best.support, best.says) == ("strong", "行政主管")


@pytest.mark.parametrize("goal", ["食堂的年租金是多少？", "合同由哪家律师事务所起草？"])
def test_what_no_document_tells_is_declined_in_chinese(agent: ragnb.Agent, goal: str) -> None:
    found = answer(agent, goal)
    assert not found.conclusions
    assert found.sources
    assert "文档中找不到可以支撑结论的依据" in answer_text(found)


def test_two_documents_that_give_different_terms_are_a_conflict(agent: ragnb.Agent) -> None:
    run = agent.ask("合同样本的保存期限是多久？")
    assert [item.kind for item in run.state.conflicts] == ["number"]
    assert run.answer is not None
    assert not run.answer.conclusions
    assert run.answer.uncertainties[0].statement.startswith("来源说法不一")


def test_a_guess_is_told_as_uncertain(agent: ragnb.Agent) -> None:
    found = answer(agent, "食堂晚餐什么时候开始供应？")
    assert not found.conclusions
    assert found.uncertainties[0].statement.startswith("来源的说法有保留")


@pytest.mark.parametrize(
    "goal", ["盖章由谁批准？", "食堂的年租金是多少？", "合同样本的保存期限是多久？"]
)
@pytest.mark.parametrize("view", [answer_text, answer_markdown, answer_html])
def test_an_answer_to_a_chinese_question_has_chinese_labels_only(
    agent: ragnb.Agent, goal: str, view: object
) -> None:
    assert callable(view)
    shown = re.sub(r"<[^>]*>", " ", view(answer(agent, goal)))
    shown = re.sub(r"[\u4e00-\u9fff]+\\?\.md|\((?:enough|insufficient|nothing_new)\)", " ", shown)
    shown = re.sub(r"（(?:enough|insufficient|nothing\\?_new|no\\?_better\\?_action)）", " ", shown)
    assert re.findall(r"[A-Za-z]{2,}", shown) == []


def test_a_chinese_question_on_english_documents_makes_no_claim() -> None:
    text = "Travel requests are signed by the finance lead. Meals are paid up to 30 EUR a day."
    documents = [Document(id="travel.md", content=text, meta={"title": "Travel"})]
    with ragnb.Library.from_documents(documents) as library:
        found = answer(ragnb.Agent(library), "差旅申请由谁签字？")
    assert not found.conclusions
    assert found.open_questions
    assert "另一种语言" in found.uncertainties[-1].statement
    assert "Travel" in found.uncertainties[-1].statement


def test_a_question_on_one_year_is_not_answered_by_another() -> None:
    texts = {
        "2023 年差旅标准": "住宿费每晚不超过 400 元。",
        "2025 年差旅标准": "住宿费每晚不超过 600 元。",
    }
    documents = [Document(id=t, content=x, meta={"title": t}) for t, x in texts.items()]
    with ragnb.Library.from_documents(documents) as library:
        agent = ragnb.Agent(library)
        assert "400 元" in quotes(answer(agent, "2023 年住宿费每晚不超过多少元？"))[0]
        assert not answer(agent, "2021 年住宿费每晚不超过多少元？").conclusions


def test_a_rule_that_is_no_longer_in_force_loses() -> None:
    texts = {
        "报销办法（旧）": ("本办法已废止。\n\n报销须在 30 天内提交。", "deprecated"),
        "报销办法": ("报销须在 60 天内提交。", "current"),
    }
    documents = [
        Document(id=t, content=text, meta={"title": t, "status": status})
        for t, (text, status) in texts.items()
    ]
    with ragnb.Library.from_documents(documents) as library:
        run = ragnb.Agent(library).ask("报销须在多少天内提交？")
    assert run.answer is not None
    assert "60 天" in quotes(run.answer)[0]
    assert [item.status for item in run.state.conflicts] == ["resolved"]
    assert any("已失效" in risk for claim in run.answer.conclusions for risk in claim.risks)
