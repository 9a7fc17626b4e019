"""A long text is given to a model in parts; what it quotes is found in the whole."""

from hypothesis import given
from hypothesis import strategies as st

import ragnb
from ragnb.llm.excerpts import LONGEST, excerpts
from ragnb.llm.extracting import ModelExtractor
from ragnb.llm.metering import Meter, metered
from ragnb.records import Context, SubQuestion

FILLER = "The committee met in the old town hall and talked about the weather. "


@given(
    st.lists(st.sampled_from(["Exports stay.", FILLER, "\n\n", "no end here ", "。"]), max_size=60),
    st.integers(200, 2000),
)
def test_parts_are_in_order_apart_and_fit(pieces: list[str], longest: int) -> None:
    text = "".join(pieces)
    spans = excerpts(text, "How long do exports stay?", longest=longest)
    assert sum(end - start for start, end in spans) <= max(longest, 0) or len(text) <= longest
    edges = [place for span in spans for place in span]
    assert edges == sorted(edges)
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    if len(text) <= longest:
        assert spans == [(0, len(text))]


def test_a_long_document_is_sent_in_parts_and_its_quote_stands_in_the_whole() -> None:
    needle = "Exports are kept for 30 days."
    text = FILLER * 400 + needle + " " + FILLER * 400
    context = Context(
        id="c", source_id="s", chunk_id="k", scope="document", start=0, end=len(text), text=text
    )
    question = SubQuestion.of("How long are exports kept?", kind="how_many")
    reply = {"quotes": [{"quote": needle, "says": "30 days", "support": "strong"}]}
    double = ragnb.ScriptedGenerator([reply])
    with metered(Meter()) as meter:
        made = ModelExtractor(double).run(question=question, context=context)["evidence"]
    sent = double.calls[0][1].text or ""
    assert needle in sent
    assert len(sent) < LONGEST + 2000 < len(text)
    assert [text[item.start : item.end] for item in made] == [needle]
    assert "The text is long" in meter.close()[1][0]
