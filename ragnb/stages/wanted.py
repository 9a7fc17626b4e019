"""Which sort of answer a question wants, and the words of a span that give it."""

import csv
import re
from typing import Final

from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["answers", "cell", "first_words", "wants_steps"]

_ROLE: Final = re.compile(
    r"\b(?:(?:[A-Z][\w-]+ |(?:team|finance|care|duty|project|product|account|security|on-call"
    r"|head of|chief|board|support|incident|shift|vice|deputy|area|line|people|control) ){0,3}"
    r"(?:[Mm]anagers?|[Ll]eads?|[Ll]eaders?|[Oo]wners?|[Oo]fficers?|[Cc]ommanders?|[Dd]irectors?"
    r"|[Aa]gents?|[Bb]oards?|[Cc]ommittees?|[Cc]hairs?|[Ee]ngineers?|[Ll]iaisons?|[Dd]eput(?:y|ies)"
    r"|[Ss]cribes?|[Pp]residents?|[Mm]inisters?|[Ee]xperts?|[Tt]eams?|[Cc]ircle|[Ss]ecretar(?:y|ies)"
    r"|[Rr]esponders?|[Aa]dministrators?|[Mm]aintainers?|[Rr]eviewers?|[Aa]pprovers?|[Aa]uthors?"
    r"|[Cc]ouncils?|[Dd]esk|[Dd]epartments?|[Hh]eads?))\b",
)
_ROLE_CHINESE: Final = re.compile(
    "[\u4e00-\u9fff]{0,6}(?:经理|主管|负责人|委员会|董事会|部门|团队|小组|总监|主任|人员|指挥官?"
    "|部|局|组长|会长|院长|校长)"
)
_PLACE: Final = re.compile(
    r"\b(?:in|at|on|from|near|to|into|under)\s+(?P<place>(?:the\s+)?[A-Z`/#][^,.;]{1,40})"
)
_PLACE_CHINESE: Final = re.compile("(?:在|位于|于)(?P<place>[\u4e00-\u9fff]{2,12})")
_SOMETIME: Final = re.compile(
    r"\b(?:(?:every|each|by|before|after|until|since|within|on|once|when|as soon as)\s+[^,.;]{3,60}"
    r"|(?:daily|weekly|monthly|quarterly|yearly|immediately|today|tomorrow|yesterday|now))\b",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(
    r"\b(?:what|which)\s+(?:must|should|do|does|has to|have to|needs? to|happens?|steps?|actions?"
    r"|comes next)\b"
    r"|\bwhat\s+to\s+do\b|\bsteps\b|做什么|怎么做|该做|步骤",
    re.IGNORECASE,
)
_MEASURED: Final = frozenset({"money", "percent", "duration", "quantity", "number"})
_ADJECTIVES: Final = (
    (
        re.compile(r"\bhow (?:long|late|soon|old|often)\b|多久|多长时间", re.IGNORECASE),
        {"duration", "quantity"},
    ),
    (
        re.compile(
            r"\b(?:amount|price|cost|fee|salary|charge|budget|how much)\b|多少钱|金额",
            re.IGNORECASE,
        ),
        {"money", "percent", "number", "quantity"},
    ),
    (re.compile(r"\b(?:percentage|share|what percent)\b|百分之几", re.IGNORECASE), {"percent"}),
)


def wants_steps(question: str, kind: str) -> bool:
    """Tell whether several items of a list may be one answer."""
    return kind in {"list", "procedure"} or bool(_STEPS.search(question))


def answers(question: str, kind: str, span: str, headings: tuple[str, ...] = ()) -> str | None:
    """Give the words of a span that answer a question of a kind.

    Args:
        question: The question's text.
        kind: Its kind, as `ragnb.text.cues.question_kind` names it.
        span: The words of the span.
        headings: Headings above it; they may name the one whom the span calls "you".

    Returns:
        The words; None where the kind wants a value and the span has none; empty where the kind
        wants no value.

    >>> answers("How long are readings kept?", "how_many", "They are kept for 18 months.")
    '18 months'
    >>> answers("Who signs?", "who", "It is signed."), answers("Why?", "why", "Because.")
    (None, '')
    """
    known = set(terms(question))
    if kind == "how_many":
        wanted = next((kinds for cue, kinds in _ADJECTIVES if cue.search(question)), _MEASURED)
        return _first(_joined(span, [v for v in values(span) if v.kind in wanted]), known)
    if kind == "when":
        dated = [v for v in values(span) if v.kind in {"date", "duration"}]
        if found := _first(dated, known):
            return found
        some = _SOMETIME.search(span)
        return some.group() if some else None
    if kind == "who":
        return _who(span, headings, known)
    if kind == "where":
        place = _PLACE.search(span) or _PLACE_CHINESE.search(span)
        return place["place"].strip() if place else _first(list(names(span)), known)
    return ""


def cell(question: str, header: str, row: str) -> str:
    """Give the cell of a table's row whose column a question asks for, or an empty string.

    Args:
        question: The question's text.
        header: The table's first line, as it stands in the text.
        row: One of its lines.

    >>> cell("What does Assured cost?", "plan,cost", "Assured,1340")
    '1340'
    >>> cell("Which credit for Basic?", "| Plan | Credit |", "| Basic | 40 % |")
    '40 %'
    """
    known = set(terms(question))
    best, found = 0, ""
    for name, value in zip(_cells(header), _cells(row), strict=False):
        fits = len(set(terms(name.replace("_", " "))) & known)
        if fits > best and value and not set(terms(value)) <= known:
            best, found = fits, value
    return found


def _cells(line: str) -> list[str]:
    if "|" in line:
        return [part.strip() for part in line.strip().strip("|").split("|")]
    return [
        part.strip() for part in next(csv.reader([line], delimiter="\t" if "\t" in line else ","))
    ]


def first_words(text: str, count: int = 12) -> str:
    """Give the first words of a text, with an ellipsis if there are more.

    >>> first_words("one two three", 2), first_words("一二三四", 2)
    ('one two …', '一二三四')
    """
    bare = re.sub(r"^[\s>*_#|\d.)-]+(?=\S)|[*_`]{2,}", "", text) or text
    words = bare.split()
    if len(words) == 1 and len(bare) > 4 * count:
        return bare[: 3 * count] + "…"
    return " ".join(words) if len(words) <= count else " ".join(words[:count]) + " …"


def _who(span: str, headings: tuple[str, ...], known: set[str]) -> str | None:
    people = [v for v in names(span) if v.kind == "name" and not v.text[0].islower()]
    people = [v for v in people if span[v.start - 1 : v.start] not in {'"', "="}]
    roles = [m.group() for m in (*_ROLE.finditer(span), *_ROLE_CHINESE.finditer(span))]
    named = _first(people, known)
    if named:
        return named
    told = next((role for role in roles if not set(terms(role)) <= known), None)
    if told or not re.search(r"\byou(?:r|rself)?\b", span, re.IGNORECASE):
        return told
    for heading in reversed(headings):
        role = next((m.group() for m in _ROLE.finditer(heading)), None)
        if role and not set(terms(role)) <= known:
            return role
    return None


def _first(found: list[Value], known: set[str]) -> str | None:
    return next((v.text for v in found if not set(terms(v.text)) <= known), None)


def _joined(text: str, found: list[Value]) -> list[Value]:
    """Join durations that are one: "6 hours and 40 minutes"."""
    joined: list[Value] = []
    for value in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == value.kind == "duration"
            and text[last.end : value.start] in {" ", " and ", ", "}
        ):
            whole = text[last.start : value.end]
            joined[-1] = Value(
                kind="duration",
                text=whole,
                start=last.start,
                end=value.end,
                norm=f"{last.norm} {value.norm}",
            )
        else:
            joined.append(value)
    return joined
