"""What a click looks at: it changes the choice of a panel, and nothing in its loop."""

from typing import TYPE_CHECKING, Final, cast

from ragnb.agent.policies import policy_named
from ragnb.agent.run import Run
from ragnb.panels.choice import Choice
from ragnb.panels.reader import shown_evidence
from ragnb.panels.turning import turn

if TYPE_CHECKING:
    from ragnb.agent.loop import Loop
    from ragnb.records import Scope

__all__ = ["LOOKS", "look"]

LOOKS: Final = frozenset(
    (
        "by", "compare", "dismiss", "evidence", "look", "plain", "question", "scope", "search",
        "turn",
    )
)  # fmt: skip
"""What changes the choice of a panel, and nothing in its loop."""


def look(loop: "Loop", choice: Choice, action: str, key: str, value: str) -> None:
    """Change what is looked at.

    Args:
        loop: What is looked at.
        choice: Is changed.
        action: One of `LOOKS`.
        key: The id of what was clicked.
        value: What was chosen.
    """
    match action:
        case "question":
            choice.question = "" if choice.question == key else key
            choice.evidence = choice.search = choice.chunk = ""
        case "evidence":
            choice.evidence, choice.chunk = key, ""
        case "scope":
            choice.scope, choice.chunk = cast("Scope", value), ""
        case "turn":
            if item := shown_evidence(loop.state, choice):
                turn(loop, choice, item, value)
        case "by":
            choice.by = "step" if value == "step" else "time"
        case "search":
            choice.search = value
        case "compare":
            choice.branch = value
            choice.said = f"loop.diff(loop.branches[{value!r}])"
        case "plain":
            choice.plain = _plain(loop)
            choice.said = 'agent.with_policy("one_shot").ask(loop.state.goal)'
        case _:
            pass  # a trouble that was dismissed, or the answer that is looked at


def _plain(loop: "Loop") -> Run:
    """Run plain RAG on the loop's goal in a trace of its own."""
    from ragnb.agent.loop import Loop
    from ragnb.agent.state import start
    from ragnb.agent.trace import Trace

    state = loop.state
    begun = start(state.goal, budget=state.budget, filters=state.filters)
    return Loop(Trace(begun), policy_named("one_shot"), loop.performer).run()
