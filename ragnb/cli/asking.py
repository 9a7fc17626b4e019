"""Asking from a terminal: a folder, or the demo company."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import typer

from ragnb.errors import InputError, RagnbError

if TYPE_CHECKING:
    from ragnb.agent.until import Step

__all__ = ["Tell", "answer_from_folder", "demo_diary", "progress"]

Tell: TypeAlias = "Callable[[str], None] | None"
"""What takes a line about the work going on; None if nobody wants it."""

_FIRST_QUESTION = "Up to which amount may a care agent grant a credit alone?"


def progress(*, verbose: bool, quiet: bool) -> Tell:
    """Return what writes a line to stderr, if a person watches it or asked for it.

    Raises:
        InputError: Both were asked for.
    """
    if verbose and quiet:
        raise InputError("--verbose and --quiet were both given; give one of them.")
    if quiet or not (verbose or sys.stderr.isatty()):
        return None
    return lambda line: typer.echo(line, err=True)


def answer_from_folder(
    folder: Path,
    question: str,
    *,
    as_json: bool,
    trace: Path | None,
    policy: str,
    tell: Tell,
) -> str:
    """Return the answer as text or as JSON; the folder's index is kept for the next time.

    Raises:
        RagnbError: The folder can't be read, or the question or policy can't be used.
    """
    from ragnb.agent.agent import Agent
    from ragnb.display import render
    from ragnb.library import Library
    from ragnb.library.cache import cached_index

    index = cached_index(folder) if folder.is_dir() else None
    with Library.from_folder(folder, index=index, progress=tell is not None) as library:
        if tell:
            tell(f"Read {folder}: {str(library.report).splitlines()[0]}.")
        loop = Agent(library, policy=policy).start(question, trace=trace)
        if tell:
            loop.subscribe(lambda step: tell(_line(step)))
        answer = loop.run().answer
        loop.trace.close()
    if answer is None:  # run() ends only with an answer
        raise RagnbError("The run ended without an answer.")
    if as_json:
        return json.dumps(answer.to_dict(), ensure_ascii=False, indent=2)
    return str(render(answer, "answer_text"))


def demo_diary(question: str, *, policy: str) -> Iterator[str]:
    """Yield the question and the documents, then each step as it is done, then the answer.

    Raises:
        InputError: There is no policy of that name, or the question is only white space.
    """
    from ragnb import demo
    from ragnb.agent.agent import Agent
    from ragnb.display import render

    goal = question or _FIRST_QUESTION
    with demo.library() as library:
        loop = Agent(library, policy=policy).start(goal)
        yield f"Asking {len(library.sources)} documents of a made-up company: {goal}"
        if left := library.report.of("failed", "skipped"):
            yield f"{len(left)} more could not be read, the first because {left[0].why}"
        yield ""
        while loop.state.stop is None:
            yield _line(loop.step())
        yield f"\n{render(loop.state.answer, 'answer_text')}\n"
        yield 'Ask on: ragnb demo "…", or ragnb ask FOLDER "…" on documents of your own.'


def _line(step: "Step") -> str:
    """Return what a step came to, and why it was done."""
    from ragnb.views.sentences import happened

    reason = step.entry.action.reason
    why = f" (why: {reason.rstrip('.')})" if reason else ""
    return " ".join(f"{step.after.entries:>2}. {happened(step)}{why}".split("\n"))
