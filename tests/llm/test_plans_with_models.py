"""What a model plans and looks back with is held to the goal, the tools and the quotes."""

from typing import Any

import pytest
from haystack.dataclasses import ChatMessage
from haystack.tools.tool import Tool

import ragnb
from ragnb.agent.actions import Plan
from ragnb.agent.run import Run
from ragnb.llm.reflecting import ModelReflector
from ragnb.stages import Assessor, Reflector


def _step(name: str, query: str, *waits: str, tool: str = "search", **more: str) -> dict[str, Any]:
    step = {"id": name, "tool": tool, "question": query, "depends_on": list(waits)}
    step["arguments"] = [{"name": "query", "value": query}]
    return step | {"for_each": "", "reason": "", "replan_when": ""} | more


class Brain:
    """A model whose plans, routes and looks back are scripted; the rest is sound."""

    def __init__(self, sound: Any, **replies: Any) -> None:
        self.sound, self.replies = sound, replies
        self.looked: list[str] = []

    def __call__(self, messages: list[ChatMessage]) -> Any:
        system, user = messages[0].text or "", messages[1].text or ""
        if "You look back" in system:
            self.looked.append(user)
        for start, reply in (
            ("You class", "route"),
            ("You plan how a request is carried out", "steps"),
            ("You look back", "reflect"),
        ):
            if system.startswith(start) and reply in self.replies:
                return self.replies[reply]
        return self.sound(messages)


def _run(library: ragnb.Library, brain: Brain, goal: str, **more: Any) -> Run:
    model = ragnb.ScriptedGenerator(brain)
    return ragnb.Agent(library, policy="plan", llm=model, **more).ask(goal)


def _notes(run: Run) -> str:
    return " ".join(note for entry in run.entries for note in entry.outcome.notes)


def test_a_model_s_plan_in_a_circle_with_unknown_tools_is_mended_and_carried_out(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    steps = [
        _step("a", "exports kept", "b"),
        _step("b", "paid leave days employees", "a", tool="teleport"),
        *(_step(f"x{n}", f"exports {n}") for n in range(11)),
    ]
    run = _run(library, Brain(sound, steps={"steps": steps}), goal)
    assert "circle" in _notes(run)
    assert "teleport" in _notes(run)
    assert "13 steps" in _notes(run)
    assert run.answer is not None
    assert run.answer.sources
    assert run.answer.stop is not None


def test_a_model_s_plan_of_200_steps_ends_with_an_answer(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    steps = [_step(f"x{n}", f"exports leave {n}") for n in range(200)]
    run = _run(library, Brain(sound, steps={"steps": steps}), goal)
    assert run.answer is not None
    assert run.answer.stop is not None
    assert len(run.state.plan_steps) <= 12


def test_a_plan_that_leaves_out_most_of_the_goal_is_made_by_rules(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    run = _run(library, Brain(sound, steps={"steps": [_step("s1", "weather in Oslo")]}), goal)
    assert "Rules made the steps" in _notes(run)
    assert "Oslo" not in str(run.state.plan_steps)


def test_a_model_plans_no_tool_with_effects_that_nobody_asked_for(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    sent: list[str] = []
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    mail = Tool(name="send_mail", description="Send.", parameters=schema, function=sent.append)
    steps = [_step("s1", goal), _step("s2", "exports", tool="send_mail")]
    run = _run(
        library,
        Brain(sound, steps={"steps": steps}),
        goal,
        tools=[mail],
        approve=lambda _: True,
    )
    assert sent == []
    assert "does not ask for send_mail" in _notes(run)


def test_what_a_model_says_was_found_must_stand_in_a_quote(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    steps = [_step("s1", "exports kept days"), _step("s2", "paid leave employees {s1}", "s1")]
    look = {
        "verdict": "satisfied",
        "new": "a number",
        "found": ["30 days", "99 years"],
        "next": "continue",
        "query": "",
        "why": "It is answered.",
    }
    run = _run(library, Brain(sound, steps={"steps": steps}, reflect=look), goal)
    first, second = run.state.plan_steps[:2]
    assert first.found == ("30 days",)
    assert second.arguments["query"].endswith("30 days")
    assert "stands in no quote" in _notes(run)


@pytest.mark.parametrize("new", ["", "a great insight"])
def test_a_model_that_can_name_nothing_new_does_not_go_on(
    library: ragnb.Library, sound: Any, new: str
) -> None:
    steps = [_step("s1", "zebra stripes"), _step("s2", "zebra colours {s1}", "s1")]
    look = {
        "verdict": "insufficient",
        "new": new,
        "found": [],
        "next": "continue",
        "query": "",
        "why": "Let us go on.",
    }
    brain = Brain(sound, steps={"steps": steps}, reflect=look)
    run = _run(library, brain, "Which zebra has which stripes and colours?")
    assert any(isinstance(e.action, Plan) and e.action.again for e in run.entries)
    reasons = [a.reflection.reason for a in run.state.assessments if a.reflection]
    assert any("refused" in reason for reason in reasons)
    assert run.answer is not None
    assert not run.answer.conclusions


def test_a_look_back_sees_the_partial_answer_and_no_history(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    brain = Brain(sound)
    run = _run(library, brain, goal)
    assert len(brain.looked) == len(run.state.plan_steps)
    assert "answer so far" in brain.looked[-1]
    assert len(brain.looked[-1]) < 4_000
    assert "Rerank" not in brain.looked[-1]


def test_a_small_model_routes_by_name_and_the_planner_s_does_otherwise(
    library: ragnb.Library, sound: Any, goal: str
) -> None:
    asked: list[str] = []

    def small(messages: list[ChatMessage]) -> Any:
        asked.append(messages[0].text or "")
        return sound(messages)

    llm = {"route": ragnb.ScriptedGenerator(small)}
    run = ragnb.Agent(library, policy="routed", llm=llm).ask(goal)
    assert [text[:9] for text in asked] == ["You class"]
    assert run.state.route is not None
    assert run.state.route.reason == "Two things are asked."
    assert run.state.route.policy == "plan"
    planner = ragnb.Agent(library, policy="routed", llm={"plan": ragnb.ScriptedGenerator(small)})
    asked.clear()
    planner.ask(goal)
    assert asked[0].startswith("You class")
    asked.clear()
    planner.ask("Hello!")
    assert asked == []


def test_what_a_model_s_rules_are_made_of_counts_when_its_outcomes_are_given_back() -> None:
    model = ragnb.ScriptedGenerator(["{}"])
    strict, lax = (
        ModelReflector(model, Reflector(Assessor(strong=most))).fingerprint() for most in (2, 1)
    )
    assert strict is not None
    assert strict != lax
