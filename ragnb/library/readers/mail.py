"""Mails (eml, msg): who wrote what to whom and when, with the attachments that can be read."""

import email
import io
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Any

from ragnb.errors import RagnbError
from ragnb.library.files import TEXT_SUFFIXES, decode
from ragnb.library.readers.converted import Converted
from ragnb.library.readers.markup import flat, heading, join
from ragnb.library.readers.registry import READERS, convert

__all__ = ["read"]


def read(data: bytes, suffix: str) -> Converted:
    """Read a mail."""
    return _msg(data) if suffix == ".msg" else _eml(data)


def _eml(data: bytes) -> Converted:
    mail = email.message_from_bytes(data, policy=policy.default)
    names = ("From", "To", "Cc", "Date")
    heads = {name: flat(str(mail[name])) for name in names if mail[name]}
    body = mail.get_body(preferencelist=("plain", "html"))
    text = str(body.get_content()) if body is not None else ""
    if body is not None and body.get_content_type() == "text/html":
        text = _page(text)
    attached = [
        (flat(part.get_filename() or "without a name"), _payload(part))
        for part in mail.iter_attachments()
    ]
    return _written(flat(str(mail["Subject"] or "")), heads, text, attached)


def _payload(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_content()
        return bytes(inner) if isinstance(inner, EmailMessage) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _msg(data: bytes) -> Converted:
    from oxmsg import Message

    mail = Message.load(io.BytesIO(data))
    told = {name.casefold(): flat(text) for name, text in mail.message_headers.items()}
    names = ("From", "To", "Cc", "Date")
    heads = {name: told[name.casefold()] for name in names if told.get(name.casefold())}
    if mail.sender:
        heads.setdefault("From", flat(mail.sender))
    people = ", ".join(f"{each.name} <{each.email_address}>" for each in mail.recipients)
    if people:
        heads.setdefault("To", flat(people))
    if mail.sent_date:
        heads.setdefault("Date", mail.sent_date.isoformat(" ", "seconds"))
    text = mail.body or (_page(mail.html_body) if mail.html_body else "")
    attached = [
        (flat(each.file_name or "without a name"), each.file_bytes or b"")
        for each in mail.attachments
    ]
    order = {name: heads[name] for name in names if name in heads}
    return _written(flat(mail.subject or ""), order, text, attached)


def _page(text: str) -> str:
    from ragnb.library.readers.html import parse
    from ragnb.library.readers.html_blocks import blocks_of

    root = parse(text)
    return join(blocks_of(root)) if root is not None else ""


def _written(
    subject: str, heads: dict[str, str], body: str, attached: list[tuple[str, bytes]]
) -> Converted:
    lines = body.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    above = "\n".join(f"{name}: {text}" for name, text in heads.items())
    blocks = [heading(1, subject), above, lines.strip("\n")]
    for name, data in attached:
        blocks += _attachment(name, data)
    meta: dict[str, Any] = {"title": subject, "author": heads.get("From", "")}
    if date := heads.get("Date"):
        try:
            meta["updated"] = parsedate_to_datetime(date).date().isoformat()
        except ValueError:
            meta["updated"] = date
    return Converted(text=join(blocks), meta=meta)


def _attachment(name: str, data: bytes) -> Iterator[str]:
    yield heading(2, f"Attachment: {name}")
    suffix = "." + name.rpartition(".")[2].lower() if "." in name else ""
    try:
        if suffix in READERS:
            yield convert(data, suffix).text.replace("\n# ", "\n### ").removeprefix("# ")
        elif suffix and suffix in TEXT_SUFFIXES:
            yield decode(data)[0]
        else:
            yield f"(not read: {len(data):,} bytes)"
    except RagnbError as error:
        yield f"(not read: {error})"
