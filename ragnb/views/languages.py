"""Words of an answer in the language of its question: English, or Chinese."""

from typing import Final

from ragnb.records import StopReason

__all__ = ["ended", "say"]

_CHINESE: Final = {
    "Question": "问题",
    "Conclusions": "结论",
    "Uncertain": "尚不确定",
    "Open questions": "未解决的问题",
    "Open": "未解决",
    "Sources": "来源",
    "Why it stopped": "停止原因",
    "Why it stopped: {} ({})": "停止原因：{}（{}）",
    "What it cost: {}": "用量：{}",
    "Note: {}": "说明：{}",
    "Side by side": "对照",
    "thing": "对象",
    "what is said of it": "文中说法",
    "Mind: {}": "注意：{}",
    "one source": "单一来源",
    "as above": "同上",
    "hedged": "措辞有保留",
    "No conclusion can be grounded in the documents.": "文档中找不到可以支撑结论的依据。",
    "No conclusion: documents disagree, and no rule settles it.": (
        "没有结论：文档说法不一，没有规则可以裁定。"
    ),
    "Incomplete: {} open.": "回答不完整：还有 {} 个问题未解决。",
    "This is incomplete.": "回答不完整。",
    "This answer is incomplete.": "回答不完整。",
    "Answered: {}.": "已回答：{} 条结论。",
    "Each of {} quotes stands word for word in its source.": "{} 处引文都与原文逐字一致。",
    "The quote stands word for word in its source.": "引文与原文逐字一致。",
    "and {} more": "另有 {} 条",
    "and {} more that were only found": "另有 {} 份仅检索到",
    "quote": "引文",
    "source": "来源",
    "use": "用途",
    "date": "日期",
    "trust": "可信度",
    "cited": "引用",
    "read": "读过",
    "found": "检索到",
    "{} cited, {} read, {} only found": "引用 {} 份，读过 {} 份，仅检索到 {} 份",
    "{}; {} of them are not listed.": "{}；其中 {} 份未列出。",
    "{}.": "{}。",
    "page {}": "第 {} 页",
    "What was searched": "检索过的内容",
    "searched: {}": "检索过：{}",
    "{} passages": "{} 段",
    "Next: {}.": "下一步：{}。",
    "{}. ": "{}。",
    "strong": "充分",
    "partial": "部分",
    "weak": "较弱",
    "trust {}": "可信度{}",
    "status {}": "状态：{}",
    "also in {}": "另见 {} 份文档",
    "high": "高",
    "medium": "中",
    "low": "低",
    "the search itself failed": "检索本身失败",
    "nothing came back": "什么也没有检索到",
    "things came back, none bears on it": "检索到了内容，但都与问题无关",
    "what was found is too weak": "找到的依据太弱",
    "only one source says so": "只有一个来源这样说",
    "sources disagree": "来源说法不一",
    "more context is needed": "需要更多上下文",
    "search more": "继续检索",
    "read more": "继续阅读",
    "use another tool": "换一种工具",
    "ask a person": "请人确认",
    "say it with care": "谨慎表述",
    "Conflict on {}: {} ": "{} 的说法冲突：{} ",
    "two numbers": "两个数字",
    "two dates": "两个日期",
    "two names": "两个名称",
    "yes and no": "一是一否",
    "two statuses": "两种状态",
    "since step {}": "自第 {} 步起",
    "nothing settles it; a person has to": "没有规则可以裁定，需要由人决定",
    "settled at step {}": "第 {} 步已裁定",
    "Settled by: {}.": "裁定依据：{}。",
    " · this one holds": " · 采用",
    " · set aside": " · 未采用",
    "This quote was removed.": "这处引文已删除。",
    "superseded status": "另一份文件已失效",
    "newer document": "以较新的文件为准",
    "more trusted source": "以更可信的来源为准",
    "majority of sources": "以多数来源为准",
    "a person": "由人决定",
    "superseded": "已被取代",
    "deprecated": "已废止",
    "draft": "草案",
    "planned": "尚未实施",
    "proposed": "提议中",
    "current": "现行",
    "active": "生效",
    "accepted": "已通过",
    "approved": "已批准",
    "final": "定稿",
    "completed": "已完成",
    "closed": "已关闭",
    "open": "处理中",
    "Each question has enough evidence, and no disagreement is open.": (
        "每个问题的依据都已充分，没有未解决的分歧。"
    ),
    "Two sources disagree, and no document decides it.": "两个来源说法不一，没有文档可以裁定。",
    "What was found does not support a full answer.": "找到的内容不足以支撑完整的回答。",
    "Nothing is left to try.": "没有别的办法可试。",
    "Every search failed.": "每次检索都失败了。",
    "No document was needed for this.": "这不需要查阅文档。",
    "What was found grounds no conclusion.": "找到的内容不足以得出结论。",
    "No quote bears on the question.": "没有引文与问题有关。",
    "A person stopped it.": "由人停止。",
    "A person asked for the answer now.": "有人要求立即作答。",
}
_ENDS: Final = {
    "enough": "依据已经充分。",
    "nothing_new": "最近几轮没有新的发现。",
    "insufficient": "找到的内容不足以支撑完整的回答。",
    "no_better_action": "没有更好的下一步。",
    "user": "由人停止。",
    "replied": "这不需要查阅文档。",
    "failed": "运行未能完成。",
}


def say(text: str, chinese: bool, *values: object) -> str:  # noqa: FBT001 - reads as a sentence
    """Return words of an answer, in Chinese where that is asked for, with values put in.

    What has no Chinese form stays as it is.

    >>> say("page {}", True, 3), say("page {}", False, 3), say("rejected", True)
    ('第 3 页', 'page 3', 'rejected')
    """
    form = _CHINESE.get(text, text) if chinese else text
    return form.format(*values) if values else form


def ended(stop: StopReason, chinese: bool) -> str:  # noqa: FBT001 - the same
    """Return why a run ended.

    >>> ended(StopReason(code="budget_steps", text="The budget of steps is spent."), True)
    '预算已用完（steps）。'
    """
    if not chinese:
        return stop.text or stop.code.replace("_", " ")
    if stop.text in _CHINESE:
        return _CHINESE[stop.text]
    if stop.code.startswith("budget_"):
        return f"预算已用完（{stop.code.removeprefix('budget_')}）。"
    return _ENDS.get(stop.code, stop.text)
