"""A run in which every text may be hostile, and all that can be drawn of a run."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ragnb.agent.actions import (
    Action,
    Assess,
    Extract,
    Plan,
    Read,
    Rerank,
    Retrieve,
    Stop,
    Synthesize,
    UseTool,
)
from ragnb.agent.difference import difference
from ragnb.agent.entry import Entry
from ragnb.agent.outcomes import (
    Answered,
    Assessed,
    Failed,
    Found,
    Hits,
    Outcome,
    Planned,
    Ranked,
    Refused,
    Stopped,
    TextRead,
    ToolDone,
    Value,
)
from ragnb.agent.run import Run
from ragnb.agent.state import ToolCall, start
from ragnb.agent.trace import Trace
from ragnb.display import render
from ragnb.library.files import Report, Row
from ragnb.records import (
    Answer,
    Claim,
    Conflict,
    Context,
    Evidence,
    Gap,
    Grounding,
    Hit,
    Query,
    StopReason,
    SubQuestion,
)
from ragnb.views.diary import steps_of


def made_run(words: Iterator[str]) -> Run:
    """Make a run in which every text is hostile and every kind of outcome comes up."""
    w = words.__next__
    run_trace = Trace(start(w()))
    question = SubQuestion(id="q1", text=w(), kind=w())
    other = SubQuestion(id="q2", text=w())
    query = Query(id=w(), text=w(), question_id="q1", reason=w())
    hits = tuple(
        Hit(
            chunk_id=f"c{n}",
            source_id=f"s{n}{w()}",
            title=w(),
            section=w(),
            url="javascript:alert(1)" if n else w(),
            rank=n + 1,
            score=1.0,
            fused_rank=n + 1,
            updated=w(),
            ranks=((w(), n + 1, 1.0), ("bm25", 2, 0.5)),
        )
        for n in range(4)
    )
    text = f"before {w()} quote {w()} after"
    context = Context(
        id="x1",
        source_id=hits[0].source_id,
        chunk_id="c0",
        scope="window",
        start=0,
        end=len(text),
        text=text,
        title=w(),
        section=w(),
        status=w(),
        updated=w(),
        url=w(),
    )
    quotes = tuple(
        Evidence(
            id=f"e{n}",
            question_id="q1",
            quote=text[2:-2],
            verified=n < 2,
            source_id=context.source_id,
            chunk_id="c0",
            context_id="x1",
            start=2,
            end=len(text) - 2,
            says=w(),
            title=w(),
            section=w(),
            status=w(),
            url=w(),
            updated=w(),
            notes=(w(),),
            also_in=(w(),),
        )
        for n in range(3)
    )
    gap = Gap(question_id="q2", reason="not_supported", detail=w())
    conflict = Conflict(
        question_id="q1", first="e0", second="e1", kind="number", status="resolved", rule=w(),
        winner="e0",
    )  # fmt: skip
    grounding = Grounding(
        evidence_id="e0", quote="", source_id="", chunk_id="", start=0, end=0, title=w(), url=w()
    )
    claim = Claim(id="k", statement=w(), question_id="q1", groundings=(grounding,), risks=(w(),))
    answer = Answer(goal=w(), conclusions=(claim,))
    call = ToolCall(id=w(), name=w(), arguments={w(): w()}, effects=False)
    why = StopReason(code="user", text=w())
    taken: list[tuple[Action, Value]] = [
        (Plan(reason=w()), Planned(questions=(question, other), queries=(query,))),
        (Retrieve(query=query, reason=w()), Hits(hits=hits, notes=(w(),))),
        (Rerank(query_id=query.id, reason=w()), Ranked(hits=hits[:2][::-1])),
        (Read(id="c0", reason=w()), TextRead(context=context)),
        (Extract(question_id="q1", context_id="x1", reason=w()), Found(evidence=quotes)),
        (Retrieve(query=query, reason=w()), Refused(rule="near_duplicate", text=w())),
        (UseTool(call=call, reason=w()), ToolDone(result=w())),
        (Read(id=w(), reason=w()), Failed(text=w(), attempts=2)),
        (Assess(reason=w()), Assessed(verdict="insufficient", gaps=(gap,), conflicts=(conflict,))),
        (Synthesize(closing=why, reason=w()), Answered(answer=answer)),
        (Stop(why=why, reason=w()), Stopped()),
    ]
    parent = ""
    for number, (action, value) in enumerate(taken, start=1):
        entry = Entry(id=str(number), parent=parent, action=action, outcome=Outcome(value=value))
        run_trace.add(entry)
        parent = entry.id
    run_trace.note(w())
    return Run(run_trace, parent)


def all_views(run: Run) -> dict[str, Any]:
    """Draw everything that can be drawn of a run."""
    state = run.state
    shown: dict[str, tuple[object, dict[str, Any]]] = {
        "run": (run, {}),
        "trace": (run.trace, {}),
        "state": (state, {}),
        "answer": (run.answer, {}),
        "diary": (run, {}),
        "timeline": (run, {}),
        "report": (Report(rows=(Row(path=state.goal, status="failed", why=state.goal),)), {}),
    }
    found: dict[str, Any] = {}
    for name, (thing, options) in shown.items():
        found[f"{name}_html"] = render(thing, f"{name}_html", **options)
        found[f"{name}_text"] = render(thing, f"{name}_text")
    found["answer_markdown"] = render(run.answer, "answer_markdown")
    found["plain_html"] = render(run, "run_html", plain=run)
    for number, step in enumerate(steps_of(run)):
        for kind in ("html", "text"):
            found[f"step{number}_{kind}"] = render(step, f"step_{kind}")
    for number, search in enumerate(state.searches):
        for kind in ("html", "text"):
            found[f"search{number}_{kind}"] = render(search, f"search_{kind}")
    for number, item in enumerate(state.evidence):
        context = state.context(item.context_id)
        found[f"evidence{number}_html"] = render(item, "evidence_html", context=context)
        found[f"evidence{number}_text"] = render(item, "evidence_text")
    entries, states = run.entries, run.states
    parted = difference(entries, state, entries[:4], states[4])
    for kind in ("html", "text"):
        found[f"difference_{kind}"] = render(parted, f"difference_{kind}")
    return found


@pytest.fixture(scope="session")
def hostile_run() -> Callable[[Iterator[str]], Run]:
    """Return what makes a run of any words."""
    return made_run


@pytest.fixture(scope="session")
def drawn() -> Callable[[Run], dict[str, Any]]:
    """Return what draws everything that can be drawn of a run."""
    return all_views
