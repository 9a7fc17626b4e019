"""A plan for each kind of goal, by rule: which steps, in which order, with which arguments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ragnb.library.tabular import Table
from ragnb.records import PlanStep, SubQuestion
from ragnb.stages.hops import document_named, hop, listing, points_back, sides, thin
from ragnb.stages.toolbox.tabling import looked_up
from ragnb.text.cues import is_chinese
from ragnb.text.keywords import keywords
from ragnb.text.values import names

__all__ = ["laid_out", "search_step"]

_NOTHING: Final = "nothing that is found bears on it"
_MISSING: Final = "the document is not here, or says nothing on it"
_FAILS: Final = "the tool fails, or a person says no"
_ENTITY: Final = re.compile(
    r"^(?:\w+ )?(?:which|who|whose|whom)\b"
    r"|^what (?!is\b|are\b|was\b|were\b|does\b|do\b|did\b)|谁|哪",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    r"\b(?:list|how many|which|show)\b.*?\b(?P<what>documents?|sources?|files?|tickets?|incidents?"
    r"|policies|minutes|logs?)\b",
    re.IGNORECASE,
)
_MATTER: Final = re.compile(
    r"\b(?:with|about|saying|telling|containing|regarding|on)\s+(?P<what>(?:the|our|all|how|what|why)\b.+)$",
    re.IGNORECASE,
)
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def laid_out(
    goal: str,
    kind: str,
    questions: Sequence[SubQuestion],
    tools: Mapping[str, Mapping[str, Any]],
    tables: Sequence[Table] = (),
) -> list[PlanStep]:
    """Return the steps for a goal of a kind.

    A question that a table answers looks it up there, any other searches.

    Args:
        goal: The goal without greeting and filters.
        kind: One of `ragnb.records.GoalKind`; empty where nobody classed it.
        questions: The parts of the goal, in order.
        tools: The tools at hand beside search and read, by name.
        tables: The tables that can be looked up.
    """
    if kind == "action":
        return _acting(goal, questions, tools)
    if document := document_named(goal):
        return [_reading(goal, document)]
    steps = _side_by_side(goal, kind) or _for_each(goal, tools) or _listing(goal, kind, tools)
    if not steps:
        single = len(questions) == 1 or questions[0].required is False
        steps = _single(goal, tables) if single else _parts(questions)
    return [_in_table(step, tables) for step in steps]


def _in_table(step: PlanStep, tables: Sequence[Table]) -> PlanStep:
    """Return a step that looks a table up in the place of a search, where a table answers."""
    alone = step.tool == "search" and not step.depends_on and not step.for_each
    found = looked_up(step.question, tables) if alone and tables else None
    if found is None:
        return step
    return replace(
        step,
        tool="query_table",
        arguments=dict(found),
        reason=f"{step.reason} The table {found['table']} holds what is asked for.",
        replan_when="no row of the table answers",
    )


def _side_by_side(goal: str, kind: str) -> list[PlanStep]:
    pair = sides(goal) if kind in {"comparison", ""} else ()
    reason = "One side of the comparison; the sides don't need one another."
    return [search_step(f"s{n}", text, reason) for n, text in enumerate(pair, start=1)]


def _for_each(goal: str, tools: Mapping[str, Any]) -> list[PlanStep]:
    found = listing(goal)
    if found is None:
        return []
    first = _listed(f"Which {found.what} are there?", found.what, tools)
    each = search_step("s2", found.question, "The same is asked of each thing of the list.")
    return [first, replace(each, depends_on=("s1",), for_each="s1")]


def _listing(goal: str, kind: str, tools: Mapping[str, Any]) -> list[PlanStep]:
    match = _LIST.search(goal)
    if kind != "data" or "list_documents" not in tools or not match:
        return []
    return [replace(_listed(goal, match["what"], tools), reason="It asks for a list.")]


def search_step(name: str, question: str, reason: str) -> PlanStep:
    """Return a step that searches with the keywords of a question."""
    return PlanStep(
        id=name,
        tool="search",
        arguments={"query": keywords(question)},
        question=question,
        reason=reason,
        replan_when=_NOTHING,
    )


def _listed(question: str, what: str, tools: Mapping[str, Any]) -> PlanStep:
    """Return the step that gets a list: by the documents' names where a tool can."""
    if "list_documents" not in tools:
        step = search_step("s1", question, "The things are to be found first.")
        return replace(step, replan_when="no list comes of it")
    return PlanStep(
        id="s1",
        tool="list_documents",
        arguments={"words": keywords(what)},
        question=question,
        reason="The things are to be listed first.",
        replan_when="no document is called so",
    )


def _reading(goal: str, document: str) -> PlanStep:
    return PlanStep(
        id="s1",
        tool="read",
        arguments={"id": document, "scope": "document"},
        question=goal,
        reason="The goal names the document that it wants to hear.",
        replan_when=_MISSING,
    )


def _single(goal: str, tables: Sequence[Table]) -> list[PlanStep]:
    found = hop(goal)
    if found is None or looked_up(goal, tables):
        return [search_step("s1", goal, "The goal is one question.")]
    first = search_step("s1", found.inner, f"The {found.noun} that is meant must be known first.")
    second = search_step("s2", found.outer, f"With the {found.noun} known, the rest can be asked.")
    return [first, replace(second, depends_on=("s1",))]


def _parts(questions: Sequence[SubQuestion]) -> list[PlanStep]:
    """Lay out a goal of several parts: a part that names nothing takes it from those before."""
    steps: list[PlanStep] = []
    told = ""
    for number, question in enumerate(questions, start=1):
        text = question.text
        words = [keywords(text)]
        waits: tuple[str, ...] = ()
        reason = f"Part {number} of the goal."
        asked = questions[number - 2].text if number > 1 else ""
        back = points_back(text)
        if back and _ENTITY.search(asked.strip()):
            waits = (f"s{number - 1}",)
            words.append(f"{{s{number - 1}}}")
            reason += f" It points back to what step s{number - 1} finds."
        if number > 1 and (back or question.depends_on or thin(text)):
            known = [name.text for name in names(told) if name.text not in words[0]]
            words += list(dict.fromkeys(known))[:2]
        step = search_step(f"s{number}", text, reason)
        query = " ".join(words)
        steps.append(
            replace(step, arguments={"query": query}, depends_on=waits, question_id=question.id)
        )
        told = f"{told} {text}"
    return steps


def _acting(
    goal: str, questions: Sequence[SubQuestion], tools: Mapping[str, Mapping[str, Any]]
) -> list[PlanStep]:
    """Find what the action needs, then do it with the tool that fits, after a person's yes."""
    matter = _MATTER.search(goal.rstrip(".。!！ "))
    asked = f"What is {matter['what']}?" if matter and not is_chinese(goal) else goal
    facts = [search_step("s1", asked, "What the action needs must be known first.")]
    if len(questions) > 1:
        facts = _parts(questions)
    fits = _fitting(goal, tools)
    if not fits:
        missing = "None of the tools at hand does what is asked; the facts can still be found."
        return [replace(step, reason=f"{step.reason} {missing}") for step in facts]
    last = facts[-1].id
    return [
        *facts,
        PlanStep(
            id=f"s{len(facts) + 1}",
            tool=fits,
            arguments=_arguments(goal, tools[fits], last),
            depends_on=tuple(step.id for step in facts),
            reason=f"{fits} does what is asked for.",
            replan_when=_FAILS,
            question_id=facts[-1].question_id,
            question=facts[-1].question,
            effects=bool(tools[fits].get("effects", True)),
        ),
    ]


def _fitting(goal: str, tools: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the tool with effects whose name and description share most with the goal."""
    said = set(_stems(goal))
    best, most = "", 0.0
    for name, tool in sorted(tools.items()):
        if not tool.get("effects"):
            continue
        called = set(_stems(re.sub(r"[_-]", " ", name)))
        about = set(_stems(str(tool.get("description", ""))))
        score = 2.0 * len(said & called) + len(said & about)
        if len(said & called) and score > most:
            best, most = name, score
    return best


def _stems(text: str) -> list[str]:
    from ragnb.text.tokens import terms

    alike = {"e-mail": "mail", "email": "mail", "messag": "mail"}
    return [alike.get(term, term) for term in terms(text)]


def _arguments(goal: str, tool: Mapping[str, Any], last: str) -> dict[str, Any]:
    """Fill a tool's arguments from the goal by their names; texts get what was found."""
    schema = tool.get("parameters") or {}
    made: dict[str, Any] = {}
    people = [name.text for name in names(goal)]
    for name, about in dict(schema.get("properties") or {}).items():
        bare = str(name).lower()
        address = _MAIL.search(goal)
        if re.search(r"^to$|recipient|address|e?mail", bare):
            made[name] = address.group() if address else " ".join(people[:1])
        elif re.search(r"body|text|content|message|note|descri|comment|reason", bare):
            made[name] = f"{{{last}}}"
        elif re.search(r"subject|title|name|summary|what", bare):
            made[name] = goal[:120]
        elif "default" not in about and bare in {
            str(n).lower() for n in schema.get("required", ())
        }:
            made[name] = " ".join(people[:1]) or goal[:120]
    return {name: value for name, value in made.items() if value}
