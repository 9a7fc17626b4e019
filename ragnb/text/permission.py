"""Tell a "may" that gives leave from one that guesses."""

import re
from typing import Final

__all__ = ["asks_leave", "gives_leave"]

_PERSON: Final = (
    r"(?:members?|guests?|staff|employees?|agents?|customers?|users?|visitors?|volunteers?|people"
    r"|persons?|students?|pupils?|children|child|adults?|parents?|juniors?|beginners?|trainees?"
    r"|apprentices?|residents?|tenants?|patients?|participants?|applicants?|candidates?|contractors?"
    r"|suppliers?|hauliers?|drivers?|operators?|engineers?|developers?|managers?|leads?|leaders?"
    r"|officers?|owners?|authors?|editors?|reviewers?|approvers?|maintainers?|administrators?"
    r"|admins?|teachers?|trainers?|coaches|coach|coxes|cox|rowers?|captains?|crews?|teams?"
    r"|colleagues?|workers?|buyers?|sellers?|readers?|contributors?|committers?|clerks?"
    r"|nurses?|doctors?)"
)
_UNWILLED: Final = (
    r"(?:be|become|believe|disagree|encounter|expect|experience|face|fail|fall|feel|find|forget"
    r"|get|have|hear|hit|know|like|lose|miss|need|notice|prefer|realise|realize|recognise|recognize"
    r"|see|seem|suffer|think|want|wish|wonder)"
)
"""What nobody is given leave for, as it isn't done on purpose."""
_BEFORE: Final = re.compile(
    rf"\b(?:(?:an?|each|every|any|all|other|new|most|some|our|your)\s+(?:[\w-]+\s+){{0,2}})?{_PERSON}\s+"
    r"(?:(?:of|from|with|without|under|over)\s+(?:[\w-]+\s+){1,3})?$"
    r"|\b(?:nobody|no one|everybody|everyone|anybody|anyone|whoever)\s+$|(?<![,;])\s\bwho\s+$",
    re.IGNORECASE,
)
_DEFINITE: Final = re.compile(
    rf"(?:\b(?:the|this|that|his|her|their|its)|['’]s)\s+(?:[\w-]+\s+){{0,2}}{_PERSON}\s+$",
    re.IGNORECASE,
)
_ALWAYS: Final = re.compile(
    r"\b(?:[Nn]o|(?<![Tt]he )[Oo]nly)\s+"
    r"(?:(?!(?:it|they|he|she|we|this|that|which|there|doubt)\b)[\w-]+\s+){1,4}$"
)
_BOUND: Final = re.compile(
    r"\s+(?:only\b|(?:\w+\s+){1,2}(?:up to|at most|no more than|not more than)\s)"
)
_UNWILLING: Final = re.compile(
    rf"\s+(?:well\b|(?:not\s+)?(?:also\s+|then\s+|\w+ly\s+)?{_UNWILLED}\b)"
)
_ASKS: Final = re.compile(
    r"\b(?:may|allowed|permitted|entitled|authori[sz]ed|who (?:can|could))\b"
    rf"|\b(?:can|could) (?:i|we|you|one|(?:(?:an?|each|every|any|the) )?(?:\w+ )?{_PERSON})\b",
    re.IGNORECASE,
)


def gives_leave(text: str, start: int, end: int) -> bool:
    """Tell whether the "may" at ``text[start:end]`` gives leave, sets a bound or forbids.

    It does so if persons in general may do something on purpose; of one person it may be a guess
    (the board may raise the fee), and so it may be of things (the pump may be at fault).

    >>> rule, guess = "She decides which boats a member may use.", "A member may have lost it."
    >>> [gives_leave(each, each.find("may"), each.find("may") + 3) for each in (rule, guess)]
    [True, False]
    """
    if text[start:end].lower() != "may":  # "might" never gives leave
        return False
    before, after = text[max(0, start - 80) : start], text[end : end + 60]
    if _ALWAYS.search(before) or _BOUND.match(after):
        return True
    if _UNWILLING.match(after) or _DEFINITE.search(before):
        return False
    return bool(_BEFORE.search(f" {before}"))


def asks_leave(question: str) -> bool:
    """Tell whether a question is for what somebody may do.

    >>> asks_leave("Who can waive the fee?"), asks_leave("What can cause an alarm?")
    (True, False)
    """
    return bool(_ASKS.search(question))
