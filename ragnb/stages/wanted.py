"""Which sort of answer a question wants, and the words of a span that give it."""

import re
from typing import Final

from ragnb.library.headers import columns_of
from ragnb.stages.chinese_wanted import candidates_zh, nearness_zh, values_zh
from ragnb.stages.relations import nearness_of
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = [
    "answers",
    "candidates",
    "cell",
    "first_words",
    "rivals",
    "told",
    "wants_steps",
]

_ROLE: Final = re.compile(
    r"\b(?:(?:[A-Z][\w-]+ |(?:team|finance|care|duty|project|product|account|security|on-call"
    r"|head of|chief|board|support|incident|shift|vice|deputy|area|line|people|control) ){0,3}"
    r"(?:[Mm]anagers?|[Ll]eads?|[Ll]eaders?|[Oo]wners?|[Oo]fficers?|[Cc]ommanders?|[Dd]irectors?"
    r"|[Aa]gents?|[Bb]oards?|[Cc]ommittees?|[Cc]hairs?|[Ee]ngineers?|[Ll]iaisons?|[Dd]eput(?:y|ies)"
    r"|[Ss]cribes?|[Pp]residents?|[Mm]inisters?|[Ee]xperts?|[Tt]eams?|[Cc]ircle|[Ss]ecretar(?:y|ies)"
    r"|[Rr]esponders?|[Aa]dministrators?|[Mm]aintainers?|[Rr]eviewers?|[Aa]pprovers?|[Aa]uthors?"
    r"|[Cc]ouncils?|[Dd]esk|[Dd]epartments?|[Hh]eads?))\b",
)
_PLACE: Final = re.compile(
    r"\b(?:in|at|on|from|near|to|into|under)\s+(?P<place>(?:the\s+)?[A-Z`/#][^,.;]{1,40})"
)
_DEMONYM: Final = re.compile(r"[A-Z][a-z]+(?:can|ian|ish|ese|man|nch|eek|wiss|utch|aeli)")
"""Words that say where somebody comes from, such as Norwegian; one of them is nobody's name."""
_SOMETIME: Final = re.compile(
    r"\b(?:(?:every|each|by|before|after|until|since|within|on|once|when|as soon as)\s+[^,.;]{3,60}"
    r"|(?:daily|weekly|monthly|quarterly|yearly|immediately|today|tomorrow|yesterday|now))\b",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(
    r"\b(?:what|which)\s+(?:must|should|do|does|has to|have to|needs? to|happens?|steps?|actions?"
    r"|comes next)\b"
    r"|\bwhat\s+(?:was|were|is|are|has been|have been)\s+(?:\w+ly\s+)?(?:fixed|changed|added"
    r"|removed|decided|included|done|needed|required|planned)\b"
    r"|\bwhat\s+to\s+do\b|\bsteps\b|做什么|怎么做|该做|步骤",
    re.IGNORECASE,
)
_ASKED_FOR: Final = frozenset({"how_many", "when", "who", "where"})
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
    return told(question, kind, span, headings)[0]


def told(
    question: str, kind: str, span: str, headings: tuple[str, ...] = ()
) -> tuple[str | None, float]:
    """Give what `answers` gives, and how near it stands to a word of the question's relation.

    Returns:
        The words, of several those nearest to such a word; and the nearness, 0 to 1.

    >>> told("Where did she die?", "where", "Born in Rome, she died in Oslo.")
    ('Oslo', 0.8)
    >>> told("When did Ada die?", "when", "Ada (1 May 1815 – 2 June 1852) was a countess.")
    ('2 June 1852', 0.8)
    """
    if kind not in _ASKED_FOR:
        return "", 0.0
    found = candidates(question, kind, span, headings)
    if not found:
        return None, 0.0
    chinese = is_chinese(question) and is_chinese(span)
    near = [(nearness_zh if chinese else nearness_of)(question, span, each) for each in found]
    best = max(range(len(found)), key=lambda at: (near[at], -at))
    return found[best], near[best]


def candidates(question: str, kind: str, span: str, headings: tuple[str, ...] = ()) -> list[str]:
    """List the values of the sort that a question of a kind wants, in the order of a span.

    >>> candidates("When was it built?", "when", "Built in 1902, rebuilt in 1985.")
    ['1902', '1985']
    >>> candidates("Who pays?", "who", "The EUR 40 are paid by Ada Lind.")
    ['Ada Lind']
    """
    known = set(terms(question))
    found: list[str] = []
    chinese = is_chinese(question) and is_chinese(span)
    if chinese and kind in {"when", "how_many"}:
        joined = values_zh(question, kind, span)
        found = [v.text for v in (_joined(span, joined) if kind == "how_many" else joined)]
    elif kind == "how_many":
        wanted = next((kinds for cue, kinds in _ADJECTIVES if cue.search(question)), _MEASURED)
        found = _new(_joined(span, [v for v in values(span) if v.kind in wanted]), known)
    elif kind == "when":
        found = _new([v for v in values(span) if v.kind in {"date", "duration"}], known)
        found = found or [match.group() for match in _SOMETIME.finditer(span)][:1]
    elif chinese:
        found = candidates_zh(question, kind, span)
    elif kind == "who":
        found = _who(span, headings, known)
    elif kind == "where":
        found = [m["place"].strip() for m in _PLACE.finditer(span)]
        found = [each for each in found if not set(terms(each)) <= known or not terms(each)]
        found = found or _new([v for v in names(span) if v.kind == "identifier"], known)
    return found


def rivals(question: str, kind: str, span: str, headings: tuple[str, ...] = ()) -> list[str]:
    """List the different values among which an answer has to be chosen.

    Numbers of the unit that the question names leave others out.

    >>> rivals("Who takes over?", "who", "Bo Lee takes over from Ann Ray.")
    ['Bo Lee', 'Ann Ray']
    >>> rivals("How many days?", "how_many", "A pass of 40 EUR is valid for 9 days.")
    ['9 days']
    """
    found = list(dict.fromkeys(candidates(question, kind, span, headings)))
    known = set(terms(question)) if kind == "how_many" else set()
    return [each for each in found if known & set(terms(each))] or found


def cell(question: str, header: str, row: str) -> str:
    """Give the cell of a table's row whose column a question asks for, or an empty string.

    Args:
        question: The question's text.
        header: The table's header, as it stands in the text.
        row: One of its lines.

    >>> cell("What does Assured cost?", "plan,cost", "Assured,1340")
    '1340'
    >>> cell("Which credit for Basic?", "| Plan | Credit |", "| Basic | 40 % |")
    '40 %'
    """
    known = set(terms(question))
    best, found = 0, ""
    for name, value in columns_of(header, row):
        fits = len(set(terms(name.replace("_", " "))) & known)
        if fits > best and value and not set(terms(value)) <= known:
            best, found = fits, value
    return found


def first_words(text: str, count: int = 12) -> str:
    """Give the first words of a text, with an ellipsis if there are more.

    >>> first_words("one two three", 2), first_words("一二三四", 2)
    ('one two …', '一二三四')
    """
    bare = re.sub(r"^(?:[\s>*_#|-]|\d{1,3}[.)]\s)+(?=\S)|[*_`]{2,}", "", text) or text
    words = bare.split()
    if len(words) == 1 and len(bare) > 4 * count:
        return bare[: 3 * count] + "…"
    return " ".join(words) if len(words) <= count else " ".join(words[:count]) + " …"


def _who(span: str, headings: tuple[str, ...], known: set[str]) -> list[str]:
    people = [v for v in names(span) if v.kind == "name" and not v.text[0].islower()]
    people = [v for v in people if span[v.start - 1 : v.start] not in {'"', "="}]
    people = [v for v in people if not _DEMONYM.fullmatch(v.text)]
    sums = [v for v in values(span) if v.kind == "money"]  # EUR is nobody
    people = [v for v in people if all(v.end <= m.start or m.end <= v.start for m in sums)]
    roles = [m.group() for m in _ROLE.finditer(span)]
    found = _new(people, known) or [role for role in roles if not set(terms(role)) <= known]
    if found or not re.search(r"\byou(?:r|rself)?\b", span, re.IGNORECASE):
        return found
    for heading in reversed(headings):
        role = next((m.group() for m in _ROLE.finditer(heading)), None)
        if role and not set(terms(role)) <= known:
            return [role]
    return []


def _new(found: list[Value], known: set[str]) -> list[str]:
    return [value.text for value in found if not set(terms(value.text)) <= known]


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
