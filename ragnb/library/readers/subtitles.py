"""Subtitles (srt, vtt): what is said, in paragraphs with the time at which each begins."""

import html
import re
from typing import Final

from ragnb.library.files import decode
from ragnb.library.readers.converted import Converted
from ragnb.library.readers.markup import flat

__all__ = ["read"]

_TIME: Final = re.compile(
    r"(?:(?P<h>\d+):)?(?P<m>\d{1,2}):(?P<s>\d{2})[.,]\d{1,3}\s*-->\s*"
    r"(?:(?P<h2>\d+):)?(?P<m2>\d{1,2}):(?P<s2>\d{2})"
)
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_SPAN: Final = 30
"""Seconds that one paragraph covers at most."""
_PAUSE: Final = 4
"""A paragraph ends where nothing is said for so many seconds."""


def read(data: bytes, suffix: str) -> Converted:
    """Read subtitles; lines that repeat the one before, as live ones do, are told once."""
    del suffix
    text, note = decode(data)
    out: list[str] = []
    began, ended, last_voice, last_line = -1000, -1000, "", ""
    for cue in re.split(r"\n[ \t]*\n", text):
        lines = cue.strip().split("\n")
        at = next((n for n, line in enumerate(lines) if _TIME.search(line)), None)
        times = _TIME.search(lines[at]) if at is not None else None
        if at is None or times is None:
            continue
        start, end = _seconds(times, ""), _seconds(times, "2")
        voice = ""
        for line in lines[at + 1 :]:
            speaker = _VOICE.search(line)
            voice = flat(speaker[1]) if speaker else voice
            words = flat(html.unescape(re.sub(r"<[^>]*>|\{\\[^}]*\}", "", line)))
            if not words or words == last_line:
                continue
            if voice != last_voice or start - began >= _SPAN or start - ended >= _PAUSE:
                out.append(f"[{_clock(start)}] " + (f"{voice}: " if voice else "") + words)
                began = start
            else:
                out[-1] += f" {words}"
            last_voice, last_line, ended = voice, words, end
    return Converted(text="\n\n".join(out) + "\n" if out else "", note=note)


def _seconds(times: re.Match[str], which: str) -> int:
    hours, minutes, seconds = (int(times[key + which] or 0) for key in "hms")
    return hours * 3600 + minutes * 60 + seconds


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
