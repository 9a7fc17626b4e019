import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.errors import InputError
from ragnb.stages import Planner
from ragnb.stages.splitting import is_small_talk, split

TWO = "Who decides that an incident is over, and what must happen after it?"


def texts(goal: str) -> list[str]:
    return [question.text for question in Planner().run(goal=goal)["questions"]]


def test_a_conjunction_becomes_two_questions_and_the_pronoun_is_explained() -> None:
    plan = Planner().run(goal=TWO)
    assert next(question.kind for question in plan["questions"]) == "who"
    assert texts(TWO) == [
        "Who decides that an incident is over?",
        "What must happen after it (an incident is over)?",
    ]
    assert "after an incident is over" in plan["queries"][1].text
    assert {query.intent for query in plan["queries"]} == {"broad_recall"}
    assert [q.question_id for q in plan["queries"]] == [q.id for q in plan["questions"]]


def test_chinese_parts_are_split_too() -> None:
    assert texts("事故由谁宣布结束，之后必须做什么？") == [
        "事故由谁宣布结束？",
        "之后必须做什么（事故宣布结束）？",
    ]


def test_comparisons_lists_and_chains_are_taken_apart() -> None:
    assert texts("What is the difference between CP-2 and CP-3?") == [
        "What is CP-2?",
        "What is CP-3?",
    ]
    assert texts("Which plan is cheaper: Basic or Assured?") == [
        "Which plan is cheaper: Basic?",
        "Which plan is cheaper: Assured?",
    ]
    assert texts("What are the cost, owner and deadline of Waypost?")[1:] == [
        "What is the owner of Waypost?",
        "What is the deadline of Waypost?",
    ]
    first, second = Planner().run(goal="Who is the mother of the director of Titanic?")["questions"]
    assert not first.required
    assert second.depends_on == (first.id,)


def test_one_question_stays_one() -> None:
    for goal in (
        "How long are raw temperature readings kept?",
        "Who leads research and development?",
        "Which insurer covers the goods that the company moves?",
    ):
        assert texts(goal) == [goal]


@pytest.mark.parametrize(
    "goal",
    [
        "If my request for donated hours is turned down, how soon will I hear?",
        "When a node runs out of file handles, who is told?",
        "In a class of twelve, how many sick children must be reported?",
        "Besides Little Rock, Arkansas, in what city are the offices of the foundation?",
        "I have been here for five years; how much leave do I earn?",
        "What show does a retired player, who missed a whole season, host?",
        "The hall is a district of Taipei, named after a man, who died on which date?",
    ],
)
def test_a_case_told_before_a_question_is_no_question(goal: str) -> None:
    assert texts(goal) == [goal]


def test_a_case_told_before_two_questions_is_told_before_each() -> None:
    assert texts("On a flexible schedule, how long may I stay home and what must I report?") == [
        "On a flexible schedule, how long may I stay home?",
        "On a flexible schedule, what must I report?",
    ]
    assert texts("The config fails to load. Should I restart it, and how do I see what differs?")[
        1
    ].startswith("The config fails to load. How do I see what differs")


def test_a_list_of_questions_with_commas_is_taken_apart() -> None:
    assert texts("Why did the pump stop, which rule was broken, and what did the log show?") == [
        "Why did the pump stop?",
        "Which rule was broken?",
        "What did the log show?",
    ]


def test_when_and_where_share_the_rest() -> None:
    assert texts("When and where was Ada Lovelace born?") == [
        "When was Ada Lovelace born?",
        "Where was Ada Lovelace born?",
    ]


@pytest.mark.parametrize("goal", ["Hello!", "thanks a lot", "What can you do?", "你好", "谢谢！"])
def test_small_talk_needs_no_documents(goal: str) -> None:
    plan = Planner().run(goal=goal)
    assert not plan["needs_retrieval"]
    assert plan["queries"] == []


def test_a_known_field_in_the_goal_becomes_a_filter() -> None:
    plan = Planner().run(goal="status:current How long are readings kept?", fields=["meta.status"])
    assert plan["queries"][0].filters == {
        "field": "meta.status",
        "operator": "==",
        "value": "current",
    }
    assert "status" not in plan["normalized_goal"]
    unknown = Planner().run(goal="colour:red How long?", fields=["meta.status"])
    assert unknown["queries"][0].filters is None


def test_a_replan_adds_what_is_known_and_says_that_it_follows_up() -> None:
    query = Planner().run(goal="Who signs?", again=True, known=["Jonas Wirth", "Who signs?"])[
        "queries"
    ][0]
    assert query.intent == "targeted_followup"
    assert "Jonas Wirth" in query.text
    assert "Who" not in query.text


def test_too_many_parts_are_joined_and_too_few_refused() -> None:
    goal = "Who signs? Who pays? Who checks?"
    assert len(Planner(max_questions=2).run(goal=goal)["questions"]) == 2
    with pytest.raises(InputError, match="max_questions=0"):
        Planner(max_questions=0)


@given(st.text(max_size=120))
def test_every_goal_can_be_planned_and_twice_alike(goal: str) -> None:
    first, second = Planner().run(goal=goal), Planner().run(goal=goal)
    assert first == second
    assert 1 <= len(first["questions"]) <= 6
    assert is_small_talk(goal) or split(goal)
