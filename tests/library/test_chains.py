from collections.abc import Iterator

import pytest
from haystack import Document
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from ragnb.library import Library
from ragnb.library.chains import Chain, Settings, follow
from ragnb.library.linking import references, sentence_naming
from ragnb.library.references import References
from ragnb.stages import Retriever

TEXTS = {
    "The Glass Harbour (film)": "The Glass Harbour is a drama. It was directed by Mira Tolvanen.",
    "Mira Tolvanen": "Mira Tolvanen is a director. She was born in Porvoo.",
    "Glass": "Glass is made from sand. A director of a works may buy it in a harbour.",
    "Born free": "Many animals are born free in spring. Some are born in a harbour.",
    "Lake plan": "The plan for the lake follows ADR-012 and was agreed with Mira Tolvanen.",
    "ADR-012: Keep logs": "We keep logs for ninety days.",
}


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    documents = [
        Document(id=title, content=text, meta={"title": title}) for title, text in TEXTS.items()
    ]
    with Library.from_documents(documents) as made:
        yield made


def titles(index: References, chain: Chain) -> list[str]:
    return [index.sources[index.source_of[step.chunk]].title for step in chain.steps]


def test_a_name_in_a_found_chunk_leads_to_the_chunk_of_that_name(library: Library) -> None:
    index = references(library)
    chains = follow(index, "Where was the director of The Glass Harbour born?")
    first, second = chains[:2]
    assert titles(index, first) == ["The Glass Harbour (film)"]
    assert titles(index, second) == ["The Glass Harbour (film)", "Mira Tolvanen"]
    assert index.spell(second.name) == "mira tolvanen"


def test_an_identifier_leads_to_its_document(library: Library) -> None:
    index = references(library)
    chains = follow(index, "How long are logs kept by the lake plan?")
    led = next(chain for chain in chains if titles(index, chain)[-1] == "ADR-012: Keep logs")
    assert "Lake plan" in {titles(index, chain)[0] for chain in chains}
    assert led in chains[:3]


def test_the_sentence_that_names_is_told_word_for_word(library: Library) -> None:
    index = references(library)
    chain = follow(index, "Where was the director of The Glass Harbour born?")[1]
    assert chain.before is not None
    text = library.chunks([index.ids[chain.before.chunk]])[0].content or ""
    told = sentence_naming(text, index, chain.before.chunk, chain.name)
    assert told == ("It was directed by Mira Tolvanen.", "Mira Tolvanen")


def test_chains_are_repeatable_and_no_source_comes_twice_in_one(library: Library) -> None:
    index = references(library)
    question = "Who directed The Glass Harbour, and what does Mira Tolvanen know of ADR-012?"
    found = follow(index, question)
    assert found == follow(index, question)
    assert all(len(set(titles(index, chain))) == len(chain.steps) for chain in found)
    assert len({chain.chunk for chain in found}) == len(found)


def test_what_another_search_found_can_begin_a_chain(library: Library) -> None:
    index = references(library)
    name = next(
        name
        for name in index.ids
        if titles(index, Chain(chunk=index.place_of[name], score=0.0)) == ["Glass"]
    )
    assert follow(index, "zebra", prior={name: 1.0}) == []
    found = follow(index, "spring", prior={name: 1.0}, settings=Settings(prior_unnamed=2.0))
    assert index.ids[found[0].chunk] == name


def test_nothing_is_found_for_a_question_without_words(library: Library) -> None:
    assert follow(references(library), "?") == []


def test_the_index_follows_the_library(library: Library) -> None:
    documents = [Document(id="a", content="Ada lives in Turku.", meta={"title": "Ada"})]
    with Library.from_documents(documents) as small:
        before = references(small)
        assert references(small) is before
        small.add(Document(id="b", content="Turku is old. Kai likes it.", meta={"title": "Turku"}))
        after = references(small)
        assert (len(before), len(after)) == (1, 2)
        built = [info.id for info in after.sources]
        found = follow(after, "Where does Ada live?")
        assert [built[after.source_of[chain.chunk]] for chain in found] == ["a", "b"]
        small.remove("a")
        assert len(references(small)) == 1


def test_an_updated_index_equals_one_built_anew() -> None:
    documents = [
        Document(id=title, content=text, meta={"title": title}) for title, text in TEXTS.items()
    ]
    question = "Where was the director of The Glass Harbour born?"
    with Library.from_documents(documents[:3]) as grown, Library.from_documents(documents) as whole:
        references(grown)
        grown.add(documents[3:])
        told = [
            [(titles(index, chain), chain.score) for chain in follow(index, question)]
            for index in (references(grown), references(whole))
        ]
    assert told[0] == told[1]


def test_names_are_followed_over_any_store() -> None:
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(id=title, content=text, meta={"title": title}) for title, text in TEXTS.items()]
    )
    lent = Library.over(store, retriever=InMemoryBM25Retriever(store))
    found = Retriever(lent).run(query="Where was the director of The Glass Harbour born?")
    first, second = found["documents"][:2]
    assert (first.id, second.id) == ("The Glass Harbour (film)", "Mira Tolvanen")
    assert second.meta["_via"][-1]["sentence"] == "It was directed by Mira Tolvanen."


def test_a_link_is_a_mention_of_its_target() -> None:
    documents = [
        Document(
            id="a/one.md", content="# Alpha valve\n\nThe valve needs [the rest](../b/two.md)."
        ),
        Document(id="b/two.md", content="# Something else\n\nPressure is nine."),
    ]
    with Library.from_documents(documents) as linked:
        index = references(linked)
        found = follow(index, "Which pressure has the Alpha valve?")
    assert titles(index, found[0]) == ["Alpha valve"]
    assert ["Alpha valve", "Something else"] in [titles(index, chain) for chain in found]


def test_chinese_titles_are_followed() -> None:
    documents = [
        Document(id="a", content="晨光剧团今年上演了《石头记》。", meta={"title": "晨光剧团"}),
        Document(id="b", content="作者是曹氏，共一百二十回。", meta={"title": "石头记"}),
        Document(id="c", content="剧团在城里。作者很多。", meta={"title": "城市"}),
    ]
    with Library.from_documents(documents) as made:
        index = references(made)
        found = follow(index, "晨光剧团上演的作品，作者是谁？")
        led = next(chain for chain in found if titles(index, chain)[-1] == "石头记")
        text = documents[0].content or ""
        assert led.before is not None
        told = sentence_naming(text, index, led.before.chunk, led.name)
    assert titles(index, led) == ["晨光剧团", "石头记"]
    assert told == (text, "石头记")
