"""Plans that look tables up: which row and column a question asks for, and what else is done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack import Pipeline
from openpyxl import Workbook

import ragnb
from ragnb.stages import StepPlanner

FREIGHT = "What is the freight charge of a 40ft reefer from Rotterdam to Oslo on the Assured plan?"
PAGE = """<html><body><h1>Halls</h1><table>
<tr><th>Hall</th><th>Rent in EUR</th><th>Keeper</th></tr>
<tr><td>North hall</td><td>4200</td><td>Ada Brun</td></tr>
<tr><td>South hall</td><td>3900</td><td>Leo Weiss</td></tr>
</table></body></html>"""
NOTE = """# Boats

Every boat is checked in spring.

| Boat | Crew | Harbour |
|---|---|---|
| Heron | 4 | Bergen |
| Osprey | 7 | Turku |
"""


@pytest.fixture(scope="module")
def demo() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragnb.Library]:
    folder: Path = tmp_path_factory.mktemp("tables")
    (folder / "halls.html").write_text(PAGE)
    (folder / "boats.md").write_text(NOTE)
    tests = "\n".join(f"2025-0{n}-04,Kelso,{80 + n}" for n in range(1, 7))
    (folder / "tank.csv").write_text(f"date,site,fuel_percent\n{tests}\n")
    (folder / "tank.md").write_text("# Tank\n\nThe fuel percent at the site Kelso is read by hand.")
    book = Workbook()
    for row in (["pier", "length in m"], ["East pier", 120], ["West pier", 95]):
        book.active.append(row)
    book.save(folder / "piers.xlsx")
    with ragnb.Library.from_folder(folder) as made:
        yield made


def _asked(library: ragnb.Library, goal: str, policy: str = "plan") -> ragnb.Run:
    run = ragnb.Agent(library, policy=policy).ask(goal)
    assert run.answer is not None
    read = [(context.source_id, context.text) for context in run.state.contexts]
    for claim in run.answer.conclusions:
        for g in claim.groundings:
            assert any(source == g.source_id and g.quote in text for source, text in read)
    return run


def _quotes(run: ragnb.Run) -> list[str]:
    assert run.answer is not None
    return [g.quote for claim in run.answer.conclusions for g in claim.groundings]


@pytest.mark.parametrize("policy", ["plan", "routed"])
@pytest.mark.parametrize(
    ("goal", "row"),
    [
        (FREIGHT, "Rotterdam-Oslo,40ft reefer,Assured,2185,3,2025-04-01"),
        (
            FREIGHT.replace("?", " in the first quarter?"),
            "Rotterdam-Oslo,40ft reefer,Assured,2090,3,2025-01-01",
        ),
        (
            "从上海到鹿特丹，40 尺冷藏箱按 Assured 方案的运费是多少？",
            "上海-鹿特丹,40尺冷藏箱,Assured,8890,34,2025-05-12",
        ),
        ("How many gateways does the depot in Gdynia have in all?", "Gdynia,34,11,3,8,CR-124,0"),
        ("How many seconds does the alarm service take?", "| Alarm service | 4 |"),
    ],
)
def test_a_question_for_a_cell_of_the_demo_is_looked_up_in_its_table(
    demo: ragnb.Library, policy: str, goal: str, row: str
) -> None:
    run = _asked(demo, goal, policy)
    assert run.state.route is not None
    assert run.state.route.kind == "data"
    assert [(step.tool, step.status) for step in run.state.plan_steps] == [("query_table", "done")]
    assert run.state.tool_calls == 1
    assert _quotes(run) == [row]


@pytest.mark.parametrize(
    ("goal", "quote"),
    [
        ("What is the rent of the South hall?", "| South hall | 3900 | Leo Weiss |"),
        ("Who is the keeper of the North hall?", "| North hall | 4200 | Ada Brun |"),
        ("How many crew does the boat Osprey have?", "| Osprey | 7 | Turku |"),
        ("What is the length of the East pier in m?", "| East pier | 120 |"),
        ("Which boat has the most crew?", "| Osprey | 7 | Turku |"),
        ("Which hall has the lowest rent?", "| South hall | 3900 | Leo Weiss |"),
    ],
)
def test_tables_of_pages_notes_and_workbooks_are_looked_up(
    library: ragnb.Library, goal: str, quote: str
) -> None:
    run = _asked(library, goal)
    assert [step.tool for step in run.state.plan_steps] == ["query_table"]
    assert _quotes(run) == [quote]


def test_a_sum_and_a_mean_are_worked_out_over_the_rows(library: ragnb.Library) -> None:
    for goal, said in (
        ("What is the total crew of the boats?", "The sum of Crew"),
        ("What is the average rent of the halls?", "The mean of Rent in EUR"),
    ):
        run = _asked(library, goal)
        assert [step.tool for step in run.state.plan_steps] == ["query_table"]
        assert _quotes(run)[0].startswith(said)


def test_each_side_of_a_comparison_is_looked_up_by_itself(library: ragnb.Library) -> None:
    run = _asked(library, "How do the North hall and the South hall differ in rent?")
    assert [step.tool for step in run.state.plan_steps] == ["query_table", "query_table"]
    assert {"4200" in quote or "3900" in quote for quote in _quotes(run)} == {True}
    assert len(_quotes(run)) == 2


def test_where_the_rows_do_not_tell_the_answer_the_documents_are_searched(
    library: ragnb.Library,
) -> None:
    run = _asked(library, "How is the fuel percent at the site Kelso read?")
    first, second = run.state.plan_steps
    assert (first.tool, first.status, second.tool) == ("query_table", "failed", "search")
    assert "The fuel percent at the site Kelso is read by hand." in _quotes(run)


@pytest.mark.parametrize(
    "goal",
    [
        "Which company supplies the fuel for the generator in Gdynia?",
        "What rent does Northlark Freight pay for its depot in Rotterdam?",
        "Why did RTM-07 take longer in the Rotterdam gateway update?",
    ],
)
def test_a_table_that_holds_some_of_the_words_is_not_looked_up(
    demo: ragnb.Library, goal: str
) -> None:
    run = _asked(demo, goal)
    assert "query_table" not in {step.tool for step in run.state.plan_steps}


def test_a_planner_comes_back_from_what_haystack_writes_with_its_library(tmp_path: Path) -> None:
    (tmp_path / "boats.md").write_text(NOTE)
    index = tmp_path / "index"
    with ragnb.Library.from_folder(tmp_path / "boats.md", index=index) as stored:
        pipeline = Pipeline()
        pipeline.add_component("steps", StepPlanner(library=stored))
        again: Any = Pipeline.loads(pipeline.dumps(), allowed_modules=["ragnb.*"])
        planner = again.get_component("steps")
        tools = [{"name": "query_table", "effects": False}]
        (step,) = planner.run("How many crew does the boat Osprey have?", tools=tools)["steps"]
        planner.library.close()
    assert (step.tool, step.arguments["table"]) == ("query_table", "boats.md › Boats")
