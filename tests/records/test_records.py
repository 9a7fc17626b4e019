import json

from hypothesis import given
from hypothesis import strategies as st

from ragnb.records import Answer, Query, StopReason, SubQuestion, Usage, content_id

usages = st.builds(
    Usage,
    seconds=st.integers(0, 9),
    calls=st.integers(0, 9),
    tokens_in=st.integers(0, 9),
    tokens_out=st.integers(0, 9),
)


@given(st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
def test_ids_are_equal_only_where_the_content_is(a: list[str], b: list[str]) -> None:
    same = "\x1f".join(a) == "\x1f".join(b)
    assert (content_id(*a) == content_id(*b)) == same


def test_the_reason_of_a_query_does_not_change_what_it_is() -> None:
    question = SubQuestion.of("Who decides?")
    plain = Query.of("decides", question.id)
    assert plain == Query.of("decides", question.id, reason="asked by a person")
    assert plain.id == Query.of("decides", question.id, reason="asked by a person").id
    assert plain.id != Query.of("decides", question.id, intent="conflict_check").id


@given(usages, usages, usages)
def test_usage_adds_up_in_any_order(a: Usage, b: Usage, c: Usage) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a


def test_an_empty_answer_is_plain_json() -> None:
    answer = Answer(goal="g", stop=StopReason(code="insufficient", text="Nothing was found."))
    data = json.loads(json.dumps(answer.to_dict()))
    assert data["stop_reason"]["code"] == "insufficient"
    assert data["conclusions"] == data["sources"] == []
