"""How each action becomes a call of its stage, and the stage's sockets an outcome."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ragnb.agent.actions import Action, Assess, Plan
from ragnb.agent.documents import as_context, as_documents, as_hits, tool_context
from ragnb.agent.outcomes import (
    Answered,
    Assessed,
    Found,
    Hits,
    Planned,
    Proposed,
    Ranked,
    TextRead,
    ToolDone,
    Value,
)
from ragnb.agent.plancalls import PlanCalls
from ragnb.agent.proposing import proposed
from ragnb.agent.sockets import listed, sockets, taken_by
from ragnb.agent.state import ToolCall
from ragnb.errors import InputError
from ragnb.library.tabular import tables
from ragnb.llm.metering import note
from ragnb.records import Hit, Query, SubQuestion
from ragnb.stages.toolbox.backing import backed
from ragnb.stages.toolbox.offering import offered, status_line

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["STAGE_OF", "Stages", "call_kind"]

STAGE_OF = {
    "route": "route",
    "lay_out": "steps",
    "reflect": "reflect",
    "plan": "plan",
    "recall": "recall",
    "retrieve": "retrieve",
    "rerank": "rerank",
    "read": "read",
    "extract": "extract",
    "choose": "choose",
    "use_tool": "tools",
    "assess": "assess",
    "synthesize": "synthesize",
    "reply": "reply",
}
"""The stage that carries out each kind of call."""


def call_kind(action: Action) -> str:
    """Return the kind of call that an action is: a plan of steps and a look back have their own."""
    if isinstance(action, Plan) and action.steps:
        return "lay_out"
    return "reflect" if isinstance(action, Assess) and action.step else action.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages(PlanCalls):
    """The components of an agent, by stage, over one library.

    Args:
        library: What is searched and read.
        components: Haystack components by the name of their stage.
        top_k: Hits kept of a search, and at most of its reranking; a ranker's own setting holds.
    """

    library: "Library"
    components: Mapping[str, Any]
    top_k: int = 20

    def call(self, kind: str, given: Mapping[str, Any]) -> Value:
        """Carry an action of a kind out with what it is given, and return what came back.

        Raises:
            InputError: The agent has no such stage, or the component gave the wrong sockets.
        """
        stage = STAGE_OF[kind]
        component = self.components.get(stage)
        call: Callable[..., Value] | None = getattr(self, f"_{kind}", None)
        if component is None or call is None:
            have = sorted(self.components)
            raise InputError(f"This agent has no stage for {kind!r}; it has {have}.")
        return call(component, **given)

    def _use_tool(
        self, component: Any, *, call: ToolCall, question: SubQuestion | None = None
    ) -> Value:
        result = component.run(name=call.name, arguments=dict(call.arguments))
        result = sockets(result, "result", "documents")
        documents, given = result["documents"], tuple(result.get("contexts") or ())
        _, foreign = as_hits(documents, self.library, len(documents))
        own = self.library.chunks([document.id for document in documents])
        contexts = (*given, *(as_context(document) for document in own), *foreign)
        if result.get("made"):
            made = tool_context(call, result["result"], str(result.get("title") or ""))
            contexts = (made, *contexts)
        if question is None or not result.get("spans"):
            return ToolDone(result=result["result"], contexts=contexts)
        spans = [
            span if span.source_id else replace(span, source_id=contexts[0].source_id)
            for span in result["spans"]
        ]
        evidence = backed(question, contexts, spans, result["about"])
        return ToolDone(result=result["result"], contexts=contexts, evidence=evidence)

    def _choose(self, component: Any, **given: Any) -> Value:
        runner = self.components.get("tools")
        specs = runner.specs if runner is not None else {}
        known = {"goal", "questions", "evidence", "gaps", "conflicts", "pending", "calls"}
        names = offered(
            given["goal"],
            specs,
            effects=[name for name in specs if self.effects(name)],
            tables=tables(self.library),
            found=any(search["hits"] for search in given["searches"]),
            gaps=given["gaps"],
            calls=given["calls"],
        )
        told = (given[name] for name in ("questions", "evidence", "gaps", "conflicts", "left"))
        status = status_line(*told)
        taken = listed({name: value for name, value in given.items() if name in known})
        tools = [specs[name] for name in names]
        result = sockets(component.run(tools=tools, status=status, **taken), "proposals")
        calls = proposed(
            result["proposals"],
            {tool.name: tool for tool in tools},
            given["questions"],
            given["calls"],
        )
        calls = tuple(replace(call, effects=self.effects(call.name)) for call in calls)
        by = result.get("by", "rules")
        if by == "rules" and not given["calls"] and not hasattr(component, "model"):
            note("No model chooses tools here; rules stand in.")
        return Proposed(calls=calls, offered=names, status=status, by=by)

    def _plan(self, component: Any, *, known: tuple[str, ...], **given: Any) -> Value:
        given |= {"fields": sorted(self.library.fields), "known": list(known)}
        result = sockets(component.run(**given), "questions", "queries")
        return Planned(
            questions=tuple(result["questions"]),
            queries=tuple(result["queries"]),
            steps=tuple(result.get("steps", ())),
            normalized_goal=result.get("normalized_goal", ""),
            needs_retrieval=result.get("needs_retrieval", True),
        )

    def _retrieve(self, component: Any, *, query: Query) -> Value:
        wanted: dict[str, Any] = {"query": query.text, "top_k": self.top_k}
        if query.filters:
            wanted["filters"] = query.filters
        if query.channels:
            wanted["channels"] = list(query.channels)
        taken, notes = taken_by(component, wanted)
        if "query" not in taken:  # a retriever by vectors alone
            taken["query_embedding"] = self._vector(query.text)
        result = sockets(component.run(**taken), "documents")
        hits, foreign = as_hits(result["documents"], self.library, self.top_k)
        return Hits(hits=hits, foreign=foreign, notes=(*notes, *result.get("notes", ())))

    def _vector(self, text: str) -> list[float]:
        embedder = self.library.store.embedder
        if embedder is None:
            raise InputError("The retriever wants vectors, and the library has no embedder.")
        return [float(value) for value in embedder.embed([text])[0]]

    def _rerank(
        self, component: Any, *, query: Query, hits: tuple[Hit, ...], foreign: Any
    ) -> Value:
        documents = as_documents(hits, foreign, self.library)
        wanted = {"query": query.text, "documents": documents}
        taken, notes = taken_by(component, wanted)
        result = sockets(component.run(**taken), "documents")
        by_id = {hit.chunk_id: hit for hit in hits}
        ranked = [
            replace(by_id[document.id], score=round(float(document.score or 0.0), 6))
            for document in result["documents"]
            if document.id in by_id
        ]
        return Ranked(
            hits=tuple(replace(hit, rank=n) for n, hit in enumerate(ranked[: self.top_k], start=1)),
            notes=notes,
        )

    def _read(self, component: Any, *, id: str, scope: str, foreign: Any) -> Value:  # noqa: A002
        if foreign:
            return TextRead(context=foreign[0])
        result = sockets(component.run(id=id, scope=scope), "context")
        return TextRead(context=result["context"])

    def _extract(self, component: Any, *, question: Any, context: Any, chunk_id: str) -> Value:
        made = None
        if context is None:
            found = self.library.chunks([chunk_id])
            if not found:
                raise InputError(f"Nothing was read under {chunk_id!r}, and no chunk has that id.")
            context = made = as_context(found[0])
        result = sockets(component.run(question=question, context=context), "evidence")
        evidence = tuple(result["evidence"])
        for item in evidence:
            inside = context.text[item.start - context.start : item.end - context.start]
            if item.verified and item.quote != inside:
                raise InputError(f"The quote {item.quote!r} does not stand where it says.")
        return Found(evidence=evidence, context=made)

    def _assess(self, component: Any, **given: Any) -> Value:
        result = sockets(component.run(**listed(given)), "verdict", "gaps", "conflicts")
        return Assessed(
            verdict=result["verdict"],
            gaps=tuple(result["gaps"]),
            conflicts=tuple(result["conflicts"]),
            suggested=result.get("suggested", ""),
            queries=tuple(result.get("queries", ())),
        )

    def _synthesize(self, component: Any, **given: Any) -> Value:
        given.pop("settled", None)
        return Answered(answer=sockets(component.run(**listed(given)), "answer")["answer"])

    def _reply(self, component: Any, *, goal: str) -> Value:
        infos = self.library.sources
        titles = [info.title or info.id for info in infos]
        tools = [tool["name"] for tool in self.tool_specs()]
        wanted = {"goal": goal, "sources": len(infos), "titles": titles, "tools": tools}
        taken, _ = taken_by(component, wanted)
        result = component.run(**taken)
        return Answered(answer=sockets(result, "answer")["answer"])
