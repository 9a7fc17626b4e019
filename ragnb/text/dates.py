"""Find dates and write them in one form, English and Chinese."""

import re
from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["MONTHS", "dates", "same_date"]

_NAMES: Final = (
    "january february march april may june july august september october november december"
)
MONTHS: Final = {
    **{name: at for at, name in enumerate(_NAMES.split(), start=1)},
    **{name[:3]: at for at, name in enumerate(_NAMES.split(), start=1)},
    "sept": 9,
}
"""English names of months, whole and cut to three letters, in lower case."""

_MONTH: Final = r"(?P<m>(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?|" + "|".join(
    name.capitalize() for name in _NAMES.split()
).join(["(?:", r")\b)"])
_DAY: Final = r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<y>1\d{3}|20\d\d)"
_HAN_YEAR: Final = r"\d{4}|[一二三四五六七八九〇零]{4}"
_HAN_MONTH: Final = "(?<![一二三四五六七八九十])(?:十[一二]?|[一二三四五六七八九])"
_HAN_DAY: Final = "三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]"
_HAN_WITHIN: Final = "(?=[份底初末中上下起间]|[，。；、]|$)"
_HAN_ONES: Final = "一二三四五六七八九十"
_HAN_HOUR: Final = f"(?<![{_HAN_ONES}几])(?:二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_HAN_MINUTE: Final = "[二三四五]?十[一二三四五六七八九]?|[一二三四五六七八九]"
_CLOCK: Final = (
    rf"(?P<h>(?<!\d)\d{{1,2}}|{_HAN_HOUR})\s?"
    rf"(?:时(?![间候期代区常刻机而])|点(?=[钟半整]|\s?[\d{_HAN_ONES}]))"
    rf"(?:\s?(?P<min>\d{{1,2}}|{_HAN_MINUTE})\s?分(?!钟)|(?P<half>半))?"
)
_FREE: Final = r"(?<![\w.,/$€£¥#])"
_ENDS: Final = r"(?!\w|[.,]\d|\s?%)"
_NO_COUNT: Final = (
    r"(?!\s(?:people|users|employees|items|words|tokens|times|hours|days|euros?|dollars)\b"
    r"|\s(?:km|m|kg|mm|MB|GB)\b|\s?[元万亿人米])"
)
_PATTERNS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\d/-])(?P<y>\d{4})(?P<sep>[-/.])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<d>[0-3]?\d)(?![\d/-])",
        rf"(?P<y>{_HAN_YEAR})\s?年\s?(?P<m>{_HAN_MONTH})月(?:(?P<d>{_HAN_DAY})[日号])?",
        rf"(?P<y>{_HAN_YEAR})\s?年(?:\s?(?P<m>\d{{1,2}})\s?月(?:\s?(?P<d>\d{{1,2}})\s?[日号])?)?",
        rf"(?P<m>{_HAN_MONTH})月(?:(?P<d>{_HAN_DAY})[日号]|{_HAN_WITHIN})",
        r"(?<!\d)(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]",
        r"(?<![\d年.])(?P<m>1[0-2]|0?[1-9])\s?月(?!\s?\d)",
        _CLOCK,
        rf"{_FREE}{_DAY}(?: of)? {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY}(?:,| of)? {_YEAR}\b",
        rf"\b{_MONTH},? (?:of )?{_YEAR}\b",
        rf"\b{_MONTH} {_DAY}(?!\w|[.,:]\d)",
        rf"{_FREE}{_DAY}(?: of)? {_MONTH}(?!\w)",
        r"(?<![\d./-])(?P<a>[0-3]?\d)(?P<sep>[./-])(?P<b>[0-3]?\d)(?P=sep)(?P<y>\d{4})(?![\d./-])",
        r"(?<![\d-])(?P<y>1\d{3}|20\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])",
        rf"\bQ(?P<q>[1-4])[ /-]?{_YEAR}\b",
        rf"{_FREE}{_YEAR}[ /-]?Q(?P<q>[1-4])\b",
        rf"{_FREE}{_YEAR}[/–](?P<to>\d{{2}}|20\d\d)(?![\d/–-])",
        rf"{_FREE}(?P<decade>1\d\d0|20\d0)['’]?s\b",
        r"\b(?P<century>\d{1,2})(?:st|nd|rd|th)[ -]century\b|(?P<han_century>\d{1,2})\s?世纪",
        r"(?<![\w.,])(?P<bc>\d{1,4}) (?:BC|BCE)\b|公元前(?P<han_bc>\d{1,4})年?",
        rf"{_FREE}(?<!No\. ){_YEAR}{_ENDS}{_NO_COUNT}",
    )
)
_DIGIT: Final = re.compile(r"\d|[一二三四五六七八九〇零]{4}|[一二三四五六七八九十][月时点]")
_TENS: Final = frozenset("一二三四五六七八九十")
_HAN: Final = str.maketrans("〇零一二三四五六七八九", "00123456789")


def dates(text: str) -> Iterator[tuple[int, int, str]]:
    """Give start, end and norm of each date in text, the fuller forms first; spans may overlap.

    A norm is ``2024-03-05`` or what is known of it: ``2024-03``, ``2024``, ``--03-05``; further
    ``2024-Q3``, ``2023/2024``, ``1970s``, ``C19`` (a century), ``-0044`` (before our era) and, of
    Chinese hours, ``T16:00``.

    >>> [norm for _, _, norm in dates("5 March 2024, Q3 2023 and the 1970s")][:3]
    ['2024-03-05', '2024-03', '--03-05']
    """
    for pattern in _PATTERNS if _DIGIT.search(text) else ():
        for match in pattern.finditer(text):
            norm = _norm(match)
            if norm:
                yield match.start(), match.end(), norm


def same_date(a: str, b: str) -> bool:
    """Tell whether two norms can mean one date: a part that one lacks equals anything.

    >>> same_date("2024-03", "2024-03-05"), same_date("--03-05", "2024-03-06")
    (True, False)
    """
    parts = [re.fullmatch(r"(\d{4}|-)(?:-(\d\d))?(?:-(\d\d))?", norm) for norm in (a, b)]
    left, right = parts
    if a.startswith("T") != b.startswith("T"):
        return True  # an hour says nothing of the day
    if not left or not right:
        return a == b
    pairs = zip(left.groups(), right.groups(), strict=True)
    return all(x == y or x in {None, "-"} or y in {None, "-"} for x, y in pairs)


def _norm(match: re.Match[str]) -> str:
    """Write a match in its norm, or give an empty string if there is no such date."""
    part = match.groupdict()
    special: dict[str, Callable[[str], str]] = {
        "q": lambda q: f"{part['y']}-Q{q}",
        "to": lambda to: _span(part["y"], to),
        "decade": lambda decade: f"{decade}s",
        "h": lambda hour: _clock(hour, part["min"], part["half"]),
        "century": lambda century: f"C{century}",
        "han_century": lambda century: f"C{century}",
        "bc": lambda year: f"-{int(year):04}",
        "han_bc": lambda year: f"-{int(year):04}",
        "a": lambda a: _numeric(part["y"], a, part["b"], part["sep"]),
    }
    for name, write in special.items():
        if part.get(name):
            return write(part[name])
    month, day = part.get("m"), part.get("d")
    year = (part.get("y") or "-").translate(_HAN)
    month, day = (str(_han(part)) if part and part[0] in _TENS else part for part in (month, day))
    number = MONTHS[month.lower().strip(".")] if month and month[0].isalpha() else int(month or 0)
    if number > 12 or (day and not 1 <= int(day) <= 31):
        return ""
    return year + (f"-{number:02}" if number else "") + (f"-{int(day):02}" if day else "")


def _han(text: str) -> int:
    """Read a Chinese number below a hundred."""
    tens, ten, ones = text.rpartition("十")
    return 10 * int((tens or "1").translate(_HAN)) * bool(ten) + int((ones or "0").translate(_HAN))


def _clock(hour: str, minute: str | None, half: str | None) -> str:
    """Write 16 时 and 十一时三十分; empty where there is no such hour."""
    h, m = (
        int(each) if each.isdigit() else _han(each)
        for each in (hour, minute or ("30" if half else "0"))
    )
    return f"T{h:02}:{m:02}" if h <= 24 and m < 60 else ""


def _span(year: str, to: str) -> str:
    """Write a school or business year such as 2023/24, if the second year follows the first."""
    end = to if len(to) == 4 else year[:2] + to
    return f"{year}/{end}" if int(end) == int(year) + 1 else ""


def _numeric(year: str, a: str, b: str, separator: str) -> str:
    """Write 5.3.2024 and 3/25/2024; where day and month can't be told apart, only the year."""
    first, second = int(a), int(b)
    if not (1 <= first <= 31 and 1 <= second <= 31) or (first > 12 and second > 12):
        return ""
    if separator == "." or first > 12 or first == second:
        return f"{year}-{second:02}-{first:02}" if second <= 12 else ""
    return f"{year}-{first:02}-{second:02}" if second > 12 else year
