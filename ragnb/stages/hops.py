"""Read off a goal's form how it is to be gone about: sides, hops, lists; English and Chinese."""

import re
from dataclasses import dataclass
from typing import Final

from ragnb.text.cues import is_chinese
from ragnb.text.tokens import STOP, fold, terms, tokens
from ragnb.text.values import names, values

__all__ = [
    "Hop",
    "Listing",
    "document_named",
    "hop",
    "listing",
    "points_back",
    "sides",
    "thin",
    "without_document",
]

_I: Final = re.IGNORECASE
_DIFFER: Final = (
    re.compile(
        r"\bhow\s+(?:do|does|did|is|are|were)\s+(?P<a>.+?)\s+(?:and|from)\s+(?P<b>.+?)\s+"
        r"(?:differ|compare|different)\b(?P<rest>[^?]*)",
        _I,
    ),
    re.compile(
        r"\bhow\s+(?:do|does|did|is|are)\s+(?P<a>.+?)\s+(?:differ|different)\s+from\s+(?P<b>[^?]+)",
        _I,
    ),
    re.compile(
        r"\b(?:differences?|comparison|distinction)\s+between\s+(?P<a>.+?)\s+and\s+(?P<b>[^?.]+)",
        _I,
    ),
    re.compile(
        r"^(?:please\s+)?compare\s+(?P<a>.+?)\s+(?:and|with|to|against)\s+(?P<b>[^?.]+)", _I
    ),
    re.compile(r"^(?P<a>[^,?]{2,60}?)\s+(?:vs\.?|versus)\s+(?P<b>[^?.]+)", _I),
)
_ASPECT: Final = re.compile(
    r"^(?P<b>.*?)\s*(?:\b(?:in terms of|with regard to|regarding|concerning|as to|when it comes to"
    r"|in|on|by)\s+)(?P<aspect>.+)$",
    _I,
)
_CHINESE_SIDES: Final = re.compile(
    "^(?:请)?(?:比较|对比)?(?P<a>[^，,？?和与跟]{1,30})(?:和|与|跟)(?P<b>[^，,？?]{1,30}?)"
    "(?:的(?P<aspect>[^，,？?的]{1,20}?))?(?:之间)?(?:的|在)?(?:有什么|有何|有哪些)?(?:区别|不同|差异|差别)"
)
_SHARED: Final = re.compile(r"^(?P<head>[A-Za-z]+?)s?\s+(?P<a>[\w.-]+)$")
_TAIL: Final = re.compile(r"^(?P<b>[\w.-]+)\s+(?P<tail>(?:of|for|in|from)\s.+)$")
_RELATIVE: Final = re.compile(
    r"\bthe\s+(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*)??)\s+"
    r"(?P<link>(?:because\s+of|in|on|at|by|for|from|to|of|with|after|during)\s+(?:which|whom)"
    r"|which|that|who|whom|whose|where)\s+(?P<clause>[^,?;]+)",
    _I,
)
_BACK: Final = re.compile(r"\b(?:that|this|these|those|such|it|its|they|their)\b", _I)
"""What points back to the rest of the goal, so that a clause can't be asked by itself."""
_NESTED: Final = re.compile(
    r"\bthe\s+(?P<outer>[\w-]+(?:\s[\w-]+)?)\s+of\s+(?P<inner>the\s+[\w-]+(?:\s[\w-]+)?\s+of\s+[^,?]+)",
    _I,
)
_EACH: Final = re.compile(
    r"\b(?:for|of|in)\s+(?:each|every|all)(?:\s+of)?(?:\s+the|\s+our|\s+these)?\s+"
    r"(?P<what>[A-Za-z][\w-]*(?:\s(?!who|what|when|which|how|is|are|was|were|did|do|does)[\w-]+){0,3}?)"
    r"(?=\s*[,:?]|\s+(?:who|what|when|which|how|is|are|was|were|did|do|does)\b|\s*$)",
    _I,
)
_CHINESE_EACH: Final = re.compile(
    "(?:每一?[个份条次项张位]|各个?|所有的?)(?P<what>[\u4e00-\u9fff]{1,8}?)(?=[的，,？?都中里]|$)"
)
_SAYS: Final = (
    re.compile(r"\b(?:according\s+to|as\s+stated\s+in|as\s+set\s+out\s+in)\s+(?P<doc>[^,?;]+)", _I),
    re.compile(
        r"\bwhat\s+(?:does|do|did)\s+(?P<doc>[^,?;]+?)\s+(?:say|state|tell|require|specify)\b", _I
    ),
    re.compile("(?:根据|按照?|依据)(?P<doc>[^，,？?：:]{2,30}?)(?:的规定|规定|，|,|：)"),
)

_DOCUMENT: Final = re.compile(
    r"^(?:[\w-]+ ){0,5}(?:handbook|policy|minutes|manual|guide|report|contract|agreement|log"
    r"|release notes|faq|terms|readme|specification|runbook)\b"
    "|(?:手册|政策|纪要|指南|报告|合同|协议|日志|条款|规程|制度|说明)$",
    _I,
)
_LONG_TITLE: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """A goal that asks about a thing which another question must find first."""

    inner: str
    """The question for the thing."""
    outer: str
    """The goal with ``{s1}`` in the place of the thing."""
    noun: str
    """What sort of thing it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A goal that asks the same of each thing of a sort."""

    what: str
    """The sort of things."""
    question: str
    """What is asked of each; ``{item}`` stands for it."""


def sides(goal: str) -> tuple[str, ...]:
    """Return a question for each side of a comparison; empty where nothing is compared.

    >>> sides("How do CP-2 and CP-3 differ in the credit for a breach?")
    ('What is the credit for a breach in CP-2?', 'What is the credit for a breach in CP-3?')
    >>> sides("茶和咖啡的价格有什么不同？")
    ('茶的价格？', '咖啡的价格？')
    """
    bare = " ".join(goal.split())
    if is_chinese(bare):
        found = _CHINESE_SIDES.search(bare)
        if not found:
            return ()
        about = found["aspect"]
        pair = [found["a"].strip(), found["b"].strip()]
        return tuple(f"{side}的{about}？" if about else f"{side}是什么？" for side in pair)
    for pattern in _DIFFER:
        match = pattern.search(bare)
        if match:
            a, b = match["a"].strip(), match["b"].strip(" ?.")
            rest = (match.groupdict().get("rest") or "").strip()
            aspect = re.sub(
                r"^(?:in terms of|with regard to|regarding|in|on|by)\s+", "", rest, flags=_I
            )
            if not aspect and (told := _ASPECT.match(b)) and told["b"].strip():
                b, aspect = told["b"].strip(), told["aspect"].strip()
            return tuple(_side(side, aspect) for side in _shared(a, b))
    return ()


def _shared(a: str, b: str) -> tuple[str, str]:
    """Give both sides the words that they share: “versions 1 and 2 of the interface”."""
    head, tail = _SHARED.match(a), _TAIL.match(b)
    if head and tail:
        word, rest = head["head"], tail["tail"]
        return f"{word} {head['a']} {rest}", f"{word} {tail['b']} {rest}"
    if head and re.fullmatch(r"[\d.]+\w?", b):
        return f"{head['head']} {head['a']}", f"{head['head']} {b}"
    return a, b


def _side(side: str, aspect: str) -> str:
    if not aspect:
        return f"What is {side}?"
    if re.match(r"(?:how|what|when|where|why|who|which)\b", aspect, _I):
        return f"{aspect[0].upper()}{aspect[1:]}, in {side}?"
    return f"What is {aspect} in {side}?"


def hop(goal: str) -> Hop | None:
    """Return the hop that a relative clause or a nested "of" hides, or None.

    >>> found = hop("How late was the alarm in the incident because of which the board met twice?")
    >>> found.inner, found.outer
    ('Because of which incident the board met twice?', 'How late was the alarm in {s1}?')
    """
    bare = " ".join(goal.split()).rstrip("?. ")
    mark = "?" if goal.rstrip().endswith("?") else ""
    for match in _RELATIVE.finditer(bare):
        outer = f"{bare[: match.start()]}{{s1}}{bare[match.end() :]}{mark}"
        clause, noun = match["clause"].strip(), match["noun"].strip()
        many = noun.endswith("s") and not noun.endswith("ss")
        if many or _BACK.search(clause) or _telling(outer) < 2 or _telling(clause) < 2:
            continue
        link = " ".join(match["link"].split()).lower()
        before = link.removesuffix("which").removesuffix("whom").strip()
        lead = f"{before} which" if link.endswith(("which", "whom")) and before else "which"
        lead = "whose" if link == "whose" else lead
        return Hop(inner=f"{lead[0].upper()}{lead[1:]} {noun} {clause}?", outer=outer, noun=noun)
    if nested := _NESTED.search(bare):
        inner = nested["inner"].strip()
        outer = f"{bare[: nested.start('inner')]}{{s1}}{bare[nested.end('inner') :]}{mark}"
        if _telling(outer) >= 2:
            noun = inner.split(" of ")[0].removeprefix("the ").strip()
            return Hop(inner=f"Who or what is {inner}?", outer=outer, noun=noun)
    return None


def _telling(text: str) -> int:
    return len(set(terms(text.replace("{s1}", " "))))


def listing(goal: str) -> Listing | None:
    """Return what is asked of each thing of a sort, or None.

    >>> listing("For each incident, who was the commander?")
    Listing(what='incident', question='Who was the commander in {item}?')
    """
    bare = " ".join(goal.split())
    chinese = is_chinese(bare)
    match = (_CHINESE_EACH if chinese else _EACH).search(bare)
    if not match:
        return None
    what = match["what"].strip()
    if chinese:
        question = f"{bare[: match.start()]}{{item}}{bare[match.end() :]}"
        return Listing(what=what, question=question) if _telling(question) else None
    before, after = bare[: match.start()].strip(" ,:"), bare[match.end() :].strip(" ,:?.")
    asked = after if len(after) > len(before) else before
    if asked is before and after:
        asked = f"{before} {after}"
    link = match.group().split()[0].lower()
    if not terms(asked):
        return None
    question = f"{asked[0].upper()}{asked[1:]} {'in' if link == 'for' else link} {{item}}?"
    return Listing(what=what, question=question)


def document_named(goal: str) -> str:
    """Return the document that a goal says its answer stands in; empty for none.

    >>> document_named("According to ADR-999, how long are readings kept?")
    'ADR-999'
    """
    for pattern in _SAYS:
        match = pattern.search(goal)
        if match:
            words = match["doc"].strip(" “”\"'")
            told = next((v.text for v in values(words) if v.kind == "identifier"), "")
            quoted = re.search(r"[《“\"「『](?P<title>[^》”\"」』]+)", match["doc"])
            return told or (quoted["title"] if quoted else _titled(words))
    return ""


def without_document(goal: str) -> str:
    """Return a goal without the document that it names.

    >>> without_document("According to ADR-999, how long are readings kept?")
    'How long are readings kept?'
    """
    for pattern in _SAYS:
        if match := pattern.search(goal):
            rest = f"{goal[: match.start()]} {goal[match.end() :]}".strip(" ,，")
            rest = " ".join(rest.split())
            return rest[0].upper() + rest[1:] if _telling(rest) else goal
    return goal


def _titled(words: str) -> str:
    """Return what is called a document, without its article; empty for anything else."""
    bare = re.sub(r"^(?:the|our|your|this|that)\s+", "", words, flags=_I)
    return bare if _DOCUMENT.search(bare) and len(bare.split()) <= _LONG_TITLE else ""


def points_back(part: str) -> bool:
    """Tell whether a part of a goal points back to another: it, such a, that amount, 其.

    >>> points_back("For how long is such a certificate valid?"), points_back("Who signs?")
    (True, False)
    """
    return bool(_BACK.search(part)) or "(" in part or "（" in part


def thin(part: str) -> bool:
    """Tell whether a part of a goal names nothing by itself, so that it needs what came before.

    >>> thin("Which rule on fuel had not been kept?"), thin("When did Waypost 4.2 ship?")
    (True, False)
    """
    own = [name for name in names(part) if fold(name.text) not in STOP]
    return not own and len(tokens(part)) < 24
