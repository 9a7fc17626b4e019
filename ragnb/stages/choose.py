"""Choose the next tools by rule, where no model does: search, look a table up, read on, finish."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from haystack import component, default_to_dict

from ragnb.errors import InputError
from ragnb.library.library import Library
from ragnb.library.tabular import tables
from ragnb.records import Conflict, Evidence, Gap, Query, SubQuestion
from ragnb.stages.parts import over_library
from ragnb.stages.toolbox.cues import about_documents, address, adds_up, arithmetic
from ragnb.stages.toolbox.metadata import metadata_call
from ragnb.stages.toolbox.spec import Proposal, ToolSpec
from ragnb.stages.toolbox.tabling import table_call
from ragnb.text import STOP, names, near_duplicate, tokens

__all__ = ["Chooser"]

_AT_ONCE: Final = 3
_LEARNED: Final = 2


@component
class Chooser:
    """Propose tool calls by rule; it stands in where no model chooses.

    What a tool alone can do comes first (a calculation, a sum over a table, documents by their
    metadata); then a search for each question; then, for each gap, to read around the best quote,
    to look a table up, to ask a tool of the user's, to search in other words; at last to finish.

    Args:
        library: Whose tables and metadata are looked at.
        most: Calls for one question at most.

    Raises:
        InputError: ``most`` is below 1.
    """

    version: str = "1"

    def __init__(self, library: Library, most: int = 3) -> None:
        if most < 1:
            raise InputError(f"Chooser(most={most}) can't choose: give 1 or more calls.")
        self.library = library
        self.most = most

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
        status: str = "",  # noqa: ARG002 - a socket; rules look at the rest
    ) -> dict[str, Any]:
        """Propose the next calls.

        Args:
            goal: What the user asked.
            questions: The sub-questions.
            tools: What is offered.
            evidence: What was found.
            gaps: What is missing.
            conflicts: What disagrees.
            pending: Searches that the plan asks for.
            calls: The calls so far: name, arguments, status, result, question_id.
            status: How far the run is, in one line.

        Returns:
            ``proposals``, done in their order within one round; ``by``, which is ``"rules"``.
        """
        asked = _Asked(goal, questions, {tool.name: tool for tool in tools}, calls or [], self.most)
        known = [item for item in evidence or () if item.verified]
        alone = list(self._alone(asked))
        served = {each.question_id for each in alone}
        lacking = {gap.question_id for gap in gaps or () if gap.blocks}
        first = [q.id for q in questions if q.id not in served and asked.searches(q.id, lacking)]
        proposals = [*alone, *_planned(asked, pending or (), first)][:_AT_ONCE]
        if not proposals:
            proposals = self._missing(asked, known, gaps or (), conflicts or ())[:1]
        if not proposals:
            proposals = list(_mailed(asked, known))[:1]
        return {"proposals": proposals or [Proposal(name="finish")], "by": "rules"}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        return default_to_dict(self, library=self.library.store.to_dict(), most=self.most)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Chooser":
        """Make the component from what `to_dict` returned."""
        return over_library(cls, data)

    def _alone(self, asked: "_Asked") -> Iterator[Proposal]:
        """Give what only a tool can do: nothing that is written anywhere says it."""
        if expression := arithmetic(asked.goal):
            yield from asked.new("calculate", {"expression": expression})
        for question in asked.questions:
            if adds_up(question.text) and "query_table" in asked.tools:
                found = table_call(question.text, tables(self.library))
                if found and "aggregate" in found:
                    yield from asked.new("query_table", found, question.id)
            if about_documents(question.text) and "query_metadata" in asked.tools:
                arguments = metadata_call(question.text, self.library)
                if arguments is not None:
                    yield from asked.new("query_metadata", arguments, question.id)

    def _missing(
        self,
        asked: "_Asked",
        known: Sequence[Evidence],
        gaps: Sequence[Gap],
        conflicts: Sequence[Conflict],
    ) -> list[Proposal]:
        """Give what may close each gap, the first one first."""
        found: list[Proposal] = []
        by_id = {question.id: question for question in asked.questions}
        for gap in gaps:
            question = by_id.get(gap.question_id)
            if question is not None and gap.blocks:
                found += self._moves(asked, question, gap, known)
        for conflict in conflicts:
            question = by_id.get(conflict.question_id)
            sides = [e.says for e in known if e.id in {conflict.first, conflict.second}]
            if question is not None and _disagreement_only(gaps, question.id):
                found += asked.search(f"{_keywords(question.text)} {' '.join(sides)}", question.id)
        return found

    def _moves(
        self, asked: "_Asked", question: SubQuestion, gap: Gap, known: Sequence[Evidence]
    ) -> Iterator[Proposal]:
        if "query_table" in asked.tools:
            arguments = table_call(question.text, tables(self.library))
            if arguments is not None:
                yield from asked.new("query_table", arguments, question.id)
        mine = sorted(
            (item for item in known if item.question_id == question.id),
            key=lambda item: (-item.score, item.id),
        )
        if gap.reason in {"evidence_too_weak", "need_more_context"}:
            for item in mine[:1]:
                wide = {"id": item.chunk_id, "scope": "section"}
                yield from asked.new("read", wide, question.id)
        for tool in asked.tools.values():
            if text := _only_text(tool):
                yield from asked.new(tool.name, {text: question.text}, question.id)
        words = _keywords(question.text)
        for name in _learned(question.text, asked.goal, mine):
            yield from asked.search(f"{words} {name}", question.id)
        yield from asked.search(words, question.id)


class _Asked:
    """What is asked, what is offered, and what was called already."""

    def __init__(
        self,
        goal: str,
        questions: Sequence[SubQuestion],
        tools: Mapping[str, ToolSpec],
        calls: Sequence[Mapping[str, Any]],
        most: int,
    ) -> None:
        self.goal, self.questions, self.tools = goal, questions, tools
        self.calls = [call for call in calls if call["status"] != "invalid"]
        self.most = most

    def new(
        self, name: str, arguments: Mapping[str, Any], question_id: str = ""
    ) -> Iterator[Proposal]:
        """Give a call that is offered, was not made before, and is not one too many."""
        question_id = question_id or self.questions[0].id
        made = [call for call in self.calls if call["question_id"] == question_id]
        before = any(call["name"] == name and call["arguments"] == arguments for call in self.calls)
        if name in self.tools and not before and len(made) < self.most:
            yield Proposal(name=name, arguments=dict(arguments), question_id=question_id)

    def searches(self, question_id: str, lacking: Collection[str]) -> bool:
        """Tell whether a first search is due: nothing was tried, or what was left a gap."""
        made = [call for call in self.calls if call["question_id"] == question_id]
        searched = any(call["name"] == "search" for call in made)
        return not searched and (not made or question_id in lacking)

    def search(self, text: str, question_id: str) -> Iterator[Proposal]:
        """Give a search that no earlier one for the question resembles."""
        text = " ".join(text.split())[:400]
        earlier = (
            str(call["arguments"].get("query", ""))
            for call in self.calls
            if call["name"] == "search" and call["question_id"] == question_id
        )
        if not any(near_duplicate(text, one) for one in earlier):
            yield from self.new("search", {"query": text}, question_id)


def _planned(
    asked: _Asked, pending: Sequence[Query], questions: Sequence[str]
) -> Iterator[Proposal]:
    """Give a first search for each of some questions, as the plan has it."""
    stored = {query.question_id: query.text for query in reversed(pending)}
    for question in asked.questions:
        if question.id in questions:
            yield from asked.search(stored.get(question.id, question.text), question.id)


def _disagreement_only(gaps: Sequence[Gap], question_id: str) -> bool:
    """Tell whether nothing but the disagreement itself is open on a question."""
    open_now = {gap.reason for gap in gaps if gap.question_id == question_id}
    return open_now <= {"source_conflict", "single_source"}


def _mailed(asked: _Asked, known: Sequence[Evidence]) -> Iterator[Proposal]:
    """Give the e-mail that the goal asks for, once there is something to write."""
    to = address(asked.goal)
    best = sorted(known, key=lambda item: (-item.score, item.id))[:_AT_ONCE]
    if not to or not best:
        return
    body = "\n\n".join(f"{item.quote}\n({item.title or item.source_id})" for item in best)
    arguments = {"to": to, "subject": asked.questions[0].text[:120], "body": body[:5000]}
    for name in ("send_email", "draft_email"):
        if name in asked.tools and not any(call["name"] == name for call in asked.calls):
            yield Proposal(name=name, arguments=arguments, question_id=asked.questions[0].id)


def _only_text(tool: ToolSpec) -> str:
    """Return the one text that a user's tool needs, as a search of the web does; else nothing."""
    if tool.gives:  # the library's own tools are chosen by rules of their own
        return ""
    needed = list(tool.parameters.get("required") or tool.parameters.get("properties") or ())
    kinds = tool.parameters.get("properties") or {}
    one = needed[0] if len(needed) == 1 else ""
    return one if isinstance(kinds.get(one), Mapping) and kinds[one].get("type") == "string" else ""


def _keywords(text: str) -> str:
    words = [token.text for token in tokens(text) if token.text.lower() not in STOP]
    return " ".join(words) or text


def _learned(question: str, goal: str, known: Sequence[Evidence]) -> tuple[str, ...]:
    asked = f"{question} {goal}".lower()
    found = (value.text for item in known for value in names(item.quote))
    return tuple(dict.fromkeys(name for name in found if name.lower() not in asked))[:_LEARNED]
