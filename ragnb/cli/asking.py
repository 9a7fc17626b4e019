"""Asking from a terminal: a folder, or the demo company."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import typer

from ragnb.errors import InputError, RagnbError

if TYPE_CHECKING:
    from ragnb.agent.until import Step
    from ragnb.library.files import Report

__all__ = ["Tell", "answer_from_folder", "demo_diary", "progress"]

Tell: TypeAlias = "Callable[[str], None] | None"
"""What takes a line about the work going on; None if nobody wants it."""

NAMED = 3
"""Files that could not be read and are named; the rest is counted."""
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
    llm: str | None = None,
    warn: Tell = None,
) -> str:
    """Return the answer as text or as JSON; the folder's index is kept for the next time.

    Args:
        folder: What is read: a folder, a file or a pattern.
        question: What is asked.
        as_json: Whether the answer is returned as JSON.
        trace: A new file for the run's trace.
        policy: The policy's name.
        tell: Takes a line for each step.
        llm: A chat model's name; None asks no model.
        warn: Takes what the asker must know beside the answer: files that can't be read, and,
            beside JSON, what the model cost.

    Raises:
        RagnbError: The folder can't be read, or the question or policy can't be used.
    """
    from ragnb.agent.agent import Agent
    from ragnb.display import render
    from ragnb.library import Library
    from ragnb.library.cache import cached_index
    from ragnb.views.words import model_cost

    _known_place(folder, question)
    index = cached_index(folder) if folder.is_dir() else None
    with Library.from_folder(folder, index=index, progress=tell is not None) as library:
        if tell:
            tell(f"Read {folder}: {str(library.report).splitlines()[0]}.")
        if warn and (left := _unread(library.report)):
            warn(left)
        loop = Agent(library, policy=policy, llm=llm).start(question, trace=trace)
        if tell:
            loop.subscribe(lambda step: tell(_line(step)))
        run = loop.run()
        loop.trace.close()
    answer = run.answer
    if answer is None:  # run() ends only with an answer
        raise RagnbError("The run ended without an answer.")
    if as_json:
        if warn and (cost := model_cost(run.state.spent)):
            warn(f"The model cost: {cost}.")
        return json.dumps(answer.to_dict(), ensure_ascii=False, indent=2)
    return str(render(answer, "answer_text") if llm is None else render(run, "run_text"))


def demo_diary(question: str | None, *, policy: str, llm: str | None = None) -> Iterator[str]:
    """Yield the question and the documents, then each step as it is done, then the answer.

    Raises:
        InputError: There is no policy or model of that name, or the question is only white space.
        MissingExtraError: The Haystack integration that the model needs is not installed.
    """
    from ragnb import demo
    from ragnb.agent.agent import Agent
    from ragnb.display import render

    goal = _FIRST_QUESTION if question is None else question
    with demo.library() as library:
        loop = Agent(library, policy=policy, llm=llm).start(goal)
        yield f"Asking {len(library.sources)} documents of a made-up company: {goal}"
        if left := library.report.of("failed", "skipped"):
            yield f"{len(left)} more could not be read, the first because {left[0].why}"
        yield ""
        while loop.state.stop is None:
            yield _line(loop.step())
        text = render(loop.state.answer, "answer_text") if llm is None else str(loop.run())
        yield f"\n{text}\n"
        yield 'Ask on: ragnb demo "…", or ragnb ask FOLDER "…" on documents of your own.'


def _known_place(folder: Path, question: str) -> None:
    """Raise an InputError where the folder is none, as when the arguments are swapped."""
    name = os.path.expanduser(folder)  # noqa: PTH111 - "~" of nobody is left as it is
    if os.path.lexists(name) or (has_magic(name) and glob(name, recursive=True)):  # noqa: PTH207
        return
    text = f"No file matches {str(folder)!r}: is the first argument the folder?"
    if os.path.lexists(question):
        text += " The second one is there: they may be swapped."
    if str(folder) == "demo":
        raise InputError(f'{text} The made-up company is asked by: ragnb demo "QUESTION".')
    raise InputError(f'{text} Write: ragnb ask FOLDER "QUESTION".')


def _unread(report: "Report") -> str:
    """Name the first files that could not be read, and say how many there are."""
    left = report.of("failed", "skipped")
    if not left:
        return ""
    named = "; ".join(f"{row.path} ({row.why.rstrip('.')})" for row in left[:NAMED])
    more = f"; and {len(left) - NAMED} more" if len(left) > NAMED else ""
    files = "1 file" if len(left) == 1 else f"{len(left)} files"
    return " ".join(f"{files} could not be read: {named}{more}.".split())


def _line(step: "Step") -> str:
    """Return what a step came to, and why it was done."""
    from ragnb.views.sentences import happened

    reason = step.entry.action.reason
    why = f" (why: {reason.rstrip('.')})" if reason else ""
    return " ".join(f"{step.after.entries:>2}. {happened(step)}{why}".split("\n"))
