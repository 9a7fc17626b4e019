"""The store as it grows: sign codes, compaction, what is kept between searches."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from haystack import Document
from haystack.document_stores.types import DuplicatePolicy
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.library import codes, compaction
from ragnb.library.codes import candidates, sign_codes
from ragnb.library.embedding import StaticEmbedder
from ragnb.library.store import EmbeddedDocumentStore

WORDS = ["export", "limit", "plan", "incident", "review", "rotation", "pager", "policy", "salt"]


def _documents(count: int) -> list[Document]:
    return [
        Document(
            id=f"{n:04}",
            content=f"{WORDS[n % 9]} {WORDS[n % 7]} {WORDS[n % 5]} number {n}",
            meta={"source_id": f"s{n // 10}", "index": n % 10},
        )
        for n in range(count)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedDocumentStore]:
    with EmbeddedDocumentStore(tmp_path, embedder=StaticEmbedder()) as made:
        made.write_documents(_documents(300))
        yield made


def test_sign_codes_find_what_an_exact_search_finds(
    store: EmbeddedDocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codes, "_LEAST", 60)
    exact = store.nearest("review of the pager rotation", 10)
    store.delete_documents([exact[0][0]])
    exact = store.nearest("review of the pager rotation", 10)
    with EmbeddedDocumentStore(store.path, embedder=StaticEmbedder(), exact_limit=0) as coded:
        found = coded.nearest("review of the pager rotation", 10)
        assert len({name for name, _ in found} & {name for name, _ in exact}) >= 9
        assert all(score == dict(exact).get(name, score) for name, score in found)
        one = {"field": "meta.source_id", "operator": "==", "value": "s3"}
        names = {name for name, _ in coded.nearest("pager", 50, one)}
        assert names == {f"{n:04}" for n in range(30, 40)}


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 130), st.integers(1, 40))
def test_the_nearest_sign_code_is_always_a_candidate(dimension: int, count: int) -> None:
    generator = np.random.default_rng(dimension * 1000 + count)
    rows = generator.normal(size=(count, dimension)).astype(np.float32)
    kept = candidates(sign_codes(rows), rows[0], None)
    assert 0 in kept
    usable = np.arange(count) % 2 == 1
    assert set(candidates(sign_codes(rows), rows[0], usable)) <= set(np.flatnonzero(usable))


def test_ones_are_counted_alike_with_and_without_numpy_2(monkeypatch: pytest.MonkeyPatch) -> None:
    words = np.random.default_rng(5).integers(0, 2**63, size=(9, 4), dtype=np.uint64)
    counted = codes._ones(words)
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert codes._ones(words).tolist() == counted.tolist()


def test_compaction_changes_files_and_nothing_that_is_found(store: EmbeddedDocumentStore) -> None:
    store.delete_documents([f"{n:04}" for n in range(0, 300, 2)])
    store.write_documents([Document(id="0001", content="salt")], DuplicatePolicy.OVERWRITE)
    before = store.nearest("salt and policy", 20), store.bm25("salt policy", 20)
    size = (store.path / "vectors.f32").stat().st_size
    assert store.compact() == 151
    assert (store.nearest("salt and policy", 20), store.bm25("salt policy", 20)) == before
    assert [path.name for path in store.path.glob("vectors*")] == ["vectors-1.f32"]
    assert (store.path / "vectors-1.f32").stat().st_size == 150 * 256 * 4 < size
    assert store.compact() == 0
    store.write_documents([Document(id="new", content="a new okapi")])
    assert store.nearest("okapi", 1)[0][0] == "new"
    with EmbeddedDocumentStore(store.path, embedder=StaticEmbedder()) as again:
        assert again.nearest("salt and policy", 20)[1:] == store.nearest("salt and policy", 20)[1:]


def test_writing_compacts_by_itself_once_enough_is_gone(
    store: EmbeddedDocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "_LEAST", 50)
    with EmbeddedDocumentStore(store.path, embedder=StaticEmbedder()) as reader:
        assert reader.nearest("salt", 3)
        store.delete_documents([f"{n:04}" for n in range(70)])
        assert (store.path / "vectors.f32").exists()
        store.delete_documents([f"{n:04}" for n in range(70, 100)])
        assert [path.name for path in store.path.glob("vectors*")] == ["vectors-1.f32"]
        assert reader.nearest("salt", 300) == store.nearest("salt", 300)
        assert len(reader.nearest("salt", 300)) == 200


def test_an_error_takes_compaction_back(store: EmbeddedDocumentStore) -> None:
    store.delete_documents([f"{n:04}" for n in range(40)])
    before = store.nearest("pager", 300)

    def compact_and_fail() -> None:
        with store.writing():
            store.compact()
            assert store.nearest("pager", 300) == before
            raise RuntimeError

    with pytest.raises(RuntimeError):
        compact_and_fail()
    assert store.nearest("pager", 300) == before
    assert store.compact() == 40
    assert store.nearest("pager", 300) == before


def test_filters_by_source_place_and_named_fields_use_an_index(
    store: EmbeddedDocumentStore,
) -> None:
    from ragnb.library.filters import compile_filters

    store.index_field("meta.team")
    for field, value in (("meta.source_id", "s3"), ("meta.team", 3), ("team", "x")):
        condition, values = compile_filters({"field": field, "operator": "==", "value": value})
        plan = store._database.connection.execute(
            f"EXPLAIN QUERY PLAN SELECT id FROM chunks WHERE {condition}",  # noqa: S608
            values,
        ).fetchall()
        assert "USING INDEX" in plan[0][3]
        assert plan[0][3].startswith("SEARCH")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("wodc"), st.integers(0, 5)), max_size=25))
def test_whatever_is_written_and_deleted_a_search_sees_exactly_what_is_there(
    steps: list[tuple[str, int]],
) -> None:
    held: dict[str, str] = {}
    with EmbeddedDocumentStore(embedder=StaticEmbedder()) as store:
        for turn, (what, n) in enumerate(steps):
            name, text = f"{n}", f"{WORDS[n]} in turn {turn}"
            if what == "d":
                store.delete_documents([name])
                held.pop(name, None)
            elif what == "c":
                store.compact()
            else:
                store.write_documents([Document(id=name, content=text)], DuplicatePolicy.OVERWRITE)
                held[name] = text
            assert store.count_documents() == len(held)
            assert {name for name, _ in store.nearest("turn", 9)} == set(held)
            assert {name for name, _ in store.bm25("turn", 9)} == set(held)
            for name, text in held.items():
                assert store.cosine(text, name) == pytest.approx(1.0, abs=1e-5)


def test_the_same_store_answers_asynchronously(store: EmbeddedDocumentStore) -> None:
    import asyncio

    async def use() -> tuple[int, int, int]:
        written = await store.write_documents_async([Document(id="new", content="x")])
        count = await store.count_documents_async()
        await store.delete_documents_async(["new"])
        return written, count, len(await store.filter_documents_async())

    assert asyncio.run(use()) == (1, 301, 300)
