"""Short names with their integrations installed, each against a server that plays its provider.

Anthropic's and Ollama's integrations are no dependency of ragnb: `.ci/run model` installs them.
"""

import json
from typing import Any

import pytest

import ragnb

KEYS = {"OPENAI_API_KEY": "sk-of-openai-1234", "ANTHROPIC_API_KEY": "sk-ant-of-anthropic-1234"}


def _anthropic(body: dict[str, Any], brain: Any) -> dict[str, Any]:
    """Reply as Anthropic's server does."""
    system = body["system"]
    told = system if isinstance(system, str) else system[0]["text"]
    said = body["messages"][0]["content"]
    text = json.dumps(brain(told, said if isinstance(said, str) else said[0]["text"]))
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }


def _ollama(body: dict[str, Any], brain: Any) -> dict[str, Any]:
    """Reply as Ollama's server does."""
    text = json.dumps(brain(*(message["content"] for message in body["messages"][:2])))
    return {
        "model": body["model"],
        "created_at": "2024-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 100,
        "eval_count": 20,
    }


@pytest.mark.parametrize(
    ("name", "package", "variable", "path", "speaks", "limit"),
    [
        ("openai:m", "openai", "OPENAI_BASE_URL", "/v1", None, "max_completion_tokens"),
        ("anthropic:m", "anthropic", "ANTHROPIC_BASE_URL", "", _anthropic, "max_tokens"),
        ("ollama:m", "ollama", "OLLAMA_HOST", "", _ollama, "num_predict"),
    ],
)
def test_a_short_name_runs_against_its_provider(
    name: str,
    package: str,
    variable: str,
    path: str,
    speaks: Any,
    limit: str,
    library: ragnb.Library,
    provider: Any,
    goal: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if package != "openai":
        pytest.importorskip(f"haystack_integrations.components.generators.{package}")
    for key, value in KEYS.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setenv(variable, provider.address.removesuffix("/v1") + path)
    provider.speaks = speaks
    agent = ragnb.Agent(library, llm=name, prices={"m": (1.0, 2.0)})
    run = agent.ask(goal)
    for role in ("plan", "extract"):
        if hasattr(agent.components[role].model.generator, "close"):
            agent.components[role].model.generator.close()
    assert provider.requests
    assert [note for entry in run.entries for note in entry.outcome.notes] == []
    spent, asked = run.state.spent, len(provider.requests)
    assert (spent.model_calls, spent.tokens_in, spent.tokens_out) == (
        asked,
        100 * asked,
        20 * asked,
    )
    assert spent.money == pytest.approx(140e-6 * asked)
    assert all(limit in {**body, **body.get("options", {})} for body in provider.requests)
    assert run.answer is not None
    assert len(run.answer.conclusions) > 1


def test_an_address_is_asked_without_another_providers_key(
    library: ragnb.Library, provider: Any, goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEYS["OPENAI_API_KEY"])
    agent = ragnb.Agent(library, llm=f"{provider.address}#m", policy="one_shot")
    run = agent.ask(goal)
    agent.components["extract"].model.generator.close()
    assert run.state.spent.tokens == 120 * len(provider.requests) > 0
    assert set(provider.keys) == {"Bearer none"}
