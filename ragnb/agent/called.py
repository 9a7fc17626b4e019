"""How tool calls change in the state: done, failed, refused, approved, ended."""

from dataclasses import replace
from typing import Any, Literal

from ragnb.agent.actions import Action, Read, Retrieve, UseTool
from ragnb.agent.state import State, ToolCall

__all__ = ["called", "decided", "ended"]


def called(
    state: State,
    action: Action,
    status: Literal["done", "failed", "refused"],
    result: str = "",
    **changes: Any,
) -> State:
    """Return the state with the tool call that an action carried out marked, if it did one.

    A call that a person made enters the state here. What was done stays done, also if it is
    refused a second time.
    """
    if isinstance(action, UseTool):
        return _changed(state, action.call, status=status, result=result, **changes)
    if isinstance(action, Retrieve | Read) and action.for_call:
        known = state.call(action.for_call)
        if known is not None:
            return _changed(state, known, status=status, result=result, **changes)
    return state


def decided(state: State, call: ToolCall, *, allowed: bool) -> State:
    """Return the state after a person said yes or no; a yes takes an earlier refusal back."""
    if not allowed:
        no = "A person said no to it."
        return _changed(state, call, approved=False, status="refused", result=no)
    known = state.call(call.id) or call
    if known.status == "refused":
        return _changed(state, call, approved=True, status="proposed", result="")
    return _changed(state, call, approved=True)


def ended(state: State) -> State:
    """Return the state with every proposal to finish carried out."""
    return replace(
        state,
        calls=tuple(
            replace(call, status="done")
            if call.name == "finish" and call.status == "proposed"
            else call
            for call in state.calls
        ),
    )


def _changed(state: State, call: ToolCall, **changes: Any) -> State:
    """Change a call, which enters the state here if a person named it."""
    known = state.call(call.id)
    if known is not None and known.status == "done" and changes.get("status") == "refused":
        return state
    calls = state.calls if known is not None else (*state.calls, call)
    return replace(
        state,
        calls=tuple(replace(item, **changes) if item.id == call.id else item for item in calls),
    )
