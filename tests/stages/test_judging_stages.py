from dataclasses import replace
from typing import Any

import pytest

from ragnb.records import Conflict, Evidence, Gap, SubQuestion, content_id
from ragnb.stages import Assessor, Replier, Synthesizer, compose
from ragnb.stages.conflicts import conflicts

QUESTION = SubQuestion.of("How long are readings kept?", kind="how_many")


def said(quote: str, source: str = "a.md", **more: Any) -> Evidence:
    fields: dict[str, Any] = {
        "id": content_id(quote, source),
        "question_id": QUESTION.id,
        "quote": quote,
        "verified": True,
        "source_id": source,
        "chunk_id": "c",
        "context_id": "x",
        "start": 0,
        "end": len(quote),
        "support": "strong",
        "score": 0.9,
    }
    return Evidence(**(fields | more))


def search(status: str = "asked", hits: int = 3, intent: str = "broad_recall") -> dict[str, Any]:
    return {
        "question_id": QUESTION.id,
        "text": "readings kept",
        "status": status,
        "hits": hits,
        "intent": intent,
    }


def judge(evidence: list[Evidence], searches: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return Assessor().run(
        questions=[QUESTION], evidence=evidence, searches=searches, settled=more.get("settled", [])
    )


def reasons(result: dict[str, Any]) -> list[str]:
    return [gap.reason for gap in result["gaps"]]


LONG = "Readings are kept for 24 months."
SHORT = "Readings are kept for 18 months."


@pytest.mark.parametrize(
    ("searches", "reason"),
    [
        ([search("failed", 0)], "search_failed"),
        ([search(hits=0)], "no_results"),
        ([search("failed", 0), search(hits=2)], "not_supported"),
    ],
)
def test_without_evidence_the_gap_says_what_went_wrong(
    searches: list[dict[str, Any]], reason: str
) -> None:
    result = judge([], searches)
    assert (result["verdict"], reasons(result)) == ("insufficient", [reason])


def test_one_strong_or_two_partial_supports_are_enough() -> None:
    assert judge([said(SHORT)], [search()])["verdict"] == "satisfied"
    half = said(SHORT, support="partial")
    other = said("We delete readings 18 months after delivery.", "b.md", support="partial")
    assert judge([half], [search()])["verdict"] == "insufficient"
    assert judge([half, other], [search()])["verdict"] == "satisfied"


def test_copies_hedges_and_unverified_quotes_do_not_count() -> None:
    copies = [said(SHORT, support="partial"), said(SHORT, "b.md", support="partial")]
    for weak in (copies, [said(SHORT, hedged=True)], [said(SHORT, verified=False)]):
        result = judge(weak, [search()])
        assert result["verdict"] == "insufficient"
        assert reasons(result) == ["evidence_too_weak"]


def test_a_single_source_is_named_and_never_blocks() -> None:
    result = judge([said(SHORT)], [search()])
    assert (result["verdict"], reasons(result)) == ("satisfied", ["single_source"])
    two = judge([said(SHORT), said("18 months is how long we hold readings.", "b.md")], [search()])
    assert reasons(two) == []


def test_a_quote_that_points_elsewhere_asks_for_more_context() -> None:
    vague = said("For how long readings are kept, see the section on data.", support="weak")
    assert reasons(judge([vague], [search()])) == ["need_more_context"]


def test_equal_sources_that_disagree_leave_an_open_conflict() -> None:
    result = judge([said(LONG), said(SHORT, "b.md")], [search()])
    assert result["verdict"] == "conflict"
    assert [(c.kind, c.status) for c in result["conflicts"]] == [("number", "open")]
    assert "source_conflict" in reasons(result)


def test_a_conflict_check_leaves_it_unresolved_and_a_person_settles_it() -> None:
    pair = [said(LONG), said(SHORT, "b.md")]
    checked = judge(pair, [search(), search(intent="conflict_check")])
    assert checked["conflicts"][0].status == "unresolved"
    assert next(g.suggested for g in checked["gaps"]) == "ask_person"
    old = checked["conflicts"][0]
    settled = Conflict(
        question_id=old.question_id,
        first=old.first,
        second=old.second,
        kind="number",
        status="resolved",
        rule="a person",
        winner=pair[0].id,
    )
    result = judge(pair, [search()], settled=[settled])
    assert result["conflicts"] == [settled]
    assert result["verdict"] == "satisfied"


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        ({"status": "superseded", "updated": "2025-05-01"}, {"trust": 0.1}, "superseded status"),
        ({"status": "archived"}, {}, "superseded status"),
        ({"updated": "2023-01-01"}, {"updated": "2025-01-01"}, "newer document"),
        ({"trust": 0.2}, {"trust": 0.9}, "more trusted source"),
        ({"updated": "2025-01-01", "trust": 0.2}, {"updated": "2023-01-01", "trust": 0.9}, ""),
    ],
)
def test_status_goes_before_date_and_date_before_trust(
    left: dict[str, Any], right: dict[str, Any], rule: str
) -> None:
    first, second = said(LONG, **left), said(SHORT, "b.md", **right)
    conflict = judge([first, second], [search()])["conflicts"][0]
    assert (conflict.rule, conflict.winner) == (rule, second.id if rule else "")


@pytest.mark.parametrize(
    "other",
    [
        "Readings are kept for eighteen months.",
        "Staff have 28 days of paid leave a year.",
        "The alarm came 6 hours late.",
    ],
)
def test_what_agrees_or_speaks_of_something_else_is_no_conflict(other: str) -> None:
    assert judge([said(SHORT), said(other, "b.md")], [search()])["conflicts"] == []


def test_negation_disagrees() -> None:
    pair = [said("The incident call is recorded."), said("The incident call is not recorded.", "b")]
    assert [item.kind for item in judge(pair, [search()])["conflicts"]] == ["negation"]


def test_an_answer_rests_on_quotes_and_leaves_out_the_losing_side() -> None:
    old, new = said(LONG, status="superseded"), said(SHORT, "b.md", says="18 months")
    judged = judge([old, new], [search()])
    answer = Synthesizer().run(
        goal=QUESTION.text,
        questions=[QUESTION],
        evidence=[old, new],
        gaps=judged["gaps"],
        conflicts=judged["conflicts"],
        searches=[search()],
    )["answer"]
    (claim,) = answer.conclusions
    assert claim.statement == f"18 months: {SHORT}"
    assert [item.evidence_id for item in claim.groundings] == [new.id]
    assert any("superseded" in risk for risk in claim.risks)
    assert (answer.open_questions, answer.partial, answer.stop) == ((), False, None)


def test_both_sides_of_an_open_conflict_stand_side_by_side() -> None:
    pair = [said(LONG), said(SHORT, "b.md")]
    judged = judge(pair, [search()])
    answer = compose("g", [QUESTION], pair, judged["gaps"], judged["conflicts"], [search()])
    assert answer.conclusions == ()
    assert {g.quote for g in answer.uncertainties[0].groundings} == {LONG, SHORT}
    assert answer.open_questions[0].reason == "source_conflict"


def test_hedged_and_weak_evidence_is_only_an_uncertainty() -> None:
    for item in (said("Readings are probably kept.", hedged=True), said(SHORT, support="weak")):
        answer = compose("g", [QUESTION], [item], [], [], [search()])
        assert answer.conclusions == ()
        assert answer.uncertainties[0].groundings[0].evidence_id == item.id
        assert answer.open_questions[0].reason == "evidence_too_weak"


def test_an_open_question_tells_the_reason_and_what_was_searched() -> None:
    for searches, reason in (([search(hits=0)], "no_results"), ([search()], "not_supported")):
        answer = compose("g", [QUESTION], [], [], [], searches)
        assert answer.open_questions[0].reason == reason
        assert answer.open_questions[0].searched == ("readings kept",)
        assert answer.partial


def test_a_reply_claims_nothing() -> None:
    answer = Replier().run(goal="Hello", sources=3)["answer"]
    assert "3 sources" in answer.text
    assert (answer.conclusions, answer.sources) == ((), ())
    assert "3" in Replier().run(goal="你好", sources=3)["answer"].text


def test_how_a_question_begins_does_not_hide_that_two_amounts_disagree() -> None:
    question = SubQuestion.of("Up to which amount may an agent grant a credit?", kind="how_many")
    old, new = (
        replace(
            said(f"An agent may grant a credit of up to {amount} EUR.", source, status=status),
            question_id=question.id,
        )
        for amount, source, status in (
            ("600", "old.md", "superseded"),
            ("1,500", "new.md", "current"),
        )
    )
    (found,) = conflicts(question, [old, new])
    assert (found.status, found.rule, found.winner) == ("resolved", "superseded status", new.id)


@pytest.mark.parametrize(
    ("trust", "support", "told"),
    [(0.5, "weak", False), (0.2, "weak", True), (0.5, "partial", True)],
)
def test_a_single_source_is_a_risk_only_where_it_is_doubtful_or_others_speak_of_it(
    trust: float, support: str, told: bool
) -> None:
    right = said(SHORT, trust=trust, covers=(("readings", 0.9),), says="18 months")
    other = said("See there.", "b.md", covers=(("kept", 0.3),), support=support, score=0.1)
    gap = Gap(question_id=QUESTION.id, reason="single_source")
    (claim,) = compose(QUESTION.text, [QUESTION], [right, other], [gap]).conclusions
    assert ("one source alone says it" in claim.risks) == told
