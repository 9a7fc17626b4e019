"""What the words of a goal ask a tool for: an e-mail, a sum, a list of documents."""

import re
from collections.abc import Mapping
from typing import Final

from ragnb.stages.toolbox.spec import ToolSpec
from ragnb.text.tokens import STOP, fold, terms

__all__ = [
    "about_documents",
    "address",
    "adds_up",
    "arithmetic",
    "asks_for",
    "newest",
    "with_quarters",
]

_CLAUSE: Final = (
    r"(?:^|[.;:,!?]\s*|\b(?:and|then|please|also)\s+|\b(?:can|could|would|will) you\s+)"
    r"(?:please\s+)?"
)
_MAILS: Final = re.compile(
    rf"{_CLAUSE}(?:e-?mail\b|mail\b|(?:send|forward)\b[^.;?!]{{0,120}}(?:e-?mail|\bmail\b|@))"
    r"|(?:^|请|给|把|向|并|然后|[，。；])[^。？！谁何哪]{0,40}(?:发|发送|寄|转发)[^。？！]{0,12}(?:邮件|电邮)",
    re.IGNORECASE,
)
_DRAFTS: Final = re.compile(
    rf"{_CLAUSE}(?:write|draft|compose|prepare)\b[^.;?!]{{0,60}}(?:e-?mail|\bmail\b)"
    r"|(?:写|草拟|起草)[^。？！]{0,12}(?:邮件|电邮)",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_ALIKE: Final[Mapping[str, str]] = {
    "create": "create open file raise make add",
    "delete": "delete remove erase drop",
    "update": "update change set edit",
    "notify": "notify tell inform alert",
    "send": "send forward",
    "post": "post publish share",
    "book": "book reserve schedule",
}
"""Verbs in the names of tools, and what people say for them."""
_ADDS: Final = (
    ("mean", r"\b(?:average|mean)\b|平均"),
    ("median", r"\bmedian\b|中位数"),
    (
        "max",
        r"\b(?:highest|largest|biggest|maximum|dearest|longest|the most)\b|最[高大多贵长]",
    ),
    ("min", r"\b(?:lowest|smallest|fewest|minimum|cheapest|shortest)\b|最(?:低|小|少|便宜|短)"),
    ("sum", r"\b(?:total|sum|altogether|together|in all|overall)\b|一共|总共|合计|总和|总数"),
)
_DOCUMENTS: Final = re.compile(
    r"\b(?:which|what|how many|list|show|name|are there|is there)\b[^.?!]{0,60}"
    r"\b(?:documents?|files?|sources?|records?|minutes|policies|tickets|decisions|reports|versions)\b"
    r"|(?:哪些|哪几|多少|列出)[^。？！]{0,20}(?:文件|文档|资料|记录|制度|工单)",
    re.IGNORECASE,
)
_NEWEST: Final = re.compile(
    r"\b(?:newest|latest|most recent|last updated)\b|最新|最近更新", re.IGNORECASE
)
_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?\s?%?"
_SIGN: Final = (
    r"(?:\s+[-+/*x×÷−^]\s+|\s*[*×÷+^]\s*|\s+(?:plus|minus|times|divided by)\s+|(?<=%) of )"
)
_SUM: Final = re.compile(rf"\(?\s*{_NUMBER}(?:{_SIGN}[()]*\s*{_NUMBER}\s*[()]*)+", re.IGNORECASE)
_SPOKEN: Final = {
    "plus": "+",
    "minus": "-",
    "times": "*",
    "divided by": "/",
    " of ": " * ",
    " x ": "*",
}

_QUARTERS: Final = re.compile(
    r"\b(?P<en>first|second|third|fourth|1st|2nd|3rd|4th) quarter\b|第?(?P<zh>[一二三四1-4])季度",
    re.IGNORECASE,
)


def asks_for(goal: str, spec: ToolSpec) -> bool:
    """Tell whether a goal asks in words for what a tool does.

    Of a tool for e-mails the goal must ask to send (or to write) one; of any other each word of
    the tool's name must stand in the goal, or another word for it. A question about e-mails or
    tickets asks for none.

    >>> mail = ToolSpec(name="send_email", description="Sends an e-mail.", parameters={},
    ...                 returns="", example={}, gives="")
    >>> asks_for("E-mail the limit to ops@example.org", mail)
    True
    >>> asks_for("Who sent the e-mail about the limit?", mail)
    False
    """
    name = [part for part in re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", spec.name) if part]
    if any("mail" in fold(part) for part in name):
        drafts = any(fold(part) in {"draft", "write", "compose"} for part in name)
        return bool(_MAILS.search(goal) or (drafts and _DRAFTS.search(goal)))
    asked = set(terms(goal, stop=True))
    return bool(name) and all(
        asked
        & {term for word in _ALIKE.get(fold(part), fold(part)).split() for term in terms(word)}
        for part in name
        if fold(part) not in STOP
    )


def address(goal: str) -> str:
    """Return the e-mail addresses in a goal, parted by commas."""
    return ", ".join(dict.fromkeys(_ADDRESS.findall(goal)))


def adds_up(goal: str) -> str:
    """Return how a goal asks for numbers to be put together: sum, mean, min, max; else empty.

    >>> adds_up("What is the average charge?"), adds_up("What is the charge?")
    ('mean', '')
    """
    return next((how for how, words in _ADDS if re.search(words, goal, re.IGNORECASE)), "")


def about_documents(goal: str) -> bool:
    """Tell whether a goal asks which documents there are, rather than what they say."""
    return bool(_DOCUMENTS.search(goal))


def newest(goal: str) -> bool:
    """Tell whether the newest of something is asked for."""
    return bool(_NEWEST.search(goal))


def arithmetic(goal: str) -> str:
    """Return an arithmetic expression that stands in a goal, else the empty string.

    >>> arithmetic("What is 15 % of 2,185 EUR?"), arithmetic("What did ADR-012 say on 2025-06-10?")
    ('15 % * 2,185', '')
    """
    found = _SUM.search(goal)
    if found is None:
        return ""
    text = found.group().strip()
    for spoken, sign in _SPOKEN.items():
        text = re.sub(re.escape(spoken), sign, text, flags=re.IGNORECASE)
    text += ")" * (text.count("(") - text.count(")"))
    return " ".join(text.split()) if text.count("(") == text.count(")") else ""


def with_quarters(text: str) -> str:
    """Write quarters as tables do.

    >>> with_quarters("prices of the second quarter"), with_quarters("第二季度的运费")
    ('prices of the Q2', ' Q2 的运费')
    """
    return _QUARTERS.sub(_quarter, text)


def _quarter(found: re.Match[str]) -> str:
    """Write a quarter as tables do: Q2."""
    said = (found["en"] or found["zh"]).lower()
    pad = " " if found["zh"] else ""
    ordinals = ("first 1st 一 1", "second 2nd 二 2", "third 3rd 三 3", "fourth 4th 四 4")
    return next(f"{pad}Q{n}{pad}" for n, words in enumerate(ordinals, 1) if said in words.split())
