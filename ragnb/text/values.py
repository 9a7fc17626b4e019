"""Find values in text: money, dates, percentages, durations, quantities, numbers, names."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from ragnb.text.dates import MONTHS, dates
from ragnb.text.numerals import CURRENCIES, DIGITS, DURATIONS, NUMBER, UNITS, number, plain
from ragnb.text.tokens import STOP, fold

__all__ = ["Kind", "Value", "names", "values"]

Kind = Literal["money", "date", "percent", "duration", "quantity", "number", "name", "identifier"]
_REMEMBERED: Final = 4096
"""How many texts' names and values are kept in memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """Something in a text that can be compared with the same kind of thing in another.

    Attributes:
        kind: What it is.
        text: The words as they stand in the text.
        start: Offset of the first character, in code points.
        end: Offset after the last.
        norm: One form for everything that means the same: ``EUR 10500000``, ``2024-03-05``,
            ``12.5%``, ``86400 s``, ``5000 m``, ``1200``, a name or identifier folded.
    """

    kind: Kind
    text: str
    start: int
    end: int
    norm: str


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_HAN: Final = "\u4e00-\u9fff"
_HAN_NUMERALS: Final = "零〇一二两三四五六七八九十百千万亿"
_BEGINS: Final = rf"(?<![.,第])(?<!(?![{_HAN}])\w)(?:(?<![{_HAN_NUMERALS}])|(?=\d))"
"""Chinese is written without spaces: a numeral may stand right behind a character."""
_COUNTED: Final = (
    "[个名位台份次人家项条张种倍票辆箱座件岁所只头部本册栋层口集章届轮场颗棵株朵艘架幅篇首步款处]"
)
_LATIN_END: Final = r"(?![A-Za-z²]|(?<=[!-~²])[0-9])"
_SIGNS: Final = _any(sign for sign in CURRENCIES if not sign[-1].isalpha())
_CODES: Final = _any(
    sign for sign in CURRENCIES if sign.isascii() and sign.isalpha() and sign.isupper()
)
_MONEY: Final = re.compile(
    rf"(?:(?P<sign>{_SIGNS})\s?|(?P<code>\b(?:{_CODES})) ?)"
    rf"(?P<n>{DIGITS}(?:m\b)?)"
    rf"|{_BEGINS}(?P<n2>{NUMBER})[ -]?(?P<unit>{_any(CURRENCIES)}){_LATIN_END}"
)
_PERCENT: Final = re.compile(
    rf"{_BEGINS}(?P<n>{NUMBER})(?:\s?[%％]|[ -](?:per ?cent|percentage points?)\b)"
    rf"|百分之(?P<n2>{NUMBER})"
)
_DURATION: Final = re.compile(
    rf"{_BEGINS}(?P<n>{NUMBER})(?:\s|-)?(?P<which>(?:business|working|calendar)[ -]|个?工作)?"
    rf"(?P<unit>{_any(DURATIONS)}){_LATIN_END}"
)
_QUANTITY: Final = re.compile(
    rf"{_BEGINS}(?P<n>{NUMBER})(?:\s|-)?(?P<unit>{_any(UNITS)}){_LATIN_END}"
)
_NUMBER: Final = re.compile(
    rf"(?:(?<![\w.,/:])|(?<=[{_HAN}])(?<!第)(?=\d|[{_HAN_NUMERALS}]+{_COUNTED})(?<![{_HAN_NUMERALS}]))"
    rf"(?P<n>{NUMBER})(?P<th>st|nd|rd|th)?(?![A-Za-z0-9_/:]|[.,]\d)"
)
_LIST_MARK: Final = re.compile(r"^[ \t]*\(?\d{1,3}[.)][ \t]", re.MULTILINE)
_IDENTIFIER: Final = re.compile(
    r"`(?P<code>[^`\s]{2,60})`"
    r"|https?://[^\s)>\]\"”]*[^\s)>\]\"”.,;:!?]|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?<!\w)(?:v\d+(?:\.\d+)*|(?!\d+\.\d+\.\d{4}\b)\d+\.\d+\.\d+(?:[.-]?\w+)*)\b"
    r"|(?<![\w-])(?!(?i:mid|pre|post|early|late|top|usd|eur|gbp)-)(?=[A-Z])"
    r"[A-Za-z]{1,40}(?:-[A-Za-z]*\d\w*)+"
    r"|\b(?!Q[1-4]\b)(?=[A-Z])[A-Za-z]{1,40}\d\w*\b"
    r"|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b"
    r"|\b[A-Za-z][A-Za-z0-9]*_\w*[A-Za-z0-9]"
    r"|(?<![\w./-])[\w-]{1,60}(?:/[\w-]{1,60}){0,9}"
    r"\.(?:py|md|ya?ml|json|toml|txt|csv|pdf|js|html|sh)\b"
    r"|\b(?!(?:In|At|By|Of|To|On|The|About|From|Over|Is|Was)\b)[A-Z][A-Za-z]{1,40} \d+\.\d+"
    r"(?!\w|\.\d|\s?[%kmbKMB]| (?:thousand|million|billion|per))",
    re.ASCII,
)
_INNER: Final = r"(?:of|the|de|la|le|du|des|di|da|del|van|von|der|den|al|bin|for|&)"
_CAPITAL: Final = (
    r"(?:Mrs?|Ms|Dr|Prof|St)\.(?= )|(?:[A-Z]\.)+|[A-ZÀ-ÖØ-Þ](?:[^\W_]|[-'’](?=[^\W\d_]))*"
)
_NAME: Final = re.compile(
    rf"(?<![\w@/])(?:{_CAPITAL})(?: (?:{_INNER} ){{0,2}}(?:{_CAPITAL}|\d{{1,3}}\b(?![.,%]\d|%)))*"
)
_QUOTED: Final = re.compile(
    r"[《「『](?P<a>[^《》「」『』\n]{1,40})[》」』]|[“\"](?P<b>[^“”\"\n]{2,60})[”\"](?!\w)"
)
_ORDERS: Final = "list name tell give show compare describe explain find please define also both"
_TITLES: Final = "mr. mrs. ms. dr. prof. mr mrs ms dr prof"
_NO_NAME: Final = frozenset(
    {
        *_ORDERS.split(),
        *_TITLES.split(),
        *(month for month in MONTHS if month != "may"),
        "monday",
        "tuesday",
    }
    | {"wednesday", "thursday", "friday", "saturday", "sunday", "today", "yes"}
)
_BEGINS_SENTENCE: Final = re.compile(r"(?:^|[.!?:。！？\n|]|^\s*[-*#>]+)[\s\"“'(*_#>|-]*$")


@lru_cache(maxsize=_REMEMBERED)
def values(text: str) -> tuple[Value, ...]:
    """Find money, dates, percentages, durations, quantities, numbers and identifiers, in order.

    No two of them overlap; what could be read in two ways is what comes first in that list, but an
    identifier such as ADR-012 or Python 3.12 is never a number.

    >>> [v.norm for v in values("€10.5m by 5 March 2024, 3 weeks late, in ADR-012")]
    ['EUR 10500000', '2024-03-05', '1814400 s', 'adr-012']
    """
    taken: list[Value] = []
    free = bytearray(b"\1") * len(text)
    for mark in _LIST_MARK.finditer(text):
        free[mark.start() : mark.end()] = bytes(len(mark.group()))
    for value in _candidates(text):
        if all(free[value.start : value.end]):
            free[value.start : value.end] = bytes(value.end - value.start)
            taken.append(value)
    return tuple(sorted(taken, key=lambda value: value.start))


@lru_cache(maxsize=_REMEMBERED)
def names(text: str, *, lone: bool = False) -> tuple[Value, ...]:
    """Find names and identifiers, in order: capitalised runs, quoted titles, codes.

    Args:
        text: A question, sentence or passage.
        lone: Take also a single capitalised word that begins a sentence and may be an ordinary one.

    >>> [v.norm for v in names("The budget of Bank of Norway is in ADR-012, see 《红楼梦》.")]
    ['bank of norway', 'adr-012', '红楼梦']
    """
    found = list(_identifiers(text))
    quoted = [value for value in _quoted(text) if not _overlaps(value, found)]
    found += quoted
    found += [value for value in _capitalised(text, lone=lone) if not _overlaps(value, found)]
    return tuple(sorted(found, key=lambda value: value.start))


def _candidates(text: str) -> Iterator[Value]:
    """Give every reading of every value, the surest first."""
    yield from _identifiers(text)
    for match in _MONEY.finditer(text):
        amount = number(match["n"] or match["n2"])
        code = CURRENCIES[match["sign"] or match["code"] or match["unit"]]
        if amount is not None:
            yield _value("money", match, f"{code} {plain(amount)}")
    for start, end, norm in dates(text):
        yield Value(kind="date", text=text[start:end], start=start, end=end, norm=norm)
    for match in _PERCENT.finditer(text):
        amount = number(match["n"] or match["n2"])
        if amount is not None:
            yield _value("percent", match, f"{plain(amount)}%")
    yield from _measured(text)
    for match in _NUMBER.finditer(text):
        amount = number(match["n"])
        if amount is not None and match["n"].lower() not in {"one", "万", "千", "百"} | set(
            "一二两零"
        ):
            yield _value("number", match, plain(amount))


def _identifiers(text: str) -> Iterator[Value]:
    """Give codes, versions, addresses, file names and names as programs have them."""
    for match in _IDENTIFIER.finditer(text):
        yield _value("identifier", match, fold(match["code"] or match.group()))


def _measured(text: str) -> Iterator[Value]:
    """Give durations and quantities."""
    for match in _DURATION.finditer(text):
        amount = number(match["n"])
        base, factor = DURATIONS[match["unit"]]
        which = (match["which"] or "").strip(" -")
        if amount is None:
            continue
        if which and which != "calendar":
            yield _value("duration", match, f"{plain(amount)} working {match['unit'].rstrip('s')}")
        else:
            yield _value("duration", match, f"{plain(amount * factor)} {base}")
    for match in _QUANTITY.finditer(text):
        amount = number(match["n"])
        base, factor = UNITS[match["unit"]]
        if amount is not None:
            yield _value("quantity", match, f"{plain(Decimal(amount) * factor)} {base}")


def _capitalised(text: str, *, lone: bool) -> Iterator[Value]:
    """Give runs of capitalised words, without what only begins a sentence."""
    for match in _NAME.finditer(text):
        start, words = match.start(), match.group().split(" ")
        while words and (fold(words[0]) in STOP | _NO_NAME) and not _shouted(words[0]):
            start += len(words.pop(0)) + 1
        if not words or len(words) > 8:
            continue
        name = re.sub(r"['’]s?$", "", " ".join(words))
        opens = start == match.start() and _BEGINS_SENTENCE.search(text, max(0, start - 40), start)
        if len(words) == 1 and not lone and opens and not _shouted(name):
            continue
        if len(name) > 1:
            norm = " ".join(fold(name).replace(".", "").split())
            yield Value(kind="name", text=name, start=start, end=start + len(name), norm=norm)


def _quoted(text: str) -> Iterator[Value]:
    """Give short quoted titles and Chinese book titles."""
    for match in _QUOTED.finditer(text):
        group = "a" if match["a"] else "b"
        inner = match[group].strip()
        if inner and len(inner.split()) <= 6 and inner[-1] not in ".,!?。，！？":
            start = match.start(group) + len(match[group]) - len(match[group].lstrip())
            norm = fold(inner)
            yield Value(kind="name", text=inner, start=start, end=start + len(inner), norm=norm)


def _shouted(word: str) -> bool:
    """Tell whether a word has capitals or digits that no sentence gives it."""
    return len(word) > 1 and any(char.isupper() or char.isdigit() for char in word[1:])


def _value(kind: Kind, match: re.Match[str], norm: str) -> Value:
    return Value(kind=kind, text=match.group(), start=match.start(), end=match.end(), norm=norm)


def _overlaps(value: Value, others: list[Value]) -> bool:
    return any(value.start < other.end and other.start < value.end for other in others)
