from collections.abc import Callable
from dataclasses import replace

import pytest
from haystack import Document

import ragnb
from ragnb.library import Library
from ragnb.records import Conflict, Evidence, SubQuestion
from ragnb.stages import compose
from ragnb.stages.backing import supported
from ragnb.stages.clauses import length, shortened
from ragnb.stages.conflicts import conflicts
from ragnb.stages.fitted import weights
from ragnb.stages.pairs import gives_value
from ragnb.stages.rarity import Rarity
from ragnb.stages.tables import sides
from ragnb.stages.together import together
from ragnb.text.cues import question_kind


def asked(text: str) -> SubQuestion:
    return SubQuestion.of(text, kind=question_kind(text))


def test_a_piece_that_another_one_names_belongs_to_the_answer(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("When was the owner of Harbour Shed born?")
    pieces = found(
        question,
        Harbour_Shed="Harbour Shed is a depot in Oslo whose owner is Ada Lind.",
        Ada_Lind="Ada Lind (born 4 May 1961) is a merchant. She likes tea.",
        Bo_Berg="Bo Berg sells boats in Bergen.",
    )
    chosen = together(question, pieces)
    sources = {each.item.source_id for each in chosen.picked}
    assert {"Harbour_Shed", "Ada_Lind"} <= sources
    without = together(question, [item for item in pieces if item.source_id == "Bo_Berg"])
    assert without.enough < chosen.enough


def test_what_the_next_source_says_of_whom_the_first_one_names_is_quoted(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("Where was the owner of Harbour Shed born?")
    pieces = found(
        question,
        Harbour_Shed="Harbour Shed is a depot in Oslo whose owner is Ada Lind.",
        Ada_Lind="Ada Lind is a merchant who trades in tea. She was born in Bergen, Norway.",
        Place_of_birth="The place of birth is where a person was born.",
    )
    chosen = together(question, pieces).picked
    quotes = " ".join(item.quote[start:end] for item, start, end in shortened(question, chosen, 60))
    assert "Bergen" in quotes
    assert "Ada Lind" in quotes


def test_a_date_is_the_value_where_two_things_are_compared_by_time(
    found: Callable[..., list[Evidence]],
) -> None:
    [piece] = found(asked("Which depot is older: Harbour Shed?"), Harbour="It was built in 1902.")
    assert gives_value(asked("Which depot is older: Harbour Shed?"), piece)
    assert not gives_value(asked("Which depot is larger: Harbour Shed?"), piece)


def test_no_evidence_is_never_enough() -> None:
    assert together(asked("Who signs?"), []).enough == 0


def test_more_coverage_never_makes_less_sure() -> None:
    assert all(value >= 0 for name, value in weights("enough").items() if name != "bias")


def test_quotes_keep_to_their_length_and_stand_in_their_evidence(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("Where is the depot of Northlark?")
    long = (
        "The depot of Northlark, which was founded in 1970 by two brothers who had sailed for "
        "years and who liked the cold, stands in Gdynia, near the ferry, and holds goods."
    )
    chosen = together(question, found(question, depot=long, other=long.replace("Gdynia", "Oslo")))
    parts = shortened(question, chosen.picked, 20)
    assert sum(length(item.quote[start:end]) for item, start, end in parts) <= 20
    assert all(item.quote[start:end].strip() for item, start, end in parts)


def test_sources_that_give_other_values_for_one_thing_disagree(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("When was the Harbour Shed built?")
    pieces = found(
        question,
        first="The Harbour Shed was built in 1902 by the port.",
        second="In 1885 the Harbour Shed was built, said the mayor.",
    )
    assert [item.kind for item in conflicts(question, pieces)] == ["date"]
    same = found(
        question,
        first="The Harbour Shed was built in 1902 by the port.",
        second="In May 1902 the Harbour Shed was built, said the mayor.",
    )
    assert conflicts(question, same) == []


def test_likeness_of_words_alone_makes_no_conflict(found: Callable[..., list[Evidence]]) -> None:
    question = asked("How long are exports kept?")
    pieces = found(
        question, first="Exports are kept for 30 days.", second="Imports are kept for 7 days."
    )
    assert conflicts(question, pieces) == []


def test_the_majority_of_sources_settles_what_is_left(found: Callable[..., list[Evidence]]) -> None:
    question = asked("How long are readings kept?")
    pieces = found(
        question,
        one="Readings are kept for 18 months.",
        two="We keep readings for 18 months in Oslo.",
        three="For 18 months all readings are kept by us.",
        four="Readings are kept for 24 months.",
    )
    rules = {item.rule for item in conflicts(question, pieces)}
    assert rules == {"majority of sources"}


def test_a_guess_is_no_conclusion() -> None:
    texts = [Document(id="a", content="INC-4711 was probably triggered by an old certificate.")]
    with Library.from_documents(texts) as small:
        answer = ragnb.Agent(small).ask("What triggered INC-4711?").answer
    assert answer is not None
    assert answer.conclusions == ()
    assert "holds back" in answer.uncertainties[0].statement


def test_words_of_a_chinese_goal_are_answered_in_chinese() -> None:
    texts = [Document(id="a", content="事故可能由证书过期引起。")]
    with Library.from_documents(texts) as small:
        answer = ragnb.Agent(small).ask("事故由什么引起？").answer
    assert answer is not None
    assert all("：" in doubt.statement for doubt in answer.uncertainties)


def test_rare_words_weigh_more_in_a_library_that_is_large_enough() -> None:
    texts = [Document(id=f"d{n}", content=f"The freight note {n}.") for n in range(220)]
    texts.append(Document(id="x", content="The freight of zinc."))
    with Library.from_documents(texts) as large:
        found_weights = Rarity(large).of(["freight", "zinc", "moon"])
    assert found_weights["freight"] < found_weights["zinc"] <= found_weights["moon"] == 1


@pytest.mark.parametrize(
    ("claim", "least"), [("Tea is steamed.", 1.0), ("Tea is steamed for 90 seconds.", 0.0)]
)
def test_support_of_a_claim_falls_with_what_is_not_found(claim: str, least: float) -> None:
    assert supported(claim, ["Green tea is steamed.", "It takes 45 seconds."]) >= least
    assert supported("Tea is steamed for 90 seconds.", ["Tea is steamed."]) < 0.8


def test_sides_of_a_comparison_are_named_by_what_differs() -> None:
    assert sides([asked("Basic 方案是什么？"), asked("Assured 方案是什么？")]) == [
        "Basic",
        "Assured",
    ]


def test_an_opposite_does_not_stand_for_the_word_that_is_asked_for(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("How long are exports kept?")
    own, other = found(
        question, exports="Exports are kept for 30 days.", imports="Imports are kept for 7 days."
    )
    assert own.support == "strong"
    assert other.support == "weak"
    assert "export" not in dict(other.covers)


def test_evidence_that_a_model_graded_is_compared_by_grade(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("How long are exports kept?")
    weak, by_rule = found(question, a="Imports are kept for 7 days.", b="Exports are kept a while.")
    by_model = replace(by_rule, covers=(), support="strong", score=0.9)
    chosen = together(question, [weak, by_model])
    assert [each.item for each in chosen.picked] == [by_model]


def test_of_a_question_that_names_nothing_up_to_three_near_pieces_are_quoted(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("How long are readings kept?")
    pieces = found(
        question,
        Policy="Readings are kept for 18 months. They are deleted then. Coffee is free.",
        Notes="We kept talking about readings. Somebody laughed. Tea is free.",
    )
    chosen = together(question, pieces)
    assert len(chosen.picked) <= 3
    assert chosen.picked[0].item.quote == "Readings are kept for 18 months."
    assert chosen.suffices


def test_what_speaks_of_no_such_thing_is_no_answer(found: Callable[..., list[Evidence]]) -> None:
    known = "Blue Crane moves goods: fish, flowers and vaccines."
    text = {"Handbook": f"{known} Each of them must stay cold."}
    goods = asked("Which goods does Blue Crane move?")
    insurer = asked("Which insurer covers the goods that Blue Crane moves?")
    assert together(goods, found(goods, **text)).suffices
    assert not together(insurer, found(insurer, **text)).suffices


def test_a_statement_is_what_is_quoted_below_it(found: Callable[..., list[Evidence]]) -> None:
    question = asked("What must be done after a power cut?")
    steps = [f"- After a power cut the {n} must be done again, all of it, by two people." for n in
             ("inventory of the cold store", "check of each door", "reading of the meters",
              "test of the alarm", "list of the guests", "entry in the book")]  # fmt: skip
    pieces = found(
        question,
        Long="After a power cut this must be done:\n\n" + "\n".join(steps),
        Short="What must be done after a power cut stands at the door.",
    )
    (claim,) = compose(question.text, [question], pieces).conclusions
    quoted = " ".join(each.quote for each in claim.groundings)
    words = claim.statement.removesuffix(" …").split("; ")
    assert all(each.strip(" :") in quoted for each in words)


@pytest.mark.parametrize(
    ("goal", "text", "begins"),
    [
        (
            "Who takes over the roof project?",
            "Bo Lee takes over the roof project from Ann Ray.",
            "",
        ),
        ("Who takes over the roof project?", "The roof project: Bo Lee takes it over.", "Bo Lee: "),
        ("When was the mill built?", "The mill was built in 1902 and closed in 1985.", ""),
        ("How many days is a pass valid?", "A pass of 40 EUR is valid for 9 days.", "9 days: "),
        ("谁负责修订规程？", "规程由李航负责修订，由周敏批准。", ""),
    ],
)
def test_a_sentence_with_two_values_is_not_headed_by_one_of_them(
    found: Callable[..., list[Evidence]], goal: str, text: str, begins: str
) -> None:
    question = asked(goal)
    (claim,) = compose(goal, [question], found(question, Minutes=text)).conclusions
    assert claim.statement == f"{begins}{text}"


def test_a_disagreement_shows_whole_sentences_where_they_hold_two_values(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("Who leads the roof project?")
    sentences = ("Bo Lee leads the roof project with Ann Ray.", "Cy Dun leads the roof project.")
    pieces = found(question, Minutes=sentences[0], Plan=sentences[1])
    torn = Conflict(question_id=question.id, first=pieces[0].id, second=pieces[1].id, kind="name")
    (told, *_) = compose(question.text, [question], pieces, conflicts=[torn]).uncertainties
    assert told.statement == f"Sources disagree: {sentences[0]} (Minutes) / Cy Dun (Plan)"


def test_what_is_in_force_speaks_before_what_is_superseded(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("How long are readings kept?")
    old, *_ = found(question, Policy="Readings are kept for 24 months.")
    new, *_ = found(question, Rules="All readings of a gateway are kept for 18 months.")
    assert old.score > new.score
    pieces = [replace(old, status="superseded"), new]
    (claim,) = compose(question.text, [question], pieces).conclusions
    assert claim.statement.startswith("18 months")
    assert [each.source_id for each in claim.groundings] == ["Rules", "Policy"]


def test_a_claim_on_what_is_not_in_force_alone_says_so(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("How long are readings kept?")
    pieces = [
        replace(each, status="draft")
        for each in found(question, Policy="Readings are kept for 24 months.")
    ]
    (claim,) = compose(question.text, [question], pieces).conclusions
    assert "its document is not in force (draft)" in claim.risks
    assert claim.groundings[0].status == "draft"
