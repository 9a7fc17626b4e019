"""Words that speak of the same thing in other words or from its other end, and opposites."""

from functools import cache
from typing import Final

from ragnb.text.tokens import terms

__all__ = ["akin", "families", "opposed"]

_FAMILIES: Final = """
born birth birthplace birthday native birthdate
die died dies dead death killed perished deceased murdered assassinated executed suicide
married marry marriage wife husband spouse widow widower wed consort
son daughter child children father mother parent parents
brother sister sibling siblings
grandfather grandmother grandparent grandson granddaughter son daughter father mother parents
uncle aunt nephew niece brother sister son daughter
stepfather stepmother stepson stepdaughter father mother son daughter marriage married
founded founder founding established creator created started formed
director directed directs filmmaker
author authored wrote writes written writer novelist
composer composed music score scored soundtrack
performer performed singer sang sung vocalist
studied study educated education graduated attended alumnus
won winner wins award prize awarded
located location situated based headquarters headquartered
worked works employer employed employee staff job
owner owns owned belongs acquired bought purchased
leader led leads head headed heads manager managed manages chief charge responsible
president presided chairs chairman chaired
portrayed played plays starred stars cast actor actress role
nationality citizen citizenship country
decides decision decided approves approval approved permits permission allowed authorises authorized
ended ends over closed closes finished resolved complete completed stopped halted
cost costs price priced charge fee paid pay
kept keep retain retained retention stored
sent send post posted publish published deliver notify announce announced inform
error errors fails failure failed failing broken exception fault
fix fixed repair repaired solve restored recover
delete deleted remove removed erase dropped
change changed changes update updated modified altered
need needs needed require required requires must mandatory
configuration config configured setting settings option parameter variable flag
group groups team teams squad members
signed sign signs signature signatory
"""

_OPPOSED: Final = (
    ("ex", "im"), ("ex", "in"), ("in", "out"), ("up", "down"), ("pre", "post"), ("over", "under"),
    ("max", "min"), ("inter", "intra"), ("en", "dis"), ("in", "de"), ("as", "de"), ("at", "de"),
)  # fmt: skip
"""Beginnings of which one says the opposite of the other."""
_NEGATING: Final = ("un", "in", "im", "ir", "il", "non", "dis", "de", "anti", "mis")
_STEM: Final = 4
"""So many letters must be alike behind the beginnings."""


@cache
def families() -> dict[str, frozenset[int]]:
    """Map stems to the numbers of the families they belong to.

    >>> families()["director"] & families()["direct"] != frozenset()
    True
    """
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_FAMILIES.strip().splitlines()):
        for stem in terms(line, stop=True):
            found.setdefault(stem, set()).add(number)
    return {stem: frozenset(numbers) for stem, numbers in found.items()}


def akin(term: str, family: frozenset[int]) -> bool:
    """Tell whether a stem belongs to one of the families.

    >>> akin("mother", families()["son"]), akin("mother", families()["born"])
    (True, False)
    """
    return not family.isdisjoint(families().get(term, ()))


def opposed(one: str, other: str) -> bool:
    """Tell whether two words differ in beginnings that oppose each other, as vectors can't.

    >>> opposed("imports", "exports"), opposed("known", "unknown"), opposed("ports", "exports")
    (True, True, False)
    """
    for left, right in _OPPOSED:
        for a, b in ((left, right), (right, left)):
            if (
                one.startswith(a)
                and other.startswith(b)
                and _same_stem(one[len(a) :], other[len(b) :])
            ):
                return True
    short, long = sorted((one, other), key=len)
    return any(long.startswith(p) and _same_stem(long[len(p) :], short) for p in _NEGATING)


def _same_stem(one: str, other: str) -> bool:
    """Tell whether two rests of words are one stem, but for their endings."""
    size = max(_STEM, min(len(one), len(other)) - 1)
    return len(one) >= _STEM and len(other) >= _STEM and one[:size] == other[:size]
