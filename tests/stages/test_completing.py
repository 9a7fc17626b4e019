from collections.abc import Callable

from ragnb.records import Evidence, SubQuestion
from ragnb.stages import coverage
from ragnb.stages.enough import completed, enough_features
from ragnb.stages.fitted import chance
from ragnb.stages.picking import picked, scored
from ragnb.stages.together import together
from ragnb.text.cues import question_kind


def asked(text: str) -> SubQuestion:
    return SubQuestion.of(text, kind=question_kind(text))


def test_words_that_only_tell_the_case_count_less_than_the_question() -> None:
    about = coverage.asked("If a request for donated leave is turned down, how soon do I hear?")
    assert about.led == {"request", "donat", "leav", "turn"}
    assert about.weights["hear"] > 2 * about.weights["donat"] > 0
    told = coverage.asked("Our old etcd database grew and grew until its disk was full. Who pays?")
    assert sum(told.weights[term] for term in told.led) <= told.weights["pay"] / 2 + 1e-9


def test_a_faint_piece_that_names_what_no_other_one_names_completes_an_answer(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("The first novel of Ida Storm was published by a house based where?")
    pieces = found(
        question,
        Two_Radio="Two Radio is a publishing house based in Columbus. It prints novels.",
        Ida_Storm="Ida Storm (born 1979) is an author. Her first novel came out at Two Radio.",
        **{f"House_{n}": f"House {n} is a publishing house based in town {n}." for n in range(6)},
    )
    ranked = scored(question, sorted(pieces, key=lambda each: (-each.score, each.id)))
    chosen = picked(question, ranked)
    few = [each for each in chosen if each.item.source_id != "Ida_Storm"]
    whole = completed(question, ranked, few)
    assert "Ida_Storm" not in {each.item.source_id for each in few}
    assert "Ida_Storm" in {each.item.source_id for each in whole}
    assert chance("enough", enough_features(question, whole)) >= 0.1 + chance(
        "enough", enough_features(question, few)
    )


def test_without_a_number_nothing_tells_what_a_thing_costs(
    found: Callable[..., list[Evidence]],
) -> None:
    question = asked("What does a Sense tag of Northlark cost?")
    tags = "A Sense tag of Northlark is as large as a matchbox. What a Sense tag costs is on offer."
    priced = f"{tags} A Sense tag of Northlark costs 40 EUR."
    assert not together(question, found(question, Sense_tag=tags)).suffices
    assert together(question, found(question, Sense_tag=priced)).suffices
