"""The tool-calling policy: someone chooses tools, and each proposal becomes an action.

A model chooses where there is one; else rules stand in. The policy itself only carries proposals
out: it is a pure function of the state like all the others.
"""

from dataclasses import dataclass, replace

from ragnb.agent.actions import (
    Action,
    Approve,
    Assess,
    Choose,
    Plan,
    Read,
    Reply,
    Retrieve,
    Synthesize,
    UseTool,
    action_id,
)
from ragnb.agent.policies.base import extraction
from ragnb.agent.policies.work import open_work
from ragnb.agent.state import State, ToolCall
from ragnb.records import Query, StopReason

__all__ = ["ToolCalling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalling:
    """Choose tools, carry the proposals out, judge, and choose again until someone says finish.

    A search becomes Retrieve, Rerank, Read and Extract; reading becomes Read and Extract; finish
    becomes Synthesize; any other tool UseTool, after a person's yes where it has effects.

    Args:
        read: How many of the best reranked hits are read.
        stale: Rounds without anything new after which the run ends.
        invalid: Proposals in a row that can't be used, after which it ends.
        failures: Failures of choosing after which it ends.
    """

    read: int = 5
    stale: int = 3
    invalid: int = 6
    failures: int = 2
    name: str = "tool_calling"

    def decide(  # noqa: PLR0911 - one answer for each thing that may be due
        self, state: State
    ) -> Action:
        """Return the next action."""
        if not state.planned:
            return Plan(reason="The goal is not split into questions yet.")
        if not state.needs_retrieval:
            return Reply(reason="No document is needed for this.")
        if state.unassessed:
            work = open_work(state, self.read) or _texts_of_calls(state)
            if work is not None:
                return work
        waiting = [call for call in state.calls if call.status == "proposed"]
        first = next((call for call in waiting if call.name != "finish"), None)
        if first is not None:
            return _as_action(state, first)
        if state.unassessed:
            return Assess(reason="All that the tools gave is looked through.")
        if waiting:
            return _finish(state, waiting[0])
        return self._choose(state)

    def _choose(self, state: State) -> Action:
        choose = Choose(reason="Which tools help now?")
        failed = sum(item.action_id == action_id(choose) for item in state.failures)
        if failed >= self.failures:
            return _close("Choosing a tool failed again and again.")
        last = state.calls[-self.invalid :]
        if len(last) == self.invalid and all(call.status == "invalid" for call in last):
            return _close(f"The last {self.invalid} proposals could not be used.")
        recent = state.assessments[-self.stale :]
        if len(recent) == self.stale and not any(item.new for item in recent) and state.blocked:
            text = f"The last {self.stale} rounds brought nothing new."
            return Synthesize(closing=StopReason(code="nothing_new", text=text), reason=text)
        return choose


def _as_action(state: State, call: ToolCall) -> Action:
    told = f"{call.name} was proposed."
    if call.effects and call.approved is None:
        return Approve(call=call, reason=f"{call.name} has effects, so a person decides.")
    if call.effects or call.name not in {"search", "read"}:
        return UseTool(call=call, reason=told)
    if call.name == "read":
        scope = call.arguments.get("scope", "window")
        return Read(id=str(call.arguments["id"]), scope=scope, for_call=call.id, reason=told)
    return _search(state, call, told)


def _search(state: State, call: ToolCall, told: str) -> Retrieve:
    """Make a query of a proposed search; one that the plan has in store is sent as it is."""
    text = " ".join(str(call.arguments["query"]).split())
    stored = [query for query in state.pending if query.question_id == call.question_id]
    for query in stored:
        if query.text == text:
            return Retrieve(query=query, for_call=call.id, reason=told)
    question = state.question(call.question_id)
    asked = any(query.question_id == call.question_id for query in state.asked)
    in_conflict = any(item.question_id == call.question_id for item in state.open_conflicts)
    later = "conflict_check" if in_conflict else "targeted_followup"
    query = Query.of(
        text,
        call.question_id,
        intent=later if asked else "broad_recall",
        filters=state.filters or (question.filters if question else None),
    )
    instead = stored[0].id if stored else ""
    return Retrieve(query=query, instead_of=instead, for_call=call.id, reason=told)


def _texts_of_calls(state: State) -> Action | None:
    """Look for evidence in what tools gave: each text for the question that its call serves."""
    made = (
        extraction(
            state,
            call.question_id,
            context_id,
            f"Does what {call.name} gave bear on the question?",
        )
        for call in state.calls
        if call.status == "done"
        for context_id in call.contexts
    )
    return next((each for each in made if each is not None), None)


def _finish(state: State, call: ToolCall) -> Synthesize:
    why = str(call.arguments.get("why") or "")
    tried = [search for search in state.searches if search.status in {"asked", "failed"}]
    if tried and all(search.status == "failed" for search in tried) and not state.evidence:
        return _close("Every search failed.", "failed")
    if not state.evidence or state.blocked:
        text = "Nothing more was proposed, and what was found does not support a full answer."
        return replace(_close(text, "insufficient"), reason=why or text)
    text = "Whoever chose the tools called it enough, and no gap or disagreement is open."
    return replace(_close(text, "enough"), reason=why or text)


def _close(text: str, code: str = "no_better_action") -> Synthesize:
    why = StopReason(code=code, text=text)  # type: ignore[arg-type]
    return Synthesize(closing=why, reason=text)
