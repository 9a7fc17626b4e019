from dataclasses import replace

from ragnb.agent.ranking import ranking
from ragnb.agent.state import Search, State, start
from ragnb.records import Evidence, Hit, Query, SubQuestion


def searched(*sources: str, intent: str = "broad_recall") -> Search:
    hits = tuple(
        Hit(chunk_id=f"{source}-{at}", source_id=source, rank=at, score=1 / at)
        for at, source in enumerate(sources, start=1)
    )
    query = Query.of(f"{intent} {sources}", "q", intent=intent)
    return Search(query=query, status="asked", hits=hits)


def after(*searches: Search) -> State:
    return replace(start("Who?"), searches=searches)


def test_one_search_keeps_its_order() -> None:
    assert ranking(after(searched("c", "a", "c", "b"))) == ("c", "a", "b")


def test_what_several_searches_find_comes_before_what_one_finds() -> None:
    assert ranking(after(searched("a", "x"), searched("b", "x")))[0] == "x"


def test_a_follow_up_adds_sources_behind_the_first_ones() -> None:
    state = after(searched("a", "b"), searched("c", "b", intent="targeted_followup"))
    assert ranking(state) == ("a", "b", "c")


def test_a_source_whose_quote_belongs_to_an_answer_is_lifted() -> None:
    question = SubQuestion.of("Who?")
    quote = Evidence(
        id="e",
        question_id=question.id,
        quote="It.",
        verified=True,
        source_id="e",
        chunk_id="e-1",
        context_id="e-1",
        start=0,
        end=3,
        score=0.2,
        support="strong",
    )
    state = replace(after(searched("a", "b", "c", "d", "e", "f")), questions=(question,))
    assert ranking(state)[4] == "e"
    assert ranking(replace(state, evidence=(quote,)))[3] == "e"
    assert ranking(replace(state, evidence=(replace(quote, score=0.9),)))[1] == "e"
    assert ranking(replace(state, evidence=(replace(quote, verified=False),)))[4] == "e"


def test_nothing_hit_ranks_nothing() -> None:
    assert ranking(start("Who?")) == ()
