"""Plain words for what records hold in short: reasons, supports, dates, counts, costs."""

import re
from datetime import date
from typing import Final

from ragnb.agent.bills import Bill
from ragnb.agent.state import State
from ragnb.records import Gap, GapReason, Usage
from ragnb.steady import is_stable
from ragnb.text.cues import NOT_IN_FORCE
from ragnb.views.markup import line

__all__ = [
    "ACTIONS",
    "CONFLICTS",
    "GAPS",
    "NEXT_FOR",
    "billed",
    "cost",
    "count",
    "day",
    "evidence_name",
    "missing",
    "model_cost",
    "question_name",
    "seconds",
    "short",
    "standing",
    "trust",
    "unmarked",
]

ACTIONS: Final = {
    "route": "Class the goal",
    "plan": "Plan",
    "recall": "Recall",
    "choose": "Choose tools",
    "retrieve": "Search",
    "rerank": "Rerank",
    "read": "Read",
    "extract": "Extract",
    "assess": "Assess",
    "use_tool": "Use a tool",
    "synthesize": "Answer",
    "reply": "Reply",
    "approve": "Ask a person",
    "edit": "Edit",
    "stop": "Stop",
}
"""What an action is called."""
CONFLICTS: Final = {
    "number": "two numbers",
    "date": "two dates",
    "name": "two names",
    "negation": "yes and no",
    "status": "two statuses",
}
"""What stands against each other in a conflict of a kind."""
GAPS: Final[dict[GapReason, str]] = {
    "search_failed": "the search itself failed",
    "no_results": "nothing came back",
    "not_supported": "things came back, none bears on it",
    "evidence_too_weak": "what was found is too weak",
    "single_source": "only one source says so",
    "source_conflict": "sources disagree",
    "need_more_context": "more context is needed",
}
NEXT_FOR: Final = {
    "retrieve_more": "search more",
    "read_more": "read more",
    "use_other_tool": "use another tool",
    "ask_person": "ask a person",
    "stop_with_uncertainty": "say it with care",
}
# fmt: off
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)
# fmt: on
_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_MARKS: Final = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_SURE: Final = 0.66
_UNSURE: Final = 0.34


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> count(1, "quote"), count(12_000, "quote"), count(2, "query", "queries")
    ('1 quote', '12,000 quotes', '2 queries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def day(text: str, *, zh: bool = False) -> str:
    """Return an ISO date as people write it, in English or Chinese; anything else as it is.

    >>> day("2025-11-03"), day("2025-13-03"), day("spring"), day("2025-11-03", zh=True)
    ('3 Nov 2025', '2025-13-03', 'spring', '2025年11月3日')
    """
    found = _DAY.fullmatch(text)
    if not found:
        return line(text, 40)
    year, month, number = (int(part) for part in found.groups())
    try:
        date(year, month, number)
    except ValueError:
        return text
    if zh:
        return f"{year}年{month}月{number}日"
    return f"{number} {_MONTHS[month - 1]} {year}"


def trust(value: float) -> str:
    """Return a trust from 0 to 1 as a word."""
    return "high" if value >= _SURE else "medium" if value >= _UNSURE else "low"


def standing(status: str) -> str:
    """Return a status that tells that a document is not in force; empty for any other.

    >>> standing("superseded"), standing("current")
    ('superseded', '')
    """
    return status if status in NOT_IN_FORCE else ""


def seconds(value: float) -> str:
    """Return seconds with their unit; empty where outputs are to be stable."""
    if is_stable():
        return ""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:,.1f} s"


def cost(usage: Usage) -> str:
    """Return what a step or a run cost, without what is zero."""
    return ", ".join(part for part in (seconds(usage.seconds), model_cost(usage)) if part)


def model_cost(usage: Usage) -> str:
    """Return what chat models cost; empty where none was asked.

    >>> model_cost(Usage(model_calls=1, tokens_in=1200, tokens_out=80, unpriced=1))
    '1 model call, 1,200 tokens in, 80 out, price unknown'
    >>> model_cost(Usage(model_calls=2, tokens_in=1, tokens_out=9, money=0.25))
    '2 model calls, 1 token in, 9 out, 0.25 of money'
    """
    known = bool(usage.tokens) and usage.model_calls > usage.unpriced
    unknown = f"{count(usage.unpriced, 'call')} of unknown price"
    parts = [
        count(usage.model_calls, "model call") if usage.model_calls else "",
        f"{count(usage.tokens_in, 'token')} in, {usage.tokens_out:,} out" if usage.tokens else "",
        f"{usage.money:.4g} of money" if usage.money or known else "",
        (unknown if usage.money or known else "price unknown") if usage.unpriced else "",
    ]
    return ", ".join(part for part in parts if part)


def billed(bill: Bill | None) -> str:
    """Return what the step cost that found a quote; empty where no model was asked.

    >>> billed(Bill(step=4, usage=Usage(model_calls=1, tokens_in=90, tokens_out=9), quotes=2))
    'found in step 4 with one other: 1 model call, 90 tokens in, 9 out, 0 of money'
    """
    told = model_cost(bill.usage) if bill is not None else ""
    if bill is None or not told:
        return ""
    others = f" with {count(bill.quotes - 1, 'other')}" if bill.quotes > 2 else " with one other"
    return f"found in step {bill.step}{others if bill.quotes > 1 else ''}: {told}"


def short(text: str, limit: int = 160) -> str:
    """Return a text in one line; a cut shows as … and, where much is cut, as how much."""
    whole = " ".join(text.split())
    if limit < len(whole) <= 2 * limit:
        whole = whole[: limit - 1].rstrip() + "…"
    return line(whole, limit)


def unmarked(text: str) -> str:
    """Return a text without Markdown's marks of bold and code, for reading only.

    >>> unmarked("**Limit:** 500 `EUR`, 2 * 3")
    'Limit: 500 EUR, 2 * 3'
    """
    return _MARKS.sub(r"\2", text)


def missing(state: State, gap: Gap) -> str:
    """Return what a gap says is missing; what was not searched for yet brought nothing back."""
    if gap.reason == "no_results" and not any(
        search.query.question_id == gap.question_id and search.status != "pending"
        for search in state.searches
    ):
        return "not searched for yet"
    return GAPS[gap.reason]


def question_name(state: State, question_id: str) -> str:
    """Return Q1, Q2 and so on; a question that is gone has no number."""
    for number, question in enumerate(state.questions, start=1):
        if question.id == question_id:
            return f"Q{number}"
    return "an earlier question"


def evidence_name(state: State, evidence_id: str) -> str:
    """Return E1, E2 and so on, in the order of finding."""
    for number, item in enumerate(state.evidence, start=1):
        if item.id == evidence_id:
            return f"E{number}"
    return "a removed quote"
