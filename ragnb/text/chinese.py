"""Chinese questions without the words by which they ask, and what a Chinese text is of."""

import re
from typing import Final

from ragnb.text.tokens import CJK, terms

__all__ = ["asks_about", "beside", "leads", "query_terms", "telling_terms"]

_CJK: Final = re.compile(f"[{CJK}]")
_FUNCTION: Final = re.compile(
    "什么时候|什么时间|什么样|什么|多长时间|多久|总共|一共|为什么|为何|何时|何地|何处|何种|何人|有何|如何|怎么样?|怎样"
    "|哪一?[个些年位种座家国里儿天]|哪|谁|多少|多(?=[大长高久远重宽深])|几[个名位次年天只种条本家所座]?"
    "|是否|是不是|有没有|能否|可否|请问|请|[吗呢]|的|了|是"
)
"""Words by which a question asks, and the particles between its words."""
_BINDS: Final = re.compile(
    "(?<![现存所正内潜实])在(?![线职校])|(?<![重需主必只])要(?![求点素])|(?<![社机员事协大晚年学商工开])会(?![议员计长场谈])"
    "|(?<![反响供对适相])应该?(?![急用收付答])|(?<![自理])由|将(?![军来])|从(?![事业])|把|被|必须|需要?|可以|能够"
    "|最多|最少|至少|最长|最短|大约|[与及并都还已就才，,、]"
)
"""Words that only bind others; where they stand inside a word they are kept."""
_ASKS: Final = re.compile(
    "什么时候|什么时间|什么样?|为什么|为何|何时|何地|何处|何种|何人|有何|如何|怎么样?|怎样|多长时间|多久|多少|多[大长高久远重宽深]"
    "|哪一?[个些年位种座家国里儿天]|哪|谁|几"
)
_LEFT: Final = re.compile("[是的了在于由被有]+$")
_RIGHT: Final = re.compile("^[的是]+")
_HEADING: Final = re.compile(r"^\s*(?:#{1,6}\s.*|---\n(?:.*\n)*?---\s*)$", re.MULTILINE)
_OPENS: Final = r"[\s《「『“\"*]*"
_CLOSES: Final = r"[》」』”\"*]*\s*"
_LEADS: Final = re.compile(
    rf"{_OPENS}(?P<lead>[^\s（(，,。：:；;、\n]{{2,20}}?){_CLOSES}(?:[（(]|是(?!否)|为(?![了何]))"
    rf"|{_OPENS}(?P<short>[^\s（(，,。：:；;、\n的了在于从自由对为因被把将据]{{2,6}}){_CLOSES}[，,]"
)
_NO_NAME: Final = re.compile(
    "[本该此这那其我你您他她它各]|[^年月]*[年月日][^年月]*$|.*(?:表示|认为|介绍|如果|所以|但|时$)"
)
_PARTS: Final = re.compile("[·‧•・]")


def asks_about(question: str) -> str:
    """Give a question without the words by which it asks, a space in place of each.

    >>> asks_about("该漫画是由谁创作的？")
    '该漫画 由 创作'
    """
    return " ".join(_FUNCTION.sub(" ", question).split()).rstrip("?？ ")


def query_terms(query: str) -> list[str]:
    """List the index terms of a query; in Chinese none reach over a function word.

    >>> query_terms("校区有多大？"), query_terms("How large is it?")
    (['校', '区', '有', '校区', '区有', '大'], ['larg'])
    """
    return terms(asks_about(query) if _CJK.search(query) else query)


def telling_terms(question: str) -> list[str]:
    """List the terms of a Chinese question, without what only binds its words.

    Pairs of characters over such a word stand in no text that says the same otherwise.

    >>> telling_terms("装货前，冷藏箱至少要预冷多久？")
    ['装', '货', '前', '装货', '货前', '冷', '藏', '箱', '冷藏', '藏箱', '预', '冷', '预冷']
    """
    known = set(terms(question, stop=True))  # a number that was cut is none of its terms
    return [term for term in terms(_BINDS.sub(" ", asks_about(question))) if term in known]


def beside(question: str) -> tuple[str, str]:
    """Give the two characters before the word that asks, and the two behind it; they name the fact.

    >>> beside("他担任什么职务？"), beside("死因是什么？")
    (('担任', '职务'), ('死因', ''))
    """
    found = _ASKS.search(question)
    if not found:
        return "", ""
    left = _LEFT.sub("", question[: found.start()])[-2:]
    right = _RIGHT.sub("", question[found.end() :])[:2]
    return left, right if len(right) == 2 and right.isalnum() else ""


def leads(text: str) -> tuple[str, ...]:
    """Give what a Chinese text says it is of: the words before its first bracket, comma, 是 or 为.

    Returns:
        The name, of 2 to 20 characters, and the parts of a foreign one; nothing where the text
        doesn't begin with a name.

    >>> leads("夜来香（学名：）是萝藦科的植物。"), leads("本规程自今日起执行。")
    (('夜来香',), ())
    >>> leads("阿达·拉芙蕾丝（Ada Lovelace），英国数学家。")
    ('阿达·拉芙蕾丝', '阿达', '拉芙蕾丝')
    """
    found = _LEADS.match(_HEADING.sub("", text[:2_000]).lstrip())
    name = (found["lead"] or found["short"]) if found else ""
    if not _CJK.search(name) or _NO_NAME.match(name):
        return ()
    parts = [part for part in _PARTS.split(name) if len(part) > 1]
    return tuple(dict.fromkeys([name, *parts]))
