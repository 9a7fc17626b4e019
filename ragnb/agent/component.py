"""The agent as one Haystack component: a query goes in, an answer and its documents come out."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from haystack import Document, GeneratedAnswer, component, default_from_dict, default_to_dict
from haystack.core.serialization import component_from_dict, component_to_dict, import_class_by_name

from ragnb.agent.agent import Agent
from ragnb.agent.policies import Policy, policy_named, policy_names
from ragnb.agent.run import Run
from ragnb.errors import InputError
from ragnb.library import Library
from ragnb.llm.written import read_model, written_model
from ragnb.records import Answer, Budget

__all__ = ["RagnbAgent"]

_POLICIES: Final[dict[str, Any]] = {name: type(policy_named(name)) for name in policy_names()}


@component
class RagnbAgent:
    """Answers a query from a library, in a Pipeline beside other components.

    Args:
        library: A library, or the folder of its index; that is opened at the first use, or by
            `warm_up`.
        policy: A policy's name, such as ``"evidence"`` or ``"plan"``, or a policy; see `Agent`.
        stages: Components in place of the default stages; see `Agent`.
        budget: What each run may spend.
        llm: A chat model, its name, or a mapping of roles to these; see `Agent`.

    Raises:
        InputError: A policy, stage, role or model of that name doesn't exist.
        MissingExtraError: The Haystack integration that a model's name needs is not installed.

    >>> with Library.from_documents([Document(id="tea", content="Green tea is steamed.")]) as tea:
    ...     found = RagnbAgent(tea).run("How is green tea made?")
    >>> found["answers"][0].data
    'Green tea is steamed. [1]'
    """

    def __init__(
        self,
        library: Library | str | os.PathLike[str],
        *,
        policy: str | Policy = "evidence",
        stages: Mapping[str, Any] | None = None,
        budget: Budget | None = None,
        llm: Any = None,
    ) -> None:
        self.library = library
        self.policy = policy
        self.stages = dict(stages or {})
        self.budget = budget
        self.llm = llm
        self._opened: Library | None = None
        self._agent: Agent | None = None
        if isinstance(library, Library):
            self._agent = self._made(library)

    def warm_up(self) -> None:
        """Open the index, if a folder was given.

        Raises:
            LibraryError: There is no library in that folder.
        """
        if self._agent is None and not isinstance(self.library, Library):
            self._opened = Library.open(self.library)
            self._agent = self._made(self._opened)

    def close(self) -> None:
        """Close the index, if it was opened here; the next run opens it again."""
        if self._opened is not None:
            self._opened.close()
            self._opened = self._agent = None

    @component.output_types(answers=list[GeneratedAnswer], documents=list[Document])
    def run(self, query: str, filters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Run the agent to its end.

        Args:
            query: A question or a request in words.
            filters: A Haystack filter that holds for every search.

        Returns:
            ``answers``: one GeneratedAnswer, whose ``data`` is the text with the numbers of its
            quotes, and whose ``meta`` has the quotes, open questions, sources and stop reason, as
            `Answer.to_dict` gives them. ``documents``: the chunks that are cited, in the order of
            their numbers; none if nothing could be concluded.

        Raises:
            InputError: The query is empty.
            LibraryError: There is no library in the folder that was given.
        """
        self.warm_up()
        if self._agent is None:  # warm_up makes it, or raises
            raise InputError("The agent isn't ready; call warm_up() first.")
        run = self._agent.ask(query, filters=filters)
        answer = run.answer or Answer(goal=query)
        documents = _cited(run, answer, self._agent.library)
        generated = GeneratedAnswer(
            data=_text(answer), query=query, documents=documents, meta=answer.to_dict()
        )
        return {"answers": [generated], "documents": documents}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library by the folder of its index.

        Raises:
            InputError: The library is temporary or lies over another store, the policy is none
                of ragnb's own, or the model can't be written down without a secret.
        """
        return default_to_dict(
            self,
            library=_folder(self.library),
            policy=_named(self.policy),
            stages={name: component_to_dict(part, name) for name, part in self.stages.items()},
            budget=None if self.budget is None else asdict(self.budget),
            llm=written_model(self.llm),
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RagnbAgent":
        """Make the component from what `to_dict` returned; the index is opened at its first use.

        Raises:
            InputError: The policy is none of ragnb's own.
        """
        given = dict(data["init_parameters"])
        policy, budget = given.get("policy", "evidence"), given.get("budget")
        if isinstance(policy, dict):
            if policy.get("name") not in _POLICIES:
                raise InputError(f"There is no policy {policy!r}; there are {sorted(_POLICIES)}.")
            given["policy"] = _POLICIES[policy["name"]](**policy)
        if isinstance(budget, dict):
            given["budget"] = Budget(**budget)
        given["stages"] = {
            name: component_from_dict(import_class_by_name(part["type"]), part, name)
            for name, part in (given.get("stages") or {}).items()
        }
        given["llm"] = read_model(given.get("llm"))
        return default_from_dict(cls, {**data, "init_parameters": given})

    def _made(self, library: Library) -> Agent:
        return Agent(
            library, policy=self.policy, stages=self.stages, budget=self.budget, llm=self.llm
        )


def _text(answer: Answer) -> str:
    """Return the conclusions, one a line, each with the numbers of its quotes."""
    if answer.text or not answer.conclusions:
        return answer.text or "No conclusion can be grounded in the documents."
    return "\n".join(
        " ".join([claim.statement, *(f"[{grounding.n}]" for grounding in claim.groundings)])
        for claim in answer.conclusions
    )


def _cited(run: Run, answer: Answer, library: Library) -> list[Document]:
    """Return the cited chunks by the number of their first quote, each once."""
    groundings = [item for claim in answer.conclusions for item in claim.groundings]
    groundings += [item for doubt in answer.uncertainties for item in doubt.groundings]
    ids = [item.chunk_id for item in sorted(groundings, key=lambda item: item.n)]
    known = {document.id: document for document in library.chunks(ids)}
    for context in run.state.contexts:  # documents that only the user's own retriever knows
        known.setdefault(
            context.chunk_id,
            Document(
                id=context.chunk_id,
                content=context.text,
                meta={"source_id": context.source_id, "title": context.title},
            ),
        )
    return [known[chunk_id] for chunk_id in dict.fromkeys(ids) if chunk_id in known]


def _folder(library: Library | str | os.PathLike[str]) -> str:
    if not isinstance(library, Library):
        return os.fspath(library)
    index = str(library.info["index"])
    if not Path(index).is_dir():
        raise InputError(
            f"This agent can't be written down: its library is {index!r}, not a folder. Keep it "
            "in one: Library.from_folder(…, index='handbook.ragnb')."
        )
    return str(Path(index).resolve())


def _named(policy: str | Policy) -> str | dict[str, Any]:
    if isinstance(policy, str):
        return policy
    if type(policy) in _POLICIES.values():
        return asdict(policy)  # type: ignore[call-overload,no-any-return]
    raise InputError(
        f"A {type(policy).__name__} can't be written down; only ragnb's own policies can: "
        f"{sorted(_POLICIES)}."
    )
