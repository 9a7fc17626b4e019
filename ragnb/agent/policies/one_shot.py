"""The plain chain that everyone has: retrieve, extract, answer. The honest baseline."""

from dataclasses import dataclass

from ragnb.agent.actions import Action, Rerank, Retrieve, Synthesize
from ragnb.agent.policies.base import extraction
from ragnb.agent.state import State
from ragnb.records import Query, StopReason

__all__ = ["OneShot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneShot:
    """One query, the best chunks, one answer; nothing is checked or asked again.

    Args:
        chunks: How many of the best chunks are looked through.
        rerank: Whether the hits are reranked first.
    """

    chunks: int = 5
    rerank: bool = False
    name: str = "one_shot"

    def decide(self, state: State) -> Action:
        """Return the next link of the chain."""
        question = state.questions[0]
        if not state.searches:
            query = Query.of(state.goal, question.id, filters=state.filters)
            return Retrieve(query=query, reason="The question itself is the only query.")
        search = state.searches[0]
        if search.status == "failed":
            text = "The only search failed."
            return Synthesize(closing=StopReason(code="failed", text=text), reason=text)
        if self.rerank and search.hits and search.ranked is None:
            return Rerank(query_id=search.query.id, reason="The best chunks are wanted first.")
        for hit in (search.ranked or search.hits)[: self.chunks]:
            extract = extraction(
                state, question.id, hit.chunk_id, f"Chunk {hit.rank} of the search."
            )
            if extract is not None:
                return extract
        if any(item.verified for item in state.evidence):
            text = "The best passages of one search are looked through; nothing is checked."
            why = StopReason(code="enough", text=text)
        else:
            why = StopReason(code="insufficient", text="No quote bears on the question.")
        return Synthesize(closing=why, reason=why.text)
