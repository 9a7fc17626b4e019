"""The commands of `ragnb`; what they do is done elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ragnb import __version__
from ragnb.errors import InputError, RagnbError

__all__ = ["app", "ask", "demo", "doctor", "main", "notebooks"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Ask your documents, and see why an answer came out.",
)
Policy = Annotated[str, typer.Option(help="evidence, one_shot, plan, routed or tool_calling.")]
Llm = Annotated[
    str | None,
    typer.Option(
        help="A chat model: openai:NAME, anthropic:NAME, ollama:NAME or http://host:port/v1#NAME."
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Tell each step, also where stderr is a file.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result and nothing else.")]


def _version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        typer.echo(f"ragnb {__version__}")
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it and end.")
    ] = False,
) -> None:
    """Ask your documents, and see why an answer came out."""
    del version  # typer has called _version by now


@app.command()
def ask(
    folder: Annotated[str, typer.Argument(help="The folder to read; it is never written to.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    trace: Annotated[Path | None, typer.Option(help="Write the run's trace to a new file.")] = None,
    policy: Policy = "evidence",
    llm: Llm = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Answer a question from a folder, with numbered quotes and their sources.

    Exit code 0: an answer is printed, also one that leaves questions open.
    Exit code 2: what was given can't be used; stderr says why in one line.
    Exit code 1: anything else went wrong.
    """
    with _told():
        from ragnb.cli.asking import answer_from_folder, progress

        tell = progress(verbose=verbose, quiet=quiet)
        typer.echo(
            answer_from_folder(
                _place(folder, 'ask FOLDER "QUESTION"'),
                question,
                as_json=as_json,
                trace=trace,
                policy=policy,
                llm=llm,
                tell=tell,
                warn=None if quiet else lambda line: typer.echo(line, err=True),
            )
        )


@app.command()
def demo(
    question: Annotated[
        str | None, typer.Argument(help="What to ask; a ready one if left out.")
    ] = None,
    *,
    policy: Policy = "evidence",
    llm: Llm = None,
) -> None:
    """Ask the documents of a made-up company, and tell each step in plain sentences."""
    with _told():
        from ragnb.cli.asking import demo_diary

        for part in demo_diary(question, policy=policy, llm=llm):
            typer.echo(part)


@app.command()
def notebooks(
    folder: Annotated[str, typer.Argument(help="Where to; made if it doesn't exist.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over files that differ.")] = False,
) -> None:
    """Copy the notebooks and the demo company's documents to a folder of your own."""
    with _told():
        from ragnb.cli.copying import copy_notebooks

        typer.echo(str(copy_notebooks(_place(folder, "notebooks FOLDER"), force=force)))


@app.command()
def doctor() -> None:
    """Tell versions, what works here, and what is missing with the line that installs it."""
    from ragnb.diagnosis import doctor as look

    found = look()
    typer.echo(str(found))
    if not found.ok:
        raise typer.Exit(1)


def _place(given: str, usage: str) -> Path:
    """Return a folder's path; an empty one would be taken for the one that one is in."""
    if not given.strip():
        raise InputError(
            f'The folder given is {given!r}. Name one, or write "." for the one you are in: '
            f"ragnb {usage}."
        )
    return Path(given)


def _one_line(text: str) -> str:
    """Return a text in one line; sentences follow each other, all else is set off by ``;``."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    joints = [" " if line.endswith((".", ":")) else "; " for line in lines[:-1]]
    return "".join(part for pair in zip(lines, [*joints, ""], strict=True) for part in pair)


@contextmanager
def _told() -> Iterator[None]:
    """Tell an error of ours in one line, and end with 2."""
    try:
        yield
    except RagnbError as error:
        typer.echo(_one_line(str(error)), err=True)
        raise typer.Exit(2) from None
