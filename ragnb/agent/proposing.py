"""How what was proposed becomes tool calls: checked, counted, each with the question it serves."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ragnb.agent.state import ToolCall
from ragnb.records import SubQuestion
from ragnb.stages.toolbox import check_arguments
from ragnb.stages.toolbox.spec import Proposal, ToolSpec
from ragnb.text import terms

__all__ = ["proposed"]

_AT_ONCE: Final = 5
"""Calls of one reply that are taken."""
_LONGEST: Final = 20_000
"""Characters of a call's arguments."""


def proposed(
    proposals: Iterable[Proposal],
    tools: Mapping[str, ToolSpec],
    questions: Sequence[SubQuestion],
    calls: Sequence[Mapping[str, Any]] = (),
) -> tuple[ToolCall, ...]:
    """Return proposals as tool calls; one that names no offered tool, or misfits, is invalid.

    Nothing proposed means that there is nothing left to call. An equal call that was made before
    is another call with an id of its own, so that it can be refused.

    Args:
        proposals: What was proposed, in order; five are taken.
        tools: What was offered.
        questions: The sub-questions.
        calls: The calls so far.
    """
    made: list[ToolCall] = []
    for each in list(proposals)[:_AT_ONCE] or [Proposal(name="finish")]:
        arguments = dict(each.arguments)
        known = [(call["name"], call["arguments"]) for call in calls]
        known += [(call.name, call.arguments) for call in made]
        wrong = _wrong(each.name, arguments, tools)
        made.append(
            ToolCall.of(
                each.name,
                arguments,
                again=known.count((each.name, arguments)),
                status="invalid" if wrong else "proposed",
                result=wrong,
                question_id=each.question_id or _serves(arguments, questions),
            )
        )
    return tuple(made)


def _wrong(name: str, arguments: Mapping[str, Any], tools: Mapping[str, ToolSpec]) -> str:
    """Say what is wrong with a call, so that who proposed it can mend it."""
    if name not in tools:
        return f"{name!r} is not offered; offered are {', '.join(tools)}."
    if len(repr(arguments)) > _LONGEST:
        return f"The arguments of {name} are too long; {_LONGEST} characters at most."
    wrong = check_arguments(tools[name].parameters, arguments)
    return f"The arguments of {name} don't fit: {wrong}." if wrong else ""


def _serves(arguments: Mapping[str, Any], questions: Sequence[SubQuestion]) -> str:
    """Return the id of the question that shares most words with a call's arguments."""
    words = set(terms(" ".join(str(value) for value in arguments.values())))
    shared = [len(words & set(terms(question.text))) for question in questions]
    return questions[shared.index(max(shared))].id if questions else ""
