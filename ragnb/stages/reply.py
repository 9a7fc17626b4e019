"""Answer small talk, and say what the agent does and holds; claim nothing about the documents."""

import re
from typing import Any, Final

from haystack import component, default_from_dict, default_to_dict

from ragnb.records import Answer
from ragnb.stages.routes import about_itself

__all__ = ["Replier"]

_THANKS: Final = re.compile(r"\b(?:thanks?|thx|cheers)\b|谢", re.IGNORECASE)
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_SHOWN: Final = 8


@component
class Replier:
    """Answer small talk, and what the agent can do or holds; nothing else is claimed."""

    version: str = "2"

    @component.output_types(answer=Answer)
    def run(
        self,
        goal: str,
        sources: int = 0,
        titles: list[str] | None = None,
        tools: list[str] | None = None,
    ) -> dict[str, Answer]:
        """Return a reply.

        Args:
            goal: What the user wrote.
            sources: How many sources the library holds.
            titles: What they are called.
            tools: The names of the tools at hand.
        """
        chinese = bool(_CHINESE.search(goal))
        if about_itself(goal):
            text = _held(sources, titles or [], tools or [], chinese=chinese)
        elif chinese:
            thanks = "不客气。" if _THANKS.search(goal) else "你好。"
            text = f"{thanks}我在 {sources} 份资料中查找答案，并附上原文引句。请提出问题。"
        else:
            thanks = "You're welcome. " if _THANKS.search(goal) else "Hello. "
            text = (
                f"{thanks}I look for answers in {_counted(sources)} and quote what they rest on. "
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


def _counted(sources: int) -> str:
    return f"{sources} source" if sources == 1 else f"{sources} sources"


def _held(sources: int, titles: list[str], tools: list[str], *, chinese: bool) -> str:
    """Say what is held and what can be done, by names alone."""
    some = titles[:_SHOWN]
    more = sources - len(some)
    if chinese:
        held = f"这里有 {sources} 份资料"
        held += f"：{'；'.join(some)}{f'；另有 {more} 份' if more > 0 else ''}。" if some else "。"
        able = "我查找、阅读、比较它们，回答时附上原文引句。"
        return held + able + (f"可用的工具：{'、'.join(tools)}。" if tools else "")
    held = f"I hold {_counted(sources)}"
    held += f": {'; '.join(some)}{f'; and {more} more' if more > 0 else ''}." if some else "."
    able = " I search, read and compare them, and quote what an answer rests on."
    return held + able + (f" Tools at hand: {', '.join(tools)}." if tools else "")
