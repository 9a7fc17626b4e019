"""Rerank with a model: it names numbers, and no passage is lost or made up by that."""

from dataclasses import replace
from typing import Any, Final

from haystack import Document, component

from ragnb.llm import prompts
from ragnb.llm.metering import note
from ragnb.llm.shapes import RankReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.stages import Reranker

__all__ = ["ModelReranker"]

_TOKENS: Final = 400


@component
class ModelReranker(Twin[Reranker]):
    """Put chunks in a better order with a model.

    What it leaves out follows in the order of the rules.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The reranker without a model.
        prices: The user's prices.
    """

    prompt = prompts.RERANK
    ruled = Reranker

    @component.output_types(documents=list[Document], notes=list[str])
    def run(
        self, query: str, documents: list[Document], top_k: int | None = None
    ) -> dict[str, Any]:
        """Return the best documents; the arguments are those of `Reranker.run`."""
        keep = self.rules.top_k if top_k is None else top_k
        ruled = self.rules.run(query, documents, len(documents))
        order: list[Document] = ruled["documents"]
        if len(order) > 1:
            passages = [(str(each.meta.get("title", "")), each.content or "") for each in order]
            given = prompts.rerank(query, passages)
            reply = structured(self.model, self.prompt, given, RankReply, tokens=_TOKENS)
            order = order if reply is None else _ordered(order, reply.order)
        return {"documents": order[:keep], "notes": ruled["notes"]}


def _ordered(documents: list[Document], numbers: list[int]) -> list[Document]:
    """Put the named ones first, scored by their place."""
    known = [n for n in dict.fromkeys(numbers) if 1 <= n <= len(documents)]
    if len(known) < len(set(numbers)):
        note(f"The model named {len(set(numbers)) - len(known)} passages that it was not given.")
    first = [documents[n - 1] for n in known]
    chosen = {id(each) for each in first}
    order = first + [each for each in documents if id(each) not in chosen]
    return [
        replace(each, score=round(1 / (1 + 0.1 * place), 6)) for place, each in enumerate(order)
    ]
