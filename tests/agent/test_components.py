"""A user's own Haystack components in the loop: what fits, what is told, what is called again."""

from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document, Pipeline, SuperComponent, component
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

import ragnb
from ragnb.agent.actions import Retrieve
from ragnb.agent.outcomes import Failed, Hits
from ragnb.errors import InputError
from ragnb.stages import Reranker, Retriever

TEXTS = {
    "exports": "Exports are kept for 30 days. The data board decided this in May 2024.",
    "imports": "Imports are kept for 7 days. The import team decided this.",
    "leave": "Employees get 28 days of paid leave per year.",
}
GOAL = "How long are exports kept, and how many days of paid leave do employees get?"


@pytest.fixture
def library() -> Iterator[ragnb.Library]:
    documents = [Document(id=name, content=text) for name, text in TEXTS.items()]
    with ragnb.Library.from_documents(documents) as made:
        yield made


@pytest.fixture
def store(library: ragnb.Library) -> InMemoryDocumentStore:
    store = InMemoryDocumentStore(shared=False)
    store.write_documents([Document(id=name, content=text) for name, text in TEXTS.items()])
    return store


@component
class Counting:
    """A retriever of the user's, over nothing that ragnb knows."""

    def __init__(self, told: object = None) -> None:
        self.told = told
        self.queries: list[str] = []

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        self.queries.append(query)
        words = set(query.lower().split())
        found = [
            Document(id=name, content=text, score=float(len(words & set(text.lower().split()))))
            for name, text in TEXTS.items()
        ]
        return {"documents": sorted(found, key=lambda item: -(item.score or 0))}


@component
class ByLength:
    """A ranker of the user's: the shortest first."""

    @component.output_types(documents=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
        return {"documents": sorted(documents, key=lambda item: len(item.content or ""))}


def test_a_haystack_retriever_and_ranker_drop_in(
    library: ragnb.Library, store: InMemoryDocumentStore
) -> None:
    stages = {"retrieve": InMemoryBM25Retriever(store), "rerank": ByLength()}
    run = ragnb.Agent(library, stages=stages).ask(GOAL)
    assert run.answer is not None
    said = " ".join(g.quote for claim in run.answer.conclusions for g in claim.groundings)
    assert "30 days" in said
    assert "28 days" in said


@pytest.mark.parametrize("top_k", [1, 2])
def test_a_rankers_own_setting_of_how_many_it_keeps_holds(
    library: ragnb.Library, top_k: int
) -> None:
    run = ragnb.Agent(library, stages={"rerank": Reranker(top_k=top_k)}).ask(GOAL)
    search = run.state.searches[0]
    assert len(search.hits) > 2
    assert search.ranked is not None
    assert len(search.ranked) == top_k


def _notes(run: ragnb.Run) -> list[str]:
    values = [entry.outcome.value for entry in run.entries]
    return [note for value in values if isinstance(value, Hits) for note in value.notes]


def test_arguments_that_a_component_cannot_take_are_named(library: ragnb.Library) -> None:
    run = ragnb.Agent(library, stages={"retrieve": Counting()}).ask(GOAL)
    assert any("Counting can't take" in note and "top_k" in note for note in _notes(run))


def test_documents_that_the_library_lacks_become_sources_of_their_own(
    library: ragnb.Library,
) -> None:
    @component
    class Elsewhere:
        @component.output_types(documents=list[Document])
        def run(self, query: str) -> dict[str, list[Document]]:
            text = "Exports are kept for 45 days, says the web."
            return {"documents": [Document(id="web", content=text, meta={"title": "The web"})]}

    run = ragnb.Agent(library, stages={"retrieve": Elsewhere()}).ask("How long are exports kept?")
    assert run.answer is not None
    quote = run.answer.conclusions[0].groundings[0]
    assert (quote.source_id, quote.title) == ("web", "The web")
    assert "45 days" in quote.quote


def test_a_retriever_by_vectors_gets_the_librarys_vectors(library: ragnb.Library) -> None:
    from ragnb.library.embedding import StaticEmbedder

    store = InMemoryDocumentStore(shared=False)
    vectors = StaticEmbedder().embed(list(TEXTS.values()))
    store.write_documents(
        [
            Document(id=name, content=text, embedding=[float(v) for v in vector])
            for (name, text), vector in zip(TEXTS.items(), vectors, strict=True)
        ]
    )
    stages = {"retrieve": InMemoryEmbeddingRetriever(store)}
    run = ragnb.Agent(library, stages=stages).ask("How many days of paid leave?")
    assert run.ranking()[0] == "leave"


def test_a_whole_pipeline_is_a_retriever(
    library: ragnb.Library, store: InMemoryDocumentStore
) -> None:
    pipeline = Pipeline()
    pipeline.add_component("search", InMemoryBM25Retriever(store))
    pipeline.add_component("join", DocumentJoiner())
    pipeline.connect("search.documents", "join.documents")
    wrapped = SuperComponent(
        pipeline,
        input_mapping={"query": ["search.query"]},
        output_mapping={"join.documents": "documents"},
    )
    run = ragnb.Agent(library, stages={"retrieve": wrapped}).ask("How long are exports kept?")
    assert run.answer is not None
    assert run.answer.conclusions


def test_a_component_with_other_sockets_is_refused_with_both_lists(
    library: ragnb.Library,
) -> None:
    with pytest.raises(InputError, match=r"takes .*gives .*expected"):
        ragnb.Agent(library, stages={"read": Counting()})
    with pytest.raises(InputError, match="no stage 'think'"):
        ragnb.Agent(library, stages={"think": Counting()})
    with pytest.raises(InputError, match="no Haystack component"):
        ragnb.Agent(library, stages={"retrieve": object()})


def test_our_stages_stand_in_a_pipeline_of_the_users(library: ragnb.Library) -> None:

    pipeline = Pipeline()
    pipeline.add_component("retrieve", Retriever(library))
    pipeline.add_component("rerank", Reranker(top_k=1))
    pipeline.connect("retrieve.documents", "rerank.documents")
    query = "paid leave days"
    found = pipeline.run({"retrieve": {"query": query}, "rerank": {"query": query}})
    assert found["rerank"]["documents"][0].meta["source_id"] == "leave"


def test_a_fork_calls_a_users_retriever_only_for_the_changed_query(
    library: ragnb.Library,
) -> None:
    mine = Counting(told=object())
    loop = ragnb.Agent(library, stages={"retrieve": mine}).start(GOAL)
    loop.run()
    asked = list(mine.queries)
    assert len(asked) >= 2
    path = loop.trace.branch(loop.head)
    at = next(n for n, entry in enumerate(path) if entry.action.kind == "retrieve")
    old = path[at].action.query
    fork = loop.fork("other words", at=at)
    changed = ragnb.Query.of("days that exports stay", old.question_id)
    fork.step(Retrieve(query=changed, instead_of=old.id))
    fork.run()
    new = mine.queries[len(asked) :]
    assert "days that exports stay" in new
    assert not set(new) & set(asked)
    assert any("this session only" in note for note in loop.trace.notes)


def test_a_store_that_cannot_be_watched_is_asked_again(
    library: ragnb.Library, store: InMemoryDocumentStore
) -> None:
    retriever = InMemoryBM25Retriever(store)
    loop = ragnb.Agent(library, stages={"retrieve": retriever}).start(GOAL)
    loop.run()
    store.write_documents([Document(id="new", content="Exports are kept for 99 days.")])
    fork = loop.fork("after a change", at=0)
    fork.edit(recalled=["nothing"])
    fork.run()
    found = {hit.source_id for search in fork.state.searches for hit in search.hits}
    assert "new" in found
    assert any("can't be watched" in note for note in loop.trace.notes)


def test_a_component_names_its_own_time_out_and_retries(library: ragnb.Library) -> None:
    @component
    class Slow:
        timeout = 0.05
        retries = 0

        @component.output_types(documents=list[Document])
        def run(self, query: str) -> dict[str, Any]:
            import threading

            threading.Event().wait(5)
            return {"documents": []}

    loop = ragnb.Agent(library, stages={"retrieve": Slow()}, policy="one_shot").start(GOAL)
    failed = loop.step().entry.outcome.value
    assert isinstance(failed, Failed)
    assert "0.05 seconds" in failed.text
    assert loop.run().answer is not None
    assert loop.state.stop is not None
    assert loop.state.stop.code == "failed"


def test_a_component_that_changes_its_inputs_cannot_reach_the_state(
    library: ragnb.Library,
) -> None:
    @component
    class Vandal:
        @component.output_types(documents=list[Document])
        def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
            for document in documents:
                document.meta.clear()
            documents.reverse()
            return {"documents": documents}

    loop = ragnb.Agent(library, stages={"rerank": Vandal()}).start(GOAL)
    loop.run(lambda step: step.entry.action.kind == "retrieve")
    hits = loop.state.searches[0].hits
    loop.step()
    assert loop.state.searches[0].hits == hits
    assert loop.run().answer is not None
