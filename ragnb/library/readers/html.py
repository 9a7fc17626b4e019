"""HTML: headings, lists, tables and code in their order, without menus and scripts."""

import re
from typing import Any, Final

from lxml import html

from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted
from ragnb.library.readers.html_blocks import blocks_of
from ragnb.library.readers.markup import flat, join

__all__ = ["parse", "read"]

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)


def read(data: bytes, suffix: str) -> Converted:
    """Read an HTML page; of one with a ``main`` element only that."""
    del suffix
    text, note = _decoded(data)
    root = parse(text)
    if root is None:
        return Converted(text="")
    mains = root.xpath("//main | //*[@role='main']")
    top = mains[0] if len(mains) == 1 and len(flat(mains[0].text_content())) > 200 else root
    links = [str(link) for link in root.xpath("//a/@href")]
    found: dict[str, Any] = {"title": flat(root.findtext(".//title") or ""), "links": links}
    for each in root.xpath("//meta[@content]"):
        name = str(each.get("name") or each.get("property")).lower()
        if name == "author":
            found[name] = flat(each.get("content"))
        elif name in {"article:modified_time", "last-modified", "date", "dc.date"}:
            found["updated"] = flat(each.get("content"))
    canonical = root.xpath("//link[@rel='canonical']/@href")
    if canonical:
        found["url"] = str(canonical[0])
    return Converted(text=join(blocks_of(top)), note=note, meta=found)


def parse(text: str) -> Any:
    """Parse HTML text into an lxml tree; None when it holds no element."""
    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False
    )
    data = text.encode("utf-8", "replace")
    return html.document_fromstring(data, parser=parser) if data.strip() else None


def _decoded(data: bytes) -> tuple[str, str]:
    said = _CHARSET.search(data[:4096])
    if said and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode(said[1].decode("ascii")), ""
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)
