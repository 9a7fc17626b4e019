"""The command line: `ragnb ask FOLDER "question"`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from ragnb.errors import RagnbError
from ragnb.records import content_id

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Ask your documents, and see why an answer came out.",
)


@app.callback()
def main() -> None:
    """Ask your documents, and see why an answer came out."""


@app.command()
def ask(
    folder: Annotated[Path, typer.Argument(help="The folder to read; it is never written to.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    trace: Annotated[Path | None, typer.Option(help="Write the run's trace to a new file.")] = None,
    policy: Annotated[str, typer.Option(help="evidence or one_shot.")] = "evidence",
) -> None:
    """Answer a question from a folder, with numbered quotes and their sources."""
    try:
        _ask(folder, question, as_json=as_json, trace=trace, policy=policy)
    except RagnbError as error:
        typer.echo("; ".join(str(error).splitlines()), err=True)
        raise typer.Exit(2) from None


def _ask(folder: Path, question: str, *, as_json: bool, trace: Path | None, policy: str) -> None:
    from ragnb.agent.agent import Agent
    from ragnb.display import render
    from ragnb.library import Library

    index = _index_of(folder)
    with Library.from_folder(folder, index=index, progress=sys.stderr.isatty()) as library:
        loop = Agent(library, policy=policy).start(question, trace=trace)
        loop.subscribe(
            lambda step: typer.echo(f"{step.entry.id:>3} {step.entry.action.kind}", err=True)
        )
        answer = loop.run().answer
        loop.trace.close()
    if answer is None:  # run() ends only with an answer
        raise RagnbError("The run ended without an answer.")
    if as_json:
        typer.echo(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(render(answer, "answer_text"))


def _index_of(folder: Path) -> Path | None:
    """Return where the index of a folder is kept: the user's cache, never the folder."""
    if not folder.is_dir():
        return None
    from platformdirs import user_cache_path

    place = folder.resolve()
    return user_cache_path("ragnb") / "indexes" / f"{place.name}-{content_id(place)}"
