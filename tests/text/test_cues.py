"""Question kinds, hedges, negation, status, language."""

import pytest

from ragnb.text.cues import hedge, is_chinese, negated, question_kind, status
from ragnb.text.hedged import holds_back

_KINDS = {
    "who": ["Who wrote it?", "The film was directed by whom?", "谁写了红楼梦？"],
    "when": [
        "In which year did it end?",
        "What is the deadline for claims?",
        "大学是什么时候成立的？",
    ],
    "where": ["Where is the config file?", "Which country is she from?", "总部在哪里？"],
    "how_many": ["How many people work there?", "What is the population of Oslo?", "有多少人？"],
    "yes_no": ["Is the plan over?", "Are both from the same country?", "系统支持中文吗？"],
    "definition": ["What is BM25?", "What does RRF mean?", "Tell me about widgets", "什么是向量？"],
    "list": ["Which services are deprecated?", "List all owners", "有哪些服务？"],
    "comparison": ["Who is older, Ann or Bob?", "How does A differ from B?", "A和B有什么区别？"],
    "procedure": ["How do I reset my password?", "How to install?", "如何安装？"],
    "why": ["Why did it fail?", "What caused the outage?", "为什么失败？"],
    "other": [
        "What is the capital of France?",
        "Which database do we use?",
        "中国的首都是什么？",
        "",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, ts in _KINDS.items() for t in ts])
def test_a_question_shows_what_it_asks_for(kind: str, text: str) -> None:
    assert question_kind(text) == kind


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It may fail and probably will.", "may, probably"),
        ("About ~50 users were reportedly hit.", "reportedly, ~50"),
        ("Might it fail?", ""),
        ("In May 2020, if any may apply, you may want it.", ""),
        ("An unlikely event.", ""),
        ("这可能是错的", "可能"),
        ("这不可能", ""),
        ("大约50人", "大约"),
        ("约翰来了", ""),
    ],
)
def test_hedging_words_are_named(text: str, words: str) -> None:
    assert hedge(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "The captain decides which boats a member may use.",
        "Office staff may work from home.",
        "Guests may not row alone.",
        "New members of the club may also book a boat.",
        "Nobody may go out above 28 km/h.",
        "No boat may leave in fog.",
        "Only the quality manager may allow an exception.",
        "Boats may only be used by day.",
        "A hotel may cost up to 160 EUR a night.",
        "The handbook says who may sign.",
    ],
)
def test_a_permission_is_no_hedge(text: str) -> None:
    assert hedge(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The pump may be at fault.",
        "Members may notice a smell.",
        "Members may well be late.",
        "An alarm may arrive twice.",
        "The board may raise the fee in June.",
        "The new captain may resign.",
        "Ada may leave.",
        "Ada, who may resign, leads it.",
        "A member may have left the gate open.",
        "It is open which way the river may take.",
        "Customers might pay less.",
        "There is no doubt that it may fail.",
        "The only fault may be the pump.",
    ],
)
def test_a_guess_with_may_stays_a_hedge(text: str) -> None:
    assert hedge(text) in {"may", "might"}


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("Who can waive the fee?", False),
        ("Who is allowed to waive the fee?", False),
        ("Can a captain waive the fee?", False),
        ("Who waives the fee?", True),
        ("What can happen to the fee?", True),
    ],
)
def test_what_is_asked_as_a_permission_is_answered_by_one(question: str, held: bool) -> None:
    assert holds_back(question, "The treasurer may waive the fee.") == held


@pytest.mark.parametrize(
    "text", ["It isn’t over.", "No one came", "We cannot", "他没有来", "尚未批准"]
)
def test_negation_is_seen(text: str) -> None:
    assert negated(text)


@pytest.mark.parametrize(
    "text", ["No. 5", "not only this", "whether or not", "是否可行", "有没有", "非常好"]
)
def test_what_only_looks_like_negation_is_not(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Status: Superseded by ADR-014", "superseded"),
        ("| Status | Accepted |", "accepted"),
        ("**Status:** obsolete", "deprecated"),
        ("This API is now deprecated.", "deprecated"),
        ("It was superseded by the new one", "superseded"),
        ("Not yet implemented", "planned"),
        ("TODO: write", "draft"),
        ("todo lists and archived, former, proposed things", ""),
        ("本规定已废止", "deprecated"),
        ("尚未生效", "planned"),
        ("自2020年1月1日起生效", "active"),
        ("状态：草案", "draft"),
    ],
)
def test_status_is_read_only_where_a_text_states_it(text: str, expected: str) -> None:
    assert status(text) == expected


def test_mostly_han_text_is_chinese() -> None:
    assert is_chinese("Haystack 是什么框架？")
    assert not is_chinese("The word 北京 means capital")
    assert not is_chinese("")
