"""E-books (epub): their chapters in the order of the spine."""

import posixpath
import re
from typing import Any
from urllib.parse import unquote

from ragnb.errors import LibraryError
from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted, SkippedError
from ragnb.library.readers.html import parse
from ragnb.library.readers.html_blocks import blocks_of
from ragnb.library.readers.markup import flat, join
from ragnb.library.readers.package import Package, name_of
from ragnb.library.readers.word_styles import value

__all__ = ["read"]


def read(data: bytes, suffix: str) -> Converted:
    """Read an e-book."""
    package = Package(data)
    if "META-INF/rights.xml" in package.names:
        raise SkippedError("encrypted: the e-book is copy-protected")
    container = package.xml("META-INF/container.xml")
    files = (
        [e for e in container.iter() if name_of(e) == "rootfile"] if container is not None else []
    )
    plan = package.xml(value(files[0], "full-path")) if files else None
    if plan is None:
        raise LibraryError(f"damaged, or no {suffix} file: it names no contents")
    folder = posixpath.dirname(value(files[0], "full-path"))
    items = {value(e, "id"): e for e in plan.iter() if name_of(e) == "item"}
    meta: dict[str, Any] = {}
    for each in plan.iter():
        key = {"title": "title", "creator": "author", "date": "updated"}.get(name_of(each))
        if key and key not in meta and flat(each.text or ""):
            meta[key] = flat(each.text)
    blocks: list[str] = []
    for each in (e for e in plan.iter() if name_of(e) == "itemref"):
        item = items.get(value(each, "idref"))
        if item is None or "nav" in value(item, "properties").split():
            continue
        path = posixpath.normpath(posixpath.join(folder, unquote(value(item, "href"))))
        page = package.bytes(path)
        if page:
            text = re.sub(r"^\s*<\?xml[^>]*\?>", "", decode(page)[0])
            root = parse(text)
            blocks += blocks_of(root) if root is not None else []
    return Converted(text=join(blocks), meta=meta)
