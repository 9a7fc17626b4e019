"""Class a goal and pick how to go about it, by rule; English and Chinese."""

import re
from typing import Any, Final

from haystack import component, default_to_dict

from ragnb.library.library import Library
from ragnb.library.tabular import tables
from ragnb.records import GoalKind, Routing
from ragnb.stages.hops import document_named, hop, listing, sides
from ragnb.stages.parts import over_library
from ragnb.stages.splitting import is_small_talk, split
from ragnb.stages.toolbox.tabling import looked_up
from ragnb.text.cues import question_kind
from ragnb.text.tokens import STOP, terms, tokens

__all__ = ["POLICIES", "Router", "about_itself"]

POLICIES: Final = ("one_shot", "evidence", "plan", "reply")
"""What a route can lead to."""
_FAR: Final = 0.5
"""A goal is outside the library if less than this share of what it says is known there."""
_I: Final = re.IGNORECASE
_ITSELF: Final = re.compile(
    r"^\W*(?:(?:hi|hello|hey)\W+)?(?:please\s+)?(?:(?:can|could) you (?:please )?)?(?:tell me )?"
    r"(?:what (?:can|do) you (?:do|hold|have|know|contain|cover)(?: about)?"
    r"|(?:what|which) (?:documents|sources|files|data|information) (?:do you (?:have|hold|know)"
    r"|are (?:there|here)|are in (?:here|(?:the|your|this) (?:library|collection)))"
    r"|what(?:'s| is) in (?:the|your|this) (?:library|collection)"
    r"|how (?:do|can) (?:i|you) use (?:this|you)"
    r"|how do you work|what are you for)\W*$"
    r"|^\W*(?:你好[，,！!\s]*)?(?:请问)?(?:你|您|这里|资料库|知识库)(?:都?能做什么|会做什么|有哪些(?:资料|文件|文档|内容)"
    r"|有什么(?:资料|文件|文档|内容)?|里?都?有(?:哪些|什么)(?:资料|文件|文档|内容)?|知道什么|怎么用)\W*$",
    _I,
)
_POLITE: Final = (
    r"^\W*(?:(?:hi|hello|hey)\W+)?(?:please\W+)?(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:i (?:want|need|would like) you to )?(?:please )?"
)
_DO: Final = (
    "send|e-?mail|mail|write to|notify|inform|remind|create|open|file|submit|book|schedule|order"
    "|cancel|delete|remove|update|change|set|assign|approve|reject|close|escalate|forward|post|publish|pay"
    "|refund|call|invite|move|rename|upload|register|reset|restart|grant|issue"
)
_ACTION: Final = re.compile(
    rf"{_POLITE}(?:{_DO})\s+(?:an?\b|the\b|this\b|that\b|all\b|my\b|our\b|me\b|us\b|[A-Z\d“\"'])"
    rf"|(?:\band|\bthen|[,;])\s+(?:then\s+)?(?:please\s+)?(?:{_DO})\s+(?:an?\b|the\b|it\b|them\b|this\b|[A-Z])"
    r"|^\W*(?:请|麻烦|帮我|帮忙)?(?:你)?(?:给.{1,20})?(?:发送|发一?[封份条]|寄|通知|创建|新建|建立|提交|预订|预约|安排|取消"
    r"|删除|更新|修改|关闭|转发|发布|登记|批准|退款)",
    _I,
)
_DATA: Final = re.compile(
    r"\b(?:summari[sz]e|summary of|give (?:me )?an overview|overview of|list (?:all|every|the)"
    r"|how many (?:documents|sources|files|tickets|incidents|records|rows|entries)\b"
    r"|in all\b|in total|total (?:number|amount|sum|cost)|the sum of|on average|average"
    r"|count (?:the|all)|add up|the (?:highest|lowest|largest|smallest|most expensive|cheapest)\b)"
    r"|总共|合计|一共|总计|平均|汇总|总结|概述|列出|最[高低多少大小贵]",
    _I,
)


def about_itself(goal: str) -> bool:
    """Tell whether a goal asks what the agent can do, or what it holds.

    >>> about_itself("What can you do?"), about_itself("What documents do you have?")
    (True, True)
    >>> about_itself("What do you have to refuse?"), about_itself("你有哪些资料？")
    (False, True)
    """
    return bool(_ITSELF.match(goal.strip()))


@component
class Router:
    """Class a goal by its form, and by whether the library knows its words.

    Args:
        library: Whose words and tables are known; without one nothing counts as outside.
    """

    version: str = "2"

    def __init__(self, library: Library | None = None) -> None:
        self.library = library

    @component.output_types(routing=Routing, normalized_goal=str)
    def run(self, goal: str, tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Class a goal.

        Args:
            goal: What the user asks.
            tools: The tools at hand: name, description, effects.

        Returns:
            ``routing``: the kind, whether it is complex, the policy and why; ``normalized_goal``
            without spare white space.
        """
        bare = " ".join(goal.split())
        return {"routing": self._routed(bare, tools or []), "normalized_goal": bare}

    def _routed(self, goal: str, tools: list[dict[str, Any]]) -> Routing:
        if found := _without_documents(goal, tools):
            return found
        if unknown := self._outside(goal):
            return _to("outside", "one_shot", f"No document knows {unknown}; one cheap look.")
        table = looked_up(goal, tables(self.library)) if self.library is not None else None
        if table is not None:
            return _to("data", "plan", f"The table {table['table']} holds what it asks for.")
        return _by_form(goal)

    def _outside(self, goal: str) -> str:
        """Return in words what no document knows, if that is most of the goal."""
        count = getattr(getattr(self.library, "store", None), "frequencies", None)
        words = list(dict.fromkeys(t for t in terms(goal) if t not in STOP))
        if count is None or not words:
            return ""
        found = count(words)
        unknown = [word for word in words if not found.get(word)]
        if len(words) - len(unknown) >= _FAR * len(words):
            return ""
        surface = [t.text for t in tokens(goal) if set(terms(t.text)) & set(unknown)]
        return ", ".join(dict.fromkeys(surface)) or ", ".join(unknown)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; the library as its store."""
        library = None if self.library is None else self.library.store.to_dict()
        return default_to_dict(self, library=library)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Router":
        """Make the component from what `to_dict` returned."""
        return over_library(cls, data)


def _without_documents(goal: str, tools: list[dict[str, Any]]) -> Routing | None:
    """Class what needs no document, or more than documents."""
    if about_itself(goal):
        return _to("talk", "reply", "It asks what the agent can do or holds.")
    if is_small_talk(goal):
        return _to("talk", "reply", "It greets, thanks, or says nothing to be looked up.")
    if _ACTION.search(goal) or _names_a_tool(goal, tools):
        return _to("action", "plan", "It asks for something to be done.", hard=True)
    return None


def _by_form(goal: str) -> Routing:
    """Class a goal by the form of what it asks."""
    named, parts = document_named(goal), len(split(goal))
    rules: tuple[tuple[object, GoalKind, str], ...] = (
        (named, "single", f"It names the document that it wants to hear: {named}."),
        (
            sides(goal) or question_kind(goal) == "comparison",
            "comparison",
            "It compares things, side by side.",
        ),
        (listing(goal), "data", "It asks the same of each thing of a sort."),
        (_DATA.search(goal), "data", "It asks for data to be looked up or summed up."),
        (hop(goal), "single", "It asks about a thing to be found first."),
    )
    for holds, kind, reason in rules:
        if holds:
            return _to(kind, "plan", reason, hard=True)
    if parts > 1:
        return _to("single", "evidence", f"It asks {parts} things.", hard=True)
    return _to("single", "one_shot", "It asks one plain thing.")


def _to(kind: GoalKind, policy: str, reason: str, *, hard: bool = False) -> Routing:
    return Routing(
        kind=kind, complexity="complex" if hard else "simple", policy=policy, reason=reason
    )


def _names_a_tool(goal: str, tools: list[dict[str, Any]]) -> bool:
    """Tell whether a goal names a tool that does something, as “run send_mail”."""
    said = {token.text.lower() for token in tokens(goal)}
    return any(tool.get("effects") and str(tool.get("name", "")).lower() in said for tool in tools)
