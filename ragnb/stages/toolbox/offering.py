"""Which few of the tools are offered next: by what the goal asks for and how far the run is."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ragnb.library.tabular import Table
from ragnb.records import Conflict, Evidence, Gap, SubQuestion
from ragnb.stages.toolbox.cues import about_documents, adds_up, arithmetic, asks_for
from ragnb.stages.toolbox.spec import ToolSpec
from ragnb.stages.toolbox.tabling import fits
from ragnb.text.cues import question_kind
from ragnb.text.tokens import terms

__all__ = ["FEWEST", "MOST", "offered", "status_line"]

MOST: Final = 5
"""Tools that are offered at once."""
FEWEST: Final = 3
_LIKELY: Final = 30
_SETTLED: Final = frozenset({"single_source", "source_conflict"})
"""Gaps that another tool does not close."""
_COMMON: Final = frozenset(terms("search get look find query tool data return the use call list"))


def offered(
    goal: str,
    specs: Mapping[str, ToolSpec],
    *,
    effects: Collection[str] = (),
    tables: Sequence[Table] = (),
    found: bool = False,
    gaps: Sequence[Gap] = (),
    calls: Sequence[Mapping[str, Any]] = (),
) -> tuple[str, ...]:
    """Return the names of three to five tools, the likeliest first; fewer if there are fewer.

    A tool with effects is offered only if the goal itself asks for what it does, and no person has
    said no to it in this run.

    Args:
        goal: What the user asked.
        specs: All tools.
        effects: Names of those with effects.
        tables: The library's tables.
        found: Whether anything was found yet.
        gaps: What is missing.
        calls: The calls so far.
    """
    refused = {call["name"] for call in calls if call.get("approved") is False}
    stuck = bool(calls) and any(gap.reason not in _SETTLED for gap in gaps)
    places: dict[str, int] = {}
    for name, spec in specs.items():
        if name in effects or name in _MAIL_DRAFTS:
            if name not in refused and asks_for(goal, spec):
                places[name] = 95
        else:
            places[name] = _place(goal, spec, tables, found=found, stuck=stuck)
    best = sorted(places, key=lambda name: (-places[name], list(specs).index(name)))
    likely = [name for name in best if places[name] >= _LIKELY]
    return tuple((likely if len(likely) >= FEWEST else best[:FEWEST])[:MOST])


def status_line(
    questions: Sequence[SubQuestion],
    evidence: Sequence[Evidence],
    gaps: Sequence[Gap],
    conflicts: Sequence[Conflict],
    left: int,
) -> str:
    """Say in one line how far a run is: evidence, open gaps, conflicts, calls left."""
    known = [item for item in evidence if item.verified]
    strong = sum(item.support == "strong" for item in known)
    sources = len({item.source_id for item in known})
    number = {question.id: n for n, question in enumerate(questions, start=1)}
    missing = [
        f"Q{number[gap.question_id]} {gap.reason.replace('_', ' ')}"
        for gap in gaps
        if gap.question_id in number and gap.blocks
    ]
    return (
        f"Evidence: {len(known)} quotes ({strong} strong) from {sources} documents. "
        f"Open gaps: {', '.join(missing) or 'none'}. Open conflicts: {len(conflicts)}. "
        f"Calls left: {left}."
    )


_MAIL_DRAFTS: Final = frozenset({"draft_email"})


def _place(  # noqa: PLR0911 - one match over the tools
    goal: str, spec: ToolSpec, tables: Sequence[Table], *, found: bool, stuck: bool
) -> int:
    """Return how likely a tool without effects is to help, from 0 to 100."""
    match spec.name:
        case "search":
            return 100
        case "finish":
            return 90
        case "read":
            return 60 if found else 30
        case "query_table":
            return 70 if any(fits(goal, table) for table in tables) else 20 if tables else 0
        case "calculate":
            counts = adds_up(goal) or question_kind(goal) == "comparison"
            return 80 if arithmetic(goal) else 40 if counts and found else 15
        case "query_metadata":
            return 65 if about_documents(goal) else 18
        case "list_documents":
            return 45 if about_documents(goal) else 16
        case _:
            return _users(goal, spec, stuck=stuck)


def _users(goal: str, spec: ToolSpec, *, stuck: bool) -> int:
    """Place a user's tool: by the words it shares with the goal, higher where a search failed."""
    about = set(terms(f"{spec.name.replace('_', ' ')} {spec.description}")) - _COMMON
    return 55 if about & set(terms(goal)) else 50 if stuck else 25
