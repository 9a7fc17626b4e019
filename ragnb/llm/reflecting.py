"""Look back with a model: it names what is new and how to go on; code holds it to what is there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from haystack import component

from ragnb.llm import prompts
from ragnb.llm.assessing import LIFTED
from ragnb.llm.metering import note
from ragnb.llm.shapes import ReflectReply
from ragnb.llm.structured import structured
from ragnb.llm.twin import Twin
from ragnb.records import Conflict, Evidence, Gap, PlanStep, Reflection, StepStatus, SubQuestion
from ragnb.stages import Reflector
from ragnb.stages.assess import verdict_on
from ragnb.text import fold, keywords

__all__ = ["ModelReflector"]

_TOKENS: Final = 400


@component
class ModelReflector(Twin[Reflector]):
    """Look back at a step of a plan with a model.

    Rules judge first, and alone where the step's own action failed, gave a list, or the budget
    ends. What the model calls found must stand in the quotes or in the tool's result; conflicts
    stay with the rules.

    Args:
        generator: Who is asked; see `Twin`.
        rules: The reflector without a model.
        prices: The user's prices.
    """

    prompt = prompts.REFLECT
    ruled = Reflector

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
        """Judge a step; the arguments and what is returned are those of `Reflector.run`."""
        ruled: dict[str, Any] = self.rules.run(
            goal, step, steps, questions, evidence, searches, came, settled, partial, short
        )
        listed = any(each.for_each == step.id for each in steps)
        if short or listed or came["status"] in {"failed", "refused", "invalid"}:
            return ruled
        mine = [e for e in evidence if e.question_id == step.question_id and e.verified]
        text = str(came["text"])
        given = prompts.reflect(goal, step, steps, partial or (), mine, text)
        reply = structured(self.model, self.prompt, given, ReflectReply, tokens=_TOKENS)
        if reply is None:
            return ruled
        look, gaps = _held(reply, ruled, step, mine, text, came["new"])
        waiting = any(each.status == "pending" and each.id != step.id for each in steps)
        if look.next == "finish" and waiting and reply.verdict != "satisfied":
            look = replace(look, next="continue")
        verdict = verdict_on(gaps, ruled["conflicts"])["verdict"]
        return ruled | {"verdict": verdict, "gaps": gaps, "reflection": look}


def _held(  # noqa: PLR0917 - what a reply is held to
    reply: ReflectReply,
    ruled: dict[str, Any],
    step: PlanStep,
    mine: Sequence[Evidence],
    text: str,
    fresh: Sequence[str],
) -> tuple[Reflection, list[Gap]]:
    """Return the look back that a model's reply comes to, and the gaps."""
    by_rule: Reflection = ruled["reflection"]
    told = [*(item.quote for item in mine), *(item.title for item in mine), text]
    there = [fold(" ".join(each.split())) for each in told]
    found = tuple(
        dict.fromkeys(
            name
            for each in reply.found
            if (name := " ".join(each.split())) and any(fold(name) in one for one in there)
        )
    )
    if len(found) < len([each for each in reply.found if each.strip()]):
        note("Some of what the model says was found stands in no quote, and is left out.")
    came = bool(text.strip()) or any(item.id in set(fresh) for item in mine)
    firm = any(not item.hedged and item.support != "weak" for item in mine)
    enough = reply.verdict == "satisfied" and (firm or bool(text.strip()))
    own = [gap for gap in ruled["gaps"] if gap.question_id == step.question_id]
    gaps = [
        gap for gap in ruled["gaps"] if gap not in own or gap.reason not in LIFTED or not enough
    ]
    open_now = [gap for gap in gaps if gap in own and gap.blocks]
    why = " ".join(reply.why.split())
    if reply.verdict == "insufficient" and not open_now:
        reason = "evidence_too_weak" if mine else "not_supported"
        detail = why or "The model finds it not answered."
        gaps.append(Gap(question_id=step.question_id, reason=reason, detail=detail))  # type: ignore[arg-type]
    query = keywords(reply.query) if reply.query.strip() else ""
    again = reply.next == "retry"
    if again and not query and by_rule.next == "retry":
        return replace(by_rule, reason=why or by_rule.reason), gaps
    status: StepStatus = "pending" if again else "done" if mine or text.strip() else "failed"
    return replace(
        by_rule,
        status=status,
        next=reply.next,
        new=" ".join(reply.new.split()) if came else "",
        reason=why or by_rule.reason,
        found=found or by_rule.found,
        tool="search" if again else "",
        arguments={"query": query} if again and query else {},
    ), gaps
