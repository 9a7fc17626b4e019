"""Readers: each turns the bytes of one family of files into text with Markdown structure."""

from ragnb.library.readers.converted import Converted, SkippedError
from ragnb.library.readers.registry import ARCHIVES, READERS, convert

__all__ = ["ARCHIVES", "READERS", "Converted", "SkippedError", "convert"]
