"""Cut text into tokens, and tokens into the terms an index holds."""

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

import Stemmer

__all__ = ["CJK", "STOP", "Token", "fold", "terms", "tokens"]

CJK: Final = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Han, kana and hangul, as the inside of a regular expression's character class."""

_STOP_WORDS: Final = """
    a about above after again against all also am an and any are arent as at be because been before
    being below between both but by can cant could couldnt did didnt do does doesnt doing dont down
    during each either etc ever few for from further had hadnt has hasnt have havent having he her
    here hers herself him himself his how i if im in into is isnt it its itself ive just let lets
    may me might more most much must my myself neither no nor not of off on once only or other our
    ours ourselves out over own please same shall she should shouldnt so some such than that the
    their theirs them themselves then there these they this those through to too under until up upon
    us very was wasnt we were werent what when where which while who whom whose why will with within
    without wont would wouldnt you your yours yourself yourselves
    的 了 是 在 和 与 及 或 也 都 而 之 于 以 被 把 个 就 着 过 地 得 吗 呢 吧 啊 这 那 其 它 他 她
    们 谁
    什么 哪些 哪个 哪里 哪儿 哪 多少 怎么 怎样 如何 为何 何时 是否 请问 这个 那个 我们 你们 他们
"""
STOP: Final[frozenset[str]] = frozenset(_STOP_WORDS.split())
"""Folded words that say little about what a text is of, English and Chinese."""

_ACRONYMS: Final = frozenset({"IT", "U.S", "US", "WHO"})
_ASKING: Final = re.compile(
    "为什么|什么时候|什么样|什么|哪一?[个些年位种]|哪里|哪儿|多少|怎么样?|怎样|如何|为何|何时|是否|请问|[吗呢谁]"
)
_WORD: Final = rf"[^\W_{CJK}]"
_TOKEN: Final = re.compile(
    rf"""
    [{CJK}]
    | (?:\b[A-Z]\.)+[A-Z](?!{_WORD})                    # U.S, J.R.R
    | \b[A-Za-z](?:\+\+|\#)(?!\w)                       # C++, F#
    | {_WORD}+
      (?: (?:[\u0300-\u036f]+ | _+(?={_WORD})) {_WORD}*  # combining accents, snake_case
        | ['’](?=[^\W\d_{CJK}]) {_WORD}+                # don't
        | (?<=\d)[.,:/](?=\d) {_WORD}+                  # 3.4, 1,000, 12:30
        | (?<={_WORD})\.(?=[a-z0-9]) {_WORD}+           # config.yaml, v1.2
        | (?<=\d)-(?={_WORD}) {_WORD}+                  # 2-way
        | (?<={_WORD})-(?=[A-Za-z]{{0,8}}\d) {_WORD}+   # ADR-012
      )*
    """,
    re.VERBOSE,
)
_PARTS: Final = re.compile(rf"{_WORD}+")
_JOINED: Final = re.compile(r"[-_./:]")
_NUMBER: Final = re.compile(r"\d+(?:[.,:/]\d+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_CJK_ONE: Final = re.compile(f"[{CJK}]")
_ACCENTS: Final = re.compile(r"[\u0300-\u036f]+")
_LETTERS: Final = str.maketrans(
    {"æ": "ae", "ð": "d", "ø": "o", "þ": "th", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "œ": "oe"}
)
_KEPT: Final = 65_536
"""How many words' terms are kept in memory; longer words than `_KEPT_LENGTH` never are."""
_KEPT_LENGTH: Final = 40
_local = threading.local()


class Token(NamedTuple):
    """One word, number or identifier, or one CJK character.

    Attributes:
        text: The characters as they stand in the text.
        start: Offset of the first character.
        end: Offset after the last character.
    """

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Cut text into words; identifiers and numbers stay whole, CJK characters stand alone.

    >>> [token.text for token in tokens("ADR-012 isn't v3.4 很好")]
    ['ADR-012', "isn't", 'v3.4', '很', '好']
    """
    return [Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def fold(text: str) -> str:
    """Bring text to one form: NFKC, without accents, in lower case.

    >>> fold("Ｃafé Łódź")
    'cafe lodz'
    """
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text)))
    lowered = _ACCENTS.sub("", unicodedata.normalize("NFD", bare.casefold()))
    return unicodedata.normalize("NFKC", lowered).translate(_LETTERS)


def terms(text: str, *, stop: bool = False) -> list[str]:
    """List the index terms of text, in order, repeats kept.

    English words are stemmed. An identifier gives itself and its parts; a number loses its
    thousands separators; a run of CJK characters gives its characters and neighbouring pairs.

    Args:
        text: A question, sentence or passage.
        stop: Keep stop words too.

    >>> terms("The ADR-012 decisions cost 1,200")
    ['adr-012', 'adr', '012', 'decis', 'cost', '1200']
    >>> terms("北京大学")
    ['北', '京', '大', '学', '北京', '京大', '大学']
    """
    text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    if not _CJK_ONE.search(text):
        for raw in _TOKEN.findall(text):
            found += _known(raw, stop) if len(raw) <= _KEPT_LENGTH else _stems(raw, stop)
        return found
    run: list[Token] = []
    for token in tokens(text):
        if _CJK_ONE.match(token.text):
            if run and run[-1].end != token.start:
                found += _grams(run, stop=stop)
                run = []
            run.append(token)
            continue
        if run:
            found += _grams(run, stop=stop)
            run = []
        raw = token.text
        found += _known(raw, stop) if len(raw) <= _KEPT_LENGTH else _stems(raw, stop)
    return found + _grams(run, stop=stop)


def _stems(raw: str, stop: bool) -> tuple[str, ...]:  # noqa: FBT001 (caches take it by place)
    """Give the terms of one token that is not CJK."""
    return tuple(_stemmer().stemWords(_words(raw, stop=stop)))


_known = lru_cache(maxsize=_KEPT)(_stems)


def _words(raw: str, *, stop: bool) -> list[str]:
    """Give the unstemmed terms of one token that is not CJK."""
    word = fold(raw).replace("’", "'").removesuffix("'s").replace("'", "")
    if _THOUSANDS.fullmatch(word):
        return [word.replace(",", "")]
    if raw.isupper() and re.fullmatch(r"(?:[a-z]\.)+[a-z]", word):
        word = word.replace(".", "")
    if not stop and word in STOP and raw not in _ACRONYMS:
        return []
    if _NUMBER.fullmatch(word) or not _JOINED.search(word):
        return [word] if word else []
    return [word, *(p for p in _PARTS.findall(word) if stop or p not in STOP)]


def _grams(run: list[Token], *, stop: bool) -> list[str]:
    """Give the characters and neighbouring pairs of one run of CJK characters."""
    whole = fold("".join(token.text for token in run))
    found: list[str] = []
    for part in [whole] if stop else _ASKING.split(whole):
        pairs = [part[i : i + 2] for i in range(len(part) - 1)]
        found += [gram for gram in (*part, *pairs) if stop or gram not in STOP]
    return found


def _stemmer() -> Stemmer.Stemmer:
    """Give this thread's stemmer: the object must not be shared between threads."""
    if not hasattr(_local, "english"):
        _local.english = Stemmer.Stemmer("english")
    stemmer: Stemmer.Stemmer = _local.english
    return stemmer
