from haystack import Document

import ragnb
from ragnb.agent.actions import Read, Retrieve
from ragnb.agent.searches import with_contexts
from ragnb.agent.state import start
from ragnb.library import Library
from ragnb.records import Context


def notes(*texts: str) -> Library:
    documents = [
        Document(id=f"n{at}", content=text, meta={"title": f"Note {at}"})
        for at, text in enumerate(texts)
    ]
    return Library.from_documents(documents)


def context(scope: str, **changes: object) -> Context:
    fields = {"id": "c", "source_id": "s", "chunk_id": "k", "start": 0, "end": 3, "text": "Tea"}
    return Context(**{**fields, **changes}, scope=scope)  # type: ignore[arg-type]


def test_a_source_that_was_read_as_a_whole_is_not_read_around_again() -> None:
    library = notes(
        "The pump of the west hall is loud, and it was a gift of Ada Lind.",
        "The west hall has two doors.",
        "Coffee is served at noon.",
    )
    run = ragnb.Agent(library).ask("Which firm signed the contract for the pump of the west hall?")
    actions = [entry.action for entry in run.entries]
    assert not [a for a in actions if isinstance(a, Read) and a.scope != "window"]
    assert len([a for a in actions if isinstance(a, Retrieve)]) > 1


def test_a_long_source_is_read_around_its_best_quote() -> None:
    about = "The pump of the west hall is described in this part of the handbook: see below. "
    filler = "The weather was fine and the boats went out to sea in the morning. " * 80
    library = notes(f"# Pump\n\n{about}\n\n{filler}\n\n# Other\n\n{filler}")
    run = ragnb.Agent(library).ask("Which firm signed the contract for the pump of the west hall?")
    wider = [e.action for e in run.entries if isinstance(e.action, Read)]
    assert "section" in {action.scope for action in wider}


def test_a_stretch_that_turns_out_to_be_the_section_is_called_so() -> None:
    state = with_contexts(start("Who?"), [context("window")])
    state = with_contexts(state, [context("section", chunk_id="l"), context("chunk")])
    assert [(each.scope, each.chunk_id) for each in state.contexts] == [("section", "l")]
