"""Turn what a person wants changed into an Edit, with clear errors before anything is done."""

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from ragnb.agent.actions import Edit
from ragnb.agent.policies import ROUTES
from ragnb.agent.state import State
from ragnb.errors import InputError
from ragnb.records import Budget, Conflict, Evidence, Filters, Gap, Query, SubQuestion

__all__ = ["edit_of", "in_words", "plain_filters"]

_EDITABLE = tuple(item.name for item in fields(Edit) if item.name not in {"kind", "reason"})


def plain_filters(filters: Filters | None) -> Filters | None:
    """Return filters as plain JSON data, dates as ISO text.

    Raises:
        InputError: They hold something that JSON can't.
    """
    if filters is None:
        return None
    try:
        text = json.dumps(filters, default=lambda value: value.isoformat(), allow_nan=False)
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"The filters {filters!r} are not plain JSON data ({error}); expected a Haystack "
            'filter such as {"field": "meta.status", "operator": "==", "value": "current"}.'
        ) from error
    plain: Filters = json.loads(text)
    if plain:
        _check(plain)
    return plain


def _check(part: Any) -> None:
    """Raise an InputError where a filter is not as Haystack's are."""
    joined = {"AND", "OR", "NOT"}
    operators = {"==", "!=", ">", ">=", "<", "<=", "in", "not in"}
    example = '{"field": "meta.status", "operator": "==", "value": "current"}'
    if isinstance(part, dict) and part.get("operator") in joined:
        inner = part.get("conditions")
        if isinstance(inner, list) and inner:
            for each in inner:
                _check(each)
            return
    elif isinstance(part, dict) and {"field", "operator", "value"} <= set(part):
        if part["operator"] in operators:
            return
        raise InputError(
            f"A filter has the operator {part['operator']!r}; there are {sorted(operators)}."
        )
    raise InputError(
        f"The filter {part!r} is not one of Haystack's; write {example}, or join such with "
        '{"operator": "AND", "conditions": [...]}.'
    )


def edit_of(state: State, **wanted: Any) -> Edit:
    """Return the Edit that makes a person's changes.

    Args:
        state: What is changed.
        wanted: ``goal`` a text · ``filters`` a Haystack filter, or {} for none · ``questions``
            texts or SubQuestions · ``pending`` texts or Queries to be sent · ``budget`` ·
            ``recalled`` texts · ``drop_evidence`` ids or Evidence · ``exclude_sources`` ids ·
            ``route`` the name of a policy ·
            ``waive`` Gaps or their keys · ``resolve`` pairs (Conflict, or its key; the winner).

    Raises:
        InputError: A field is unknown or derived, or names what isn't there.
    """
    known = {item.name for item in fields(State)}
    for name in wanted:
        if name not in _EDITABLE:
            what = "is derived from the steps" if name in known else "is no field of the state"
            raise InputError(f"{name!r} {what}; a person may change {', '.join(_EDITABLE)}.")
    if not wanted:
        raise InputError(f"Nothing is to be changed; name one of {', '.join(_EDITABLE)}.")
    made = {name: _MAKERS[name](state, value) for name, value in wanted.items()}
    return Edit(**made)


def in_words(value: object, what: str, wanted: str = "a question or request in words") -> str:
    """Return a text without the space around it.

    Raises:
        InputError: It is no text, or an empty one.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{what} is {value!r}; expected {wanted}.")
    return value.strip()


def _route(value: Any) -> str:
    if value not in ROUTES:
        raise InputError(f"route is {value!r}; expected one of {list(ROUTES)}.")
    return str(value)


def _goal(_: State, value: Any) -> str:
    return in_words(value, "goal")


def _budget(_: State, value: Any) -> Budget:
    if not isinstance(value, Budget):
        raise InputError(f"budget is {value!r}; expected a ragnb.Budget.")
    return value


def _questions(_: State, value: Any) -> tuple[SubQuestion, ...]:
    items = tuple(SubQuestion.of(item) if isinstance(item, str) else item for item in _many(value))
    if not items or not all(isinstance(item, SubQuestion) for item in items):
        raise InputError(f"questions is {value!r}; expected texts or SubQuestions, at least one.")
    return items


def _pending(state: State, value: Any) -> tuple[Query, ...]:
    first = state.questions[0].id
    items = tuple(
        Query.of(item, first, filters=state.filters) if isinstance(item, str) else item
        for item in _many(value)
    )
    for item in items:
        if not isinstance(item, Query) or state.question(item.question_id) is None:
            raise InputError(f"{item!r} is no query on a question of the state.")
    return items


def _evidence(state: State, value: Any) -> tuple[str, ...]:
    ids = tuple(item.id if isinstance(item, Evidence) else item for item in _many(value))
    return _among(ids, {item.id for item in state.evidence}, "evidence")


def _sources(state: State, value: Any) -> tuple[str, ...]:
    seen = {hit.source_id for search in state.searches for hit in search.hits}
    return _among(_many(value), seen | set(state.visited), "source")


def _waive(state: State, value: Any) -> tuple[tuple[str, str], ...]:
    given = [value] if isinstance(value, Gap) else value
    keys = tuple(item.key if isinstance(item, Gap) else tuple(item) for item in given)
    return _among(keys, {gap.key for gap in state.open_gaps}, "open gap")


def _resolve(state: State, value: Any) -> tuple[tuple[str, str, str, str], ...]:
    found = []
    for conflict, winner in value:
        key = conflict.key if isinstance(conflict, Conflict) else tuple(conflict)
        _among((key,), {item.key for item in state.conflicts}, "conflict")
        chosen = winner.id if isinstance(winner, Evidence) else winner
        _among((chosen,), set(key[1:]), "side of the conflict")
        found.append((*key, chosen))
    return tuple(found)


def _among(items: Iterable[Any], known: set[Any], what: str) -> tuple[Any, ...]:
    items = tuple(items)
    for item in items:
        if item not in known:
            raise InputError(f"There is no {what} {item!r}; there are {sorted(known)}.")
    return items


def _many(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Evidence | SubQuestion | Query) else tuple(value)


_MAKERS: dict[str, Any] = {
    "goal": _goal,
    "filters": lambda _, value: plain_filters(value),
    "questions": _questions,
    "pending": _pending,
    "budget": _budget,
    "recalled": lambda _, value: tuple(str(item) for item in _many(value)),
    "drop_evidence": _evidence,
    "exclude_sources": _sources,
    "waive": _waive,
    "resolve": _resolve,
    "route": lambda _, value: _route(value),
}
