"""Recorded runs with a model: replayed, forked, cut off and gone on with."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import ragnb
from ragnb.agent.actions import Retrieve


def test_a_run_is_replayed_from_its_trace_with_no_call(
    library: ragnb.Library, provider: Any, generator: Any, goal: str, tmp_path: Path
) -> None:
    agent = ragnb.Agent(library, llm=generator)
    first = agent.start(goal, trace=tmp_path / "t.jsonl").run()
    asked = len(provider.requests)
    other = ragnb.Agent(library, llm=generator)
    loop = other.resume(ragnb.load(tmp_path / "t.jsonl"))
    again = loop.rewind(0).run()
    assert len(provider.requests) == asked > 0
    assert again.answer == first.answer
    assert again.state == first.state
    assert loop.spent_now.tokens == 0
    first.trace.close()
    again.trace.close()


def test_a_fork_that_edits_one_query_asks_the_model_only_for_what_changed(
    library: ragnb.Library, provider: Any, generator: Any, goal: str
) -> None:
    loop = ragnb.Agent(library, llm=generator).start(goal)
    loop.run()
    before = {str(request["messages"]) for request in provider.requests}
    asked = len(provider.requests)
    path = loop.trace.branch(loop.head)
    at = next(n for n, entry in enumerate(path) if entry.action.kind == "retrieve")
    old = path[at].action.query
    fork = loop.fork("other words", at=at)
    changed = ragnb.Query.of("days that exports stay", old.question_id)
    fork.step(Retrieve(query=changed, instead_of=old.id))
    fork.run()
    new = [str(request["messages"]) for request in provider.requests[asked:]]
    looked = [text for text in new if "You find evidence" in text or "You plan" in text]
    assert not set(looked) & before
    assert len(new) < asked
    assert fork.reused > 0


def test_a_run_with_a_model_is_stopped_in_the_middle_with_what_there_is(
    library: ragnb.Library, generator: Any, goal: str
) -> None:
    loop = ragnb.Agent(library, llm=generator).start(goal)
    loop.run(until=ragnb.until.evidence(1))
    run = loop.stop()
    assert run.answer is not None
    assert run.answer.partial
    assert run.answer.conclusions


CHILD = """
import sys
import ragnb
from haystack import Document

texts = {"exports": "Exports are kept for 30 days.", "leave": "Employees get 28 days of leave."}
library = ragnb.Library.from_documents([Document(id=n, content=t) for n, t in texts.items()])
agent = ragnb.Agent(library, llm=sys.argv[2])
loop = agent.start("How long are exports kept, and how many days of leave?", trace=sys.argv[1])
loop.subscribe(lambda step: print(step.entry.id, flush=True))
loop.run()
"""


def test_a_killed_run_with_a_model_is_gone_on_with(provider: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    command = [sys.executable, "-c", CHILD, str(path), f"{provider.address}#test-model"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for _ in range(5):
            child.stdout.readline()
        child.kill()
    cut = ragnb.load(path)
    done = len(cut.entries)
    assert done >= 5
    asked = len(provider.requests)
    time.sleep(0.05)
    from haystack import Document

    texts = {"exports": "Exports are kept for 30 days.", "leave": "Employees get 28 days of leave."}
    documents = [Document(id=name, content=text) for name, text in texts.items()]
    with ragnb.Library.from_documents(documents) as library:
        agent = ragnb.Agent(library, llm=f"{provider.address}#test-model")
        loop = cut.resume(agent)
        run = loop.run()
        for stage in agent.components.values():
            if hasattr(stage, "model"):
                stage.model.generator.close()
    assert run.answer is not None
    assert run.answer.conclusions
    assert run.entries[:done] == cut.entries[:done]
    assert len(provider.requests) >= asked
    run.trace.close()
