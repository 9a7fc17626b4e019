"""Kinds of files by their suffix: read as they stand, converted, or left out and why."""

from typing import Final

from ragnb.library.readers import ARCHIVES, READERS

__all__ = ["CODE_SUFFIXES", "MAX_BYTES", "TEXT_SUFFIXES", "refusal"]

MAX_BYTES: Final = 50_000_000
"""Larger files are skipped: nobody wrote so much prose by hand."""
_CODE: Final = """
    bash c cc cfg cpp cs css cxx dart go gradle groovy h hcl hpp ini java jl js jsx kt kts less lua
    m php pl proto ps1 py pyi r rb rs scala scss sh sql swift tf toml ts tsx vue xml yaml yml zsh
"""
CODE_SUFFIXES: Final = frozenset(f".{name}" for name in _CODE.split())
"""Source code and settings: read as they stand, parted between definitions."""
TEXT_SUFFIXES: Final = CODE_SUFFIXES | {
    "",
    ".csv",
    ".log",
    ".markdown",
    ".md",
    ".mdx",
    ".rst",
    ".tex",
    ".text",
    ".tsv",
    ".txt",
}
"""Kinds of files that are read as they stand; those without a suffix when they hold text."""

_CAUSES: Final = {
    "a picture: it holds no text (an OCR program can make a PDF with text of it)": (
        "bmp gif heic ico jpeg jpg png svg tif tiff webp"
    ),
    "sound or film: transcribe it to .vtt or .txt first": (
        "aac avi flac m4a mkv mov mp3 mp4 ogg wav webm wmv"
    ),
    "in the old binary Office format: save it in the new one (.docx, .xlsx, .pptx)": "doc ppt xls",
    "an archive of a kind that is not opened: unpack it, or make it a .zip": (
        "7z bz2 gz jar rar tar tgz xz zst"
    ),
}
_CAUSE_OF: Final = {f".{name}": why for why, names in _CAUSES.items() for name in names.split()}


def refusal(suffix: str, size: int) -> str:
    """Say why a file is not read; the empty string when it can be.

    >>> refusal(".md", 10), refusal(".bin", 10), refusal(".md", 0)
    ('', 'unknown kind of file (.bin)', 'empty')
    """
    if size == 0:
        return "empty"
    if suffix in _CAUSE_OF:
        return _CAUSE_OF[suffix]
    if suffix not in TEXT_SUFFIXES and suffix not in READERS and suffix not in ARCHIVES:
        return f"unknown kind of file ({suffix})"
    return f"larger than {MAX_BYTES // 1_000_000} MB" if size > MAX_BYTES else ""
