"""Look back at a step of a plan by rule: what is new, and whether to go on, retry or replan."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.records import Conflict, Evidence, Gap, PlanStep, Reflection, StepStatus, SubQuestion
from ragnb.records.planned import SHORT
from ragnb.stages.assess import Assessor
from ragnb.stages.named import Named
from ragnb.stages.rarity import Rarity
from ragnb.stages.retrying import alternative
from ragnb.stages.templates import replanned
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["Reflector", "items", "learned"]

_LEARNED: Final = 4
_LONGEST: Final = 60
_RARE: Final = 0.35
"""A name of words that stand nearly everywhere leads nowhere."""
_SHORT_ANSWER: Final = 4
"""A short answer of so few words is a name even where it is one capitalised word."""
_NOUN: Final = re.compile(
    r"\b(?:which|what|who or what is the)\s+(?P<noun>[a-z][\w-]*)", re.IGNORECASE
)
_HEAD: Final = re.compile(r"^\d[\d,]* of \d[\d,]* \w+")
_ORDER: Final = {"strong": 0, "partial": 1, "weak": 2}


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
        partial: list[str] | None = None,
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
        look = self._look(goal, step, steps, questions, evidence, searches, came, gaps, judged)
        if short and look.next == "continue":
            look = replace(look, next="replan", reason=SHORT)
        return {
            "verdict": judged["verdict"],
            "gaps": gaps,
            "conflicts": judged["conflicts"],
            "reflection": look,
        }

    def _look(  # noqa: PLR0917 - what a step is judged by
        self,
        goal: str,
        step: PlanStep,
        steps: Sequence[PlanStep],
        questions: Sequence[SubQuestion],
        evidence: Sequence[Evidence],
        searches: Sequence[Mapping[str, Any]],
        came: Mapping[str, Any],
        gaps: Sequence[Gap],
        judged: Mapping[str, Any],
    ) -> Reflection:
        question = next((q for q in questions if q.id == step.question_id), None)
        mine = [item for item in evidence if item.question_id == step.question_id]
        fresh = [item for item in mine if item.id in set(came["new"])]
        if step.tool not in {"search", "read"}:
            return self._of_tool(step, came, fresh, steps)
        if any(item.for_each == step.id for item in steps):
            return self._of_list(step, came, mine)
        if came["status"] == "failed" and step.tool == "read":
            name = str(step.arguments.get("id", ""))
            error = f"No document called “{name}” was found in the library."
            return Reflection(
                step=step.id, status="failed", next="replan", reason=error, error=error
            )
        own = [
            gap
            for gap in gaps
            if gap.question_id == step.question_id and gap.reason != "single_source"
        ]
        optional = question is not None and not question.required and bool(mine)
        told = _told(fresh)
        if not own or optional:
            names_found = self._learned(goal, step, question, mine)
            again = ", ".join(item.says or item.quote[:60] for item in mine[:1])
            return Reflection(
                step=step.id,
                status="done",
                new=told or (f"Known before: {again}" if again else ""),
                result=_result(mine),
                found=names_found,
                reason="The question of the step has enough evidence.",
            )
        known = self._learned(goal, step, question, mine)
        tool, arguments, reason = alternative(step, question, own, mine, searches, known)
        if arguments:
            return Reflection(
                step=step.id,
                status="pending",
                next="retry",
                new=told,
                reason=reason,
                result=_result(mine),
                found=known,
                tool=tool,
                arguments=arguments,
            )
        torn = any(gap.reason == "source_conflict" for gap in own)
        status: StepStatus = "done" if mine else "failed"
        missing = "" if mine else f"Nothing found answers “{step.question}”."
        gone = replace(step, status="failed", error=missing)
        useful = not torn and bool(
            replanned(goal, [gone if each.id == step.id else each for each in steps], None)[1]
        )
        waiting = any(each.status == "pending" and each.id != step.id for each in steps)
        return Reflection(
            step=step.id,
            status="failed" if useful else status,
            next="replan" if useful else "continue" if waiting else "finish",
            new=told or (f"Not enough yet: {_result(mine)}" if mine else ""),
            reason=f"Step {step.id} is not enough: {own[0].detail or 'its question is open.'}",
            result=_result(mine),
            found=known,
            error=missing,
        )

    def _of_tool(
        self,
        step: PlanStep,
        came: Mapping[str, Any],
        fresh: Sequence[Evidence],
        steps: Sequence[PlanStep],
    ) -> Reflection:
        text = " ".join(str(came["text"]).split())
        if came["status"] == "refused":
            error = f"No person allowed {step.tool}, so it was not done."
            return Reflection(step=step.id, status="failed", next="continue", error=error)
        found = items(str(came["text"]))
        listed = any(item.for_each == step.id for item in steps)
        if came["status"] != "done" or not text or (listed and not found):
            error = f"{step.tool} failed: {text}" if came["status"] != "done" else ""
            reason = error or f"{step.tool} gave nothing."
            return Reflection(
                step=step.id, status="failed", next="replan", reason=reason, error=error
            )
        told = _told(fresh) or f"{step.tool} gave: {text[:160]}"
        return Reflection(
            step=step.id, status="done", new=told, result=text[:240], found=found,
            reason=f"{step.tool} did what was wanted.",
        )  # fmt: skip

    def _of_list(
        self, step: PlanStep, came: Mapping[str, Any], mine: Sequence[Evidence]
    ) -> Reflection:
        """Take the things of a list from the titles of what was found, else from its quotes."""
        wanted = set(terms(step.question)) | set(terms(str(step.arguments.get("query", ""))))
        titled = [
            _short(source, title)
            for source, title in came["titles"]
            if wanted & set(terms(f"{source} {title}"))
        ]
        quoted = [name.text for item in mine for name in names(item.quote)]
        found = tuple(dict.fromkeys(titled or quoted))
        if not found:
            reason = f"Step {step.id} gave no list to go through."
            return Reflection(step=step.id, status="failed", next="replan", reason=reason)
        return Reflection(
            step=step.id,
            status="done",
            new=f"{len(found)} to go through: {', '.join(found[:6])}",
            result=", ".join(found[:12]),
            found=found,
            reason="The list is known.",
        )

    def _learned(
        self,
        goal: str,
        step: PlanStep,
        question: SubQuestion | None,
        mine: Sequence[Evidence],
    ) -> tuple[str, ...]:
        found = learned(f"{goal} {step.question}", mine)
        noun = _NOUN.search(question.text if question else step.question)
        wanted = set(terms(noun["noun"])) if noun else set()

        def fits(name: str) -> bool:
            source = self._named.source(name)
            return source is not None and bool(wanted & set(terms(f"{source.id} {source.title}")))

        weights = self._rarity.of(term for name in found for term in terms(name))
        found = tuple(
            name for name in found if max((weights[t] for t in terms(name)), default=0) >= _RARE
        )
        typed = tuple(name for name in found if fits(name))
        return (typed or found)[:_LEARNED]

    def fingerprint(self) -> dict[str, Any]:
        """Return what decides on the reflection."""
        part = self.assessor
        own = getattr(part, "fingerprint", None)
        plain = str | int | float | bool | None
        settings = (
            own()
            if callable(own)
            else {n: v for n, v in vars(part).items() if isinstance(v, plain)}
        )
        return {"assessor": [type(part).__qualname__, getattr(part, "version", ""), settings]}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library is left out."""
        from haystack.core.serialization import component_to_dict

        return default_to_dict(self, assessor=component_to_dict(self.assessor, "assessor"))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Reflector":
        """Make the component from what `to_dict` returned."""
        from haystack.core.serialization import component_from_dict, import_class_by_name

        parameters = dict(data["init_parameters"])
        part = parameters["assessor"]
        parameters["assessor"] = component_from_dict(
            import_class_by_name(part["type"]), part, "assessor"
        )
        made: Reflector = default_from_dict(cls, {**data, "init_parameters": parameters})
        return made


def learned(asked: str, mine: Sequence[Evidence]) -> tuple[str, ...]:
    """Return names and identifiers in the best evidence that what is asked doesn't hold."""
    lower = asked.lower()
    found: dict[str, None] = {}
    best = sorted(mine, key=lambda item: (_ORDER[item.support], -item.score, item.id))
    for item in best[:3]:
        own = [value for value in values(item.quote) if value.kind == "identifier"]
        alone = len(item.says.split()) <= _SHORT_ANSWER
        for value in (*own, *_named(item.says, lone=alone), *_named(item.quote)):
            if value.text.lower() not in lower and len(value.text) <= _LONGEST:
                found.setdefault(value.text)
    return tuple(found)


def _named(text: str, *, lone: bool = False) -> list[Value]:
    """Return names that are no part of an amount or a date, as EUR is."""
    measured = [value for value in values(text) if value.kind != "identifier"]
    return [
        name
        for name in names(text, lone=lone)
        if not any(name.start < each.end and each.start < name.end for each in measured)
    ]


def items(text: str) -> tuple[str, ...]:
    """Return the things of a list that a tool gave: JSON, or a line each, its name first.

    >>> items("2 of 9 documents\\na.md | INC-1: Ice | 2025\\nb.md | Fire | 2024")
    ('INC-1', 'Fire')
    >>> items('["tea", "coffee"]')
    ('tea', 'coffee')
    """
    import json

    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, list):
        told = [_item(each) for each in data]
        return tuple(dict.fromkeys(each for each in told if each))
    lines = [line.strip(" -*•\t") for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not _HEAD.match(line)]
    if len(lines) < 2 and "|" not in text:
        return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))[:50]
    cells = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return tuple(dict.fromkeys(_short(row[0], row[1] if len(row) > 1 else "") for row in cells))


def _item(each: object) -> str:
    if isinstance(each, Mapping):
        title = each.get("title") or each.get("name") or each.get("id") or ""
        return _short(str(each.get("id", "")), str(title))
    return str(each).strip()


def _short(source: str, title: str) -> str:
    """Return the identifier in a title, else the title, else the source's id."""
    code = next((value.text for value in values(title) if value.kind == "identifier"), "")
    return code or title or source


def _told(fresh: Sequence[Evidence]) -> str:
    parts = [
        f"“{(item.says or item.quote)[:80]}” ({item.title or item.source_id})" for item in fresh
    ]
    return "; ".join(parts[:3])


def _result(mine: Sequence[Evidence]) -> str:
    best = sorted(mine, key=lambda item: (_ORDER[item.support], -item.score, item.id))
    return "; ".join((item.says or item.quote)[:90] for item in best[:2])
