"""The few words that an answer adds to its quotes, in the question's language."""

from typing import Final

from ragnb.text.cues import is_chinese

__all__ = ["phrase"]

_PHRASES: Final = {
    "disagree": ("Sources disagree: {}", "来源说法不一：{}"),
    "hedged": ("The source holds back: {}", "来源的说法有保留：{}"),
    "partly": ("This bears on it only in part: {}", "仅部分相关：{}"),
    "orders": (
        "This gives orders to its reader, which are not followed: {}",
        "这段文字向读者下指令，未予执行：{}",
    ),
    "settled": (
        "another source disagrees; settled by: {}",
        "另有来源说法不同；裁定依据：{}",
    ),
    "single": ("one source alone says it", "仅有一个来源这样说"),
    "standing": ("its document is not in force ({})", "所引文件未生效或已失效"),
    "weak": ("the evidence is weak", "证据较弱"),
    "foreign": (
        "the quotes are in another language than the question",
        "引文与问题不是同一种语言",
    ),
    "unread": (
        "Most of what was read is in another language than the question, not compared with it: {}",
        "读过的文档多用另一种语言写成，无法与问题逐句对照：{}",
    ),
    "stood_in": (
        "The model could not be reached, and rules did {} in its place: {}",
        "无法调用模型，有 {} 步改由规则完成：{}",
    ),
    "compared": ("compared", "比较"),
}


_RULES: Final = {
    "superseded status": "另一份文件已失效",
    "newer document": "以较新的文件为准",
    "more trusted source": "以更可信的来源为准",
    "majority of sources": "以多数来源为准",
    "a person": "由人决定",
}
"""What settled a conflict."""


def phrase(name: str, goal: str, *values: str) -> str:
    """Return a phrase in the language of a goal, English or Chinese, with values put in.

    >>> phrase("single", "谁批准？"), phrase("hedged", "Who?", "perhaps")
    ('仅有一个来源这样说', 'The source holds back: perhaps')
    """
    chinese = is_chinese(goal)
    told = [_RULES.get(value, value) if chinese else value for value in values]
    return _PHRASES[name][chinese].format(*told)
