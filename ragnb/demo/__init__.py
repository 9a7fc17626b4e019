"""A made-up company's documents and labelled questions, so that everything runs at once.

Northlark Freight moves goods that must stay cold. Its documents hold what makes questions hard:
facts spread over several files, superseded versions, a conflict that only a person can settle,
guesses, wording that repeats, tables, two languages, and a ticket that tries to give orders to its
reader. To the company it is the end of June 2025.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["DemoQuestion", "Needed", "documents", "library", "questions"]

QuestionKind: TypeAlias = Literal[
    "lookup",
    "multi_hop",
    "comparison",
    "superseded",
    "conflict",
    "hedged",
    "table",
    "injection",
    "unanswerable",
]
Job: TypeAlias = Literal["", "rule", "compare", "trace", "explain", "changes", "check", "escalate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A source that a right answer rests on."""

    source: str
    """Its name, which is also its id in the library."""
    quotes: tuple[str, ...]
    """Spans of the source, word for word as the library reads it."""
    instead: tuple[str, ...] = ()
    """Other sources that say the same; any one of them may stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """A question about the demo documents, with what a right answer rests on."""

    question: str
    kind: QuestionKind
    """What makes the question hard; "lookup" if nothing does."""
    needed: tuple[Needed, ...] = ()
    """The sources that a right answer needs, all of them; empty if no source holds it."""
    answers: tuple[str, ...] = ()
    """Strings that belong to a right answer, all of them; each stands in a quote.

    Of a conflict these are the sides, between which a person has to choose.
    """
    answerable: bool = True
    language: Literal["en", "zh"] = "en"
    job: Job = ""
    """What a person wants done by asking; empty where the question is no example of a job."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the needed sources."""
        return tuple(each.source for each in self.needed)


def documents() -> Path:
    """Return the folder of the demo documents: Markdown, HTML, CSV and PDF files.

    >>> (documents() / "handbook.md").is_file()
    True
    """
    return Path(__file__).parent / "documents"


def library() -> "Library":
    """Read the demo documents into a new library.

    HTML and PDF files need the extra ``files``; without it they are skipped, and the library's
    report says so.

    Raises:
        LibraryError: The packaged documents can't be read.
    """
    from ragnb.library import Library

    return Library.from_folder(documents())


@cache
def questions() -> tuple[DemoQuestion, ...]:
    """Return the labelled questions, in the order of the file.

    >>> questions()[0].answers
    ('within 14 days of delivery',)
    """
    text = Path(__file__).with_name("questions.json").read_text(encoding="utf-8")
    return tuple(
        DemoQuestion(
            question=item["question"],
            kind=item["kind"],
            needed=tuple(
                Needed(
                    source=each["source"],
                    quotes=tuple(each["quotes"]),
                    instead=tuple(each.get("instead", ())),
                )
                for each in item["needed"]
            ),
            answers=tuple(item["answers"]),
            answerable=item["answerable"],
            language=item["language"],
            job=item.get("job", ""),
        )
        for item in json.loads(text)
    )
