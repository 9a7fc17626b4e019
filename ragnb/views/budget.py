"""The budget: what is spent of what may be spent, and what is kept for the answer."""

from ragnb.agent.state import State
from ragnb.steady import is_stable
from ragnb.views.look import CONFLICT, GAP, bar, muted, small
from ragnb.views.markup import Html, tag
from ragnb.views.words import seconds

__all__ = ["budget_parts"]

_NEAR = 0.8
"""Share of a limit from which it is told that it is near."""


def budget_parts(state: State) -> dict[str, Html]:
    """Return a line for each limit, by its name."""
    limits, spent = state.budget, state.spent
    used = any(call.status == "done" for call in state.calls)
    calls = "searches and tool calls" if used else "searches"
    time = 0.0 if is_stable() else spent.seconds
    known = [
        ("rounds", state.round, limits.rounds, f"{state.round}"),
        ("steps", state.steps, limits.steps, f"{state.steps}"),
        (calls, state.tool_calls, limits.calls, f"{state.tool_calls}"),
        ("time", time, limits.seconds, seconds(time)),
        ("tokens", spent.tokens, limits.tokens, f"{spent.tokens:,}"),
        ("money", spent.money, limits.money, f"{spent.money:.4g}"),
    ]
    parts = {}
    for name, value, limit, shown in known:
        if limit is None and not value:
            continue
        if name == "money" and spent.unpriced:
            parts["budget-money"] = _line(name, "price unknown", None)
            continue
        kept = f", {limits.reserve:g} s kept for the answer" if name == "time" else ""
        unit = " s" if name == "time" else ""
        text = f"{shown} of {limit:,g}{unit}{kept}" if limit is not None else shown
        text = f"at most {limit:,g} s{kept}" if name == "time" and not shown else text
        told = bool(limit) and bool(shown)
        parts[f"budget-{name.split()[0]}"] = _line(
            name, text, value / (limit or 1) if told else None
        )
    return parts


def _line(name: str, text: str, share: float | None) -> Html:
    words, colour = "", "#7d828a"
    if share is not None and share >= 1:
        words, colour = ", used up", CONFLICT
    elif share is not None and share >= _NEAR:
        words, colour = ", nearly used up", GAP
    drawn = None
    if share is not None:
        drawn = bar(share, colour=colour, alt=f"{min(share, 1):.0%} of the limit")
    style = "margin:0 16px 4px 0;display:inline-block;vertical-align:top"
    return tag("span", small(name, " ", muted(text, words)), tag("br"), drawn, style=style)
