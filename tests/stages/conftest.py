from collections.abc import Callable, Iterator

import pytest

from ragnb import demo
from ragnb.library import Library
from ragnb.records import Context, Evidence, SubQuestion
from ragnb.stages import Extractor


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    with demo.library() as made:
        yield made


def found_in(question: SubQuestion, **texts: str) -> list[Evidence]:
    return [
        item
        for name, text in texts.items()
        for item in Extractor().run(
            question=question,
            context=Context(
                id=name,
                source_id=name,
                title=name.replace("_", " "),
                scope="document",
                start=0,
                end=len(text),
                text=text,
            ),
        )["evidence"]
    ]


@pytest.fixture
def found() -> Callable[..., list[Evidence]]:
    """Find the evidence on a question in texts, each a source named by its keyword."""
    return found_in
