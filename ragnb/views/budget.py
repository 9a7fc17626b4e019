"""The budget: what is spent of what may be spent, and what is kept for the answer."""

from dataclasses import dataclass

from ragnb.agent.state import State
from ragnb.steady import is_stable
from ragnb.views.look import CONFLICT, GAP, bar, frame, heading, muted, small
from ragnb.views.markup import Html, tag
from ragnb.views.words import seconds

__all__ = ["Limit", "budget_html", "budget_parts", "budget_text", "limits"]

_NEAR = 0.8
"""Share of a limit from which it is told that it is near."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit: its name, what is spent of it in words, and as a share where there is one."""

    name: str
    text: str
    share: float | None = None
    kept: float = 0.0
    """The share of it that is kept for the answer."""

    @property
    def words(self) -> str:
        """What is to be said beside the figures; empty while there is enough left."""
        share = self.share or 0.0
        return "used up" if share >= 1 else "nearly used up" if share >= _NEAR else ""


def limits(state: State, *, brief: bool = False) -> list[Limit]:
    """Return the limits of a state that are set or spent.

    Args:
        state: What holds the budget.
        brief: Leave out what is kept for the answer.
    """
    budget, spent = state.budget, state.spent
    used = any(call.status == "done" for call in state.calls)
    calls = "searches and tool calls" if used else "searches"
    time = 0.0 if is_stable() else spent.seconds
    known = [
        ("rounds", state.round, budget.rounds, f"{state.round}"),
        ("steps", state.steps, budget.steps, f"{state.steps}"),
        (calls, state.tool_calls, budget.calls, f"{state.tool_calls}"),
        ("time", time, budget.seconds, seconds(time)),
        ("tokens", spent.tokens, budget.tokens, f"{spent.tokens:,}"),
        ("money", spent.money, budget.money, f"{spent.money:.4g}"),
    ]
    found = []
    for name, value, limit, shown in known:
        if limit is None and not value:
            continue
        if name == "money" and spent.unpriced:
            found.append(Limit(name=name, text="price unknown"))
            continue
        timed = name == "time"
        kept = f", {budget.reserve:g} s kept for the answer" if timed and not brief else ""
        unit = " s" if timed else ""
        text = f"{shown} of {limit:,g}{unit}{kept}" if limit is not None else shown
        text = f"at most {limit:,g} s{kept}" if timed and not shown else text
        told = bool(limit) and bool(shown)
        share = value / (limit or 1) if told else None
        part = budget.reserve / limit if timed and limit else 0.0
        found.append(Limit(name=name, text=text, share=share, kept=part))
    return found


def budget_parts(state: State) -> dict[str, Html]:
    """Return a line for each limit, by its name."""
    return {f"budget-{each.name.split()[0]}": _line(each) for each in limits(state)}


def budget_html(state: State) -> str:
    """Return the limits of a state as HTML, with what is spent of them."""
    return frame({"budget": heading("Budget"), **budget_parts(state)})


def budget_text(state: State) -> str:
    """Return the limits of a state as plain text, one a line, with what is spent of them."""
    lines = [
        f"{each.name}: {each.text}{f', {each.words}' if each.words else ''}"
        for each in limits(state)
    ]
    return "\n".join(["Budget", *lines])


def _line(limit: Limit) -> Html:
    words = f", {limit.words}" if limit.words else ""
    colour = {"used up": CONFLICT, "nearly used up": GAP}.get(limit.words, "#7d828a")
    drawn = None
    if limit.share is not None:
        drawn = bar(limit.share, colour=colour, alt=f"{min(limit.share, 1):.0%} of the limit")
    style = "margin:0 16px 4px 0;display:inline-block;vertical-align:top"
    text = small(limit.name, " ", muted(limit.text, words))
    return tag("span", text, tag("br"), drawn, style=style)
