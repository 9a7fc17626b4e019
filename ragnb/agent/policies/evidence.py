"""The default policy: search, read, extract, assess, and search again for what is missing."""

from dataclasses import dataclass

from ragnb.agent.actions import Action, Assess, Plan, Reply, Retrieve, Synthesize
from ragnb.agent.policies.followups import follow_up
from ragnb.agent.policies.work import open_work
from ragnb.agent.state import State
from ragnb.records import StopReason

__all__ = ["EvidencePolicy", "close", "give_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePolicy:
    """One query a round; after each, judge, and make the next query from the first open gap.

    Args:
        read: How many of the best reranked hits are read.
        stale: Rounds without anything new after which the run ends.
    """

    read: int = 8
    stale: int = 2
    name: str = "evidence"

    def decide(self, state: State) -> Action:
        """Return the next action."""
        if not state.planned:
            return Plan(reason="The goal is not split into questions yet.")
        if not state.needs_retrieval:
            return Reply(reason="No document is needed for this.")
        if state.unassessed:
            return open_work(state, self.read) or Assess(reason="All that was found is read.")
        return self._next_round(state)

    def _next_round(self, state: State) -> Action:
        pending = state.pending
        enough = bool(state.assessments) and not state.blocked
        if pending:
            return Retrieve(query=pending[0], reason=pending[0].reason or "Planned.")
        recent = state.assessments[-self.stale :]
        if not enough and len(state.assessments) > self.stale and not any(a.new for a in recent):
            text = f"The last {self.stale} rounds brought nothing new."
            return close("nothing_new", text)
        action = follow_up(state)
        if action is not None:
            return action
        if enough and state.evidence:
            text = "Each question has enough evidence, and no disagreement is open."
            return close("enough", text)
        return give_up(state)


def give_up(state: State) -> Synthesize:
    """Return the answer from what there is, where nothing better can be done, and why."""
    reasons = {gap.reason for gap in state.open_gaps}
    tried = [search for search in state.searches if search.status in {"asked", "failed"}]
    if tried and all(search.status == "failed" for search in tried):
        return close("failed", "Every search failed.")
    if state.open_conflicts:
        return close("insufficient", "Two sources disagree, and no document decides it.")
    if reasons & {"no_results", "not_supported", "evidence_too_weak"}:
        return close("insufficient", "What was found does not support a full answer.")
    return close("no_better_action", "Nothing is left to try.")


def close(code: str, text: str) -> Synthesize:
    """Return the answer that closes a run for a reason."""
    why = StopReason(code=code, text=text)  # type: ignore[arg-type]
    return Synthesize(closing=why, reason=text)
