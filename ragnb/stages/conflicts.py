"""Find evidence that disagrees, and settle what a plain rule can settle."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, Literal, TypeAlias

from ragnb.records import Conflict, Evidence, SubQuestion
from ragnb.stages.crossing import Crossed, crossing, side
from ragnb.stages.given import KINDS, noun_of
from ragnb.stages.plain import plain
from ragnb.stages.slots import nearly_one
from ragnb.stages.together import together
from ragnb.text.cues import NOT_IN_FORCE, negated, status
from ragnb.text.dates import same_date
from ragnb.text.tokens import terms
from ragnb.text.values import names, values

__all__ = ["conflicts", "disagreement", "losers", "settle"]

Kind: TypeAlias = Literal["number", "date", "name", "negation", "status"]

_ALIKE: Final = 0.6
"""Share of the shorter text's words outside values from which two speak of the same thing."""
_COMMON: Final = 3
_MORE: Final = 2
_TRUST: Final = 0.05
"""A smaller difference of trust settles nothing."""


def conflicts(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    settled: Iterable[Conflict] = (),
    *,
    checked: bool = False,
) -> list[Conflict]:
    """List the conflicts between pieces of evidence on one question.

    Args:
        question: The question.
        evidence: All evidence; weak, unverified and foreign pieces are left out.
        settled: Conflicts that a person settled; they stay as they are.
        checked: Whether a search was made to settle them; what stays open is then unresolved.
    """
    all_mine = [item for item in evidence if item.question_id == question.id and item.verified]
    mine = [item for item in all_mine if item.support != "weak"]
    kept = {item.key: item for item in settled if item.question_id == question.id}
    found = dict(kept)
    for a, b in combinations(sorted(mine, key=lambda item: item.id), 2):
        if a.source_id == b.source_id or {(a.id, b.id), (b.id, a.id)} & {
            (item.first, item.second) for item in kept.values()
        }:
            continue
        kind = None if _asked_of_one(question, a, b) else disagreement(question, a, b)
        if kind is not None:
            conflict = Conflict(question_id=question.id, first=a.id, second=b.id, kind=kind)
            found[conflict.key] = settle(conflict, a, b, checked=checked)
    belonging = {item.id for item in mine}
    belonging |= {each.item.id for each in together(question, all_mine).picked}
    source = {item.id: item.source_id for item in all_mine}
    told = {frozenset(source[each] for each in key[1:] if each in source) for key in found}
    for a, b, kind in _crossed(question, all_mine, belonging, told):
        conflict = Conflict(question_id=question.id, first=a.id, second=b.id, kind=kind)
        found[conflict.key] = settle(conflict, a, b, checked=checked)
    return [_by_majority(item, all_mine) for item in found.values()]


def _crossed(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    belonging: Iterable[str],
    told: Container[frozenset[str]],
) -> Iterator[Crossed]:
    """Give the pieces in which two sources disagree that are not yet told to."""
    if not plain(question):
        return
    by_source: dict[str, list[Evidence]] = {}
    for item in evidence:
        by_source.setdefault(item.source_id, []).append(item)
    sides = {source: side(question, by_source[source], belonging) for source in sorted(by_source)}
    for one, other in combinations(sides, 2):
        if frozenset((one, other)) in told or _asked_of_one(
            question, by_source[one][0], by_source[other][0]
        ):
            continue
        if crossed := crossing(question, sides[one], sides[other]):
            a, b = sorted(crossed[:2], key=lambda item: item.id)
            yield a, b, crossed[2]


def _by_majority(conflict: Conflict, mine: Sequence[Evidence]) -> Conflict:
    """Settle what is left by the value that two more sources give than the other one."""
    if conflict.status == "resolved":
        return conflict
    known = {item.id: item for item in mine}
    sides = [known.get(each) for each in (conflict.first, conflict.second)]
    a, b = sides
    if a is None or b is None or not a.says or not b.says:
        return conflict
    sources = [
        {
            each
            for item in mine
            if side.says in item.quote
            for each in (item.source_id, *item.also_in)
        }
        for side in (a, b)
    ]
    ahead = len(sources[0]) - len(sources[1])
    if abs(ahead) < _MORE or a.says in b.quote or b.says in a.quote:
        return conflict
    return _won(conflict, a if ahead > 0 else b, "majority of sources")


def disagreement(question: SubQuestion, a: Evidence, b: Evidence) -> Kind | None:
    """Tell in which way two quotes disagree, if they speak of the same thing."""
    if not plain(question) or not _same_thing(a.quote, b.quote, question):
        return None
    known = {value.norm for value in (*values(question.text), *names(question.text))}
    called = {value.norm for item in (a, b) for value in values(item.title)}
    left, right = _by_kind(a.quote, known | called), _by_kind(b.quote, known | called)
    by_crossing = question.kind in KINDS or noun_of(question)
    skip = by_crossing and not nearly_one(a.quote, b.quote)
    for kind in sorted(() if skip else left.keys() & right.keys()):
        if kind == "date":
            if not any(same_date(x, y) for x in left[kind] for y in right[kind]):
                return "date"
        elif not left[kind] & right[kind]:
            return "number"
    if negated(a.quote) != negated(b.quote):
        return "negation"
    says = status(a.quote), status(b.quote)
    return "status" if all(says) and says[0] != says[1] else None


def _asked_of_one(question: SubQuestion, a: Evidence, b: Evidence) -> bool:
    """Tell whether the question names a date or code that the title of one side alone bears.

    "How long, in CP-2?" is not asked of CP-3.
    """
    asked_for = values(question.text)
    for kind, same in (("date", same_date), ("identifier", str.__eq__)):
        wanted = [value.norm for value in asked_for if value.kind == kind]
        sides = [[v.norm for v in values(each.title) if v.kind == kind] for each in (a, b)]
        fits = [any(same(x, y) for x in wanted for y in side) for side in sides]
        if wanted and all(sides) and fits[0] != fits[1]:
            return True
    return False


def settle(conflict: Conflict, a: Evidence, b: Evidence, *, checked: bool = False) -> Conflict:
    """Settle a conflict: status goes before date, and date before trust unless they disagree."""
    behind = [item.status in NOT_IN_FORCE for item in (a, b)]
    if behind[0] != behind[1]:
        return _won(conflict, b if behind[0] else a, "superseded status")
    newer = _newer(a, b)
    trusted = None
    if abs(a.trust - b.trust) >= _TRUST:
        trusted = a if a.trust > b.trust else b
    if newer is not None and trusted in {None, newer}:
        return _won(conflict, newer, "newer document")
    if newer is None and trusted is not None:
        return _won(conflict, trusted, "more trusted source")
    return replace(conflict, status="unresolved") if checked else conflict


def losers(found: Iterable[Conflict]) -> frozenset[str]:
    """Return the ids of evidence that lost a settled conflict."""
    return frozenset(
        loser
        for item in found
        if item.status == "resolved" and item.winner
        for loser in (item.first, item.second)
        if loser != item.winner
    )


def _won(conflict: Conflict, winner: Evidence, rule: str) -> Conflict:
    return replace(conflict, status="resolved", rule=rule, winner=winner.id)


def _newer(a: Evidence, b: Evidence) -> Evidence | None:
    if not a.updated or not b.updated or a.updated[:10] == b.updated[:10]:
        return None
    return a if a.updated > b.updated else b


def _same_thing(a: str, b: str, question: SubQuestion) -> bool:
    """Tell whether two quotes share most of their words outside values and names."""
    left, right = _outside(a, question), _outside(b, question)
    common = len(left & right)
    shorter = min(len(left), len(right))
    return shorter > 0 and common >= min(_COMMON, shorter) and common / shorter >= _ALIKE


def _outside(text: str, question: SubQuestion) -> set[str]:
    """Return the terms outside values; where names are asked for, outside names too."""
    found = [value for value in values(text) if value.kind != "identifier"]
    if question.kind in {"who", "where"}:
        found += names(text)
    return set(terms("".join(_left(text, [(value.start, value.end) for value in found]))))


def _left(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for start, end in sorted(spans):
        if start >= at:
            yield text[at:start] + " "
            at = end
    yield text[at:]


def _by_kind(text: str, known: set[str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value in values(text):
        if value.kind != "identifier" and value.norm not in known:
            found.setdefault(value.kind, set()).add(value.norm)
    return found
