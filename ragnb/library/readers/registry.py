"""Which reader takes which kind of file."""

import importlib
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ragnb.errors import LibraryError, MissingExtraError
from ragnb.library.readers.converted import Converted, SkippedError

__all__ = ["ARCHIVES", "READERS", "convert"]

_FAMILIES: Final = {
    "html": (".htm", ".html", ".xhtml"),
    "pdf": (".pdf",),
    "word": (".docm", ".docx"),
    "slides": (".pptm", ".pptx"),
    "sheets": (".xlsm", ".xlsx"),
    "odf": (".odp", ".ods", ".odt"),
    "epub": (".epub",),
    "mail": (".eml", ".msg"),
    "notebook": (".ipynb",),
    "subtitles": (".srt", ".vtt"),
    "data": (".json", ".jsonl", ".ndjson"),
    "asciidoc": (".adoc", ".asciidoc"),
}
READERS: Final = {suffix: module for module, many in _FAMILIES.items() for suffix in many}
"""The module of this package that reads files with a suffix; others are read as they stand."""
ARCHIVES: Final = frozenset({".zip"})
"""Files that are entered like folders."""
_DISTRIBUTIONS: Final = {"pptx": "python-pptx", "oxmsg": "python-oxmsg", "pdfminer": "pdfminer.six"}


def convert(data: bytes, suffix: str) -> Converted:
    """Turn a file's bytes into text.

    Args:
        data: The whole file.
        suffix: Its suffix in lower case, a key of `READERS`.

    Raises:
        SkippedError: It is encrypted, empty or scanned.
        LibraryError: It is damaged, or is not what its suffix says.
        MissingExtraError: Its reader needs packages that are not installed.
    """
    with _quiet():
        try:
            module = importlib.import_module(f"ragnb.library.readers.{READERS[suffix]}")
            read: Callable[[bytes, str], Converted] = module.read
            made = read(data, suffix)
        except ModuleNotFoundError as error:
            name = (error.name or "a parser").partition(".")[0]
            package = _DISTRIBUTIONS.get(name, name)
            raise MissingExtraError(f"Reading {suffix} files", package, "files") from error
        except LibraryError:
            raise
        except Exception as error:  # parsers of damaged files raise whatever they like
            said = " ".join(str(error).split())[:160]
            raise LibraryError(
                f"damaged, or no {suffix} file: {type(error).__name__}" + (said and f": {said}")
            ) from error
    if not made.text.strip():
        raise SkippedError(made.note or "holds no text")
    return made


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the parsers' remarks on odd files from the user's screen."""
    loggers = [logging.getLogger(name) for name in ("pdfminer", "pdfplumber", "openpyxl")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
