"""Split a goal into parts that can be answered one by one, by rule; English and Chinese."""

import re
from dataclasses import dataclass
from typing import Final

from ragnb.text.asking import ASK, AUXILIARY, TELL, led_in
from ragnb.text.chinese import telling_terms
from ragnb.text.cues import is_chinese
from ragnb.text.sentences import sentences
from ragnb.text.tokens import terms

__all__ = ["Part", "is_small_talk", "split", "topic"]

_JOINT: Final = re.compile(
    rf"\s*[,;]?\s+(?:and|but|or)\s+(?:also\s+|then\s+)?(?=(?:(?:at|in|on|to|by|for|from|with)\s+)?"
    rf"(?:{ASK})\b)|\s*[,;]\s+(?:then\s+)?(?=(?:{ASK})\b)",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(r"\s*,\s+(?:who|whom|whose|which|where)\b", re.IGNORECASE)
"""A relative clause after a comma, if no list of questions ends in "and"."""
_AUX_JOINT: Final = re.compile(rf"\s*,?\s+and\s+(?=(?:{AUXILIARY})\s+\w)", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[;；])\s+")
_IMPERATIVE: Final = re.compile(
    rf"(?:please\s+)?(?:{TELL})\b|请|列出|说明|解释|比较", re.IGNORECASE
)
_LEAD: Final = re.compile(
    rf"^(?:please\s+|(?:can|could|would)\s+you\s+(?:please\s+)?)?(?:tell\s+me\s+|show\s+me\s+|give\s+me\s+)?"
    rf"(?:(?:at|in|on|to|by|for|from|with)\s+)?(?:(?:{ASK})\b\s*)?(?:(?:many|much)\s+)?"
    rf"(?:(?:{AUXILIARY})\b\s*)?(?:(?:i|we|you|one)\s+)?",
    re.IGNORECASE,
)
_POINTS_BACK: Final = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|him|his|her|there|then|afterwards)\b"
    r"|\b(?:after|before|of|about|for|to|with|from|by|since|is|was|does|did|do|would|why|how)\s+"
    r"(?:that|this|these|those)\b(?=\s*(?:[?.,!;]|$|happen|mean|take|cost|work|apply))"
    r"|它|他们|她们|他|她|其(?!他|它|中)|之后|此后|随后|之前|此前|那么|这(?=[？?，,]|$)",
    re.IGNORECASE,
)
_CHINESE_ASK: Final = re.compile(
    "谁|什么|哪|何时|何地|何处|为何|怎么|怎样|如何|多少|几[个天年月次名位]|是否|吗"
)
_CHINESE_JOINT: Final = re.compile(
    r"[，,；;、]\s*(?:以及|并且|而且|另外|还有|然后|又|并|和)?|以及|并且|还有"
)
_CHINESE_DROP: Final = re.compile(
    "(?:是?由)?谁(?:来)?|什么时候|什么|哪[些个里儿年种位]?|何时|何地|何处|为何|为什么|怎么样?|怎样|如何|多少"
    "|是否|请问|[吗呢？?。！!，,]"
)
_BETWEEN: Final = (
    re.compile(
        r"\b(?:differences?|comparison|distinction)\s+between\s+(?P<a>.+?)\s+and\s+(?P<b>[^?.]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:please\s+)?compare\s+(?P<a>.+?)\s+(?:and|with|to|against)\s+(?P<b>[^?.]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bhow\s+(?:do|does|did|is|are)\s+(?P<a>.+?)\s+(?:differ|different)\s+from\s+(?P<b>[^?.]+)",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<a>[^,?]{2,60}?)\s+(?:vs\.?|versus)\s+(?P<b>[^?.]+)", re.IGNORECASE),
    re.compile(
        "(?P<a>[^，,？?]{1,30}?)(?:和|与|跟)(?P<b>[^，,？?]{1,30}?)(?:之间)?(?:的)?(?:有什么|有何|的)?(?:区别|不同)"
    ),
)
_WHICH_OR: Final = re.compile(
    r"^(?P<stem>(?:which|who|what)\b[^,:]*?)[,:]\s*(?P<a>[^,]+?),?\s+or\s+(?P<b>[^?]+)",
    re.IGNORECASE,
)
_ASPECT: Final = re.compile(
    r"\s+(?:in terms of|with regard to|regarding|as to|on|by)\s+(?P<aspect>.+)$", re.IGNORECASE
)
_SERIES: Final = re.compile(
    r"^(?P<lead>(?:please\s+)?(?:what(?:'s|\s+is|\s+are|\s+was|\s+were)|list|name|give\s+me|tell\s+me"
    r"|show\s+me|find))\s+(?:the\s+)?(?P<items>(?:[\w-]+(?:\s[\w-]+)?,\s+(?:the\s+)?)*[\w-]+(?:\s[\w-]+)?,?"
    r"\s+and\s+(?:the\s+)?[\w-]+(?:\s[\w-]+)?)\s+(?P<rest>(?:of|for|in)\s+.+)$",
    re.IGNORECASE,
)
_CHAIN: Final = re.compile(
    r"\bthe\s+(?P<outer>[\w-]+(?:\s[\w-]+)?)\s+of\s+(?P<inner>the\s+[\w-]+(?:\s[\w-]+)?\s+(?:of|that|who|which)"
    r"\s+[^,?]+)",
    re.IGNORECASE,
)
_LONGEST_LEAD: Final = 240
"""So many characters said before several questions are said again before each."""
_THIN: Final = 4
"""A Chinese part whose telling terms have so few characters hangs on the part before it."""
_TALK: Final = re.compile(
    r"(?:(?:hi|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day|night)"
    r"|thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|cheers|bye|goodbye|see you|ok(?:ay)?"
    r"|great|cool|nice|welcome"
    r"|how are you(?: (?:doing|today))*|how's it going|what's up"
    r"|who are you|what are you|what can you do"
    r"|what do you do|help(?: me)?|there|everyone|all|again|your help|for|and|you|test|please"
    r"|你好吗?|您好|嗨|早上好|下午好|晚上好"
    r"|谢谢您?你?|多谢|再见|拜拜|你是谁|你能做什么|你会什么|好的|在吗)"
    r"[\s,.!?，。！？~、:)(-]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a goal: its words, what it points back to, and whether an answer needs it."""

    text: str
    about: str = ""
    """Words of an earlier part that a pronoun here stands for."""
    required: bool = True
    after: int | None = None
    """Index of the part that must be known before."""


def is_small_talk(text: str) -> bool:
    """Tell whether text only greets, thanks or asks what the agent is.

    >>> is_small_talk("Hello there!"), is_small_talk("Hello, who signs?"), is_small_talk("谢谢！")
    (True, False, True)
    """
    return not text.strip() or bool(_TALK.fullmatch(text.strip()))


def topic(text: str) -> str:
    """Give the words that a later "it" would stand for.

    >>> topic("Who decides that an incident is over?"), topic("When does Waypost 4.2 ship?")
    ('an incident is over', 'Waypost 4.2 ship')
    """
    bare = text.strip().rstrip("?？.。!！ ")
    if is_chinese(bare):
        return _CHINESE_DROP.sub("", bare).rstrip("是为的")
    rest = _LEAD.sub("", bare, count=1)
    thing = re.search(r"(?:^|\s)((?:an?|the|our|my|your)\s+\w.*)", rest, re.IGNORECASE)
    return (thing.group(1) if thing and terms(thing.group(1)) else rest).strip()


def split(goal: str) -> list[Part]:
    """Split a goal into parts, in the order in which they are asked.

    >>> [(p.text, p.about) for p in split("Who signs the lease, and what happens after it?")]
    [('Who signs the lease?', ''), ('What happens after it?', 'the lease')]
    >>> [part.text for part in split("What are the cost and owner of Waypost?")]
    ['What is the cost of Waypost?', 'What is the owner of Waypost?']
    """
    parts: list[Part] = []
    for sentence in _asking(goal):
        for text in _clauses(sentence):
            parts += _expanded(text, len(parts))
    return _linked(parts) or [Part(text=goal)]


def _asking(goal: str) -> list[str]:
    """Keep the sentences that ask, where two or more do; else all, as one."""
    whole = [goal[start:end] for start, end in sentences(goal)]
    pieces = [piece for sentence in whole for piece in _SENTENCE.split(sentence)]
    found = [piece.strip() for piece in pieces if piece.strip(" .;；。")]
    asking = [
        piece
        for piece in found
        if piece.endswith(("?", "？")) or _IMPERATIVE.match(piece) or _CHINESE_ASK.search(piece)
    ]
    return asking if len(asking) > 1 else [goal.strip()]


def _clauses(text: str) -> list[str]:
    if is_chinese(text):
        pieces = [piece for piece in _CHINESE_JOINT.split(text) if piece.strip("？?。 ")]
        if len(pieces) > 1 and all(_CHINESE_ASK.search(piece) for piece in pieces):
            return [piece.strip("？?。 ") + "？" for piece in pieces]
        return [text]
    bare = text.rstrip("?. ")
    mark = "?" if text.rstrip().endswith("?") else ""
    lead, asked = led_in(f"{bare}{mark}")
    pieces = _joined(asked.rstrip("? "))
    if len(pieces) < 2:
        return [text]
    if lead and len(lead) <= _LONGEST_LEAD:
        return [_led(lead, piece) + mark for piece in pieces]
    pieces[0] = f"{lead} {pieces[0]}".strip()
    if not terms(pieces[0]) and len(pieces[0].split()) == 1:  # "When and where was Ada born?"
        rest = pieces[1].split(maxsplit=1)
        pieces[0] = f"{pieces[0]} {rest[1]}" if len(rest) > 1 else pieces[0]
    return [piece[0].upper() + piece[1:] + mark for piece in pieces]


def _led(lead: str, asked: str) -> str:
    """Write a question behind what is said before it."""
    first = asked[0].upper() if lead.endswith((".", "!")) else asked[0].lower()
    return f"{lead} {first}{asked[1:]}"


def _joined(bare: str) -> list[str]:
    """Return the questions that are joined in one sentence."""
    breaks = list(_JOINT.finditer(bare))
    if re.match(rf"(?:{AUXILIARY})\b", bare, re.IGNORECASE):  # "is it known who did it and why"
        breaks = [each for each in breaks if each.group().lstrip()[:1] in ",;"]
        breaks = sorted([*breaks, *_AUX_JOINT.finditer(bare)], key=lambda each: each.start())
    if not any(re.search(r"[A-Za-z]", each.group()) for each in breaks):
        breaks = [each for each in breaks if not _RELATIVE.match(bare, each.start())]
    ends = [each.start() for each in breaks] + [len(bare)]
    starts = [0] + [each.end() for each in breaks]
    pieces = [bare[start:end].strip(" ,;") for start, end in zip(starts, ends, strict=True)]
    return [piece for piece in pieces if piece]


def _expanded(text: str, index: int) -> list[Part]:
    """Part comparisons, series and chains into one part each thing."""
    if sides := _sides(text):
        return [Part(text=each) for each in sides]
    bare = text.rstrip("?. ")
    if series := _SERIES.match(bare):
        items = re.split(r",?\s+and\s+(?:the\s+)?|,\s+(?:the\s+)?", series["items"])
        lead = re.sub(r"\b(?:are|were)$", _singular, series["lead"], flags=re.IGNORECASE)
        mark = "?" if text.rstrip().endswith("?") else ""
        return [Part(text=f"{lead} the {item} {series['rest']}{mark}") for item in items if item]
    if chain := _CHAIN.search(bare):
        first = f"Who or what is {chain['inner'].strip()}?"
        return [Part(text=first, required=False), Part(text=text, after=index)]
    return [Part(text=text)]


def _singular(match: re.Match[str]) -> str:
    return "is" if match.group().lower() == "are" else "was"


def _sides(text: str) -> list[str]:
    if pair := _WHICH_OR.match(text):
        stem = pair["stem"].strip()
        return [f"{stem}: {side.strip(' ?')}?" for side in (pair["a"], pair["b"])]
    for pattern in _BETWEEN:
        if not (pair := pattern.search(text)):
            continue
        a, b = pair["a"].strip(), pair["b"].strip(" ?")
        if is_chinese(text):
            b, of, what = b.partition("的")
            if of and what:
                return [f"{side}的{what}是什么？" for side in (a, b)]
            return [f"什么是{a}？", f"什么是{b}？"]
        aspect = _ASPECT.search(b)
        if aspect:
            b = b[: aspect.start()]
            return [f"What is the {aspect['aspect'].strip()} of {side}?" for side in (a, b)]
        return [f"What is {side}?" for side in (a, b)]
    return []


def _linked(parts: list[Part]) -> list[Part]:
    """Say for each later part with a pronoun, or with hardly a word, what it is about."""
    linked: list[Part] = []
    for part in parts:
        about = ""
        if is_chinese(part.text):
            thin = len("".join(set(telling_terms(part.text)))) <= _THIN
        else:
            thin = not terms(part.text)
        if linked and (thin or _POINTS_BACK.search(part.text)):
            earlier = next((p for p in reversed(linked) if topic(p.text)), linked[-1])
            about = (
                topic(earlier.text) if not earlier.about or terms(earlier.text) else earlier.about
            )
        linked.append(Part(text=part.text, about=about, required=part.required, after=part.after))
    return linked
