"""The next query, or the next thing to read, made from an open gap or conflict."""

from collections.abc import Iterator

from ragnb.agent.actions import Action, Read, Retrieve
from ragnb.agent.policies.base import has_failed
from ragnb.agent.state import State
from ragnb.agent.stopping import refusal
from ragnb.records import Conflict, Gap, Query, Scope, SubQuestion
from ragnb.text import STOP, is_chinese, names, tokens
from ragnb.text.chinese import asks_about

__all__ = ["follow_up"]

LEARNED = 3
"""Names from the evidence that are put into one query at most."""


def follow_up(state: State) -> Action | None:
    """Return what to do about the first gap or conflict that something can be done about."""
    for gap in state.open_gaps:
        question = state.question(gap.question_id)
        if question is not None:
            for action in _moves(state, gap, question):
                if _is_new(state, action):
                    return action
    for conflict in state.open_conflicts:
        check = _check(state, conflict)
        if check is not None and _is_new(state, check):
            return check
    return None


def _is_new(state: State, action: Action) -> bool:
    if has_failed(state, action):
        return False
    match action:
        case Retrieve():
            return state.search(action.query.id) is None and refusal(state, action) is None
        case Read():
            return not any(
                context.scope in {action.scope, "document"} and action.id == context.chunk_id
                for context in state.contexts
            )
        case _:
            return True


def _moves(state: State, gap: Gap, question: SubQuestion) -> Iterator[Action]:
    words = _keywords(question.text)
    learned = _learned(state, question)
    match gap.reason:
        case "search_failed":
            yield _ask(state, question, words, "The search failed; its words alone.", ("bm25",))
            yield _ask(state, question, words, "The search failed; by meaning.", ("vector",))
        case "no_results":
            yield _ask(state, question, words, "Nothing came back; broader words.")
            yield _ask(state, question, words, "Nothing came back; by meaning.", ("vector",))
        case "not_supported":
            yield from _hops(state, question, learned)
            yield _ask(state, question, words, "Nothing bears on it; by its keywords.")
            yield _ask(state, question, words, "Nothing bears on it; by meaning.", ("vector",))
        case "evidence_too_weak":
            yield from _wider(state, question, "section")
            yield from _hops(state, question, learned)
            yield _ask(state, question, words, "The evidence is weak; a second source.")
        case "need_more_context":
            yield from _wider(state, question, "section")
            yield from _wider(state, question, "document")
            yield from _hops(state, question, learned)
            yield _ask(state, question, words, "What was read points on; a second source.")
        case "single_source":
            says = " ".join(item.says for item in state.evidence_for(question.id)[:1])
            why = "One source says so; one look for a second."
            if not _looked_twice(state, question):
                yield _ask(state, question, f"{words} {says}".strip(), why)
        case "source_conflict":
            return


def _looked_twice(state: State, question: SubQuestion) -> bool:
    asked = [item for item in state.searches if item.query.question_id == question.id]
    return len(asked) > 1


def _wider(state: State, question: SubQuestion, scope: Scope) -> Iterator[Action]:
    evidence = sorted(state.evidence_for(question.id), key=lambda item: (-item.score, item.id))
    whole = {context.source_id for context in state.contexts if context.whole}
    for item in evidence[:1]:
        if item.source_id in whole:
            continue
        reason = f"The {scope} around the best quote may tell more."
        yield Read(id=item.chunk_id, scope=scope, reason=reason)


def _hops(state: State, question: SubQuestion, learned: tuple[str, ...]) -> Iterator[Action]:
    words = _keywords(question.text)
    for name in learned:
        query = Query.of(
            f"{words} {name}",
            question.id,
            intent="reference_hop",
            filters=state.filters,
        )
        yield Retrieve(query=query, reason=f"The evidence names {name}.")


def _ask(
    state: State, question: SubQuestion, text: str, reason: str, channels: tuple[str, ...] = ()
) -> Retrieve:
    query = Query.of(
        text,
        question.id,
        intent="targeted_followup",
        channels=channels,
        filters=state.filters,
    )
    return Retrieve(query=query, reason=reason)


def _check(state: State, conflict: Conflict) -> Retrieve | None:
    """Build a query that may decide between the two statements."""
    question = state.question(conflict.question_id)
    if question is None:
        return None
    sides = [item for item in state.evidence if item.id in {conflict.first, conflict.second}]
    says = " ".join(dict.fromkeys(item.says for item in sides))
    query = Query.of(
        f"{_keywords(question.text)} {says}".strip(),
        question.id,
        intent="conflict_check",
        filters=state.filters,
    )
    return Retrieve(query=query, reason="Two sources disagree; a third may decide.")


def _keywords(text: str) -> str:
    if is_chinese(text):
        return asks_about(text)
    words = [token.text for token in tokens(text) if token.text.lower() not in STOP]
    return " ".join(words) or text


def _learned(state: State, question: SubQuestion) -> tuple[str, ...]:
    """Names in the evidence that the question and the goal don't hold."""
    asked = f"{question.text} {state.goal}".lower()
    found = {
        value.text: None
        for item in state.evidence
        for value in names(item.quote)
        if value.text.lower() not in asked
    }
    return tuple(found)[:LEARNED]
