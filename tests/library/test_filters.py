import json
import sqlite3
from typing import Any

import pytest
from haystack import Document
from haystack.errors import FilterError
from haystack.utils.filters import document_matches_filter
from hypothesis import given
from hypothesis import strategies as st

from ragnb.library.filters import compile_filters, register

DATES = ["2024-01-01", "2024-01-01T00:00:00", "2024-06-30T12:00:00+02:00", "2023-12-31T23:00:00"]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.1, -2.5, 1.0, 1e300, 2**63]),
    st.sampled_from(["", "x", "X", "true", "é", "it's", *DATES]),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(st.just("y"), SCALARS))
METAS = st.dictionaries(st.sampled_from(["x", "z", "sp ace"]), VALUES, max_size=3)
FIELDS = st.sampled_from(["meta.x", "meta.x.y", "meta.z", "x", "meta.sp ace", "id", "content"])


def _leaf(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


LEAVES = st.one_of(
    st.builds(_leaf, FIELDS, st.sampled_from(["==", "!="]), VALUES),
    st.builds(_leaf, FIELDS, st.sampled_from(["in", "not in"]), st.lists(VALUES, max_size=3)),
    st.builds(
        _leaf,
        FIELDS,
        st.sampled_from([">", ">=", "<", "<="]),
        st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([0.1, -2.5, *DATES])),
    ),
)
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda operator, conditions: {"operator": operator, "conditions": conditions},
        st.sampled_from(["AND", "OR", "NOT"]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=5,
)


def _matches(filters: dict[str, Any], document: Document) -> bool:
    connection = sqlite3.connect(":memory:")
    try:
        register(connection)
        connection.execute("CREATE TABLE chunks (document, content, meta)")
        row = [document.id, document.content, json.dumps(document.meta, ensure_ascii=False)]
        connection.execute("INSERT INTO chunks VALUES (?, ?, ?)", row)
        condition, values = compile_filters(filters)
        query = f"SELECT {condition} FROM chunks"  # noqa: S608 (what is tested)
        return bool(connection.execute(query, values).fetchone()[0])
    finally:
        connection.close()


@given(FILTERS, METAS)
def test_a_compiled_filter_matches_what_haystack_says_it_matches(
    filters: dict[str, Any], meta: dict[str, Any]
) -> None:
    document = Document(id="a", content="text", meta=meta)
    try:
        expected = document_matches_filter(filters, document)
    except (FilterError, TypeError):
        return  # values that can't be compared: a document like this doesn't match here
    assert _matches(filters, document) == expected


@pytest.mark.parametrize(
    "filters",
    [
        {"operator": "AND"},
        {"conditions": []},
        {"operator": "XOR", "conditions": []},
        {"operator": "AND", "conditions": {"field": "x"}},
        {"operator": "AND", "conditions": ["x"]},
        {"field": "meta.x", "operator": "like", "value": "a"},
        {"field": "meta.x", "operator": "=="},
        {"field": "meta.x", "operator": "in", "value": "abc"},
        {"field": "meta.x", "operator": ">", "value": "abc"},
        {"field": "meta.x", "operator": ">", "value": [1]},
        {"field": "meta.x", "operator": "==", "value": "\ud800"},
        {"field": "meta.x", "operator": "==", "value": {1, 2}},
        {"field": 'meta.x"', "operator": "==", "value": 1},
        {"field": "embedding", "operator": "==", "value": 1},
    ],
)
def test_a_malformed_filter_is_refused_before_the_search(filters: dict[str, Any]) -> None:
    with pytest.raises(FilterError):
        compile_filters(filters)


def test_a_quote_in_a_field_name_stays_part_of_the_name() -> None:
    document = Document(id="a", meta={"it's": 1})
    assert _matches(_leaf("meta.it's", "==", 1), document)
    assert not _matches(_leaf("meta.x') OR 1 --", "==", 1), document)


def test_a_document_whose_value_cannot_be_compared_does_not_match() -> None:
    document = Document(id="a", meta={"x": "soon"})
    assert not _matches(_leaf("meta.x", ">", 1), document)
    assert not _matches(_leaf("meta.x", ">", "2024-01-01"), document)


def test_many_values_fit_into_one_condition() -> None:
    values = [f"name {number}" for number in range(5000)]
    assert _matches(_leaf("meta.x", "in", values), Document(id="a", meta={"x": "name 4999"}))
