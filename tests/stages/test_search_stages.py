import pytest
from haystack import Document
from haystack.core.serialization import component_to_dict

from ragnb.errors import InputError
from ragnb.library import Library
from ragnb.stages import Reader, Reranker, Retriever


def sources(documents: list[Document]) -> list[str]:
    return [document.meta["source_id"] for document in documents]


def test_channels_are_fused_and_named(library: Library) -> None:
    found = Retriever(library).run(query="How long are raw temperature readings kept?")["documents"]
    assert {"handbook.md", "product-waypost.md"} <= set(sources(found[:5]))
    assert {"bm25", "vector"} <= set(found[0].meta["_ranks"])
    scores = [document.score or 0.0 for document in found]
    assert scores == sorted(scores, reverse=True)


def test_a_source_that_the_query_names_is_found_by_its_name(library: Library) -> None:
    found = Retriever(library).run(query="What followed from CP-3?", channels=["reference"])
    first = found["documents"][0]
    assert first.meta["source_id"] == "policy-credits.md"
    assert first.meta["_ranks"].keys() == {"reference"}
    assert first.meta["_ranks"]["reference"][0] == 1
    assert first.meta["_via"][0]["name"] == "CP-3"
    assert first.meta["_via"][0]["source_id"] == ""


def test_a_name_in_what_was_found_leads_to_its_source(library: Library) -> None:
    found = Retriever(library).run(query="limit raised by the board for care agents")["documents"]
    led = [d for d in found if d.meta.get("_via") and d.meta["_via"][0]["source_id"]]
    assert "incident-inc-4711.md" in sources(led)
    via = next(d for d in led if d.meta["source_id"] == "incident-inc-4711.md").meta["_via"][0]
    assert "INC-4711" in via["sentence"]


def test_channels_and_filters_are_obeyed(library: Library) -> None:
    only = Retriever(library).run(query="credit", channels=["bm25"])["documents"]
    assert all(set(d.meta["_ranks"]) == {"bm25"} for d in only)
    current = {"field": "meta.status", "operator": "==", "value": "current"}
    kept = Retriever(library).run(query="credit policy CP-2", filters=current)["documents"]
    assert {d.meta["status"] for d in kept} == {"current"}
    with pytest.raises(InputError):
        Retriever(library).run(query="credit", top_k=0)


def test_reranking_puts_what_covers_the_query_first(library: Library) -> None:
    query = "alarm took how many seconds in the pilot on the Oslo lane"
    found = Retriever(library).run(query=query)["documents"]
    ranked = Reranker(top_k=3).run(query=query, documents=found)
    assert ranked["notes"] == []
    assert len(ranked["documents"]) == 3
    assert ranked["documents"][0].meta["source_id"] == "release-notes-waypost-4.2.md"
    assert "_ranks" in ranked["documents"][0].meta


def test_reranking_leaves_its_inputs_alone_and_is_repeatable(library: Library) -> None:
    found = Retriever(library).run(query="credit limit")["documents"]
    before = [(d.id, d.score) for d in found]
    first = Reranker().run(query="credit limit", documents=found)["documents"]
    second = Reranker().run(query="credit limit", documents=found)["documents"]
    assert [(d.id, d.score) for d in first] == [(d.id, d.score) for d in second]
    assert [(d.id, d.score) for d in found] == before
    assert Reranker().run(query="x", documents=[])["documents"] == []


def test_what_is_read_stands_in_its_source(library: Library) -> None:
    hit = Retriever(library).run(query="Who may grant a credit?")["documents"][0]
    context = Reader(library).run(id=hit.id, scope="section")["context"]
    assert context.text == library.source(context.source_id).text[context.start : context.end]


def test_components_say_how_they_were_made(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "ragnb.*")
    for part in (Retriever(library, top_k=7), Reranker(top_k=3), Reader(library)):
        data = component_to_dict(part, "part")
        assert data["type"].startswith("ragnb.stages.")
    assert component_to_dict(Retriever(library, top_k=7), "r")["init_parameters"]["top_k"] == 7
    again = Retriever.from_dict(Retriever(library, top_k=7).to_dict())
    assert again.top_k == 7
    again.library.close()
