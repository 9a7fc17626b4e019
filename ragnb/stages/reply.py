"""Answer small talk, and claim nothing about the documents."""

import re
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.records import Answer

__all__ = ["Replier"]

_THANKS: Final = re.compile(r"\b(?:thanks?|thx|cheers)\b|谢", re.IGNORECASE)
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")


@component
class Replier:
    """Answer small talk; nothing is claimed about the documents."""

    version: str = "1"

    @component.output_types(answer=Answer)
    def run(self, goal: str, sources: int = 0) -> dict[str, Answer]:
        """Return a reply.

        Args:
            goal: What the user wrote.
            sources: How many sources the library holds.
        """
        if _CHINESE.search(goal):
            thanks = "不客气。" if _THANKS.search(goal) else "你好。"
            text = f"{thanks}我在 {sources} 份资料中查找答案，并附上原文引句。请提出问题。"
        else:
            thanks = "You're welcome. " if _THANKS.search(goal) else "Hello. "
            noun = "source" if sources == 1 else "sources"
            text = (
                f"{thanks}I look for answers in {sources} {noun} and quote what they rest on. "
                "Ask me a question about them."
            )
        return {"answer": Answer(goal=goal, text=text)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it."""
        return default_to_dict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Replier":
        """Make the component from what `to_dict` returned."""
        return default_from_dict(cls, data)
