"""Look back at a step of a plan by rule: what is new, and whether to go on, retry or replan."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.records import Conflict, Evidence, Gap, PlanStep, Reflection, StepStatus, SubQuestion
from ragnb.records.planned import OWN_TOOLS, SHORT
from ragnb.stages.assess import Assessor
from ragnb.stages.learning import items, learned, result, short_name, sides_of, told
from ragnb.stages.named import Named
from ragnb.stages.parts import restored, told_of
from ragnb.stages.rarity import Rarity
from ragnb.stages.replanning import replanned
from ragnb.stages.retrying import alternative
from ragnb.text.tokens import terms
from ragnb.text.values import names

__all__ = ["Reflector"]

_LEARNED: Final = 4
_RARE: Final = 0.35
"""A name of words that stand nearly everywhere leads nowhere."""
_ATTEMPTS: Final = 3
"""Attempts at a step at most."""
_NOUN: Final = re.compile(
    r"\b(?:which|what|who or what is the)\s+(?P<noun>[a-z][\w-]*)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What a step is judged by."""

    goal: str
    step: PlanStep
    steps: Sequence[PlanStep]
    question: SubQuestion | None
    mine: Sequence[Evidence]
    """The evidence on the step's question."""
    fresh: Sequence[Evidence]
    """What of it is new."""
    searches: Sequence[Mapping[str, Any]]
    came: Mapping[str, Any]
    gaps: Sequence[Gap]
    """What blocks the step's question."""
    conflicts: Sequence[Conflict]

    def over(self, status: StepStatus, **fields: Any) -> Reflection:
        """Return a look back at this step."""
        return Reflection(step=self.step.id, status=status, **fields)

    @property
    def listed(self) -> bool:
        """Whether another step is done for each item that this one gives."""
        return any(item.for_each == self.step.id for item in self.steps)

    @property
    def waiting(self) -> bool:
        """Whether other steps are still to be done."""
        return any(s.status == "pending" and s.id != self.step.id for s in self.steps)


@component
class Reflector:
    """Judge one step of a plan, with the evidence and the answer as far as it goes.

    Args:
        assessor: Judges the evidence; an `Assessor` by default.
        library: Tells which names are those of documents.
    """

    version: str = "1"

    def __init__(self, assessor: Any = None, library: Any = None) -> None:
        self.assessor = assessor or Assessor()
        self.library = library
        self._named = Named(library)
        self._rarity = Rarity(library)

    @component.output_types(
        verdict=str, gaps=list[Gap], conflicts=list[Conflict], reflection=Reflection
    )
    def run(  # noqa: PLR0917 - sockets
        self,
        goal: str,
        step: PlanStep,
        steps: list[PlanStep],
        questions: list[SubQuestion],
        evidence: list[Evidence],
        searches: list[dict[str, Any]],
        came: dict[str, Any],
        settled: list[Conflict] | None = None,
        partial: list[str] | None = None,  # noqa: ARG002 - for a model
        short: bool = False,  # noqa: FBT001, FBT002 - a socket
    ) -> dict[str, Any]:
        """Judge a step.

        Args:
            goal: What the user asks.
            step: The step that was just done.
            steps: All steps, with their states and results.
            questions: All sub-questions.
            evidence: All evidence.
            searches: What was searched, as `Assessor.run` takes it.
            came: What the step's own action brought: status, text, titles, and the ids of new
                evidence.
            settled: Conflicts that a person settled.
            partial: The answer as far as it goes, a statement a conclusion.
            short: Whether fewer searches are left than steps.

        Returns:
            ``verdict``, ``gaps`` and ``conflicts`` as `Assessor.run` gives them, on questions that
            were looked at, and the ``reflection``.
        """
        judged: dict[str, Any] = self.assessor.run(
            questions=questions, evidence=evidence, searches=searches, settled=settled
        )
        asked = {item["question_id"] for item in searches} | {e.question_id for e in evidence}
        asked.add(step.question_id)
        gaps = [gap for gap in judged["gaps"] if gap.question_id in asked]
        mine = [item for item in evidence if item.question_id == step.question_id]
        seen = _Seen(
            goal=goal,
            step=step,
            steps=steps,
            question=next((q for q in questions if q.id == step.question_id), None),
            mine=mine,
            fresh=[item for item in mine if item.id in set(came["new"])],
            searches=searches,
            came=came,
            gaps=[gap for gap in gaps if gap.question_id == step.question_id and gap.blocks],
            conflicts=judged["conflicts"],
        )
        look = self._look(seen)
        if short and look.next == "continue":
            look = replace(look, next="replan", reason=SHORT)
        return {
            "verdict": judged["verdict"],
            "gaps": gaps,
            "conflicts": judged["conflicts"],
            "reflection": look,
        }

    def _look(self, seen: _Seen) -> Reflection:
        step = seen.step
        if step.tool not in OWN_TOOLS:
            return _of_tool(seen)
        if seen.listed:
            return _of_list(seen)
        if seen.came["status"] == "failed" and step.tool == "read":
            error = f"No document called “{step.arguments.get('id', '')}” was found in the library."
            return seen.over("failed", next="replan", reason=error, error=error)
        known = self._learned(seen)
        new = told(seen.fresh)
        optional = seen.question is not None and not seen.question.required
        if not seen.gaps or (optional and seen.mine):
            before = f"Known before: {result(seen.mine)}" if seen.mine else ""
            reason = "The question of the step has enough evidence."
            return seen.over(
                "done", new=new or before, reason=reason, result=result(seen.mine), found=known
            )
        tool, arguments, reason = alternative(
            step, seen.question, seen.gaps, seen.mine, seen.searches, known,
            sides_of(seen.conflicts, seen.mine),
        )  # fmt: skip
        if arguments and step.attempts < _ATTEMPTS:
            return seen.over(
                "pending", next="retry", new=new, reason=reason, tool=tool, arguments=arguments
            )
        return _not_enough(seen, known, new)

    def _learned(self, seen: _Seen) -> tuple[str, ...]:
        """Return names that the step brought, those of the sort that is asked for first."""
        step = seen.step
        found = learned(f"{seen.goal} {step.question}", seen.mine)
        noun = _NOUN.search(seen.question.text if seen.question else step.question)
        wanted = set(terms(noun["noun"])) if noun else set()
        weights = self._rarity.of(term for name in found for term in terms(name))

        def fits(name: str) -> bool:
            source = self._named.source(name)
            return source is not None and bool(wanted & set(terms(f"{source.id} {source.title}")))

        rare = tuple(
            name for name in found if max((weights[t] for t in terms(name)), default=0) >= _RARE
        )
        return (tuple(name for name in rare if fits(name)) or rare)[:_LEARNED]

    def fingerprint(self) -> dict[str, Any]:
        """Return what decides on the reflection."""
        return {"assessor": told_of(self.assessor)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library is left out."""
        from haystack.core.serialization import component_to_dict

        return default_to_dict(self, assessor=component_to_dict(self.assessor, "assessor"))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Reflector":
        """Make the component from what `to_dict` returned."""
        parameters = dict(data["init_parameters"])
        parameters["assessor"] = restored(parameters["assessor"], "assessor")
        made: Reflector = default_from_dict(cls, {**data, "init_parameters": parameters})
        return made


def _not_enough(seen: _Seen, known: tuple[str, ...], new: str) -> Reflection:
    """Go on without an answer to the step's question, or plan again where that changes the plan."""
    step = seen.step
    missing = "" if seen.mine else f"Nothing found answers “{step.question}”."
    gone = replace(step, status="failed", error=missing)
    others = [gone if each.id == step.id else each for each in seen.steps]
    torn = any(gap.reason == "source_conflict" for gap in seen.gaps)
    useful = not torn and bool(replanned(seen.goal, others, None)[1])
    return seen.over(
        "failed" if useful or not seen.mine else "done",
        next="replan" if useful else "continue" if seen.waiting else "finish",
        new=new or (f"Not enough yet: {result(seen.mine)}" if seen.mine else ""),
        reason=f"Step {step.id} is not enough: {seen.gaps[0].detail or 'its question is open.'}",
        result=result(seen.mine),
        found=known,
        error=missing,
    )


def _of_tool(seen: _Seen) -> Reflection:
    """Judge what a tool gave."""
    step, came = seen.step, seen.came
    text = " ".join(str(came["text"]).split())
    if came["status"] == "refused":
        error = f"No person allowed {step.tool}, so it was not done."
        return seen.over("failed", next="continue" if seen.waiting else "finish", error=error)
    found = items(str(came["text"]))
    if came["status"] != "done":
        error = f"{step.tool} failed: {text}"
        return seen.over("failed", next="replan", reason=error, error=error)
    if not text or (seen.listed and not found):
        return seen.over("failed", next="replan", reason=f"{step.tool} gave nothing.")
    if step.tool == "query_table" and seen.gaps:
        reason = f"The rows of {step.arguments.get('table', 'the table')} don't answer it alone."
        return seen.over("failed", next="replan", reason=reason)
    return seen.over(
        "done",
        new=told(seen.fresh) or f"{step.tool} gave: {text[:160]}",
        reason=f"{step.tool} did what was wanted.",
        result=text[:240],
        found=found,
    )


def _of_list(seen: _Seen) -> Reflection:
    """Take the things of a list from the titles of what was found, else from its quotes."""
    wanted = set(terms(str(seen.step.arguments.get("query", ""))))
    titled = [
        short_name(source, title)
        for source, title in seen.came["titles"]
        if wanted & set(terms(f"{source} {title}"))
    ]
    quoted = [name.text for item in seen.mine for name in names(item.quote)]
    found = tuple(dict.fromkeys(titled or quoted))
    if not found:
        reason = f"Step {seen.step.id} gave no list to go through."
        return seen.over("failed", next="replan", reason=reason)
    new = f"{len(found)} to go through: {', '.join(found[:6])}"
    return seen.over(
        "done", new=new, reason="The list is known.", result=", ".join(found[:12]), found=found
    )
