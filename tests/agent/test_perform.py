import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from haystack import tracing

from ragnb.agent.actions import Action, Assess, Recall, Reply, Retrieve, Synthesize, UseTool
from ragnb.agent.inputs import inputs
from ragnb.agent.loop import Loop
from ragnb.agent.outcomes import Failed, Found, Hits, Outcome, Recalled, TextRead, Value
from ragnb.agent.perform import Performer
from ragnb.agent.policies import Scripted
from ragnb.agent.state import State, ToolCall, start
from ragnb.agent.trace import Trace
from ragnb.records import Answer, Budget, Context, Hit, Query, StopReason, Usage

START = start("storage plan", budget=Budget(seconds=60, reserve=2))
QUERY = Query.of("storage plan", START.questions[0].id)
DONE = Recalled(items=("a",))


class Clock:
    """Seconds that pass only when told, and the waits that were asked for."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


class Stage:
    """Calls one function after the other, the last one ever again."""

    def __init__(self, *turns: Callable[[], Value]) -> None:
        self.turns = turns
        self.calls = 0

    def call(self, kind: str, given: Mapping[str, Any]) -> Value:
        self.calls += 1
        return self.turns[min(self.calls, len(self.turns)) - 1]()


def broken() -> Value:
    raise ValueError("no answer from the index")


def done() -> Value:
    return DONE


def hanging(let_go: threading.Event) -> Callable[[], Value]:
    def hang() -> Value:
        let_go.wait(20)
        return DONE

    return hang


def perform(
    stage: Stage, action: Action, clock: Clock, *, state: State = START, **settings: Any
) -> Outcome:
    settings = {"threaded": False, "clock": clock, "sleep": clock.sleep, **settings}
    performer = Performer(stage, lambda state: Answer(goal=state.goal), **settings)
    return performer(state, action, inputs(state, action))


def test_a_stage_that_hangs_is_left_behind_and_the_run_goes_on() -> None:
    let_go = threading.Event()
    ended = threading.Event()

    def hang() -> Value:
        let_go.wait(20)
        ended.set()
        return Recalled(items=("late",))

    performer = Performer(Stage(hang, done), lambda state: Answer(goal=state.goal), seconds=0.05)
    policy = Scripted(actions=(Recall(), Recall(), Recall()))
    loop = Loop(Trace(START), policy, performer)
    first = loop.step()
    assert isinstance(first.entry.outcome.value, Failed)
    assert first.entry.outcome.value.text == "recall failed: it took more than 0.05 seconds"
    assert not ended.is_set()
    assert loop.step().entry.outcome.value == DONE
    let_go.set()
    assert ended.wait(20)
    loop.run()
    assert loop.state.recalled == ("a",)
    assert loop.state.stop is not None
    assert loop.state.stop.code == "no_better_action"


def test_a_time_out_is_not_tried_again() -> None:
    let_go, clock = threading.Event(), Clock()
    stage = Stage(hanging(let_go))
    outcome = perform(stage, Recall(), clock, threaded=True, seconds=0.02, retries=5)
    let_go.set()
    assert isinstance(outcome.value, Failed)
    assert (stage.calls, clock.waits, outcome.usage.calls) == (1, [], 1)


def test_a_time_out_of_a_second_attempt_is_the_last_one() -> None:
    let_go, clock = threading.Event(), Clock()
    stage = Stage(broken, hanging(let_go))
    outcome = perform(stage, Recall(), clock, threaded=True, seconds=0.02, retries=5)
    let_go.set()
    assert outcome.value == Failed(text="recall failed: it took more than 0.02 seconds", attempts=2)
    assert (stage.calls, clock.waits) == (2, [0.1])


def test_retries_wait_twice_as_long_each_time_on_the_given_clock() -> None:
    stage, clock = Stage(broken), Clock()
    outcome = perform(stage, Recall(), clock, retries=3, wait=0.5)
    assert clock.waits == [0.5, 1.0, 2.0]
    assert outcome.value == Failed(text="recall failed: no answer from the index", attempts=4)
    assert outcome.usage == Usage(seconds=3.5, calls=4)


def test_a_retry_that_works_is_the_outcome() -> None:
    stage, clock = Stage(broken, broken, done), Clock()
    outcome = perform(stage, Recall(), clock, retries=3)
    assert outcome == Outcome(value=DONE, usage=Usage(seconds=0.3, calls=3))


def test_without_retries_a_stage_is_called_once() -> None:
    stage, clock = Stage(broken, done), Clock()
    outcome = perform(stage, Recall(), clock, retries=0)
    assert isinstance(outcome.value, Failed)
    assert (stage.calls, clock.waits) == (1, [])


def test_a_tool_is_never_used_twice() -> None:
    stage, clock = Stage(broken, done), Clock()
    action = UseTool(call=ToolCall(id="t", name="send_mail", approved=True))
    outcome = perform(stage, action, clock, retries=5)
    assert outcome.value == Failed(text="use_tool failed: no answer from the index")
    assert (stage.calls, clock.waits) == (1, [])


def test_retries_end_where_the_time_of_the_run_ends() -> None:
    stage, clock = Stage(broken), Clock()
    outcome = perform(stage, Recall(), clock, retries=9, wait=30)
    assert isinstance(outcome.value, Failed)
    assert outcome.value.text == "recall failed: no time is left for it"
    assert (stage.calls, clock.waits) == (2, [30, 60])


@pytest.mark.parametrize(
    ("action", "called"),
    [
        (Recall(), 0),
        (Assess(), 0),
        (Reply(), 1),
        (Synthesize(closing=StopReason(code="enough")), 1),
    ],
    ids=lambda item: getattr(item, "kind", ""),
)
def test_the_last_seconds_are_kept_for_the_answer(action: Action, called: int) -> None:
    stage, clock = Stage(done), Clock()
    state = State(goal="g", budget=Budget(seconds=60, reserve=2), spent=Usage(seconds=58.5))
    outcome = perform(stage, action, clock, state=state)
    assert stage.calls == outcome.usage.calls == called


def hits(score: float) -> Value:
    return Hits(hits=(Hit(chunk_id="c", source_id="s", rank=1, score=score),))


def read(text: str) -> Value:
    return TextRead(
        context=Context(id="c", source_id="s", scope="chunk", start=0, end=1, text=text)
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (hits(float("nan")), "score is nan, expected a finite number"),
        (hits(float("-inf")), "score is -inf, expected a finite number"),
        (read("\ud83d"), "text holds half a surrogate pair, expected valid Unicode"),
        (Recalled(items=("ok", "\udc00")), "items holds half a surrogate pair"),
        (hits(object()), "the outcome holds what JSON can't carry"),  # type: ignore[arg-type]
    ],
    ids=["nan", "infinity", "surrogate", "surrogate_in_a_list", "object"],
)
def test_what_a_trace_cannot_hold_is_a_failure_in_plain_words(value: Value, words: str) -> None:
    outcome = perform(Stage(lambda: value), Retrieve(query=QUERY), Clock())
    assert isinstance(outcome.value, Failed)
    assert words in outcome.value.text
    assert outcome.value.attempts == 2


@pytest.mark.parametrize(
    "value", [read("NaN and Infinity are words here"), read("🙂"), hits(1e308), Found(evidence=())]
)
def test_odd_but_valid_outcomes_pass(value: Value) -> None:
    assert perform(Stage(lambda: value), Retrieve(query=QUERY), Clock()).value is value


def test_an_error_without_words_is_named_by_its_kind() -> None:
    def silent() -> Value:
        raise KeyError

    outcome = perform(Stage(silent), Recall(), Clock())
    assert outcome.value == Failed(text="recall failed: KeyError", attempts=2)


@pytest.mark.parametrize("threaded", [False, True])
def test_an_interrupt_is_no_outcome(threaded: bool) -> None:
    def interrupted() -> Value:
        raise KeyboardInterrupt

    stage = Stage(interrupted)
    with pytest.raises(KeyboardInterrupt):
        perform(stage, Recall(), Clock(), threaded=threaded)
    assert stage.calls == 1


class Spans(tracing.Tracer):
    """Keeps the names and tags of all spans."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, dict[str, Any]]] = []

    @contextlib.contextmanager
    def trace(
        self,
        operation_name: str,
        tags: dict[str, Any] | None = None,
        parent_span: tracing.Span | None = None,
    ) -> Iterator[tracing.Span]:
        self.seen.append((operation_name, tags or {}))
        yield tracing.tracer.NullSpan()

    def current_span(self) -> tracing.Span | None:
        return None


@pytest.fixture
def spans() -> Iterator[Spans]:
    made = Spans()
    tracing.enable_tracing(made)
    yield made
    tracing.disable_tracing()


@pytest.mark.parametrize("threaded", [False, True])
def test_a_haystack_tracer_sees_each_attempt_of_a_stage(spans: Spans, threaded: bool) -> None:
    perform(Stage(broken, done), Retrieve(query=QUERY), Clock(), threaded=threaded)
    tags = {"haystack.component.name": "retrieve", "ragnb.action": "retrieve"}
    assert spans.seen == [("haystack.component.run", tags)] * 2
