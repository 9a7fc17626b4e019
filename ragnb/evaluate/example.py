"""A small run, so that each measure can show a value that a reader can check by hand."""

from functools import cache

from ragnb.agent.agent import Agent
from ragnb.agent.run import Run

__all__ = ["example"]


@cache
def example() -> Run:
    """Return a run over one document and two questions, of which it answers one.

    >>> [question.text for question in example().state.questions]
    ['How long are exports kept?', 'Who painted the Sampo?']
    """
    from haystack import Document

    from ragnb.library import Library

    text = "Exports are kept for 30 days. The data board meets in May."
    with Library.from_documents([Document(id="exports", content=text)]) as library:
        return Agent(library).ask("How long are exports kept, and who painted the Sampo?")
