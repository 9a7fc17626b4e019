"""Filters hold for every channel, also where a document lacks what they compare."""

import pytest
from haystack import Document

from ragnb.library import Library
from ragnb.stages.retrieve import Retriever

SINCE = {"field": "meta.updated", "operator": ">=", "value": "2025-01-01"}


@pytest.mark.parametrize("channels", [None, ["bm25"], ["reference"]])
def test_a_date_filter_holds_where_some_documents_have_no_date(channels: list[str] | None) -> None:
    about = "The credit policy CP-3 says who may grant a credit; see also the memo ADR-012."
    dates = {"new": "2025-03-01", "old": "2023-01-01", "none": None, "odd": "soon"}
    documents = [
        Document(
            content=f"{about} This is {key}.",
            id=key,
            meta={"title": f"Credit {key}", **({"updated": date} if date else {})},
        )
        for key, date in dates.items()
    ]
    with Library.from_documents(documents) as library:
        found = Retriever(library).run(
            query="What does the credit policy CP-3 say?", filters=SINCE, channels=channels
        )
    assert {each.meta["source_id"] for each in found["documents"]} == {"new"}
