"""What stages make of a model's reply: what stands, what is doubted, what is shown."""

from typing import Any

import pytest
from haystack import Document
from haystack.dataclasses import ChatMessage, ReasoningContent

import ragnb
from ragnb.llm.assessing import ModelAssessor
from ragnb.llm.extracting import ModelExtractor
from ragnb.llm.planning import ModelPlanner
from ragnb.llm.replies import json_in
from ragnb.llm.reranking import ModelReranker
from ragnb.llm.writing import ModelSynthesizer
from ragnb.records import Answer, Context, Evidence, Query, SubQuestion
from ragnb.stages import Extractor

TEXT = "The “export limit” is 500 rows.\n\nIt was decided by Ann Lee in May 2024. It may be raised."
QUESTION = SubQuestion.of("What is the export limit?", kind="how_many")


def _context(text: str = TEXT) -> Context:
    return Context(
        id="c", source_id="s", chunk_id="k", scope="window", start=10, end=10 + len(text), text=text
    )


def _evidence(quote: str, **fields: Any) -> Evidence:
    given: dict[str, Any] = {"support": "strong", "verified": True, "score": 0.9} | fields
    return Evidence(
        id=f"id-{quote[:8]}",
        question_id=QUESTION.id,
        quote=quote,
        source_id="s",
        chunk_id="k",
        context_id="c",
        start=0,
        end=len(quote),
        **given,
    )


def _quoted(*quotes: str) -> list[Evidence]:
    reply = {"quotes": [{"quote": q, "says": "", "support": "strong"} for q in quotes]}
    stage = ModelExtractor(ragnb.ScriptedGenerator([reply]))
    found: list[Evidence] = stage.run(question=QUESTION, context=_context())["evidence"]
    return found


def _written(*claims: dict[str, Any], evidence: list[Evidence] | None = None) -> Answer:
    stage = ModelSynthesizer(ragnb.ScriptedGenerator([{"claims": list(claims)}]))
    known = evidence or [_evidence("The export limit is 500 rows.")]
    answer: Answer = stage.run("The limit?", [QUESTION], known)["answer"]
    return answer


def test_a_quote_in_other_typing_is_replaced_by_the_true_span() -> None:
    found = _quoted("the 'export  limit' is 500 rows")
    assert [item.quote for item in found] == ["The “export limit” is 500 rows"]
    assert found[0].start == 10


def test_a_stitched_and_an_invented_quote_are_kept_apart_and_ground_nothing() -> None:
    true = "It was decided by Ann Lee in May 2024."
    found = _quoted(true, "The “export limit” is 500 rows. It may be raised.", "Sky is green.")
    assert [item.verified for item in found] == [True, False, False]
    assert "put this quote together" in found[1].notes[0]
    assert "does not stand" in found[2].notes[0]


def test_a_quote_from_another_document_is_told_by_its_name() -> None:
    documents = [
        Document(id="s", content=TEXT),
        Document(id="leave", content="Employees get 28 days of paid leave per year. It was so."),
    ]
    said = ["employees get 28 days of  paid leave", "Employees get 99 days of paid leave."]
    reply = {"quotes": [{"quote": q, "says": "", "support": "strong"} for q in said]}
    with ragnb.Library.from_documents(documents) as library:
        stage = ModelExtractor(ragnb.ScriptedGenerator([reply]), Extractor(library=library))
        found = stage.run(question=QUESTION, context=_context())["evidence"]
    false = [item for item in found if not item.verified]
    told = [note for item in false for note in item.notes]
    assert told == [
        "The model took this quote from leave, not from the text that it was given.",
        "The model's quote does not stand in the text that it was given.",
    ]


def test_a_scrap_is_widened_to_its_sentence_and_a_hedge_is_seen() -> None:
    assert [item.quote for item in _quoted("500 rows")] == ["The “export limit” is 500 rows."]
    found = _quoted("It may be raised.")
    assert [item.hedged for item in found] == [True]


def test_a_may_that_the_question_has_too_is_a_permission_for_a_model_as_for_the_rules() -> None:
    said = "A care agent may grant a credit of up to 600 EUR without further approval."
    question = SubQuestion.of("Up to which amount may a care agent grant a credit alone?")
    reply = {"quotes": [{"quote": said, "says": said, "support": "strong"}]}
    stage = ModelExtractor(ragnb.ScriptedGenerator([reply]))
    found = stage.run(question=question, context=_context(said))["evidence"]
    assert [(item.support, item.hedged) for item in found] == [("strong", False)]


def test_a_claim_with_a_number_that_its_quote_lacks_is_doubted_and_without_a_name_risky() -> None:
    answer = _written(
        {"question": 1, "statement": "The limit is 900 rows.", "cites": ["E1"]},
        {"question": 1, "statement": "Bob Stone set it to 500 rows.", "cites": ["E1"]},
    )
    assert "not in its quotes: 900" in answer.uncertainties[-1].statement
    assert [claim.risks for claim in answer.conclusions] == [("its quotes do not name Bob Stone",)]


def test_words_in_quotation_marks_must_stand_in_the_cited_quotes() -> None:
    other = _evidence("Imports have a limit of their own.", title="Imports")
    claims = [
        {"statement": "It says “as many as you like, really”: 500 rows.", "cites": ["E1"]},
        {"statement": "“Imports have a limit of their own”, exports 500 rows.", "cites": ["E1"]},
    ]
    answer = _written(*claims, evidence=[_evidence("The export limit is 500 rows."), other])
    told = [claim.risks[0] for claim in answer.conclusions]
    assert "stands in none of its quotes" in told[0]
    assert "is from Imports, which is not cited" in told[1]


def test_a_claim_on_hedged_weak_or_no_evidence_is_no_conclusion() -> None:
    weak = _evidence("The export limit is 500 rows.", support="weak")
    claim = {"statement": "It is 500 rows.", "cites": ["E1"]}
    for evidence in ([weak], [_evidence("The limit may be 500 rows.", hedged=True)]):
        answer = _written(claim, evidence=evidence)
        assert answer.conclusions == ()
        assert any("It is 500 rows." in doubt.statement for doubt in answer.uncertainties)
    answer = _written({"statement": "It is 500 rows.", "cites": []})
    assert answer.uncertainties[-1].groundings == ()


def test_a_claim_that_holds_back_where_its_quote_does_not_is_marked() -> None:
    answer = _written({"statement": "The limit is probably 500 rows.", "cites": ["E1"]})
    assert [claim.hedged for claim in answer.conclusions] == [True]


def test_strong_quotes_that_a_model_leaves_out_are_stated_by_the_rules() -> None:
    strong = _evidence("The export limit is 500 rows.")
    other = _evidence("It was decided by Ann Lee in May 2024.", support="partial")
    claims = [{"statement": "Ann Lee decided it in May 2024.", "cites": ["E2"]}]
    answer = _written(*claims, evidence=[strong, other])
    assert [claim.groundings[0].quote for claim in answer.conclusions] == [
        strong.quote,
        other.quote,
    ]
    claims.append({"statement": "The limit is 500 rows.", "cites": ["E1"]})
    answer = _written(*claims, evidence=[strong, other])
    assert [claim.statement for claim in answer.conclusions] == [
        "Ann Lee decided it in May 2024.",
        "The limit is 500 rows.",
    ]


def test_a_statement_whose_words_stand_in_none_of_its_quotes_is_told_as_a_risk() -> None:
    said = "The import team decided this."
    first, second = _evidence("The export limit is 500 rows."), _evidence(said)
    claims = [{"statement": said, "cites": [mark]} for mark in ("E1", "E2")]
    answer = _written(claims[0], evidence=[first, second])
    assert "in other words, or not at all" in answer.conclusions[0].risks[0]
    answer = _written(*claims, evidence=[first, second])
    made = [claim for claim in answer.conclusions if claim.statement == said]
    assert [(claim.groundings[0].quote, claim.risks) for claim in made] == [(said, ())]


def test_marks_of_citations_in_a_statement_are_not_shown_as_numbers() -> None:
    answer = _written({"statement": "It is 500 rows [E1] [7].", "cites": [1]})
    assert [claim.statement for claim in answer.conclusions] == ["It is 500 rows."]


@pytest.mark.parametrize("enough", [True, False])
def test_a_model_may_lift_a_weak_verdict_or_open_a_gap_with_a_query(enough: bool) -> None:
    judged = {"question": 1, "enough": enough, "missing": "the year", "query": "limit year"}
    stage = ModelAssessor(ragnb.ScriptedGenerator([{"questions": [judged]}]))
    support = "partial" if enough else "strong"
    known = [_evidence("The export limit is 500 rows.", support=support)]
    made = stage.run([QUESTION], known, [])
    reasons = {gap.reason for gap in made["gaps"]}
    assert (made["verdict"] == "satisfied") == enough
    assert ("evidence_too_weak" in reasons) == (not enough)
    queries: list[Query] = made["queries"]
    assert [query.text for query in queries] == ([] if enough else ["limit year"])


def test_a_model_cannot_call_enough_what_has_no_true_quote() -> None:
    judged = {"question": 1, "enough": True, "missing": "", "query": ""}
    stage = ModelAssessor(ragnb.ScriptedGenerator([{"questions": [judged]}]))
    made = stage.run([QUESTION], [], [])
    assert made["verdict"] == "insufficient"


def test_small_talk_is_not_sent_to_a_model_and_filters_stay() -> None:
    double = ragnb.ScriptedGenerator([{"questions": [{"text": "How long are exports kept?"}]}])
    planner = ModelPlanner(double)
    assert planner.run("Hello!")["needs_retrieval"] is False
    assert double.calls == []
    only = {"field": "meta.team", "operator": "==", "value": "data"}
    made = planner.run("How long are exports kept?", filters=only)
    assert [query.filters for query in made["queries"]] == [only]


def test_a_plan_that_leaves_out_the_request_is_not_taken() -> None:
    reply = {"questions": [{"text": "What is the meaning of life?", "query": "life"}]}
    made = ModelPlanner(ragnb.ScriptedGenerator([reply])).run("How long are exports kept?")
    assert [item.text for item in made["questions"]] == ["How long are exports kept?"]


def test_a_plan_of_statements_is_not_taken_for_a_question() -> None:
    goal = "How long are exports kept?"
    said = "Exports are kept for as long as they are long."
    for text, taken in ((said, False), ("Find how long exports are kept.", True)):
        double = ragnb.ScriptedGenerator([{"questions": [{"text": text, "query": "exports"}]}])
        made = ModelPlanner(double).run(goal)
        assert [question.text for question in made["questions"]] == [text if taken else goal]


def test_a_ranker_that_names_numbers_it_was_not_given_loses_nothing() -> None:
    documents = [Document(id=str(n), content=f"exports {n}") for n in range(4)]
    stage = ModelReranker(ragnb.ScriptedGenerator([{"order": [9, 3, 3, 0]}]))
    made = stage.run("exports", documents, top_k=3)["documents"]
    assert len({each.id for each in made}) == 3
    assert made[0].score == 1.0


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1]}',
        'Well:\n```json\n{"a": [1]}\n```\nSo.',
        "<think>maybe {2}</think>{'a': [1,]}",
        '<|channel|>analysis<|message|>hm<|channel|>final<|message|>{"a": [1]}',
        'The answer {"a": [1]} is it.',
        '{"a": [1]',
    ],
)
def test_json_is_found_in_whatever_surrounds_it(text: str) -> None:
    assert next(json_in(text)) == {"a": [1]}


def test_thoughts_that_come_apart_from_the_reply_are_left_apart() -> None:
    thoughts = ReasoningContent(reasoning_text='Maybe {"order": [1, 2]}.')
    documents = [Document(id=str(n), content=f"exports {n}") for n in range(2)]
    order = [each.id for each in ModelReranker(ragnb.ScriptedGenerator(["x", "x"])).run(
        "exports", documents)["documents"]]  # fmt: skip
    replies = [
        ChatMessage.from_assistant(None, reasoning=thoughts),
        ChatMessage.from_assistant('{"order": [2, 1]}', reasoning=thoughts),
    ]
    double = ragnb.ScriptedGenerator(replies)
    made = ModelReranker(double).run("exports", documents)["documents"]
    assert [each.id for each in made] == order[::-1]
    assert "it is empty" in (double.calls[1][-1].text or "")


def test_thoughts_without_an_end_are_no_reply() -> None:
    assert list(json_in('<think>It is {"a": [1]} or {"a": [2]}')) == []


def test_a_bad_reply_is_asked_for_once_more_with_the_reason() -> None:
    double = ragnb.ScriptedGenerator(["no json", {"order": [2, 1]}])
    documents = [Document(id=str(n), content=f"exports {n}") for n in range(2)]
    ModelReranker(double).run("exports", documents)
    assert "it holds no JSON object" in (double.calls[1][-1].text or "")
    assert len(double.calls) == 2


def _cut_off(text: str) -> tuple[Answer, int]:
    meta = {"finish_reason": "length", "usage": {"prompt_tokens": 9, "completion_tokens": 9}}
    double = ragnb.ScriptedGenerator([ChatMessage.from_assistant(text, meta=meta)] * 2)
    known = [_evidence("The export limit is 500 rows.")]
    answer: Answer = ModelSynthesizer(double).run("The limit?", [QUESTION], known)["answer"]
    return answer, len(double.calls)


def test_of_a_cut_reply_what_stands_whole_before_the_cut_is_used() -> None:
    whole = '{"claims": [{"question": 1, "statement": "It is 500 rows.", "cites": ["E1"]}, '
    for broken in ('{"question": 1, "statement": "It is 50', '{"question": 1', "{"):
        answer, calls = _cut_off(whole + broken)
        assert [claim.statement for claim in answer.conclusions] == ["It is 500 rows."]
        assert calls == 1


def test_of_a_cut_reply_that_holds_nothing_whole_nothing_is_used() -> None:
    answer, calls = _cut_off('{"claims": [{"question": 1, "statement": "It is 1.1.1.1.1.1')
    assert calls == 2
    assert "1.1.1" not in str(answer)
