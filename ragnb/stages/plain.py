"""Does a question ask for one fact of one thing?"""

import re
from typing import Final

from ragnb.records import SubQuestion
from ragnb.stages.coverage import asked
from ragnb.text.chinese import asks_about
from ragnb.text.cues import is_chinese
from ragnb.text.tokens import STOP, terms

__all__ = ["plain"]

_LONG: Final = 7
"""A question of more telling words asks for a chain of facts."""
_TELLS: Final = 1.0
"""One that tells less, such as "which year", is no question by itself."""
_BEGINS: Final = re.compile(
    r"^\W*(?:(?:in|on|at|by|up|to|for|from|with|under|until|since|after|before|above|below|over)\s+)*"
    r"(?:who|which|where|whose|whom|what)\b",
    re.IGNORECASE,
)
"""How a question begins that asks for one thing: in which, up to which, by whom."""
_ENDS: Final = re.compile(r"\b(?:which|what|who|whom|where)(?=(?: \w+){0,3}\W*$)", re.IGNORECASE)
"""How a question ends that names the thing first: it was formed in which year."""
_NESTED: Final = re.compile(
    r"\b(?:that|who|which|whose|whom|where|or|both|same)\b"
    r"|\b(?:earlier|later|older|younger|first|more|(?<!at )most|less|fewer)\b"
    r"|\b(?!latest|request|test)\w{3,}est\b"
    r"|'s \w+'s|\bof the \w+ (?:of|in)\b",
    re.IGNORECASE,
)
"""Signs of a question that leads over several facts, or compares."""
_PERSON: Final = (
    "(?:father|mother|parent|son|daughter|child|wife|husband|spouse|brother|sister|uncle|aunt"
    "|director|composer|author|writer|performer|singer|founder|owner|creator|producer|designer"
    "|manager|leader|president|editor)"
)
_CHAIN: Final = re.compile(
    rf"\b(?:did|does|do|has|had|will) (?:the )?(?:\w+ )?{_PERSON} of\b"
    rf"|\b(?:was|is|were|are) (?:the )?(?:\w+ )?{_PERSON} of\b.* (?:[a-z]+ed|born|based|from)\W*$"
    rf"|'s (?:\w+ )?{_PERSON} \w|\b{_PERSON}\b.*\b{_PERSON}\b"
)
"""A person who is only described must be found before the fact can be."""
_REST: Final = re.compile(
    r"^\W*(?:according to|in|on|at|by|for|from|with|under|until|since|after|before|during|as)\b"
    r"(?!.*\b(?:who|which|where|whose|whom|what|when|how)\b)",
    re.IGNORECASE,
)
"""What asks nothing, as a plan may hold it: "According to the 2001 census?"."""
_PART: Final = re.compile(r":[^:]+\?\W*$")
"""How a comparison is taken apart: "Which singer is older: Ada Lind?"."""
_NESTED_ZH: Final = re.compile(
    "[和与跟比][^，。？]+(?:哪|区别|不同|相同|更)|还是|分别|各自|最[早晚多少大小高低]"
)
_HAN: Final = re.compile("[\u4e00-\u9fff]")


def plain(question: SubQuestion) -> bool:
    """Tell whether a question asks for one fact of one thing, and compares nothing.

    >>> [plain(SubQuestion.of(f"When was {of} born?")) for of in ("Ada Lind", "Ada Lind's father")]
    [True, False]
    """
    text = question.text
    whole = asked(text).mass >= _TELLS and not _PART.search(text) and not _REST.search(text)
    if question.kind == "comparison" or not whole:
        return False
    if is_chinese(text):
        return _plain_zh(text)
    told = {term for term in terms(text) if term not in STOP}
    once = _BEGINS.sub("", text)
    if once == text and question.kind != "yes_no":
        once = _ENDS.sub("", text, count=1)
    unquoted = re.sub(r"[\"“][^\"“”]*[\"”]", "", text)
    return len(told) <= _LONG and not _NESTED.search(once) and not _CHAIN.search(unquoted)


def _plain_zh(text: str) -> bool:
    """Tell the same of a Chinese question, whose words are counted as pairs of characters."""
    bare = asks_about(text)
    words = len(_HAN.findall(bare)) / 2 + len(re.findall(r"[^\W\u4e00-\u9fff]+", bare))
    return words <= _LONG and not _NESTED_ZH.search(text)
