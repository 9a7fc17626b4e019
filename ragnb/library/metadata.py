"""What a document says about itself: title, date, status, aliases, links and trust."""

import math
import posixpath
import re
import tomllib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote

from ragnb.library.blocks import Block, blocks
from ragnb.library.preamble import preamble

__all__ = ["DEFAULT_TRUST", "describe", "front_matter", "iso_date", "status_word"]

DEFAULT_TRUST: Final = 0.5
"""Trust in a document that nobody judged, on a scale from 0 to 1."""

_STATUS: Final = {
    "superseded": "superseded replaced 已废止 废止 已取代 已失效",
    "deprecated": "deprecated obsolete outdated 弃用 已弃用 过时",
    "archived": "archived retired withdrawn 归档 已归档",
    "rejected": "rejected declined 已拒绝",
    "draft": "draft wip 草稿 草案",
    "proposed": "proposed 提议 征求意见",
    "accepted": "accepted approved final 已批准 已通过 已接受 定稿",
    "current": "current active valid 现行 有效 生效",
}
_STATUS_WORDS: Final = {word: name for name, words in _STATUS.items() for word in words.split()}
_MONTH_NAMES: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS: Final = tuple(_MONTH_NAMES.split())
_LABEL: Final = re.compile(
    r"^[ \t>*_\-|]*(?P<name>status|(?:last[ -])?(?:updated|modified|changed)|date|effective"
    r"|状态|更新日期|更新时间|日期|生效日期)[*_ \t]*(?:on)?[ \t]*[:：|][*_ \t]*(?P<value>[^\n|]*)",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED: Final = re.compile(
    r"\b(SUPERSEDED|DEPRECATED|OBSOLETE|WITHDRAWN|DRAFT)\b"
    r"|[-–—:(\[]\s*((?i:superseded|deprecated|obsolete|withdrawn|draft))\b"
    r"|(已废止|已作废|草案)"
)
"""In a heading: in capitals, or set off by a dash, a colon or a bracket."""
_SAID: Final = re.compile(
    r"^[\s>*_!-]*(?:(?:this|the)\s(?:\w+\s){0,3}(?:is|was|has been)\s(?:now\s)?|本\w{1,6}已被?)?"
    r"(?P<word>superseded|deprecated|withdrawn|废止|作废|取代)(?:\s(?:by|on|in|since)\b|[。，.:：]|$)",
    re.IGNORECASE,
)
"""At the start of a line: that this document is out of force."""
_STATUS_BELOW: Final = re.compile(
    r"^(?:#+[ \t]*(?:Status|状态)|(?:Status|状态)[ \t]*\n[=~^-]{3,})[ \t]*\n+[ \t]*([^\n#]+)",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR: Final = re.compile(r"(?P<key>[\w\"'][\w \"'.-]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_LINK: Final = re.compile(r"(?<!!)\[[^\]\n]*\]\(<?(?P<to>[^)>\s]+)|\[\[(?P<wiki>[^\]|#\n]+)")
_OWN: Final = """
    title aliases alias updated last_updated date status trust url link links id source_id start
    end index page section context text_hash path
"""
_RESERVED: Final = frozenset(_OWN.split())


def describe(
    text: str,
    source_id: str,
    *,
    kind: str = "markdown",
    given: Mapping[str, Any] | None = None,
    file: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    r"""Read what a document says about itself.

    Args:
        text: Its text.
        source_id: Its id; the last part names it where nothing else does.
        kind: The structure of the text, as in `ragnb.library.blocks.blocks`.
        given: Values that go before what the text says.
        file: What the file says outside of its text; it counts where the text is silent.

    Returns:
        ``title``, ``updated`` (ISO date or empty), ``status`` (a lower-case word or empty),
        ``trust`` (0 to 1), ``url``, ``aliases`` and ``links`` (lists of str), and every other plain
        value of the front matter or of ``given`` under its own name.

    >>> about = describe("# Leave policy\n\nStatus: Superseded by HR-9\n", "hr/leave.md")
    >>> about["title"], about["status"], about["trust"]
    ('Leave policy', 'superseded', 0.5)
    """
    found = blocks(text, kind)
    outside = file or {}
    plain = kind in {"markdown", "rst"}
    front = {
        **{key: value for key, value in outside.items() if key not in _RESERVED},
        **(preamble(text, source_id) if plain else {}),
        **front_matter(text, found),
        **{k: v for k, v in (given or {}).items() if v is not None},
    }
    labels = _labels(text[:2500]) if plain else {}
    dates = (front.get(key) for key in ("updated", "last_updated", "date"))
    extra = {key: value for key, value in front.items() if key not in _RESERVED and _plain(value)}
    return {
        **extra,
        "title": _text(front.get("title")) or _title(found, source_id, _text(outside.get("title"))),
        "updated": next((iso for date in dates if (iso := iso_date(_text(date)))), "")
        or labels.get("updated", "")
        or iso_date(_text(outside.get("updated"))),
        "status": status_word(_text(front.get("status")))
        or labels.get("status", "")
        or status_word(_text(outside.get("status")))
        or (_announced(text[:1500]) if plain else ""),
        "trust": _trust(front.get("trust")),
        "url": _text(front.get("url") or front.get("link") or outside.get("url")),
        "aliases": _list(front.get("aliases")) + _list(front.get("alias")),
        "links": _list((given or {}).get("links"))
        or _links("".join(f"[]({to})" for to in _list(outside.get("links"))) + text, source_id),
    }


def front_matter(text: str, found: list[Block]) -> dict[str, Any]:
    """Read the block between ``---`` (simple YAML) or ``+++`` (TOML) lines at the head of a text.

    Of YAML, pairs of a key and a value and lists are understood; nested maps are left out. Keys
    become lower case with underscores, values str, bool, int, float or a list of these.
    """
    if not found or found[0].kind != "front":
        return {}
    inside = text[found[0].start : found[0].end].split("\n")
    if inside[0].startswith("+++"):
        try:
            data = tomllib.loads("\n".join(inside[1:-1]))
        except tomllib.TOMLDecodeError:
            return {}
        return {_key(key): value for key, value in data.items()}
    values: dict[str, Any] = {}
    key = ""
    for line in inside[1:-1]:
        item = re.match(r"\s*-\s+(.*)$", line)
        if item and key:
            listed = values.get(key)
            values[key] = [*(listed if isinstance(listed, list) else []), _scalar(item.group(1))]
        elif pair := _PAIR.match(line):
            key = _key(pair["key"])
            values[key] = _value(pair["value"] or "")
        elif line.startswith((" ", "\t")) and isinstance(values.get(key), str):
            values[key] = f"{values[key].lstrip('>|-')} {line.strip()}".strip()
    return values


def iso_date(text: str) -> str:
    """Return the first full date in text as ``YYYY-MM-DD``, or the empty string.

    >>> iso_date("on 3 March 2024"), iso_date("2024年5月1日"), iso_date("soon")
    ('2024-03-03', '2024-05-01', '')
    """
    month = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
    for pattern in (
        r"(?P<y>\d{4})\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})(?!\d)",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{month},?[\s-]+(?P<y>\d{{4}})",
        rf"{month}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})",
    ):
        if hit := re.search(pattern, text, re.IGNORECASE):
            parts = hit.groupdict()
            number = int(parts["m"]) if "m" in parts else _MONTHS.index(parts["name"].lower()) + 1
            if 1 <= number <= 12 and 1 <= int(parts["d"]) <= 31:
                return f"{parts['y']}-{number:02d}-{int(parts['d']):02d}"
    return ""


def status_word(text: str) -> str:
    """Return the status that text names, in one of a few known words, else its own first words.

    >>> status_word("Superseded by ADR-012"), status_word("已废止"), status_word("On hold")
    ('superseded', 'superseded', 'on hold')
    """
    plain = re.sub(r"[*_`~\"']+", "", text).strip().casefold()
    if not re.match(r"not\b|no longer\b", plain):
        for word in re.findall(r"\w+", plain):
            if word in _STATUS_WORDS:
                return _STATUS_WORDS[word]
    return plain if len(plain) <= 24 else ""


def _announced(head: str) -> str:
    """Return that a text says at its head, in position, that it is no longer or not yet in force.

    >>> _announced("# Rules (2019) - SUPERSEDED"), _announced("This page is superseded by v3.")
    ('superseded', 'superseded')
    >>> _announced("# How to mark a superseded rule"), _announced("# 旧规定（已废止）")
    ('', 'superseded')
    """
    for line in head.split("\n"):
        if line.lstrip().startswith("#") and (mark := _MARKED.search(line)):
            return _STATUS_WORDS.get(next(filter(None, mark.groups())).casefold(), "superseded")
        if said := _SAID.match(line):
            return _STATUS_WORDS.get(said["word"].casefold(), "superseded")
    return ""


def _labels(head: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for hit in _LABEL.finditer(head):
        if hit["name"].lower() in {"status", "状态"}:
            values.setdefault("status", status_word(hit["value"]))
        elif date := iso_date(hit["value"]):
            values.setdefault("updated", date)
    if below := _STATUS_BELOW.search(head):
        values.setdefault("status", status_word(below.group(1)))
    return values


def _title(found: list[Block], source_id: str, outside: str = "") -> str:
    body = [block for block in found if block.kind != "front"]
    marks = [block for block in body if block.kind == "heading" and block.title]
    top = next((mark for mark in marks if mark.level == 1), None)
    alone = sum(mark.level <= marks[0].level for mark in marks) == 1 if marks else False
    if top or (alone and marks[0] is body[0]):
        return (top or marks[0]).title
    if outside:
        return outside
    path = PurePosixPath(source_id)
    stem = path.stem or source_id
    generic = stem.lower().strip("_") in {"index", "readme"} and path.parent.name
    return path.parent.name if generic else stem


def _links(text: str, source_id: str) -> list[str]:
    found: dict[str, None] = {}
    for hit in _LINK.finditer(text):
        if hit["wiki"]:
            found[hit["wiki"].strip()] = None
            continue
        target = unquote(hit["to"].split("#")[0].split("?")[0])
        if target and not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE):
            joined = posixpath.join(posixpath.dirname(source_id), target)
            found[posixpath.normpath(joined).lstrip("/")] = None
    return list(found)


def _trust(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        return DEFAULT_TRUST
    return min(1.0, max(0.0, number)) if math.isfinite(number) else DEFAULT_TRUST


def _key(text: str) -> str:
    return re.sub(r"[^\w]+", "_", text.strip().strip("\"'").casefold()).strip("_")


def _value(text: str) -> Any:
    if text.startswith("[") and text.rstrip().endswith("]"):
        inner = text.rstrip()[1:-1]
        return [_scalar(part) for part in inner.split(",") if part.strip()]
    return _scalar(text)


def _scalar(text: str) -> Any:
    text = re.sub(r"\s+#.*$", "", text).strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return text


def _plain(value: object) -> bool:
    return isinstance(value, str | bool | int | float) or (
        isinstance(value, list) and all(isinstance(item, str | int | float) for item in value)
    )


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()


def _list(value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    return [str(value)] if value else []
