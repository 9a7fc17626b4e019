"""The library's tools: each says what it does, takes and returns, and does that on real files."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document, component
from haystack.tools import ComponentTool, Tool
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openpyxl import Workbook

import ragnb
from ragnb.errors import InputError
from ragnb.stages import ToolRunner, library_tools, mail_tools, pure
from ragnb.stages.toolbox import LIBRARY_TOOLS, MAIL_TOOLS, check_arguments

ALL = LIBRARY_TOOLS | MAIL_TOOLS
EXAMPLES = [
    Document(
        id="prices.csv",
        content="plan,lane,eur\nBasic,Oslo,980\nAssured,Oslo,1340\n",
    ),
    Document(
        id="policy-credits.md",
        content="# Credits\n\nA care agent may grant credits up to 1,500 EUR.",
        meta={"status": "current", "updated": "2025-03-03"},
    ),
    Document(id="exports", content="Exports are kept for 30 days.", meta={"status": "draft"}),
]


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    with ragnb.Library.from_documents(EXAMPLES) as made:
        yield made


@pytest.fixture(scope="module")
def demo() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


def _use(library: ragnb.Library, name: str, **arguments: Any) -> str:
    result: str = ToolRunner((), library).run(name, arguments)["result"]
    return result


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_tool_says_what_it_does_takes_and_returns_with_an_example_that_runs(
    name: str, library: ragnb.Library
) -> None:
    spec = ALL[name]
    assert spec.name == name
    assert len(spec.description.split()) >= 8
    assert spec.description.endswith(".")
    assert spec.returns.endswith(".")
    assert spec.gives
    Draft202012Validator.check_schema(dict(spec.parameters))
    assert spec.parameters["additionalProperties"] is False
    assert check_arguments(spec.parameters, spec.example) == ""
    tools = {tool.name: tool for tool in [*library_tools(library), *mail_tools(lambda *_: None)]}
    tool = tools[name]
    assert spec.returns in tool.description
    assert json.dumps(dict(spec.example), separators=(",", ":"), ensure_ascii=False)[1:-1] in (
        tool.description
    )
    given_back = tool.invoke(**spec.example)
    assert isinstance(given_back["result"], str)
    runner = ToolRunner([t for t in tools.values() if t.name in MAIL_TOOLS], library)
    assert runner.effects(name) is (name == "send_email")
    if name not in {"finish", "search", "read"}:  # an example's ids are those of another library
        first = spec.gives.splitlines()[0].split("|")[0].split(":")[0].strip(" 0123456789")
        assert first.split()[-1] in given_back["result"]


@pytest.mark.parametrize("name", sorted(ALL))
def test_an_argument_that_no_tool_has_is_told(name: str, library: ragnb.Library) -> None:
    runner = ToolRunner(mail_tools(lambda *_: None), library)
    with pytest.raises(InputError, match=name):
        runner.run(name, {**ALL[name].example, "sql": "DROP TABLE documents"})


def test_search_gives_the_best_five_and_read_goes_on_from_one(demo: ragnb.Library) -> None:
    runner = ToolRunner((), demo)
    found = runner.run("search", {"query": "credit without further approval"})
    assert len(found["documents"]) == 5
    first = found["documents"][0]
    assert f"[chunk {first.id}]" in found["result"]
    read = runner.run("read", {"id": first.id, "scope": "document"})
    context = read["contexts"][0]
    assert context.text == demo.source(context.source_id).text[context.start : context.end]
    assert read["made"] is False


def test_documents_are_listed_by_words_and_cut_with_a_word_on_the_rest(
    demo: ragnb.Library,
) -> None:
    assert "policy-credits-2023.md" in _use(demo, "list_documents", words="credits policy 2023")
    whole = _use(demo, "list_documents", limit=3, offset=2)
    assert whole.splitlines()[0] == f"{len(demo.sources)} of {len(demo.sources)} documents"
    assert "58 more" in whole
    assert len(whole.splitlines()) == 5


def test_metadata_is_filtered_sorted_and_counted(demo: ragnb.Library) -> None:
    newest = _use(
        demo,
        "query_metadata",
        where=[{"field": "meta.Owner", "value": "customer care"}],
        sort_by="updated",
        descending=True,
    )
    lines = newest.splitlines()[1:]
    dates = [line.rpartition("updated: ")[2] for line in lines]
    assert len(dates) > 1
    assert dates == sorted(dates, reverse=True)
    late = _use(demo, "query_metadata", where=[{"field": "updated", "is": ">", "value": "2025-06"}])
    assert "policy-credits-2023.md" not in late
    counts = _use(demo, "query_metadata", count_by="status").splitlines()
    total = sum(int(line.rpartition(": ")[2]) for line in counts[1:])
    assert total == len(demo.sources)


def test_a_wrong_name_is_answered_with_the_names_there_are(demo: ragnb.Library) -> None:
    with pytest.raises(InputError, match=r"no field 'colour'; there are 'id', 'author'"):
        _use(demo, "query_metadata", count_by="colour")
    with pytest.raises(InputError, match=r"no table 'prices'; there are 'gateways-2025-06\.csv'"):
        _use(demo, "query_table", table="prices")
    with pytest.raises(InputError, match="no column 'price'; there are 'lane', 'container'"):
        _use(demo, "query_table", table="prices-2025-q2.csv", columns=["price"])
    add = [{"function": "sum", "column": "plan"}]
    with pytest.raises(InputError, match="'plan' holds no numbers"):
        _use(demo, "query_table", table="prices-2025-q2.csv", aggregate=add)


def test_a_table_is_filtered_grouped_and_added_up(demo: ragnb.Library) -> None:
    where = [
        {"field": "lane", "value": "Rotterdam-Oslo"},
        {"field": "container", "is": "contains", "value": "40FT"},
        {"field": "plan", "is": "in", "value": ["Assured"]},
    ]
    row = _use(
        demo, "query_table", table="prices-2025-q2.csv", columns=["freight_eur"], where=where
    )
    assert row == "prices-2025-q2.csv: 1 of 16 rows\nfreight_eur\n2185"
    runner = ToolRunner((), demo)
    made = runner.run(
        "query_table",
        {"table": "gateways-2025-06.csv", "aggregate": [{"function": "sum", "column": "gateways"}]},
    )
    assert made["result"] == "The sum of gateways in gateways-2025-06.csv is 133, over 3 of 3 rows."
    assert made["made"] is True
    assert made["contexts"][0].source_id == "gateways-2025-06.csv"
    dearest = _use(
        demo,
        "query_table",
        table="prices-2025-q2.csv",
        group_by=["plan"],
        aggregate=[{"function": "max", "column": "freight_eur"}, {"function": "count"}],
        sort_by="max of freight_eur",
        descending=True,
    )
    assert dearest.splitlines()[1] == "plan | max of freight_eur | count of rows"
    assert dearest.splitlines()[2].startswith("Assured")


def test_sheets_of_a_workbook_are_tables_and_totals_are_not_added_up(tmp_path: Any) -> None:
    book = Workbook()
    book.active.title = "Stock"
    for row in (["hall", "pallets"], ["A", 12], ["B", 30], ["Total", 42]):
        book.active.append(row)
    other = book.create_sheet("Costs")
    for row in (["month", "eur"], ["May", "1,200 EUR"], ["June", "800 EUR"]):
        other.append(row)
    book.save(tmp_path / "halls.xlsx")
    with ragnb.Library.from_folder(tmp_path) as library:
        add = [{"function": "sum", "column": "pallets"}]
        stock = _use(library, "query_table", table="halls.xlsx › Stock", aggregate=add)
        assert "without 1 rows of totals, is 42, over 2 of 3 rows" in stock
        add = [{"function": "mean", "column": "EUR"}]
        assert "is 1000," in _use(library, "query_table", table="halls.xlsx › Costs", aggregate=add)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(categories=("L", "Nd", "P", "S", "Zs")), min_size=1, max_size=9),
            st.integers(-9999, 9999),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_whatever_stands_in_a_table_groups_add_up_to_the_whole(
    rows: list[tuple[str, int]],
) -> None:
    sums: dict[str, int] = defaultdict(int)
    lines = ["name,n"]
    for name, n in rows:
        clean = " ".join(f"x{name}".split())
        sums[clean] += n
        lines.append('"{}",{}'.format(clean.replace('"', '""'), n))
    with ragnb.Library.from_documents([Document(id="t.csv", content="\n".join(lines))]) as library:
        arguments = {
            "table": "t.csv",
            "group_by": ["name"],
            "aggregate": [{"function": "sum", "column": "n"}],
            "limit": 50,
        }
        result = ToolRunner((), library).run("query_table", arguments)["result"]
        told = [line.rpartition(" | ") for line in result.splitlines()[2:]]
    assert {name: int(value) for name, _, value in told} == dict(sums)


def test_a_users_tools_work_beside_the_librarys(library: ragnb.Library) -> None:
    @component
    class Web:
        @component.output_types(documents=list[Document], links=list[str])
        def run(self, query: str) -> dict[str, Any]:
            found = Document(content=f"On the web: {query}.", meta={"url": "https://example.org/a"})
            return {"documents": [found], "links": ["https://example.org/a"]}

    web = ComponentTool(component=Web(), name="web_search", description="Searches the web.")
    weather = Tool(
        name="weather",
        description="Tells the weather.",
        parameters={"type": "object", "properties": {}},
        function=lambda: {"oslo": -3},
    )
    agent = ragnb.Agent(library, tools=[pure(web), pure(weather)])
    runner = agent.components["tools"]
    assert {"search", "web_search", "weather"} <= set(runner.specs)
    found = runner.run("web_search", {"query": "reefers"})
    assert found["result"] == "On the web: reefers."
    assert found["documents"][0].meta["url"] == "https://example.org/a"
    assert runner.run("weather", {}) == {
        "result": '{"oslo": -3}',
        "documents": [],
        "contexts": [],
        "made": True,
    }


def test_a_tool_that_is_only_asynchronous_is_used_too() -> None:
    async def look() -> str:
        return "looked"

    tool = Tool(
        name="look",
        description="Looks.",
        parameters={"type": "object", "properties": {}},
        async_function=look,
    )
    assert ToolRunner([tool]).run("look", {})["result"] == "looked"


def test_a_users_tool_can_not_take_the_name_of_one_of_the_librarys(library: ragnb.Library) -> None:
    tool = Tool(
        name="search",
        description="Searches elsewhere.",
        parameters={"type": "object", "properties": {}},
        function=str,
    )
    with pytest.raises(InputError, match="'search' is a tool of the library itself"):
        ragnb.Agent(library, tools=[tool])
