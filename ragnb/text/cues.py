"""Read small signs off text: what a question asks for, hedges, negation, status, language."""

import re
from typing import Final

from ragnb.text.asking import led_in
from ragnb.text.permission import gives_leave

__all__ = ["NOT_IN_FORCE", "hedge", "is_chinese", "negated", "question_kind", "status"]

NOT_IN_FORCE: Final = frozenset(
    {"superseded", "deprecated", "withdrawn", "archived", "rejected"}
    | {"draft", "proposed", "planned"}
)
"""Statuses of documents that hold no longer, or not yet."""

_ADJECTIVES: Final = (
    "many|much|long|old|far|tall|large|big|high|deep|often|fast|heavy|wide|expensive|frequently"
    "|late|soon"
)
_AMOUNTS: Final = (
    "number|amount|population|price|cost|percentage|share|size|budget|length|height|depth|width|weight"
    "|area|age|distance|capacity|speed|rate|total|limit|maximum|minimum|duration|elevation|salary|fee"
)
_PEOPLE: Final = (
    "person|people|man|woman|actor|actress|author|writer|director|singer|player|president|king|queen"
    "|scientist|artist|composer|politician|team member|owner"
)
_PLACES: Final = (
    "place|city|country|town|state|county|province|region|continent|village|location|island"
    "|district|street|nation|birthplace|venue|folder|directory"
)
_TIMES: Final = "year|date|day|month|decade|century|time|season|deadline|week|quarter"
_AUXILIARY: Final = re.compile(
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may|must"
    r"|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't)\b",
    re.IGNORECASE,
)
_COMPARATIVE: Final = (
    r"(?:first|earlier|later|older|younger|more|less|most|fewer|better|worse|\w{3,}(?:er|est))"
)


def _kinds(*pairs: tuple[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in pairs)


_COMPARISON: Final = re.compile(
    r"\b(?:compared?|comparison|differ(?:s|ence|ences|ent)?)\b.*\b(?:between|and|from|with|to|in)\b"
    rf"|\bversus\b|\bvs\b|\b(?:which|who|what)\b.*\b{_COMPARATIVE}\b.*\bor\b",
    re.IGNORECASE,
)
_EARLIEST: Final = _kinds(
    ("list", r"\b(?:list|enumerate)\b|\bname (?:all|the|every|two|three|four|five|\d+)\b"),
    ("procedure", r"\bhow (?:do|can|should|could|would|must) (?:i|we|you|one|someone|people)\b"),
    ("procedure", r"\bhow to\b|\b(?:steps|procedure|instructions) (?:to|for|of)\b"),
    ("why", r"\bwhy\b|\bhow come\b|\bwhat(?: is| was|'s)? (?:the )?(?:causes?d?|reasons?)\b"),
    ("how_many", rf"\bhow (?:{_ADJECTIVES})\b"),
    ("how_many", rf"\b(?:what|which)(?: is| was| are|'s)?(?: the)?(?: \w+)? (?:{_AMOUNTS})\b"),
    ("how_many", r"\bwhat (?:do|does|did|will|would) .{1,80}\b(?:cost|weigh|earn)\b"),
    ("when", rf"\bwhen\b|\b(?:what|which)(?: is| was|'s)?(?: the)?(?: \w+)? (?:{_TIMES})\b"),
    ("where", rf"\bwhere\b|\b(?:what|which)(?: is| was|'s)?(?: the)? (?:{_PLACES})\b"),
    ("who", rf"\bwho(?:m|se|'s)?\b|\b(?:what|which) (?:\w+ )?(?:{_PEOPLE})\b"),
    ("list", r"\b(?:what|which) are (?:the |all |some )?(?:\w+ )?\w+s\b(?! mean)"),
    ("list", r"\bwhich (?:\w+ )?\w{2,}[^su\W]s (?:are|were|do|did|have|can|must|should)\b"),
    ("definition", r"\bwhat does .* (?:mean|stand for)\b|\bdefin(?:e|ition of)\b|\bmeaning of\b"),
    ("definition", r"\bwhat(?:'s| is| are| was| were) (?!the\b)(?:an? )?(?:[\w.'-]+ ?){1,4}\W*$"),
    ("other", r"\b(?:what|which|how)\b"),
)
_ABOUT: Final = re.compile(r"\s*(?:please )?(?:tell me about|explain|describe)\b", re.IGNORECASE)
_CHINESE: Final = _kinds(
    ("comparison", "区别|有何不同|有什么不同|相比|对比|哪一?[个种部座家位].{0,6}更|.还是.+[？?]?$"),
    ("why", "为什么|为何|原因"),
    ("when", "什么时候|什么时间|何时|哪一?[年天月]|几[月号日]|哪个(?:年份|日期|世纪)|何年"),
    (
        "where",
        "哪里|哪儿|何处|何地|在哪|什么地方|哪一?[个座](?:国家|城市|省|市|县|地区|地方)|哪[省市国]",
    ),
    ("how_many", "多少|几[个名位次年天只种条本家所座米岁层部]|多[大长高远久宽深重]|百分之几"),
    ("who", "谁|哪一?位|何人|哪个人|什么人"),
    ("list", "哪些|列出|列举|哪几"),
    ("yes_no", "吗|是否|可否|是不是|有没有|能不能|会不会|可不可以"),
    ("procedure", "怎么|如何|怎样|步骤"),
    ("definition", "什么是|何谓|指什么|什么意思|含义|的定义|^[^的]*是什么"),
)

_LONGEST: Final = 1_000
_QUESTION: Final = re.compile(r"[?？]\W*$")
_MAY: Final = r"(?<!\bif )(?<!\bany )(?<!\byou )(?<!\bas )\b(?:may|might)\b(?! want\b| \d)"
_HEDGES: Final = re.compile(
    r"\b(?:[Cc]ould (?:be due|indicate|suggest|mean)|(?:[Mm]ost |[Vv]ery )?[Ll]ikely"
    r"|[Pp]robably|[Pp]ossibly"
    r"|[Pp]erhaps|[Pp]resumably|[Aa]pparently|[Aa]llegedly|[Rr]eportedly|[Ss]upposedly"
    r"|(?:is|are|was|were) (?:said|believed|thought|rumou?red) to|[Aa]pproximately|seems? to"
    r"|appears? to (?:be|have))\b"
    r"|~\s?[$€£]?\d[\d.,]*|(?<![不无])可能(?!性)|据(?:说|称|传|悉|了解|报道)|疑似|预计|有望|尚未核实|传闻|似乎|估计|也许|或许|大概|大?约"
    r"(?=\s?[\d一二三四五六七八九十百千万两])"
)
_MAYS: Final = re.compile(_MAY)

_NOT: Final = re.compile(
    r"\b(?<!or )not\b(?! only\b)|n['’]t\b|\bcannot\b|\bno\b(?!\.?\s*\d)|\bnever\b|\bnone\b"
    r"|\bneither\b|\bnor\b|\bwithout\b|\bnobody\b|\bnothing\b|\bnowhere\b",
    re.IGNORECASE,
)
_NOT_CHINESE: Final = re.compile("[不没无未]|并非|绝非")
_ONLY_LOOKS_SO: Final = re.compile(
    r"(\w)[不没]\1|不[同仅但过断久少错管论只]|差不多|无[论锡]|未[来央]|没收|[是与]否"
)

_STATUS_LINE: Final = re.compile(
    r"(?:\bstatus\W{0,4}[:=|]|状态\s*[:：])[\s*_`\"|]*(?P<value>[a-z]+|[\u4e00-\u9fff]+)",
    re.IGNORECASE,
)
_STATUS_NAMES: Final = {
    "obsolete": "deprecated",
    "retired": "deprecated",
    "legacy": "deprecated",
    "replaced": "superseded",
    "wip": "draft",
    "todo": "draft",
    "tbd": "draft",
    "废止": "deprecated",
    "已废止": "deprecated",
    "停用": "deprecated",
    "已停用": "deprecated",
    "草案": "draft",
    "草稿": "draft",
    "已取代": "superseded",
    "已批准": "approved",
    "生效": "active",
    "已生效": "active",
}
_STATUS_WORDS: Final = frozenset(
    {"superseded", "deprecated", "draft", "accepted", "approved", "active", "current", "final"}
    | {"proposed", "rejected", "withdrawn", "archived", "planned"}
)
_STATUS_SIGNS: Final = (
    (
        "superseded",
        re.compile(r"\b[Ss]uperseded (?:by|in)\b|\b[Rr]eplaced by (?=[A-Z]+-?\d)|被.{1,20}取代"),
    ),
    (
        "deprecated",
        re.compile(
            r"\b(?:is|are|now|been|was) deprecated\b|\((?:now )?(?:deprecated|legacy|obsolete)\b"
            r"|\bno longer (?:supported|maintained|valid|in force)\b|(?<!尚未)(?:废止|停用)"
        ),
    ),
    (
        "planned",
        re.compile(r"\b[Nn]ot yet (?:implemented|available|released|in force)\b|尚未|预定"),
    ),
    (
        "draft",
        re.compile(r"\b(?:TODO|TBD)\b|\bthis (?:is a|document is a) draft\b|\([Dd]raft\b|草案"),
    ),
    ("active", re.compile(r"(?:[日起已]|正式)生效")),
)
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_LATIN: Final = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")


def question_kind(text: str) -> str:
    """Tell what a question asks for.

    Only the first 1,000 characters are looked at.

    Returns:
        One of who, when, where, how_many, yes_no, definition, list, comparison, procedure, why
        and other.

    >>> question_kind("In which year was Ada born?"), question_kind("怎么安装？")
    ('when', 'procedure')
    >>> question_kind("When it is full, who is told?")
    'who'
    """
    bare = text.strip()[:_LONGEST].replace("’", "'")
    if is_chinese(bare):
        return next((kind for kind, pattern in _CHINESE if pattern.search(bare)), "other")
    _, asked = led_in(bare)
    if _AUXILIARY.match(asked):
        return "yes_no"
    if _COMPARISON.search(bare):
        return "comparison"
    found = [(m.start(), kind) for kind, pattern in _EARLIEST if (m := pattern.search(asked))]
    if found:
        return min(found, key=lambda pair: pair[0])[1]
    return "definition" if _ABOUT.match(bare) else "other"


def hedge(text: str) -> str:
    """Give the words by which text holds back, comma-separated, or an empty string.

    A "may" that gives leave holds nothing back.

    >>> hedge("The outage was probably short; it may recur.")
    'may, probably'
    >>> hedge("May I ask if any may apply?")
    ''
    """
    found = [m.group() for m in _HEDGES.finditer(text)]
    if not _QUESTION.search(text):
        mays = [m for m in _MAYS.finditer(text) if not gives_leave(text, *m.span())]
        found += [m.group() for m in mays]
    return ", ".join(sorted({word.lower() for word in found}))


def negated(text: str) -> bool:
    """Tell whether text says that something is not so.

    >>> negated("It is not over."), negated("Room No. 5, not only for staff"), negated("不同的未来")
    (True, False, False)
    """
    return bool(_NOT.search(text) or _NOT_CHINESE.search(_ONLY_LOOKS_SO.sub("", text)))


def status(text: str) -> str:
    """Tell the standing that text gives its document or subject, or an empty string.

    Returns:
        ``superseded``, ``deprecated``, ``draft``, ``planned``, ``active``, or another status word
        that stands after ``Status:``: ``accepted``, ``approved``, ``current``, ``final``,
        ``proposed``, ``rejected``, ``withdrawn``, ``archived``.

    >>> status("Status: Superseded by ADR-014"), status("The archived, former plan")
    ('superseded', '')
    """
    for match in _STATUS_LINE.finditer(text):
        value = match["value"].lower()
        value = _STATUS_NAMES.get(value, value)
        if value in _STATUS_WORDS:
            return value
    return next((name for name, pattern in _STATUS_SIGNS if pattern.search(text)), "")


def is_chinese(text: str) -> bool:
    """Tell whether most of text is Chinese; Japanese, with its kana, is not.

    >>> is_chinese("什么是 BM25？"), is_chinese("What is 北京?"), is_chinese("これは何ですか")
    (True, False, False)
    """
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    return han > 5 * kana and han > 1.5 * len(_LATIN.findall(text))
