"""A quote of a document that is not in force is marked wherever an answer shows it."""

from collections.abc import Iterator

import pytest

import ragnb
from ragnb.display import render
from ragnb.library import Library
from ragnb.panels.cards import evidence_cards
from ragnb.panels.choice import Choice
from ragnb.records import Answer

RULES = "# Rules\n\nNobody goes out when the wind at the weir gauge is above 28 km/h.\n"
OLD = (
    "---\nstatus: superseded\n---\n# Old rules\n\n"
    "Nobody goes out at any wind speed when the wind blows across the weir.\n"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragnb.Run]:
    folder = tmp_path_factory.mktemp("club")
    (folder / "rules.md").write_text(RULES)
    (folder / "old.md").write_text(OLD)
    with Library.from_folder(folder) as library:
        yield ragnb.Agent(library).ask("At what wind speed is nobody allowed to go out?")


def said(run: ragnb.Run) -> Answer:
    assert run.answer is not None
    return run.answer


def test_the_text_and_the_json_of_an_answer_say_it(run: ragnb.Run) -> None:
    text = render(said(run), "answer_text")
    assert "— Rules (weak)" in text
    assert "— Old rules (weak, superseded)" in text
    (claim,) = said(run).to_dict()["conclusions"]
    marks = {each["source_id"]: each["status"] for each in claim["groundings"]}
    assert marks == {"rules.md": "", "old.md": "superseded"}


def test_the_html_of_an_answer_and_of_a_run_say_it(run: ragnb.Run) -> None:
    for shown in (render(said(run), "answer_html"), render(run, "run_html")):
        assert shown.count("<b> · superseded</b>") == 1


def test_the_panel_of_quotes_says_it(run: ragnb.Run) -> None:
    shown = "".join(evidence_cards(run.state, Choice()).values())
    assert shown.count("<b>superseded</b>") == 1
