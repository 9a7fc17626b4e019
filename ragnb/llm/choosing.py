"""Choose tools with a model: by its own tool calls, or by JSON in its text; rules stand in."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.calling import ModelError, Reply, call
from ragnb.llm.metering import note
from ragnb.llm.prices import Prices
from ragnb.llm.replies import calls_in, clean
from ragnb.llm.structured import THINKING, stand_in
from ragnb.llm.twin import Twin
from ragnb.records import Conflict, Evidence, Gap, Query, SubQuestion
from ragnb.stages import Chooser
from ragnb.stages.toolbox import described
from ragnb.stages.toolbox.spec import Proposal, ToolSpec, as_tool
from ragnb.text import short_for_models

if TYPE_CHECKING:
    from haystack.dataclasses import ChatMessage

__all__ = ["ModelChooser"]

_TOKENS: Final = 600
_BAD: Final = 2
"""Calls in a row that could not be used, after which rules choose once."""


@component
class ModelChooser(Twin[Chooser]):
    """Let a model choose the next tools; each reply is built anew from the state.

    Rules choose where the model can't be asked, calls nothing before anything was found, or
    proposed only what can't be used twice in a row. A reply without a call ends the search once
    there is something to answer from, or once a search was made.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The chooser without a model.
        prices: The user's prices.
        newest: Characters that the model is shown of the newest tool result.
        older: Characters of each one before it, with its ids, numbers, dates and names; None shows
            as many as of the newest.

    """

    prompt = prompts.CHOOSE
    ruled = Chooser

    def __init__(
        self,
        generator: Any,
        rules: Chooser,
        prices: Prices | None = None,
        newest: int = 6000,
        older: int | None = 200,
    ) -> None:
        Twin.__init__(self, generator, rules, prices)
        self.newest, self.older = newest, older

    @component.output_types(proposals=list[Proposal], by=str)
    def run(  # noqa: PLR0917 - sockets
        self,
        goal: str,
        questions: list[SubQuestion],
        tools: list[ToolSpec],
        evidence: list[Evidence] | None = None,
        gaps: list[Gap] | None = None,
        conflicts: list[Conflict] | None = None,
        pending: list[Query] | None = None,
        calls: list[dict[str, Any]] | None = None,
        status: str = "",
    ) -> dict[str, Any]:
        """Propose the next calls; the arguments and what is returned are those of `Chooser.run`."""
        made = calls or []
        if len(made) >= _BAD and all(each["status"] == "invalid" for each in made[-_BAD:]):
            note(f"Rules chose, for the model's last {_BAD} calls could not be used.")
        else:
            proposals = self._asked(goal, questions, tools, made, status)
            if proposals:
                return {"proposals": proposals, "by": "model"}
        ruled: dict[str, Any] = self.rules.run(
            goal, questions, tools, evidence, gaps, conflicts, pending, made, status
        )
        return ruled

    def fingerprint(self) -> dict[str, Any] | None:
        """Return what decides on the stage's outcomes; see `Twin.fingerprint`."""
        told = Twin.fingerprint(self)
        return None if told is None else {**told, "shown": [self.newest, self.older]}

    def _asked(
        self,
        goal: str,
        questions: list[SubQuestion],
        tools: list[ToolSpec],
        calls: list[dict[str, Any]],
        status: str,
    ) -> list[Proposal]:
        """Return what the model proposes; nothing where rules must choose. Why is remarked."""
        why = ""

        def given() -> str:
            lines = [] if self.model.by_tools else [_line(tool) for tool in tools]
            told = _given(
                goal, questions, status, calls, lines, newest=self.newest, older=self.older
            )
            return f"{told}\n\n{why}" if why else told

        for _ in range(2):
            try:
                reply = self._reply(given, tools)
            except ModelError as error:
                stand_in(error)
                return []
            if proposals := _proposals(reply):
                return proposals
            if reply.text.strip() and any(each["status"] == "done" for each in calls):
                note(
                    "The model's reply held no call, which ends the search; its words aren't used."
                )
                return [Proposal(name="finish")]
            why = "Your last reply called no tool. Call one, or reply with the JSON object alone."
        note("Rules did this step, for the model called no tool twice.")
        return []

    def _reply(self, given: Callable[[], str], tools: list[ToolSpec]) -> Reply:
        tokens = _TOKENS * THINKING if self.model.thinks else _TOKENS
        if self.model.by_tools:
            made = [as_tool(spec, _never) for spec in tools]
            try:
                return call(
                    self.model, self._messages(given()), {}, tokens, self.prompt, tools=made
                )
            except ModelError as error:
                if not error.unfit:
                    raise
            self.model.by_tools = False
            note("The model's server refused tools; they are told in words.")
        return call(self.model, self._messages(given()), {}, tokens, self.prompt)

    def _messages(self, given: str) -> "list[ChatMessage]":
        from haystack.dataclasses import ChatMessage

        return [ChatMessage.from_system(self.prompt.text), ChatMessage.from_user(given)]


def _proposals(reply: Reply) -> list[Proposal]:
    called = [*reply.calls, *calls_in(reply.text)]
    found: list[Proposal] = []
    for name, arguments in called:
        given = clean(arguments) if isinstance(arguments, dict) else {}
        each = Proposal(name=str(clean(name))[:80], arguments=given)
        if (each.name, each.arguments) not in [(one.name, one.arguments) for one in found]:
            found.append(each)
    return found


def _line(tool: ToolSpec) -> str:
    from pydantic_core import to_json

    return f"- {tool.name}: {described(tool)} Parameters: {to_json(dict(tool.parameters)).decode()}"


def _never(**_: Any) -> None:
    """Stand in for what a tool does: a model is only told of it."""


def _given(
    goal: str,
    questions: Sequence[SubQuestion],
    status: str,
    calls: Sequence[Mapping[str, Any]],
    tools: Sequence[str],
    *,
    newest: int = 6000,
    older: int | None = 200,
) -> str:
    """Write down what the chooser is given; the whole of each result stays in the state.

    Args:
        goal: The request.
        questions: Its questions.
        status: How far the run is, in one line.
        calls: The calls so far: name, arguments, status, result.
        tools: What each tool is, in a line; empty where they are sent in another form.
        newest: Characters of the newest result.
        older: Characters of each one before it; None for as many as of the newest.
    """
    from pydantic_core import to_json

    told: list[str] = []
    for number, each in enumerate(calls, start=1):
        head = f"{each['name']} {to_json(each['arguments']).decode()[:400]}: {each['status']}"
        text = str(each["result"])
        if number < len(calls) and older is not None:
            text = short_for_models(text, older)
        elif len(text) > newest:
            text = f"{text[:newest]} … [{len(text) - newest} characters more are kept]"
        told.append(
            f"Call {number}, {head}\n{prompts.fenced(text)}" if text else f"Call {number}, {head}"
        )
    asked = [f"Question {n}: {question.text}" for n, question in enumerate(questions, start=1)]
    can = ["Tools:\n" + "\n".join(tools)] if tools else []
    return "\n\n".join([*told, *can, status, *asked, f"Request: {goal}"])
