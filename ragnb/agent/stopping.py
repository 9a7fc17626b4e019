"""Stop rules, each with its threshold and its sentence; all pure.

Budgets are looked at here, before any policy is asked, so policies know nothing of them.
"""

from typing import Literal, TypeAlias

from ragnb.agent.actions import Action, Read, Retrieve, Stop, Synthesize, UseTool
from ragnb.agent.observing import observed
from ragnb.agent.outcomes import Refused
from ragnb.agent.state import State
from ragnb.records import Query, StopReason
from ragnb.text import near_duplicate, short_for_models

__all__ = [
    "REFUSALS",
    "SIMILAR",
    "budget_reached",
    "closing",
    "comparable",
    "model_allowance",
    "refusal",
]

_Code: TypeAlias = Literal[
    "budget_steps",
    "budget_rounds",
    "budget_calls",
    "budget_seconds",
    "budget_tokens",
    "budget_money",
]

SIMILAR = 0.85
"""Similarity from which a query counts as asked before."""
FAILURES = 2
"""Failures of a call after which it is not tried again."""
REFUSALS = 2
"""Refusals in a row after which there is no better action."""


def closing(state: State) -> Action | None:
    """Return what must happen now whatever the policy thinks, or None.

    The last step, and some seconds, are kept for the answer.
    """
    if state.stop is not None:
        return None
    if state.closing is not None:
        return Stop(why=state.closing, reason="The answer is written.")
    why = budget_reached(state)
    if why is None and state.refusals >= REFUSALS:
        text = f"{REFUSALS} actions in a row were refused as repetitions."
        why = StopReason(code="no_better_action", text=text)
    if why is None:
        return None
    if state.answer is None and _can_answer(state):
        return Synthesize(closing=why, reason=why.text)
    return Stop(why=why, reason=why.text)


def budget_reached(state: State) -> StopReason | None:
    """Return the limit that leaves room for nothing but the answer, or None."""
    limits, spent = state.budget, state.spent
    rules: tuple[tuple[_Code, float, float | None, str], ...] = (
        ("budget_steps", state.steps + 1, limits.steps, "{0.steps} steps"),
        ("budget_rounds", state.round, limits.rounds, "{0.rounds} rounds"),
        ("budget_calls", state.tool_calls, limits.calls, "{0.calls} searches"),
        (
            "budget_seconds",
            spent.seconds,
            limits.seconds - limits.reserve,
            "{0.seconds:g} seconds, but for {0.reserve:g} kept for the answer,",
        ),
        (
            "budget_tokens",
            spent.tokens + state.heaviest.tokens,
            _but_for_the_answer(limits.tokens, limits.reserve_share),
            "{0.tokens} tokens, but for what the answer needs,",
        ),
        (
            "budget_money",
            spent.money + state.heaviest.money,
            _but_for_the_answer(limits.money, limits.reserve_share),
            "{0.money:g} of money, but for what the answer needs,",
        ),
    )
    for code, used, limit, words in rules:
        if limit is not None and used >= limit:
            return StopReason(code=code, text=f"The budget of {words.format(limits)} is spent.")
    return None


def _but_for_the_answer(limit: float | None, share: float) -> float | None:
    return None if limit is None else limit * (1 - share)


def model_allowance(state: State, *, last: bool) -> tuple[int | None, float | None]:
    """Return the tokens and the money that models may use in the next step.

    Args:
        state: Where the run stands.
        last: Whether the step writes the answer, and so may use what was kept for it.
    """
    limits, share = state.budget, 0.0 if last else state.budget.reserve_share
    tokens = _but_for_the_answer(limits.tokens, share)
    money = _but_for_the_answer(limits.money, share)
    return (
        None if tokens is None else max(0, int(tokens) - state.spent.tokens),
        None if money is None else max(0.0, money - state.spent.money),
    )


def _can_answer(state: State) -> bool:
    return state.steps < state.budget.steps and state.spent.seconds < state.budget.seconds


def refusal(state: State, action: Action) -> Refused | None:
    """Return why an action is not done at all, or None; a refusal costs no call."""
    match action:
        case Retrieve():
            for asked in state.asked:
                if comparable(asked, action.query) and near_duplicate(
                    asked.text, action.query.text, threshold=SIMILAR
                ):
                    text = f"This was asked before, as “{asked.text}”."
                    return Refused(rule="near_duplicate", text=text, like=asked.id)
            return _repeated(state, action.for_call)
        case Read():
            return _repeated(state, action.for_call)
        case UseTool() if action.call.effects:
            known = state.call(action.call.id)
            if known is None or known.approved is not True or known.status != "proposed":
                text = f"{action.call.name} has effects, and no person has approved this call."
                return Refused(rule="not_approved", text=text)
        case UseTool():
            return _repeated(state, action.call.id)
        case _:
            pass
    return None


def _repeated(state: State, call_id: str) -> Refused | None:
    """Refuse a call that equals one that was done, or that failed twice; name what came of it."""
    call = state.call(call_id)
    if call is None:
        return None
    same = [
        item
        for item in state.calls
        if item.id != call.id and item.name == call.name and item.arguments == call.arguments
    ]
    done = next((item for item in same if item.status == "done"), None)
    failed = [item for item in same if item.status == "failed"]
    if done is None and len(failed) < FAILURES:
        return None
    earlier = done or failed[-1]
    how = "was called with the same arguments before and gave" if done else "failed twice"
    text = f"{call.name} {how}: {short_for_models(observed(state, earlier), 120)}"
    return Refused(rule="repeated", text=text, like=earlier.id)


def comparable(asked: Query, query: Query) -> bool:
    """Tell whether two queries are for the same question and place, so that one may repeat another.

    A conflict check looks for something else, so it is compared only with its kind.
    """
    return (
        asked.question_id == query.question_id
        and asked.channels == query.channels
        and asked.filters == query.filters
        and (asked.intent == "conflict_check") == (query.intent == "conflict_check")
    )
