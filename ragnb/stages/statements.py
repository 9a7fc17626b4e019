"""What is said of a piece of evidence, in the words of its quote."""

import re
from typing import Final

from ragnb.records import Evidence
from ragnb.text.cues import is_chinese

__all__ = ["statement"]

_LONG: Final = 400


def statement(item: Evidence) -> str:
    """Give the short answer, if there is a sure one, and the quote, without its markup.

    A table's row is given with the names of its columns.
    """
    plain = _plain(item.quote)
    quote = item.row or plain
    if len(quote) > _LONG:
        quote = quote[:_LONG].rsplit(" ", 1)[0] + " …"
    says = item.says.strip()
    if not says or not item.sure or says.endswith(("…", "...")) or plain.startswith(says[:20]):
        return quote
    if item.cells:
        return f"{says} ({quote})"
    return f"{says}：{quote}" if is_chinese(quote) else f"{says}: {quote}"


def _plain(quote: str) -> str:
    quote = re.sub(r"</?[a-zA-Z][^<>]*>|!\[[^\]]*\]\([^)]*\)", " ", quote).strip(" |\n\t")
    if "\n" in quote:
        lines = [re.sub(r"^[\s>*+\-|]+|^\s*\d+[.)]\s+", "", line) for line in quote.split("\n")]
        quote = "; ".join(line.strip(" |") for line in lines if line.strip(" |-"))
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"\*\*|__|`", "", quote))
