import socket

import numpy as np
import pytest
from haystack import Document, Pipeline
from hypothesis import given, settings
from hypothesis import strategies as st

from ragnb.errors import InputError
from ragnb.library.embedding import (
    Embedder,
    StaticDocumentEmbedder,
    StaticEmbedder,
    StaticTextEmbedder,
)


def test_the_default_embedder_is_an_embedder() -> None:
    assert isinstance(StaticEmbedder(), Embedder)
    assert StaticEmbedder.dimension == 256


@settings(deadline=None)  # the first example loads the vectors
@given(st.lists(st.text(max_size=40), max_size=5))
def test_vectors_have_length_one_or_are_zero_for_texts_without_tokens(texts: list[str]) -> None:
    vectors = StaticEmbedder().embed(texts)
    assert vectors.shape == (len(texts), 256)
    assert vectors.dtype == np.float32
    for text, vector in zip(texts, vectors, strict=True):
        length = float(np.linalg.norm(vector))
        assert length == pytest.approx(1.0, abs=1e-5) if text else length == 0.0


@settings(deadline=None)  # the first example loads the vectors
@given(st.lists(st.text(min_size=1, max_size=40), min_size=2, max_size=5))
def test_a_vector_does_not_depend_on_the_texts_beside_it(texts: list[str]) -> None:
    embedder = StaticEmbedder()
    together = embedder.embed(texts)
    assert all(np.array_equal(embedder.embed([t])[0], v) for t, v in zip(texts, together, strict=1))


def test_texts_of_like_meaning_are_nearer_than_others() -> None:
    vectors = StaticEmbedder().embed(
        ["How do I cancel my subscription?", "ending a membership plan", "the moons of Jupiter"]
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_token_vectors_are_unit_rows_one_a_token() -> None:
    rows = StaticEmbedder().tokens("Hello world 你好")
    assert rows.shape == (5, 256)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert StaticEmbedder().tokens("").shape == (0, 256)


def test_lone_surrogates_are_embedded_as_if_they_were_question_marks() -> None:
    vectors = StaticEmbedder().embed(["a\ud800", "a?"])
    assert np.array_equal(vectors[0], vectors[1])


def test_one_string_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(InputError, match="list of texts"):
        StaticEmbedder().embed("one text")


def test_nothing_is_asked_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    from ragnb.library import embedding

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    embedding._load.cache_clear()
    assert StaticEmbedder().embed(["offline"]).any()


def test_the_components_run_in_a_pipeline_that_is_written_and_read_again() -> None:
    pipeline = Pipeline()
    pipeline.add_component("query", StaticTextEmbedder())
    pipeline.add_component("documents", StaticDocumentEmbedder())
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["ragnb.*"])
    given = Document(content="a small dog")
    result = again.run({"query": {"text": "a small dog"}, "documents": {"documents": [given]}})
    (document,) = result["documents"]["documents"]
    assert document.embedding == result["query"]["embedding"]
    assert len(document.embedding) == 256
    assert given.embedding is None
