"""An answer as plain text and as Markdown: conclusions with numbered quotes, then the rest."""

import re
from collections.abc import Callable, Iterator

from ragnb.records import Answer, Grounding
from ragnb.views.markup import line, visible
from ragnb.views.words import GAPS, model_cost

__all__ = ["answer_markdown", "answer_text"]

FOUND_SHOWN = 5
"""Sources that were only found are listed up to this many; the rest are counted."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~])")


def answer_text(answer: Answer) -> str:
    """Return the answer as plain text for a terminal."""
    return "\n".join(_lines(answer, "", line))


def answer_markdown(answer: Answer) -> str:
    """Return the answer as Markdown; markup inside quotes is escaped."""
    lines = _lines(answer, "**", _escaped)
    return "\n".join(f"{line}  " if line else line for line in lines)


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", line(text))


def _lines(answer: Answer, mark: str, show: Callable[[str], str]) -> Iterator[str]:
    yield f"{mark}{show(answer.goal)}{mark}"
    if answer.partial:
        yield "This answer is incomplete."
    yield ""
    if answer.text:
        yield from (show(each) for each in visible(answer.text).splitlines())
    elif not answer.conclusions:
        yield "No conclusion can be grounded in the documents."
    yield from (f"Note: {show(remark)}" for remark in answer.remarks)
    yield from (f"| {show(thing)} | {show(said)} |" for thing, said in answer.table)
    shown: set[int] = set()
    for number, claim in enumerate(answer.conclusions, start=1):
        yield f"{number}. {show(claim.statement)}"
        yield from _quotes(claim.groundings, shown, show)
        yield from (f"    Mind: {show(risk)}" for risk in claim.risks)
    yield from _doubts(answer, shown, mark, show)
    yield from _sources(answer, mark, show)
    if answer.stop is not None:
        yield ""
        yield f"Why it stopped: {show(answer.stop.text)} ({show(answer.stop.code)})"
    if asked := model_cost(answer.cost):
        yield f"What it cost: {asked}"


def _doubts(
    answer: Answer, shown: set[int], mark: str, show: Callable[[str], str]
) -> Iterator[str]:
    if answer.uncertainties:
        yield ""
        yield f"{mark}Uncertain{mark}"
    for doubt in answer.uncertainties:
        yield f"- {show(doubt.statement)}"
        yield from _quotes(doubt.groundings, shown, show)
    if answer.open_questions:
        yield ""
        yield f"{mark}Open questions{mark}"
    for item in answer.open_questions:
        yield f"- {show(item.question)} ({GAPS[item.reason]})"
        if item.searched:
            yield f"    searched: {show('; '.join(item.searched))}"


def _quotes(
    groundings: tuple[Grounding, ...], shown: set[int], show: Callable[[str], str]
) -> Iterator[str]:
    for grounding in groundings:
        if grounding.n in shown:
            yield f"    [{grounding.n}] as above"
            continue
        shown.add(grounding.n)
        where = grounding.title or grounding.source_id
        yield f"    [{grounding.n}] “{show(grounding.quote)}” — {show(where)} ({grounding.support})"


def _sources(answer: Answer, mark: str, show: Callable[[str], str]) -> Iterator[str]:
    if not answer.sources:
        return
    yield ""
    yield f"{mark}Sources{mark}"
    found = 0
    for use in answer.sources:
        found += use.use == "found"
        if use.use == "found" and found > FOUND_SHOWN:
            continue
        numbers = ", ".join(str(number) for number in use.quotes)
        extra = f" [{numbers}]" if numbers else ""
        yield f"- {show(use.source_id)}{extra} ({use.use})"
    if found > FOUND_SHOWN:
        yield f"- and {found - FOUND_SHOWN} more that were only found"
