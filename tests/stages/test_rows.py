"""A quoted row of a table reads with the names of its columns, and stays word for word."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from haystack import Document

import ragnb
from ragnb.display import render
from ragnb.library import Library
from ragnb.llm.extracting import ModelExtractor
from ragnb.panels.cards import evidence_cards
from ragnb.panels.choice import Choice
from ragnb.records import Answer, Context, Grounding, SubQuestion, Uncertainty
from ragnb.stages import Extractor
from ragnb.stages.spans import cut

BOATS = "Boat,Seats,Material\nHeron,12,wood\nTern,4,carbon\n"
QUESTION = "How many seats does the boat Heron have?"
ROW = "Boat: Heron · Seats: 12 · Material: wood"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragnb.Run]:
    folder = tmp_path_factory.mktemp("club")
    (folder / "boats.csv").write_text(BOATS)
    with Library.from_folder(folder) as library:
        yield ragnb.Agent(library).ask(QUESTION)


def said(run: ragnb.Run) -> Answer:
    assert run.answer is not None
    return run.answer


def test_the_statement_names_the_columns_and_the_quote_is_verbatim(run: ragnb.Run) -> None:
    (claim,) = said(run).conclusions
    assert claim.statement == f"12 ({ROW})"
    (quote,) = claim.groundings
    assert BOATS[quote.start : quote.end] == quote.quote == "Heron,12,wood"
    text = render(said(run), "answer_text")
    assert "“Heron,12,wood”" in text
    assert text.count(ROW) == 1


def test_json_html_and_the_panel_of_quotes_tell_them_too(run: ragnb.Run) -> None:
    (claim,) = said(run).to_dict()["conclusions"]
    cells = claim["groundings"][0]["cells"]
    assert cells == {"Boat": "Heron", "Seats": "12", "Material": "wood"}
    assert render(said(run), "answer_html").count(ROW) == 1
    assert ROW in render(run, "run_html")
    assert ROW in "".join(evidence_cards(run.state, Choice()).values())


def test_a_row_that_is_quoted_beside_another_statement_tells_its_columns_below() -> None:
    text = "# Boats\n\n| Boat | Seats |\n|---|---|\n| Heron | 12 |\n"
    question = SubQuestion.of("Tell me all about Heron and its seats.", kind="other")
    known = Context(id="c", source_id="b.md", scope="document", start=0, end=len(text), text=text)
    (item,) = Extractor().run(question=question, context=known)["evidence"]
    assert (item.quote, item.row) == ("| Heron | 12 |", "Boat: Heron · Seats: 12")
    doubt = Uncertainty(
        statement="Of boats.", question_id=question.id, groundings=(Grounding.of(item),)
    )
    beside = Answer(goal=question.text, uncertainties=(doubt,))
    for view in ("answer_text", "answer_html"):
        assert render(beside, view).count(item.row) == 1


@pytest.mark.parametrize(
    ("text", "row", "lead"),
    [
        ("Boat;Seats\nHeron;12", "Heron;12", "Boat;Seats"),
        ("Site,2024,\n,Q1,Q2\nOslo,1,2\nRome,3,4", "Oslo,1,2", "Site,2024,\n,Q1,Q2"),
    ],
)
def test_the_header_of_a_file_of_rows_is_all_that_names_its_columns(
    text: str, row: str, lead: str
) -> None:
    spans = cut(text, "a.csv")
    assert text[spans[0].start : spans[0].end] == row
    assert spans[0].lead == lead


def test_rows_from_the_middle_of_a_long_file_know_its_header() -> None:
    lines = [f"Boat {n},{n % 9 + 1},material {n} of the yard" for n in range(400)]
    text = "\n".join(["Boat,Seats,Material", *lines])
    with Library.from_documents([Document(id="boats.csv", content=text)]) as library:
        hit, *_ = library.search("Boat 300 seats", top_k=1)
        known = library.read(hit.id)
        assert known.start > 0
        assert known.header == "Boat,Seats,Material"
        first = known.text.split("\n")[0]
        spans = cut(known.text, known.source_id, known.header)
        assert known.text[spans[0].start : spans[0].end] == first
        evidence = ragnb.Agent(library).ask("How many seats does Boat 300 have?").evidence
    said = {item.quote: item for item in evidence}["Boat 300,4,material 300 of the yard"]
    assert (said.says, said.row.split(" · ")[1]) == ("4", "Seats: 4")


def test_a_row_that_a_model_quotes_tells_its_columns() -> None:
    reply = {"quotes": [{"quote": "Heron,12,wood", "says": "12 seats", "support": "strong"}]}
    stage = ModelExtractor(ragnb.ScriptedGenerator(lambda _: json.dumps(reply)))
    known = Context(
        id="c", source_id="b.csv", scope="document", start=0, end=len(BOATS), text=BOATS
    )
    question = SubQuestion.of(QUESTION, kind="how_many")
    found = stage.run(question=question, context=known)["evidence"]
    assert [(item.quote, item.row) for item in found if item.verified] == [("Heron,12,wood", ROW)]


def test_a_row_that_a_tool_looks_up_tells_its_columns(tmp_path: Path) -> None:
    (tmp_path / "boats.csv").write_text(BOATS)
    with Library.from_folder(tmp_path) as library:
        run = ragnb.Agent(library, policy="plan").ask(QUESTION)
    assert any(call.name == "query_table" for call in run.state.calls)
    assert ROW in [item.row for item in run.evidence]
