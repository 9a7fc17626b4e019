"""Tokens and money: counted once each, kept back for the answer, and never passed."""

import threading
import time
from dataclasses import replace
from typing import Any

import pytest

import ragnb
from ragnb.display import render
from ragnb.llm.metering import Meter, charge, metered, note
from ragnb.panels.cards import evidence_cards
from ragnb.panels.choice import Choice
from ragnb.records import Usage
from ragnb.views.evidence import evidence_parts
from ragnb.views.words import model_cost


def _agent(library: ragnb.Library, sound: Any, policy: str, **limits: Any) -> ragnb.Agent:
    double = ragnb.ScriptedGenerator(sound)
    prices = {"scripted": (1000.0, 2000.0)}
    budget = ragnb.Budget(seconds=60.0, **limits)
    return ragnb.Agent(library, policy=policy, llm=double, prices=prices, budget=budget)


@pytest.mark.parametrize("policy", ["evidence", "one_shot", "plan", "routed", "tool_calling"])
@pytest.mark.parametrize("tokens", [1, 200, 600, 1000, 1500, 2500, 4000])
def test_a_run_ends_with_an_answer_before_its_tokens_are_passed(
    tokens: int, policy: str, library: ragnb.Library, goal: str, sound: Any
) -> None:
    run = _agent(library, sound, policy, tokens=tokens).ask(goal)
    assert run.answer is not None
    assert run.state.spent.tokens <= tokens
    assert run.answer.stop is not None
    if run.answer.stop.code == "budget_tokens":
        assert f"budget of {tokens} tokens" in run.answer.stop.text


@pytest.mark.parametrize("money", [0.001, 0.5, 1.0, 3.0])
def test_a_run_ends_with_an_answer_before_its_money_is_passed(
    money: float, library: ragnb.Library, goal: str, sound: Any
) -> None:
    run = _agent(library, sound, "evidence", money=money).ask(goal)
    assert run.answer is not None
    assert run.state.spent.money <= money


def test_what_the_answer_needs_is_kept_back(library: ragnb.Library, goal: str, sound: Any) -> None:
    run = _agent(library, sound, "evidence", tokens=2000).ask(goal)
    last = [entry for entry in run.entries if entry.action.kind == "synthesize"]
    assert last
    assert last[-1].outcome.usage.model_calls == 1
    assert last[-1].outcome.notes == ()


def test_an_unknown_price_is_counted_and_told(
    library: ragnb.Library, goal: str, sound: Any
) -> None:
    double = ragnb.ScriptedGenerator(sound, model="nobody-knows-it")
    budget = ragnb.Budget(money=1.0)
    run = ragnb.Agent(library, llm=double, budget=budget, policy="one_shot").ask(goal)
    spent = run.state.spent
    assert spent.unpriced == spent.model_calls == len(double.calls)
    notes = " ".join(note for entry in run.entries for note in entry.outcome.notes)
    assert "price of nobody-knows-it is not known" in notes


def test_every_step_is_billed_and_the_run_is_their_sum(
    library: ragnb.Library, goal: str, sound: Any
) -> None:
    run = _agent(library, sound, "evidence").ask(goal)
    steps = [entry.outcome.usage for entry in run.entries]
    assert sum(u.tokens for u in steps) == run.state.spent.tokens > 0
    assert sum(u.money for u in steps) == pytest.approx(run.state.spent.money)
    kinds = {entry.action.kind for entry in run.entries if entry.outcome.usage.tokens}
    assert kinds == {"plan", "extract", "assess", "synthesize"}


def test_each_quote_has_its_bill_and_the_answer_tells_what_it_cost(
    library: ragnb.Library, goal: str, sound: Any
) -> None:
    run = _agent(library, sound, "evidence").ask(goal)
    assert set(run.bills) == {item.id for item in run.evidence}
    for bill in run.bills.values():
        entry = run.entries[bill.step - 1]
        assert entry.action.kind == "extract"
        assert bill.usage == entry.outcome.usage
        assert bill.tokens > 0
    finding = {b.step: b.usage for b in run.bills.values()}
    shares = sum(bill.tokens for bill in run.bills.values())
    assert shares == pytest.approx(sum(usage.tokens for usage in finding.values()))
    answer, spent = run.answer, run.state.spent
    assert answer is not None
    assert answer.cost == replace(spent, seconds=0.0, calls=0)
    assert answer.to_dict()["cost"]["tokens_in"] == spent.tokens_in
    for kind in ("answer_text", "answer_html", "answer_markdown"):
        assert model_cost(spent) in render(answer, kind)
    panel = "".join(evidence_cards(run.state, Choice(), costs=run.bills).values())
    twin = "".join(evidence_parts(run.state, run.bills).values())
    for shown in (panel, twin):
        assert f"found in step {next(iter(finding))}" in shown


def test_a_call_that_is_left_behind_is_billed_by_estimate_and_only_once() -> None:
    meter = Meter()
    released = threading.Event()

    def hang() -> None:
        with metered(meter), meter.flying(Usage(tokens_in=50, model_calls=1)):
            released.wait(5)
            charge(Usage(tokens_in=50, tokens_out=9, model_calls=1))

    thread = threading.Thread(target=hang)
    thread.start()
    while not meter._flying:
        time.sleep(0.001)
    usage, notes = meter.close()
    released.set()
    thread.join()
    assert (usage.tokens_in, usage.tokens_out, usage.model_calls) == (50, 0, 1)
    assert "left behind" in notes[0]
    assert meter.close()[0].tokens == 50 or meter.close()[0].tokens == usage.tokens


def test_outside_of_a_loop_nothing_is_counted() -> None:
    charge(Usage(tokens_in=1))
    note("nobody hears it")
