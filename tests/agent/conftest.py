"""A stand-in for the stages: what they give is drawn at random, or goes wrong at random."""

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragnb.agent.calls import STAGE_OF
from ragnb.agent.finish import finished
from ragnb.agent.loop import Loop
from ragnb.agent.outcomes import (
    Answered,
    Assessed,
    Found,
    Hits,
    Planned,
    Ranked,
    Routed,
    TextRead,
    ToolDone,
    Value,
)
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Policy, policy_named
from ragnb.agent.recording import Fingerprints, digest
from ragnb.agent.repairing import repaired
from ragnb.agent.reusing import Recorder
from ragnb.agent.state import State, start
from ragnb.agent.trace import Trace
from ragnb.records import (
    Answer,
    Budget,
    Claim,
    Conflict,
    Context,
    Evidence,
    Gap,
    Grounding,
    Hit,
    PlanStep,
    Query,
    Reflection,
    Routing,
    SubQuestion,
    content_id,
)

WORDS = [
    "export",
    "limit",
    "plan",
    "incident",
    "commander",
    "review",
    "rotation",
    "pager",
    "policy",
    "storage",
]


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Part:
    """A component that can be described, and so fingerprinted."""

    version = "1"

    def to_dict(self) -> dict[str, Any]:
        return {"type": "tests.Part", "init_parameters": {}}


class FakeLibrary:
    """What a library holds, as far as a fingerprint looks at it."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.generation = 0

    @property
    def sources(self) -> list[Any]:
        return [SimpleNamespace(id=name, hash=text) for name, text in self.texts.items()]

    def add(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.generation += 1


class Fake:
    """Stages over thirty made-up sources; ``trouble`` is the share of calls that go wrong."""

    def __init__(self, seed: int, trouble: float, clock: Clock, seconds: float = 0.01) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a reproducible choice, no secret
        self.trouble, self.clock, self.seconds = trouble, clock, seconds
        self.seed = seed
        self.chance = self.random
        self.sent: list[str] = []
        self.calls: list[str] = []
        self.texts = {
            f"s{n}": ". ".join(
                f"The {self.pick()} of the {self.pick()} is {self.random.choice([10, 20])}"
                for _ in range(3)
            )
            for n in range(30)
        }

    def pick(self) -> str:
        return self.random.choice(WORDS)

    def call(self, kind: str, given: Mapping[str, Any]) -> Value:
        self.clock.now += self.seconds
        self.calls.append(kind)
        if kind == "retrieve":
            self.sent.append(given["query"].id)
        if self.random.random() < self.trouble:
            return self._wrong(kind)
        self.chance = random.Random(digest(self.seed, kind, given))  # noqa: S311 - equal for equal
        made: Value = getattr(self, f"make_{kind}")(**given)
        return made

    def _wrong(self, kind: str) -> Value:
        match self.random.randrange(4):
            case 0:
                raise ValueError(f"{kind} broke")
            case 1:
                return {"documents": None}  # type: ignore[return-value]
            case 2:
                return Assessed(verdict="satisfied") if kind != "assess" else Ranked(hits=())
            case _:
                hit = Hit(chunk_id="x", source_id="s0", rank=1, score=float("nan"))
                return Hits(hits=(hit,))

    def make_plan(self, goal: str, **_: Any) -> Value:
        questions = tuple(SubQuestion.of(part) for part in goal.split(" and ") if part)
        queries = tuple(Query.of(item.text, item.id) for item in questions)
        return Planned(questions=questions, queries=queries, needs_retrieval=goal != "hello")

    def make_route(self, goal: str, to: str) -> Value:
        policy = to or self.chance.choice(["one_shot", "evidence", "plan", "reply"])
        kind = self.chance.choice(["single", "comparison", "data", "action", "talk", "outside"])
        return Routed(routing=Routing(kind=kind, policy=policy))

    def make_lay_out(self, goal: str, again: bool, steps: Any, **_: Any) -> Value:
        count = self.chance.choice([0, 1, 3, 30])
        planned = tuple(self.plan_step(n, count) for n in range(count))
        over = tuple(step for step in steps if step.status != "pending")
        question = SubQuestion.of(goal)
        made, _ = repaired(planned, tools=["look"], before=[step.id for step in over])
        needed = goal != "hello"
        return Planned(questions=(question,), steps=(*over, *made), needs_retrieval=needed)

    def plan_step(self, number: int, count: int) -> PlanStep:
        others = [f"s{self.chance.randrange(count + 1)}" for _ in range(self.chance.randrange(3))]
        words = f"{self.pick()} {self.pick()} {{{self.chance.choice(['s0', 's1', 'item'])}}}"
        return PlanStep(
            id=f"s{self.chance.choice([number, 0])}",
            tool=self.chance.choice(["search", "read", "look", "no such tool"]),
            arguments=self.chance.choice([{}, {"query": words}, {"id": "s3", "scope": "document"}]),
            depends_on=tuple(others),
            for_each=self.chance.choice(["", "", *others]),
            question=self.chance.choice(["", words]),
            effects=self.chance.random() < 0.2,
        )

    def make_use_tool(self, call: Any) -> Value:
        return ToolDone(result=self.chance.choice(["", "a, b, c", f"{call.name} gave 20"]))

    def make_reflect(self, step: PlanStep, questions: Any, evidence: Any, **_: Any) -> Value:
        judged = self.make_assess(questions, evidence)
        look = Reflection(
            step=self.chance.choice([step.id, step.id, "s99"]),
            status=self.chance.choice(["done", "failed", "pending", "skipped"]),
            next=self.chance.choice(["continue", "retry", "replan", "finish"]),
            new=self.chance.choice(["", "something"]),
            found=self.chance.choice([(), ("s1", "s2")]),
            arguments=self.chance.choice([{}, {"query": self.pick(), "id": "s2"}]),
        )
        return replace(judged, reflection=look)

    def make_retrieve(self, query: Query) -> Value:
        names = self.chance.sample(sorted(self.texts), self.chance.randrange(8))
        return Hits(
            hits=tuple(
                Hit(chunk_id=f"{name}#0", source_id=name, rank=rank, score=1 / rank)
                for rank, name in enumerate(names, start=1)
            )
        )

    def make_rerank(self, hits: tuple[Hit, ...], **_: Any) -> Value:
        return Ranked(hits=tuple(reversed(hits))[:5])

    def make_read(self, id: str, scope: Any, **_: Any) -> Value:  # noqa: A002
        source = id.split("#", maxsplit=1)[0]
        return TextRead(context=self.context(source, scope))

    def context(self, source: str, scope: Any) -> Context:
        text = self.texts[source]
        return Context(
            id=content_id(source, scope),
            source_id=source,
            chunk_id=f"{source}#0",
            scope=scope,
            start=0,
            end=len(text),
            text=text,
        )

    def make_extract(self, question: SubQuestion, context: Context | None, chunk_id: str) -> Value:
        made = context or self.context(chunk_id.split("#", maxsplit=1)[0], "chunk")
        end = made.text.find(". ")
        evidence = Evidence(
            id=content_id(question.id, made.source_id),
            question_id=question.id,
            quote=made.text[:end],
            verified=True,
            source_id=made.source_id,
            chunk_id=made.chunk_id,
            context_id=made.id,
            start=0,
            end=end,
            support=self.chance.choice(["strong", "partial", "weak"]),
            hedged=self.chance.random() < 0.2,
        )
        found = (evidence,) if self.chance.random() < 0.6 else ()
        return Found(evidence=found, context=None if context else made)

    def make_assess(self, questions: Any, evidence: Any, **_: Any) -> Value:
        reasons = ["no_results", "not_supported", "evidence_too_weak", "need_more_context"]
        gaps = tuple(
            Gap(question_id=q.id, reason=self.chance.choice(reasons))  # type: ignore[arg-type]
            for q in questions
            if self.chance.random() < 0.5
        )
        conflicts = tuple(
            Conflict(question_id=a.question_id, first=a.id, second=b.id, kind="number")
            for a, b in itertools.pairwise(evidence)
            if a.question_id == b.question_id and self.chance.random() < 0.2
        )
        verdict = "conflict" if conflicts else "insufficient" if gaps else "satisfied"
        return Assessed(verdict=verdict, gaps=gaps, conflicts=conflicts)  # type: ignore[arg-type]

    def make_synthesize(self, goal: str, evidence: Any, **_: Any) -> Value:
        return Answered(answer=answer_of(goal, evidence))

    def make_reply(self, goal: str) -> Value:
        return Answered(answer=Answer(goal=goal, text="Hello."))


def answer_of(goal: str, evidence: Any) -> Answer:
    return Answer(
        goal=goal,
        conclusions=tuple(
            Claim(
                id=content_id("claim", item.id),
                statement=item.quote,
                question_id=item.question_id,
                hedged=item.hedged,
                groundings=(
                    Grounding(
                        evidence_id=item.id,
                        quote=item.quote,
                        source_id=item.source_id,
                        chunk_id=item.chunk_id,
                        start=item.start,
                        end=item.end,
                    ),
                ),
            )
            for item in evidence
        ),
    )


def fallback(state: State) -> Answer:
    return finished(answer_of(state.goal, state.evidence), state)


def make_loop(
    goal: str,
    *,
    policy: str | Policy = "evidence",
    seed: int = 0,
    trouble: float = 0.0,
    budget: Budget | None = None,
    seconds: float = 0.01,
    path: Path | None = None,
) -> Loop:
    clock = Clock()
    fake = Fake(seed, trouble, clock, seconds)
    performer = Performer(fake, fallback, threaded=False, clock=clock, sleep=clock.sleep)
    parts: dict[str, Any] = {stage: Part() for stage in STAGE_OF.values()}
    trace = Trace(start(goal, budget=budget), path)
    prints = Fingerprints(parts, FakeLibrary(fake.texts))  # type: ignore[arg-type]
    return Loop(trace, policy_named(policy), performer, recorder=Recorder(prints, trace))


@pytest.fixture
def loop_of() -> Any:
    return make_loop
