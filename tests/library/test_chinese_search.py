"""Chinese is searched by its own words."""

from haystack import Document

import ragnb
from ragnb.library.embedding import StaticEmbedder, reads
from ragnb.stages import Retriever
from ragnb.text.chinese import query_terms
from ragnb.text.tokens import terms

PLANTS = {
    "a": "夜来香（学名略）是一种灌木。叶片卵形，花期五月。夜间香气更浓。",
    "b": "刺角瓜，又名角瓜。叶片掌状，花期七月。果实有瘤刺，植株不耐寒。",
    "c": "本园各处的叶片、花期与香气记录见附表，夜来香、刺角瓜等均在内；夜来香花期附表一。",
}


def library() -> ragnb.Library:
    return ragnb.Library.from_documents(
        Document(id=name, content=text) for name, text in PLANTS.items()
    )


def test_a_text_is_found_by_the_name_that_it_begins_with() -> None:
    with library() as plants:
        for name, goal in (("a", "夜来香的花期是什么时候？"), ("b", "刺角瓜的花期是几月？")):
            found = Retriever(plants).run(query=goal)["documents"]
            assert found[0].meta["source_id"] == name
            assert found[0].meta["_via"][0]["name"] in goal


def test_vectors_of_another_language_are_left_aside_and_the_trace_says_so() -> None:
    with library() as plants:
        found = Retriever(plants).run(query="夜来香的花期是什么时候？")
        assert any("another language" in note for note in found["notes"])
        assert all("vector" not in each.meta["_ranks"] for each in found["documents"])
        english = Retriever(plants).run(query="when does it flower")
        assert english["notes"] == []
        run = ragnb.Agent(plants).ask("夜来香的花期是什么时候？")
    notes = [note for entry in run.entries for note in getattr(entry.outcome.value, "notes", ())]
    assert any("another language" in note for note in notes)


def test_an_embedder_that_says_nothing_reads_every_language() -> None:
    class Other(StaticEmbedder):
        languages = None  # type: ignore[assignment]

    assert reads(Other(), "夜来香")
    assert not reads(StaticEmbedder(), "夜来香")


def test_the_terms_of_a_question_are_terms_of_the_index() -> None:
    goal = "夜来香的花期是什么时候？"
    assert set(query_terms(goal)) < set(terms(goal, stop=True))
    with library() as plants:
        told = plants.explain(goal, plants.search(goal)[0].id)
    assert {each.term for each in told.terms} | set(told.missing) == set(query_terms(goal))
