"""A key stands nowhere: in no file, repr, view, table, log, error or trace, whatever goes wrong."""

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.core.serialization import component_to_dict
from haystack.utils import Secret

import ragnb
from ragnb.agent.component import RagnbAgent
from ragnb.agent.rows import rows
from ragnb.display import render
from ragnb.errors import InputError
from ragnb.llm.calling import call
from ragnb.llm.failures import ModelError
from ragnb.llm.models import Model
from ragnb.llm.scrub import secrets_of
from ragnb.panels.choice import Choice
from ragnb.panels.drawn import LABELS, live_parts

KEY = "sk-test-0123456789abcdef"
PLAIN = "correct-horse-battery"  # a key that doesn't look like one


@pytest.fixture(params=["token", "environment", "address"])
def model(
    request: pytest.FixtureRequest, provider: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenAIChatGenerator]:
    monkeypatch.setenv("RAGNB_LLM_KEY", PLAIN)
    address = provider.address
    if request.param == "address":
        address = address.replace("://", f"://user:{PLAIN}@")
    secret = {
        "token": Secret.from_token(KEY),
        "environment": Secret.from_env_var("RAGNB_LLM_KEY"),
        "address": Secret.from_token("none"),
    }[request.param]
    made = OpenAIChatGenerator(secret, model="m", api_base_url=address, max_retries=0)
    yield made
    made.close()


@pytest.mark.parametrize("fault", ["none", "401", "500", "echo"])
def test_no_key_comes_out_anywhere(
    fault: str,
    model: OpenAIChatGenerator,
    library: ragnb.Library,
    provider: Any,
    goal: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    provider.fault = "none" if fault == "echo" else fault
    if fault == "echo":
        provider.brain = lambda *_: " ".join(["Your key is", *secrets_of(model)])
    recorder = ragnb.RecordedGenerator(model, tmp_path / "replies.jsonl")
    for llm, name in ((model, "plain"), (recorder, "recorded")):
        agent = ragnb.Agent(library, llm=llm)
        loop = agent.start(goal, trace=tmp_path / f"{name}.jsonl")
        loop.performer.sleep = lambda seconds: None
        run = loop.run()
        run.save(tmp_path / f"{name}-saved.jsonl")
        run.save(tmp_path / f"{name}-quotes.jsonl", texts="quotes")
        assert run.answer is not None
        shown = [
            *(path.read_text() for path in tmp_path.iterdir() if path.is_file()),
            *(str(render(run, f"{view}_{kind}")) for view in ("run", "diary") for kind in _KINDS),
            *(str(render(loop, f"loop_{kind}")) for kind in _KINDS),
            *(str(live_parts(loop, view, Choice())) for view in LABELS),
            *(str(each) for each in run.exchanges),
            json.dumps(run.answer.to_dict()),
            repr((run, run.state, run.entries, run.answer, agent, agent.components, llm)),
            repr(rows(run.entries, run.states)),
            repr([part.model for part in agent.components.values() if hasattr(part, "model")]),
            repr(run.trace.config) + repr(run.trace.notes),
            "".join(capsys.readouterr()),
        ]  # fmt: skip
        run.trace.close()
        for text in shown:
            assert KEY not in text
            assert PLAIN not in text


_KINDS = ("html", "text")


def test_no_key_is_in_an_error_or_its_causes(model: OpenAIChatGenerator, provider: Any) -> None:
    from haystack.dataclasses import ChatMessage

    for fault in ("401", "500", "not_json_http", "cut_connection"):
        provider.fault = fault
        with pytest.raises(ModelError) as caught:
            call(Model(model), [ChatMessage.from_user("Hi.")], {}, 500)
        error: BaseException | None = caught.value
        assert caught.value.__suppress_context__
        while error is not None:
            assert KEY not in str(error) + repr(error)
            assert PLAIN not in str(error) + repr(error)
            error = error.__cause__


def test_an_agent_with_a_token_is_not_written_down(library: ragnb.Library) -> None:
    generator = OpenAIChatGenerator(Secret.from_token(KEY), model="m")
    agent = RagnbAgent(library=library, llm=generator)
    with pytest.raises(InputError, match="can't be written down") as caught:
        component_to_dict(agent, "agent")
    assert KEY not in str(caught.value)
    with pytest.raises(InputError, match="can't be written down"):
        component_to_dict(ragnb.RecordedGenerator(generator, "r.jsonl"), "llm")


def test_exchanges_hold_nothing_that_leads_to_a_generator(
    model: OpenAIChatGenerator, library: ragnb.Library, goal: str
) -> None:
    run = ragnb.Agent(library, llm=model, policy="one_shot").ask(goal)
    frozen = pickle.dumps(run.exchanges)
    assert KEY.encode() not in frozen
    assert PLAIN.encode() not in frozen
