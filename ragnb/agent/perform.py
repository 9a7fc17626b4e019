"""Carry an action out: time-outs, retries and tracing around one stage call.

Nothing that a stage raises or returns gets past here but as an outcome.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ragnb.agent.actions import Action, Approve, Edit, Stop, UseTool
from ragnb.agent.calls import STAGE_OF, call_kind
from ragnb.agent.checks import flaw
from ragnb.agent.outcomes import Decided, Edited, Failed, Outcome, Stopped, Value
from ragnb.agent.state import State
from ragnb.agent.stopping import model_allowance
from ragnb.agent.worker import TimedOutError, Worker
from ragnb.llm.metering import Meter, metered
from ragnb.records import Answer, Usage

__all__ = ["Caller", "Performer"]


class Caller(Protocol):
    """What carries actions out: the agent's stages, or a stand-in for them."""

    def call(self, kind: str, given: Mapping[str, Any]) -> Value:
        """Return what came back."""
        ...


class Performer:
    """Performs actions within the budget that is left.

    Args:
        stages: What carries actions out.
        fallback: Makes the key-less answer from the state, for a run that ends without one.
        retries: Attempts after the first; a time-out is never tried again. A component may name
            its own in an attribute ``retries``.
        seconds: The time-out of one attempt. A component may name its own in an attribute
            ``timeout``, in seconds.
        wait: Seconds before the first retry; doubled for each further one.
        threaded: Whether stages run on a thread that can be left behind at a time-out.
        clock: Returns seconds; injected by tests.
        sleep: Waits for seconds; injected by tests.
    """

    def __init__(
        self,
        stages: Caller,
        fallback: Callable[[State], Answer],
        *,
        retries: int = 1,
        seconds: float = 20.0,
        wait: float = 0.1,
        threaded: bool = True,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.stages = stages
        self.fallback = fallback
        self.retries, self.seconds, self.wait = retries, seconds, wait
        self.clock, self.sleep = clock, sleep
        self._run: Callable[[Callable[[], Any], float], Any]
        self._run = Worker() if threaded else (lambda call, _seconds: call())

    def effects(self, tool: str) -> bool:
        """Return whether a tool has effects; one that nobody knows counts as having them."""
        known: Callable[[str], bool] | None = getattr(self.stages, "effects", None)
        return known is None or known(tool)

    def __call__(self, state: State, action: Action, given: Mapping[str, Any]) -> Outcome:
        """Return the outcome of an action; a failure is one too."""
        match action:
            case Stop():
                return Outcome(value=Stopped(answer=None if state.answer else self.fallback(state)))
            case Edit():
                return Outcome(value=Edited())
            case Approve():
                return Outcome(value=Decided(allowed=action.answer is True))
            case _:
                return self._stage(state, action, given)

    def _stage(self, state: State, action: Action, given: Mapping[str, Any]) -> Outcome:
        began, kind = self.clock(), call_kind(action)
        component = self._component(kind)
        timeout, left = self._times(state, action, component)
        attempts = 1 + int(_own(component, "retries", self.retries))
        attempts = 1 if isinstance(action, UseTool) else attempts
        tokens, money = model_allowance(state, last=action.kind in {"synthesize", "reply"})
        meter = Meter(tokens=tokens, money=money)
        calls = 0

        def attempt() -> Value:
            nonlocal calls
            seconds = min(timeout, left - (self.clock() - began))
            if seconds <= 0:
                raise TimedOutError("no time is left for it")
            calls += 1
            meter.seconds, meter.last = seconds, calls >= attempts
            with metered(meter):
                value = self._run(lambda: self._traced(kind, given), seconds)
            if problem := flaw(value):
                raise ValueError(problem)
            return value  # type: ignore[no-any-return]

        value = self._attempts(attempt, action, attempts - 1)
        usage, notes = meter.close()
        usage += Usage(seconds=round(self.clock() - began, 6), calls=calls)
        return Outcome(
            value=value,
            usage=usage,
            notes=notes,
            provisional=meter.provisional,
            exchanges=meter.exchanges,
        )

    def time_out(self, state: State, action: Action) -> float:
        """Return the seconds that one attempt at an action may take now, zero where none is left.

        The smaller of the stage's own time-out and of what the budget leaves. What a person does
        needs no stage, and takes none.
        """
        if action.kind not in STAGE_OF:
            return 0.0
        component = self._component(call_kind(action))
        return max(min(self._times(state, action, component)), 0.0)

    def _times(self, state: State, action: Action, component: Any) -> tuple[float, float]:
        """Return the time-out of one attempt, and the seconds that the budget leaves."""
        kept = 0.0 if action.kind in {"synthesize", "reply"} else state.budget.reserve
        left = state.budget.seconds - state.spent.seconds - kept
        return float(_own(component, "timeout", self.seconds)), left

    def _component(self, kind: str) -> Any:
        """Return the component that carries a kind of call out, or None."""
        components: Mapping[str, Any] = getattr(self.stages, "components", {})
        return components.get(STAGE_OF[kind])

    def _attempts(self, attempt: Callable[[], Value], action: Action, retries: int) -> Value:
        """Try, and try again with back-off; a tool with effects and a time-out only once.

        An error may say in ``retry_after`` how many seconds the next attempt should wait.
        """
        try:
            return attempt()
        except TimedOutError as error:
            return Failed(text=_words(action, error))
        except Exception as first:  # noqa: BLE001 - whatever a stage raises is an outcome
            if retries < 1:
                return Failed(text=_words(action, first))
            pause = max(self.wait, _asked(first))
        from tenacity import (
            RetryCallState,
            Retrying,
            retry_if_not_exception_type,
            stop_after_attempt,
            wait_exponential,
        )

        growing = wait_exponential(multiplier=self.wait * 2)

        def wait(tried: RetryCallState) -> float:
            raised = tried.outcome.exception() if tried.outcome is not None else None
            return max(growing(tried), _asked(raised))

        retrying = Retrying(
            stop=stop_after_attempt(retries),
            wait=wait,
            retry=retry_if_not_exception_type(TimedOutError),
            sleep=self.sleep,
            reraise=True,
        )
        self.sleep(pause)
        try:
            return retrying(attempt)
        except Exception as error:  # noqa: BLE001 - the same
            attempts = 1 + int(retrying.statistics.get("attempt_number", retries))
            return Failed(text=_words(action, error), attempts=attempts)

    def _traced(self, kind: str, given: Mapping[str, Any]) -> Value:
        """Call the stage inside a span of Haystack's tracer: a bare call would emit none."""
        from haystack.tracing.tracer import tracer

        tags = {"haystack.component.name": STAGE_OF[kind], "ragnb.action": kind}
        with tracer.trace("haystack.component.run", tags=tags):
            return self.stages.call(kind, given)


def _own(component: Any, name: str, default: float) -> float:
    """Return what a stage's component says of itself, or the default."""
    value: float | None = getattr(component, name, None)
    return default if value is None else value


def _asked(error: BaseException | None) -> float:
    """Return how many seconds an error asks to wait before the next attempt."""
    return float(getattr(error, "retry_after", 0.0) or 0.0)


def _words(action: Action, error: BaseException) -> str:
    """Say in plain words what failed."""
    text = str(error).strip() or type(error).__name__
    return f"{action.kind} failed: {text}"
