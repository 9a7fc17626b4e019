from collections.abc import Callable
from dataclasses import replace

import pytest

from ragnb.records import Evidence, SubQuestion
from ragnb.stages.conflicts import conflicts
from ragnb.stages.crossing import crossing, side
from ragnb.stages.given import given
from ragnb.stages.plain import plain
from ragnb.text.cues import question_kind

Found = Callable[..., list[Evidence]]
Sides = Callable[[str, dict[str, str]], list[tuple[str, ...]]]


def asked(text: str) -> SubQuestion:
    return SubQuestion.of(text, kind=question_kind(text))


@pytest.fixture
def sides(found: Found) -> Sides:
    """Ask a question of texts, and give the kind and the two quotes of each conflict."""

    def asked_of(text: str, texts: dict[str, str]) -> list[tuple[str, ...]]:
        question = asked(text)
        pieces = {item.id: item for item in found(question, **texts)}
        return [
            (item.kind, *sorted(pieces[each].quote for each in (item.first, item.second)))
            for item in conflicts(question, pieces.values())
        ]

    return asked_of


def test_weak_pieces_of_sources_that_speak_of_the_thing_contradict_each_other(sides: Sides) -> None:
    question = "When was the depot in Gdynia founded?"
    texts = {
        "Depot Gdynia": "The depot in Gdynia stands by the ferry. It was created in 1956.",
        "History of Gdynia": "Gdynia has a port. The depot was established in 1970 by the town.",
    }
    [(kind, *quotes)] = sides(question, texts)
    assert kind == "date"
    assert ["1956" in quotes[0], "1970" in quotes[1]] == [True, True]


def test_a_source_that_is_not_asked_about_contradicts_nothing(sides: Sides) -> None:
    texts = {"CP-2": "Exports are kept for 30 days.", "CP-3": "Exports are kept for 90 days."}
    assert sides("How long are exports kept, in CP-2?", texts) == []
    assert sides("How long are exports kept?", texts)


@pytest.mark.parametrize(
    "other",
    [
        {"Depot Rotterdam": "The depot in Rotterdam was founded in 1970 by the port."},
        {"Notes of May": "It was founded in 1970 by the port, the visitors said."},
        {"Depots": "Gdynia has a depot. The depot by the Maas was founded in 1970."},
    ],
)
def test_a_source_on_another_thing_contradicts_nothing(sides: Sides, other: dict[str, str]) -> None:
    first = {"Depot Gdynia": "The depot in Gdynia was founded in 1956 by the port."}
    assert sides("When was the depot in Gdynia founded?", first | other) == []


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("The shed was sold in 1970.", True),
        ("The Forest Shed was sold in 1970.", False),
        ("The Harbour Shed was sold in 1970.", True),
        ("The mill was sold in 1970.", False),
    ],
)
def test_half_a_name_tells_where_no_other_name_has_that_half(
    found: Found, text: str, *, about: bool
) -> None:
    question = asked("When was the Harbour Shed sold?")
    pieces = [replace(item, title="") for item in found(question, Notes=text)]
    assert side(question, pieces, []).about == about


def test_alike_sentences_on_two_depots_are_no_conflict_and_on_one_they_are(sides: Sides) -> None:
    question = "How many gateways does the depot in Gdynia have?"
    text = "In Gdynia as in {} the depot has {} gateways that send readings."
    texts = {"Gdynia, June": text.format("Oslo", 8), "Gdynia, July": text.format("Bergen", 14)}
    assert sides(question, texts) == []
    texts["Gdynia, July"] = text.format("Oslo", 14)
    assert [kind for kind, *_ in sides(question, texts)] == ["number"]


def test_one_word_in_the_place_of_another_is_a_conflict_whatever_is_asked(sides: Sides) -> None:
    text = "The export of Waypost writes all readings as {} files to the bucket."
    texts = {"Manual": text.format("parquet"), "Handbook": text.format("feather")}
    question = "Which files does the export of Waypost write?"
    assert [kind for kind, *_ in sides(question, texts)] == ["name"]
    texts["Handbook"] = text.format("parquets")
    assert sides(question, texts) == []


def test_values_of_two_measures_contradict_nothing(sides: Sides) -> None:
    texts = {
        "Alarms": "The limit of Waypost alarms is 20 seconds after the reading.",
        "Fees": "For alarms, the limit of Waypost is 30 EUR a month.",
    }
    assert sides("What is the limit of Waypost?", texts) == []
    texts["Fees"] = "For alarms, the limit of Waypost is 30 seconds in a month."
    assert [kind for kind, *_ in sides("What is the limit of Waypost?", texts)] == ["number"]


def test_a_name_far_from_what_is_asked_contradicts_nothing(sides: Sides) -> None:
    question = "Who founded Waypost?"
    texts = {
        "Waypost": "Waypost was founded by Ada Lind.",
        "Manual of Waypost": "Waypost comes with a long and good manual that Bo Berg translated.",
    }
    assert sides(question, texts) == []
    texts["Manual of Waypost"] = "Waypost was started, and founded, says Bo Berg."
    assert [kind for kind, *_ in sides(question, texts)] == ["name"]


def test_a_role_and_a_name_contradict_nothing_but_their_two_amounts_do(sides: Sides) -> None:
    question = "Who may grant a credit for Waypost?"
    text = "A care agent may grant a credit of {} EUR for Waypost alone."
    texts = {"Policy 3": text.format(1_500), "Case 7": "Ada Lind may grant a credit for Waypost."}
    assert sides(question, texts) == []
    texts["Policy 2"] = text.format(600)
    assert [kind for kind, *_ in sides(question, texts)] == ["number"]


def test_what_names_nothing_contradicts_only_the_answer_itself(found: Found) -> None:
    text = {"Flags": "It takes 4 {}threads.", "Timing": "A page was timed with 16 {}threads."}
    for word, disagree in (("CPU ", False), ("Waypost ", True)):
        question = asked(f"How many {word}threads does it take?")
        named = {title: said.format(word) for title, said in text.items()}
        pieces = found(question, **named)
        left, right = (
            side(question, [each for each in pieces if each.title == title], [pieces[0].id])
            for title in text
        )
        assert (crossing(question, left, right) is not None) == disagree


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        (
            "How many gateways does Gdynia have?",
            "The 8 gateways of Gdynia that are old go; Gdynia has 21 gateways.",
            "21",
        ),
        (
            "What is the population of Gdynia?",
            "The population density of Gdynia is 1,800 per square km; it has 245,000 inhabitants.",
            "245,000",
        ),
        (
            "How many people live in Gdynia?",
            "Gdynia has 1,800 people per square km where they live; in all 245,000 do.",
            "245,000",
        ),
        (
            "What is the population of Gdynia?",
            "The median age of the population is 34; in 2020 Gdynia counted 245,000.",
            "245,000",
        ),
        ("Who made the film Harbour?", "Made in New York by Ada Lind, Harbour won.", "Ada Lind"),
        (
            "In which year was Gdynia founded?",
            "Founded on a 4 May, Gdynia grew from then on, in 1926.",
            "1926",
        ),
        (
            "Which sport is Bo Berg associated with?",
            "After a talk on tennis, Bo Berg the golfer left.",
            "golfer",
        ),
    ],
)
def test_the_value_that_is_meant_comes_first(
    found: Found, question: str, text: str, value: str
) -> None:
    wanted = asked(question)
    assert given(wanted, found(wanted, Notes=text))[0].value == value


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("The 24th Division was formed in which year?", True),
        ("Who is the owner of the Harbour Shed?", True),
        ("Name the town that holds the depot where Ada works.", False),
        ("When did the director of Harbour die?", False),
        ("Who is the wife of Harbour's director?", False),
        ("Which year?", False),
        ("According to the 2001 census?", False),
        ("Which singer is Polish: Ada Lind?", False),
    ],
)
def test_a_plain_question_asks_for_one_fact_of_one_thing(text: str, *, one: bool) -> None:
    assert plain(asked(text)) == one
