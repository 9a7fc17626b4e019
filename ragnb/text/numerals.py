"""Read numerals, units and currencies, English and Chinese."""

import re
from decimal import Decimal
from typing import Final

__all__ = ["CURRENCIES", "DIGITS", "DURATIONS", "NUMBER", "UNITS", "number", "plain"]

_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
)
_TEENS: Final = "fifteen sixteen seventeen eighteen nineteen"
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS: Final = {word: value for value, word in enumerate(f"{_ONES} {_TEENS}".split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), start=2)
}
_SCALES: Final = (
    {"dozen": 12, "hundred": 100, "thousand": 1_000, "k": 1_000}
    | {"million": 10**6, "mn": 10**6, "m": 10**6, "billion": 10**9, "bn": 10**9, "b": 10**9}
    | {"trillion": 10**12, "tn": 10**12, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
)
_HAN_DIGITS: Final = dict(zip("零一二三四五六七八九两〇", [*range(10), 2, 0], strict=True))
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1_000}

_WORD: Final = "|".join(sorted(_WORDS, key=len, reverse=True))
_SCALE: Final = "hundred|thousand|million|billion|trillion|dozen"
DIGITS: Final = (
    r"(?:[-−+](?=\d))?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    rf"(?:(?:[ -]?(?i:{_SCALE})|bn|mn|tn|[kKMB])\b|\s?[万亿萬億]+)?"
)
"""A numeral in digits with its scale, as a part of a regular expression without groups."""

NUMBER: Final = (
    rf"{DIGITS}"
    rf"|(?i:\b(?:(?:{_WORD})(?:[ -](?:{_WORD}))?(?:[ -](?:{_SCALE}))*|(?<=\ba )(?:{_SCALE}))\b)"
    "|[零〇一二两三四五六七八九十百千万亿]+"
)
"""A numeral in digits or words, likewise."""

_CURRENCIES: Final = {
    "USD": "$ US$ dollar dollars 美元",
    "EUR": "€ euro euros 欧元",
    "GBP": "£ pound pounds 英镑",
    "JPY": "¥ yen 日元",
    "CNY": "yuan RMB 元 人民币",
    "INR": "₹ rupee rupees",
    "CHF": "franc francs",
    "AUD": "A$",
    "CAD": "C$",
    "HKD": "HK$ 港元",
}
_CODES: Final = "SEK NOK DKK PLN KRW"
CURRENCIES: Final = {
    sign: code for code, signs in _CURRENCIES.items() for sign in (code, *signs.split())
} | {code: code for code in _CODES.split()}
"""Currency signs, words and codes, with the code they mean."""

_SPELT_DURATIONS: Final = {
    "millisecond milliseconds ms 毫秒": ("s", "0.001"),
    "second seconds sec secs s 秒 秒钟": ("s", "1"),
    "minute minutes min mins 分钟": ("s", "60"),
    "hour hours hr hrs h 小时 个小时": ("s", "3600"),
    "day days 天 日": ("s", "86400"),
    "week weeks 周 星期 个星期": ("s", "604800"),
    "fortnight fortnights": ("s", "1209600"),
    "month months 个月": ("month", "1"),
    "year years yr yrs 年": ("month", "12"),
    "decade decades": ("month", "120"),
    "century centuries": ("month", "1200"),
}
_SPELT_UNITS: Final = {
    "mm millimetre millimetres millimeter millimeters 毫米": ("m", "0.001"),
    "cm centimetre centimetres centimeter centimeters 厘米 公分": ("m", "0.01"),
    "m metre metres meter meters 米 公尺": ("m", "1"),
    "km kilometre kilometres kilometer kilometers 公里 千米": ("m", "1000"),
    "mi mile miles 英里": ("m", "1609.344"),
    "ft foot feet 英尺": ("m", "0.3048"),
    "inch inches 英寸": ("m", "0.0254"),
    "m² m2 平方米": ("m²", "1"),
    "km² km2 平方公里 平方千米": ("m²", "1000000"),
    "ha hectare hectares 公顷": ("m²", "10000"),
    "acre acres": ("m²", "4046.8564224"),
    "mg 毫克": ("g", "0.001"),
    "斤": ("g", "500"),
    "g gram grams 克": ("g", "1"),
    "kg kilogram kilograms kilo kilos 公斤 千克": ("g", "1000"),
    "t tonne tonnes ton tons 吨": ("g", "1000000"),
    "lb lbs": ("g", "453.59237"),
    "oz ounce ounces": ("g", "28.349523125"),
    "ml mL millilitre millilitres milliliters 毫升": ("l", "0.001"),
    "l L litre litres liter liters 升": ("l", "1"),
    "°C ℃ 摄氏度": ("°C", "1"),
    "°F ℉": ("°F", "1"),
    "km/h kph": ("km/h", "1"),
    "mph": ("km/h", "1.609344"),
    "W watt watts 瓦": ("W", "1"),
    "kW 千瓦": ("W", "1000"),
    "MW": ("W", "1000000"),
    "kWh": ("kWh", "1"),
    "Hz": ("Hz", "1"),
    "kHz": ("Hz", "1000"),
    "MHz": ("Hz", "1000000"),
    "GHz": ("Hz", "1000000000"),
    "byte bytes 字节": ("B", "1"),
    "KB kB": ("B", "1000"),
    "MB megabyte megabytes": ("B", "1000000"),
    "GB gigabyte gigabytes": ("B", "1000000000"),
    "TB terabyte terabytes": ("B", "1000000000000"),
    "KiB": ("B", "1024"),
    "MiB": ("B", "1048576"),
    "GiB": ("B", "1073741824"),
    "Mbps": ("Mbps", "1"),
    "Gbps": ("Mbps", "1000"),
    "px pixel pixels 像素": ("px", "1"),
    "V volt volts": ("V", "1"),
}


def _table(spelt: dict[str, tuple[str, str]]) -> dict[str, tuple[str, Decimal]]:
    return {
        name: (base, Decimal(factor))
        for names, (base, factor) in spelt.items()
        for name in names.split()
    }


DURATIONS: Final = _table(_SPELT_DURATIONS)
"""Words for lengths of time, with their base unit (second or month) and how many of it they are."""

UNITS: Final = _table(_SPELT_UNITS)
"""Other units, with their base unit and how many of it they are."""


def number(text: str) -> Decimal | None:
    """Give the number that a numeral means, or None if it is no numeral.

    >>> number("1,200"), number("3 million"), number("twenty-five"), number("三百二十万")
    (Decimal('1200'), Decimal('3000000'), Decimal('25'), Decimal('3200000'))
    """
    found = re.fullmatch(r"([-−+]?)([\d,]*\.?\d+)[\s-]*(\D*)", text.strip())
    if found:
        sign, digits, scales = found.groups()
        value = Decimal(digits.replace(",", ""))
        names = list(scales) if re.fullmatch("[万亿萬億]+", scales) else scales.lower().split()
        if any(name not in _SCALES for name in names):
            return None
        for name in names:
            value *= _SCALES[name]
        return -value if sign in {"-", "−"} else value
    if re.search("[一-龥〇]", text):
        return _han(text)
    return _worded(re.split(r"[\s-]+", text.lower().strip()))


def plain(value: Decimal) -> str:
    """Write a number without exponent and without trailing zeros.

    >>> plain(Decimal("1.50")), plain(Decimal("2E+3"))
    ('1.5', '2000')
    """
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


def _worded(words: list[str]) -> Decimal | None:
    """Read number words such as twenty, five, thousand."""
    value = 0
    for at, word in enumerate(words):
        if word in _WORDS:
            value += _WORDS[word]
        elif word in _SCALES and len(word) > 2:
            value = (value if at else 1) * _SCALES[word]
        else:
            return None
    return Decimal(value)


def _han(text: str) -> Decimal | None:
    """Read a number written in Chinese characters, place by place or with 十百千万亿."""
    if all(char in _HAN_DIGITS for char in text):
        return Decimal("".join(str(_HAN_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_SCALES:
            section += (digit or 1) * _HAN_SCALES[char]
            digit = 0
        elif char in _SCALES:
            total = (total + section + digit or 1) * _SCALES[char]
            section = digit = 0
        else:
            return None
    return Decimal(total + section + digit)
