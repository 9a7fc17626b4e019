"""The default policy: search, read, extract, assess, and search again for what is missing."""

from dataclasses import dataclass

from ragnb.agent.actions import (
    Action,
    Assess,
    Extract,
    Plan,
    Read,
    Reply,
    Rerank,
    Retrieve,
    Synthesize,
)
from ragnb.agent.policies.base import has_failed
from ragnb.agent.policies.followups import follow_up
from ragnb.agent.state import Search, State
from ragnb.records import Context, Hit, StopReason

__all__ = ["EvidencePolicy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePolicy:
    """One query a round; after each, judge, and make the next query from the first open gap.

    Args:
        read: How many of the best reranked hits are read.
        stale: Rounds without anything new after which the run ends.
    """

    read: int = 5
    stale: int = 2
    name: str = "evidence"

    def decide(self, state: State) -> Action:
        """Return the next action."""
        if not state.planned:
            return Plan(reason="The goal is not split into questions yet.")
        if not state.needs_retrieval:
            return Reply(reason="No document is needed for this.")
        if state.unassessed:
            return self._open_work(state) or Assess(reason="All that was found is read.")
        return self._next_round(state)

    def _open_work(self, state: State) -> Action | None:
        for search in state.searches:
            if search.status != "asked":
                continue
            if search.hits and search.ranked is None:
                rerank = Rerank(query_id=search.query.id, reason="The best are to be read first.")
                if not has_failed(state, rerank):
                    return rerank
            for hit in self._wanted(search, state):
                action = self._read(state, search, hit)
                if action is not None:
                    return action
        return self._wider_contexts(state)

    def _wanted(self, search: Search, state: State) -> list[Hit]:
        hits = (search.ranked or ())[: self.read]
        return [hit for hit in hits if hit.source_id not in state.excluded]

    def _read(self, state: State, search: Search, hit: Hit) -> Action | None:
        question_id = search.query.question_id
        if state.question(question_id) is None:
            return None
        read = [context for context in state.contexts if _covers(context, hit)]
        looked = any((question_id, context.id) in state.extracted for context in read)
        if looked or (question_id, hit.chunk_id) in state.extracted:
            return None
        action = Read(id=hit.chunk_id, scope="window", reason=f"Place {hit.rank} of the hits.")
        if not read and not has_failed(state, action):
            return action
        context_id = read[0].id if read else hit.chunk_id
        extract = Extract(
            question_id=question_id,
            context_id=context_id,
            reason=f"Does {hit.title or hit.source_id} bear on the question?",
        )
        return None if has_failed(state, extract) else extract

    def _wider_contexts(self, state: State) -> Action | None:
        """Look through sections and documents that were read around a quote."""
        for evidence in state.evidence:
            for context in state.contexts:
                wide = context.scope in {"section", "document"}
                pair = (evidence.question_id, context.id)
                if wide and context.chunk_id == evidence.chunk_id and pair not in state.extracted:
                    extract = Extract(
                        question_id=evidence.question_id,
                        context_id=context.id,
                        reason=f"The {context.scope} around a quote.",
                    )
                    if not has_failed(state, extract):
                        return extract
        return None

    def _next_round(self, state: State) -> Action:
        pending = state.pending
        blocking = [gap for gap in state.open_gaps if gap.reason != "single_source"]
        enough = bool(state.assessments) and not blocking and not state.open_conflicts
        if pending:
            return Retrieve(query=pending[0], reason=pending[0].reason or "Planned.")
        recent = state.assessments[-self.stale :]
        if not enough and len(state.assessments) > self.stale and not any(a.new for a in recent):
            text = f"The last {self.stale} rounds brought nothing new."
            return _close("nothing_new", text)
        action = follow_up(state)
        if action is not None:
            return action
        if enough and state.evidence:
            text = "Each question has enough evidence, and no disagreement is open."
            return _close("enough", text)
        return _give_up(state)


def _covers(context: Context, hit: Hit) -> bool:
    """Return whether the chunk of a hit stands whole in what was read."""
    inside = context.start <= hit.start and hit.end <= context.end
    return context.scope != "chunk" and context.source_id == hit.source_id and inside


def _give_up(state: State) -> Synthesize:
    reasons = {gap.reason for gap in state.open_gaps}
    tried = [search for search in state.searches if search.status in {"asked", "failed"}]
    if tried and all(search.status == "failed" for search in tried):
        return _close("failed", "Every search failed.")
    if state.open_conflicts:
        return _close("insufficient", "Two sources disagree, and no document decides it.")
    if reasons & {"no_results", "not_supported", "evidence_too_weak"}:
        return _close("insufficient", "What was found does not support a full answer.")
    return _close("no_better_action", "Nothing is left to try.")


def _close(code: str, text: str) -> Synthesize:
    why = StopReason(code=code, text=text)  # type: ignore[arg-type]
    return Synthesize(closing=why, reason=text)
