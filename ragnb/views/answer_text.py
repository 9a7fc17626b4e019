"""An answer as plain text and as Markdown: conclusions with numbered quotes, then the rest."""

import re
from collections.abc import Callable, Iterator

from ragnb.records import Answer, Grounding
from ragnb.text.cues import is_chinese
from ragnb.views.languages import ended, say
from ragnb.views.markup import line, visible
from ragnb.views.words import GAPS, model_cost, standing

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
    zh = is_chinese(answer.goal)
    yield f"{mark}{show(answer.goal)}{mark}"
    if answer.partial:
        yield say("This answer is incomplete.", zh)
    yield ""
    if answer.text:
        yield from (show(each) for each in visible(answer.text).splitlines())
    elif not answer.conclusions:
        yield say("No conclusion can be grounded in the documents.", zh)
    yield from (say("Note: {}", zh, show(remark)) for remark in answer.remarks)
    yield from (f"| {show(thing)} | {show(said)} |" for thing, said in answer.table)
    shown: set[int] = set()
    for number, claim in enumerate(answer.conclusions, start=1):
        yield f"{number}. {show(claim.statement)}"
        yield from _quotes(claim.statement, claim.groundings, shown, show, zh=zh)
        yield from (f"    {say('Mind: {}', zh, show(risk))}" for risk in claim.risks)
    yield from _doubts(answer, shown, mark, show)
    yield from _sources(answer, mark, show)
    if answer.stop is not None:
        yield ""
        why = show(ended(answer.stop, zh))
        yield say("Why it stopped: {} ({})", zh, why, show(answer.stop.code))
    if asked := model_cost(answer.cost):
        yield say("What it cost: {}", zh, asked)


def _doubts(
    answer: Answer, shown: set[int], mark: str, show: Callable[[str], str]
) -> Iterator[str]:
    zh = is_chinese(answer.goal)
    if answer.uncertainties:
        yield ""
        yield f"{mark}{say('Uncertain', zh)}{mark}"
    for doubt in answer.uncertainties:
        yield f"- {show(doubt.statement)}"
        yield from _quotes(doubt.statement, doubt.groundings, shown, show, zh=zh)
    if answer.open_questions:
        yield ""
        yield f"{mark}{say('Open questions', zh)}{mark}"
    for item in answer.open_questions:
        why = say(GAPS[item.reason], zh)
        yield f"- {show(item.question)}" + (f"（{why}）" if zh else f" ({why})")
        if item.searched:
            searched = ("；" if zh else "; ").join(item.searched)
            yield f"    {say('searched: {}', zh, show(searched))}"


def _quotes(
    said: str,
    groundings: tuple[Grounding, ...],
    shown: set[int],
    show: Callable[[str], str],
    *,
    zh: bool,
) -> Iterator[str]:
    """List quotes below what is said on them; rows of tables with the names of their columns."""
    for grounding in groundings:
        if grounding.n in shown:
            yield f"    [{grounding.n}] {say('as above', zh)}"
            continue
        shown.add(grounding.n)
        where = grounding.title or grounding.source_id
        notes = [say(grounding.support, zh), show(say(standing(grounding.status), zh))]
        noted = ("，" if zh else ", ").join(note for note in notes if note)
        where = f"{show(where)}（{noted}）" if zh else f"{show(where)} ({noted})"
        yield f"    [{grounding.n}] “{show(grounding.quote)}” — {where}"
        if grounding.row and grounding.row not in said:
            yield f"        {show(grounding.row)}"


def _sources(answer: Answer, mark: str, show: Callable[[str], str]) -> Iterator[str]:
    if not answer.sources:
        return
    zh = is_chinese(answer.goal)
    yield ""
    yield f"{mark}{say('Sources', zh)}{mark}"
    found = 0
    for use in answer.sources:
        found += use.use == "found"
        if use.use == "found" and found > FOUND_SHOWN:
            continue
        numbers = ", ".join(str(number) for number in use.quotes)
        extra = f" [{numbers}]" if numbers else ""
        how = say(use.use, zh)
        yield f"- {show(use.source_id)}{extra}" + (f"（{how}）" if zh else f" ({how})")
    if found > FOUND_SHOWN:
        more = say("and {} more that were only found", zh, found - FOUND_SHOWN)
        yield f"- {more}"
