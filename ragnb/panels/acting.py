"""What a click does: one call of the loop, which is shown as it was made."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ragnb.agent.actions import Approve, Assess, Plan
from ragnb.agent.until import Step, round_done
from ragnb.errors import InputError
from ragnb.panels.arguments import changed
from ragnb.panels.choice import Choice
from ragnb.panels.fields import known_fields
from ragnb.panels.looking import LOOKS, look

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop

__all__ = ["Message", "act", "opened"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a browser says a person did; all of it is text that may hold anything."""

    action: str
    id: str = ""
    value: str = ""
    form: dict[str, Any]
    edited: bool = False

    @classmethod
    def of(cls, raw: dict[str, Any]) -> "Message":
        """Return a message from what came over the wire."""
        form = raw.get("form")
        return cls(
            action=str(raw.get("action", "")),
            id=str(raw.get("id") or ""),
            value=str(raw.get("value") or ""),
            form=form if isinstance(form, dict) else {},
            edited=bool(raw.get("edited")),
        )


def act(loop: "Loop", choice: Choice, message: Message) -> "Loop":
    """Do what was clicked, note the call in the choice, and return the loop to look at then.

    Raises:
        InputError: It can't be done now, or there is no such action.
    """
    if message.action in LOOKS:
        look(loop, choice, message.action, message.id, message.value)
        return loop
    does = _DOES.get(message.action)
    if does is None:
        raise InputError(f"There is no action {message.action!r}.")
    other, said = does(loop, message)
    choice.said = said or choice.said
    return other


_Done = tuple["Loop", str]


def _begin(
    loop: "Loop", said: str, until: Callable[[Step], bool] | None = None, *, once: bool = False
) -> _Done:
    """Play until a step fires; where no event loop runs, as in a script, block until then."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        loop.run((lambda _: True) if once else until)
    else:
        loop.player.play(until, once=once)
    return loop, said


def _do(loop: "Loop", message: Message) -> _Done:
    """Do the next step, with the arguments that a person changed."""
    action = loop.next
    if not message.edited or action is None:
        return _begin(loop, "loop.step()", once=True)
    wanted, said = changed(action, message.form, known_fields(loop))
    if wanted == action:
        return _begin(loop, "loop.step()", once=True)
    loop.step(wanted)
    return loop, f"loop.step(replace(loop.next, {said}))"


def _again(loop: "Loop", _: Message) -> _Done:
    last = loop.trace.branch(loop.head)[-1:]
    if not last:
        raise InputError("No step was taken yet, so none can be tried again.")
    action = last[0].action
    loop.step(action)
    return loop, f"loop.step({type(action).__name__}(…))  # the same again"


def _else(loop: "Loop", message: Message) -> _Done:
    match message.value:
        case "assess":
            loop.step(Assess(reason="A person asked for it."))
            return loop, "loop.step(Assess())"
        case "plan":
            loop.step(Plan(again=True, reason="A person asked for it."))
            return loop, "loop.step(Plan(again=True))"
        case "answer":
            loop.answer_now()
            return loop, "loop.answer_now()"
        case _:
            return loop, ""


def _stop(loop: "Loop", _: Message) -> _Done:
    loop.stop()
    return loop, "loop.stop()"


def _answer_now(loop: "Loop", _: Message) -> _Done:
    loop.answer_now()
    return loop, "loop.answer_now()"


def _pause(loop: "Loop", _: Message) -> _Done:
    loop.pause()
    return loop, "loop.pause()"


def _goto(loop: "Loop", message: Message) -> _Done:
    number = int(message.value) if message.value.isdecimal() else -1
    return loop.rewind(number), f"loop.rewind({number})"


def _back(loop: "Loop", _: Message) -> _Done:
    number = max(loop.state.entries - 1, 0)
    return loop.rewind(number), f"loop.rewind({number})"


def _free(loop: "Loop", name: str) -> str:
    number, found = 2, name
    while found in loop.trace.heads or found == loop.name:
        found, number = f"{name} {number}", number + 1
    return found


def _fork(loop: "Loop", _: Message) -> _Done:
    name = _free(loop, f"from step {loop.state.entries}")
    return loop.fork(name), f"loop = loop.fork({name!r})"


def _policy(loop: "Loop", message: Message) -> _Done:
    if message.value == loop.policy.name:
        return loop, ""
    name = _free(loop, message.value)
    at = 0 if message.value == "one_shot" else None  # the plain chain has no use for a plan
    said = f"loop = loop.fork({name!r}, policy={message.value!r}{', at=0' if at == 0 else ''})"
    return loop.fork(name, policy=message.value, at=at), said


def _branch(loop: "Loop", message: Message) -> _Done:
    name = message.value
    if name == loop.name:
        return loop, ""
    return opened(loop, name), f"panel.look_at({name!r})"


def opened(loop: "Loop", name: str) -> "Loop":
    """Return the loop on another branch of the same trace; one that is there is taken."""
    from ragnb.agent.loop import Loop

    known = loop.trace.loops.get(name)
    if isinstance(known, Loop):
        return known
    head = loop.trace.heads.get(name)
    if head is None:
        raise InputError(f"There is no branch {name!r}; there are {sorted(loop.trace.heads)}.")
    return Loop(
        loop.trace,
        loop.policy,
        loop.performer,
        recorder=loop.recorder,
        name=name,
        head=head.tip,
        approve=loop.approve,
    )


def _speed(loop: "Loop", message: Message) -> _Done:
    try:
        pace = float(message.value)
    except ValueError:
        raise InputError(f"The speed is {message.value!r}; expected seconds.") from None
    loop.player.pace = min(max(pace, 0.0), 10.0)
    return loop, f"loop.player.pace = {loop.player.pace:g}"


def _goal(loop: "Loop", message: Message) -> _Done:
    goal = str(message.form.get("goal", ""))
    return loop.edit(goal=goal), f"loop.edit(goal={goal!r})"


def _resolve(loop: "Loop", message: Message) -> _Done:
    key = tuple(message.id.split("|"))
    conflict = next((item for item in loop.state.conflicts if item.key == key), None)
    if conflict is None:
        raise InputError("This conflict is not there any more.")
    loop.edit(resolve=[(conflict, message.value)])
    return loop, f"loop.edit(resolve=[({key!r}, {message.value!r})])"


def _drop(loop: "Loop", message: Message) -> _Done:
    return loop.edit(drop_evidence=[message.id]), f"loop.edit(drop_evidence=[{message.id!r}])"


def _waive(loop: "Loop", message: Message) -> _Done:
    key = (message.id, message.value)
    return loop.edit(waive=[key]), f"loop.edit(waive=[{key!r}])"


def _approve(loop: "Loop", message: Message) -> _Done:
    action = loop.next
    if not isinstance(action, Approve):
        raise InputError("Nothing waits for a yes or no.")
    yes = message.value == "yes"
    loop.step(replace(action, answer=yes))
    return loop, f"loop.step(replace(loop.next, answer={yes}))"


def _raise(loop: "Loop", _: Message) -> _Done:
    stop = loop.state.stop
    budget = loop.state.budget
    name = stop.code.removeprefix("budget_") if stop else ""
    limit = getattr(budget, name, None)
    if limit is None:
        raise InputError("No limit was reached.")
    loop.edit(budget=replace(budget, **{name: limit * 2}))
    return loop, f"loop.edit(budget=replace(loop.state.budget, {name}={limit * 2}))"


_DOES: "Final[dict[str, Callable[[Loop, Message], _Done]]]" = {
    "again": _again,
    "answer_now": _answer_now,
    "approve": _approve,
    "back": _back,
    "branch": _branch,
    "do": _do,
    "drop": _drop,
    "else": _else,
    "fork": _fork,
    "goal": _goal,
    "goto": _goto,
    "pause": _pause,
    "policy": _policy,
    "raise": _raise,
    "reset": lambda loop, _: (loop.rewind(0), "loop.rewind(0)"),
    "resolve": _resolve,
    "round": lambda loop, _: _begin(loop, "loop.round()", round_done),
    "run": lambda loop, _: _begin(loop, "loop.play()"),
    "speed": _speed,
    "step": lambda loop, _: _begin(loop, "loop.step()", once=True),
    "stop": _stop,
    "waive": _waive,
}
