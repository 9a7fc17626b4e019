"""A made-up company's documents and labelled questions, so that everything runs at once.

Northlark Freight moves goods that must stay cold. Its documents hold what makes questions hard:
facts spread over several files, a superseded policy, a conflict that only a person can settle, a
guess, wording that repeats, a table, and a ticket that tries to give orders to its reader.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["DemoQuestion", "documents", "library", "questions"]

QuestionKind: TypeAlias = Literal[
    "lookup",
    "multi_hop",
    "superseded",
    "conflict",
    "hedged",
    "table",
    "injection",
    "unanswerable",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """A question about the demo documents, with what a right answer rests on."""

    question: str
    kind: QuestionKind
    """What makes the question hard; "lookup" if nothing does."""
    sources: tuple[str, ...] = ()
    """Names of the files that a right answer needs; empty if no file holds it."""
    answer: str = ""
    """A string that stands word for word in one of the sources; empty if there is none."""
    other_answers: tuple[str, ...] = ()
    """What sources say that contradict ``answer`` with the same right; a person has to choose."""
    answerable: bool = True


def documents() -> Path:
    """Return the folder of the demo documents: Markdown files and one CSV file.

    >>> (documents() / "handbook.md").is_file()
    True
    """
    return Path(__file__).parent / "documents"


def library() -> "Library":
    """Read the demo documents into a new library.

    Raises:
        LibraryError: The packaged documents can't be read.
    """
    from ragnb.library import Library

    return Library.from_folder(documents())


@cache
def questions() -> tuple[DemoQuestion, ...]:
    """Return the labelled questions, in the order of the file.

    >>> questions()[0].answer
    'within 14 days of delivery'
    """
    text = Path(__file__).with_name("questions.json").read_text(encoding="utf-8")
    return tuple(
        DemoQuestion(
            question=item["question"],
            kind=item["kind"],
            sources=tuple(item["sources"]),
            answer=item["answer"],
            other_answers=tuple(item.get("other_answers", ())),
            answerable=item.get("answerable", True),
        )
        for item in json.loads(text)
    )
