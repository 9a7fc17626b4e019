"""JSON: as it stands where it is laid out in lines, else laid out."""

import json

from ragnb.errors import LibraryError
from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted

__all__ = ["read"]


def read(data: bytes, suffix: str) -> Converted:
    """Read JSON or JSON lines; what is no JSON is an error that names the line."""
    text, note = decode(data)
    try:
        if suffix == ".json":
            value = json.loads(text)
            if text.count("\n") * 400 < len(text):
                text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
            title = value.get("title") if isinstance(value, dict) else None
            return Converted(
                text=text, note=note, meta={"title": title} if isinstance(title, str) else {}
            )
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                _checked(line, number)
    except ValueError as error:
        raise LibraryError(f"damaged, or no {suffix} file: {error}") from error
    return Converted(text=text, note=note)


def _checked(line: str, number: int) -> None:
    try:
        json.loads(line)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error
