"""The plan is shown with its cursor, the route and each as JSON; hostile words stay words."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ragnb.agent.state import Assessment, State, start
from ragnb.display import render
from ragnb.records import Answer, PlanStep, Reflection, Routing

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> $x$ \u202e'
STEPS = (
    PlanStep(
        id="s1",
        tool="search",
        arguments={"query": "tea pots"},
        reason="First things first.",
        replan_when="nothing bears on it",
        status="done",
        result="green tea",
        found=("Assam",),
    ),
    PlanStep(id="s2", tool="read", arguments={"id": "tea.md"}, depends_on=("s1",)),
    PlanStep(id="s3", tool="search", arguments={"query": "cups"}),
)
LOOK = Reflection(step="s1", status="done", next="continue", new="a name", reason="It is enough.")


class Tags(HTMLParser):
    """Collects the elements and attributes of some HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture
def state() -> State:
    route = Routing(kind="single", policy="plan", reason="It asks for a thing to be found first.")
    looked = Assessment(verdict="satisfied", reflection=LOOK)
    return replace(
        start("Which tea?"), route=route, plan_steps=STEPS, assessments=(looked,), replans=1
    )


@pytest.mark.parametrize("view", ["state_html", "questions_html"])
def test_the_plan_is_a_table_with_its_cursor_and_its_json(state: State, view: str) -> None:
    html = str(render(state, view))
    for words in (
        "→ s2",
        "after s1",
        "query: tea pots",
        "to do",
        "First things first.",
        "Plan again if nothing bears on it.",
        "independent of s1",
        "planned again once",
        "a name",
        "The plan as JSON",
        "The route as JSON",
        "The look back as JSON",
        "It asks for a thing to be found first.",
    ):
        assert words in html
    assert "&quot;replan_when&quot;" in html


@pytest.mark.parametrize("view", ["state_text", "questions_text"])
def test_the_plan_stands_in_plain_text_too(state: State, view: str) -> None:
    text = str(render(state, view))
    assert "→ s2 to do: read id: tea.md" in text
    assert "Route: single" in text


def test_hostile_words_in_a_plan_stay_words(state: State) -> None:
    steps = tuple(
        replace(
            step,
            tool=HOSTILE,
            arguments={HOSTILE: HOSTILE},
            reason=HOSTILE,
            replan_when=HOSTILE,
            for_each=HOSTILE,
            question=HOSTILE,
            result=HOSTILE,
            error=HOSTILE,
            found=(HOSTILE,),
        )
        for step in state.plan_steps
    )
    look = replace(LOOK, new=HOSTILE, reason=HOSTILE, found=(HOSTILE,), error=HOSTILE)
    bad = replace(
        state,
        route=Routing(kind=HOSTILE, policy=HOSTILE, reason=HOSTILE),
        plan_steps=steps,
        assessments=(Assessment(verdict="conflict", reflection=look),),
        answer=Answer(goal="Which tea?", remarks=(HOSTILE,)),
    )
    shown = [str(render(bad, "state_html")), str(render(bad.route, "route_html"))]
    shown.append(str(render(bad.answer, "answer_html")))
    for html in shown:
        found = Tags(html)
        assert not found.elements & {"script", "iframe", "object"}
        assert not {name for name in found.attributes if name.startswith("on")}
        assert "&lt;script&gt;" in html
        assert "src=x" not in re.sub(r"&lt;.*?&gt;", "", html)
        assert "\u202e" not in html
