"""Figures of runs: that they are Plotly's, say what they show, grow at their end, stay the same."""

import json
from collections.abc import Iterator

import pytest

import ragnb
from ragnb.agent.run import Run
from ragnb.views.diary import steps_of
from ragnb.views.figures import growth_figure, latencies_figure, timeline_figure

GOAL = "How long are raw temperature readings kept?"


@pytest.fixture(scope="module")
def run() -> Run:
    return ragnb.Agent(ragnb.demo.library()).ask(GOAL)


@pytest.fixture
def _steady() -> Iterator[None]:
    ragnb.stable()
    yield
    ragnb.stable(on=False)


def test_each_figure_shows_itself_with_plotly_and_without(run: Run) -> None:
    for figure in (run.timeline(), run.timeline(by="step"), run.latencies(), run.growth()):
        bundle = figure._repr_mimebundle_()
        assert set(bundle) == {"application/vnd.plotly.v1+json", "text/html", "text/plain"}
        assert len(json.dumps(bundle)) < 60_000
        assert "<img" in bundle["text/html"]


def test_a_bar_a_step_is_in_the_lane_of_its_kind_and_knows_its_number(run: Run) -> None:
    figure = timeline_figure(steps_of(run))
    bars = [trace for trace in figure["data"] if trace["type"] == "bar"]
    numbers = sorted(number for trace in bars for number in trace["customdata"])
    assert numbers == list(range(1, len(run.entries) + 1))
    names = figure["layout"]["yaxis"]["categoryarray"]
    assert {trace["name"] for trace in bars} == set(names)
    assert all(set(trace["y"]) == {trace["name"]} for trace in bars)


def test_conflicts_and_gaps_are_drawn_from_where_they_opened(run: Run) -> None:
    figure = timeline_figure(steps_of(run), by="step")
    spans = {trace["name"]: trace for trace in figure["data"]}
    opened = [float(item.opened_at) for item in run.state.conflicts]
    assert opened
    assert spans["conflicts"]["x"][::3] == opened


def test_the_evidence_drawn_last_is_what_was_found(run: Run) -> None:
    for figure in (timeline_figure(steps_of(run)), growth_figure(steps_of(run))):
        found = [t["y"][-1] for t in figure["data"] if t["name"] in {"strong", "partial", "weak"}]
        assert sum(found) == len(run.evidence)


@pytest.mark.usefixtures("_steady")
def test_figures_are_the_same_each_time_where_outputs_are_to_be_stable(run: Run) -> None:
    again = ragnb.Agent(ragnb.demo.library()).ask(GOAL)
    for draw in (timeline_figure, latencies_figure, growth_figure):
        assert draw(steps_of(run)) == draw(steps_of(again))


def test_a_run_without_steps_has_figures_too() -> None:
    for draw in (timeline_figure, latencies_figure, growth_figure):
        assert draw([])["layout"]
