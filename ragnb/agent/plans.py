"""A plan in the state: which step is next, what it does, and what is left of it; all pure."""

from collections.abc import Sequence
from typing import Any, Final

from ragnb.agent.actions import Approve, Read, Retrieve, UseTool, action_id
from ragnb.agent.state import State, ToolCall
from ragnb.records import Filters, PlanStep, Query

__all__ = ["behind", "cursor", "first_action", "launched", "query_of", "waves"]

_INTENTS: Final = frozenset(
    {"broad_recall", "targeted_followup", "conflict_check", "reference_hop"}
)
_SCOPES: Final = frozenset({"chunk", "window", "section", "document"})


def cursor(steps: Sequence[PlanStep]) -> PlanStep | None:
    """Return the step that is next: the first that waits for nothing more; None at the end."""
    open_now = {step.id for step in steps if step.status == "pending"}
    for step in steps:
        if step.status == "pending" and not open_now & {*step.depends_on}:
            return step
    return None


def waves(steps: Sequence[PlanStep]) -> dict[str, int]:
    """Return for each step in which wave it comes; steps of one wave don't need one another.

    >>> waves([PlanStep(id="a", tool="search"), PlanStep(id="b", tool="read", depends_on=("a",))])
    {'a': 1, 'b': 2}
    """
    found: dict[str, int] = {}
    for _ in steps:
        for step in steps:
            found[step.id] = 1 + max((found.get(name, 0) for name in step.depends_on), default=0)
    return found


def query_of(step: PlanStep, state: State) -> Query:
    """Return the query of a step that searches."""
    given = step.arguments
    intent = str(given.get("intent", "broad_recall"))
    text = " ".join(str(given.get("query") or step.question or state.goal).split())
    return Query.of(
        text,
        step.question_id,
        intent=intent if intent in _INTENTS else "broad_recall",
        keywords=tuple(text.split()),
        channels=tuple(str(name) for name in given.get("channels") or ()),
        filters=_filters(given.get("filters"), state.filters),
        reason=step.reason,
    )


def _filters(own: Any, standing: Filters | None) -> Filters | None:
    """Join a step's fields and values with the filters of the run, as Haystack writes them."""
    found: list[Filters] = [standing] if standing else []
    if isinstance(own, dict) and "operator" in own:
        found.append(own)
    elif isinstance(own, dict):
        found += [
            {"field": f"meta.{name.removeprefix('meta.')}", "operator": "==", "value": value}
            for name, value in own.items()
        ]
    if len(found) < 2:
        return found[0] if found else None
    return {"operator": "AND", "conditions": found}


def first_action(step: PlanStep, state: State) -> Retrieve | Read | UseTool | Approve:
    """Return the action that begins a step; a tool with effects asks a person first."""
    reason = f"Step {step.id} of the plan. {step.reason}".strip()
    if step.tool == "search":
        return Retrieve(query=query_of(step, state), reason=reason)
    if step.tool == "read":
        scope = str(step.arguments.get("scope", "document"))
        scope = scope if scope in _SCOPES else "document"
        return Read(id=str(step.arguments.get("id", "")), scope=scope, reason=reason)  # type: ignore[arg-type]
    call = _known(step, state)
    if call.effects and call.approved is None:
        return Approve(call=call, reason=reason)
    return UseTool(call=call, reason=reason)


def _known(step: PlanStep, state: State) -> ToolCall:
    """Return the tool call of a step, as the state knows it; equal calls are one."""
    call = ToolCall.of(
        step.tool, step.arguments, effects=step.effects, question_id=step.question_id
    )
    return state.call(call.id) or call


def launched(step: PlanStep, state: State) -> bool:
    """Return whether the step's own action came back, so that only its results are left."""
    action = first_action(step, state)
    if isinstance(action, Retrieve):
        search = state.search(action.query.id)
        return search is not None and search.status != "pending"
    if isinstance(action, Read):
        key = action_id(action)
        failed = any(failure.action_id == key for failure in state.failures)
        return failed or any(asked == (action.id, action.scope) for asked, _ in state.reads)
    call = _known(step, state)
    return call.status != "proposed" or call.approved is False


def behind(step: PlanStep, state: State) -> tuple[str, ...]:
    """Return the ids of the contexts that a step read, or that its tool brought."""
    if step.tool == "search":
        return ()
    action = first_action(step, state)
    if isinstance(action, Read):
        wanted = (action.id, action.scope)
        return tuple(dict.fromkeys(found for asked, found in state.reads if asked == wanted))
    return _known(step, state).contexts
