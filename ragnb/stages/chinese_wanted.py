"""Which sort of answer a Chinese question wants, and the words of a span that give it."""

import re
from typing import Final

from ragnb.text.tokens import terms
from ragnb.text.values import Value, names, values

__all__ = ["candidates_zh", "is_typed", "nearness_zh", "values_zh"]

_SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁"
    "柳唐史费廉岑薛雷贺倪汤滕殷罗毕郝邬安常于时傅皮卞齐康伍余元卜顾孟黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧伏成戴谈宋茅庞熊纪舒屈"
    "项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫经房裘干解应宗丁宣邓郁单杭洪包诸左"
    "石崔吉龚程邢裴陆荣翁曲封储靳段富巫焦牧山谷车侯全班仰秋仲伊宫宁仇甘祖武符刘景詹龙叶幸司黎白赖卓乔翟谭申冉桂牛尚温庄晏柴瞿"
    "阎连习艾向古易戈廖耿满匡国文寇广东欧沃关查游权桓"
)
_PERSON: Final = re.compile(
    rf"(?:^|(?<=[，。；：、（(“由是为和与及给被向经交至|:\s]))(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=[，。；、：（(|:\s]|$|负责|担任|主持|批准|签|认为|表示|提|介绍|建议|将|在|与|和|及|计划|修订|审|创|写|执"
    r"|编|发|任|说|等|先生|女士|博士|教授|导演)"
)
_FOREIGN: Final = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?:[·•‧][\u4e00-\u9fff]{1,8})+|[A-Z][a-z]+(?: [A-Z][a-z]+)+"
)
_ROLE: Final = re.compile(
    "(?:(?<=[由被向经是为给和与交，。；、：]))?[\u4e00-\u9fff]{0,6}?(?:经理|主管|负责人|委员会|董事会|部门|团队|小组|总监|主任|人员"
    "|指挥官|值班台|组长|会长|院长|校长|公司|[\u4e00-\u9fff]部|[\u4e00-\u9fff]{2}局|[\u4e00-\u9fff]{2}组)"
)
_ROLE_CUT: Final = re.compile("^.*[由被向经是为给和与交的]")
_PLACE: Final = re.compile(
    r"(?:位于|坐落于|设在|存放在|分布[在于]|[在于到至往])(?P<place>[\u4e00-\u9fffA-Za-z ]{2,16}?)"
    r"(?=[，。；、）)（(]|$|举行|召开|举办|出生|成立|开|发|设|进行|工作|担任|的)"
)
_NO_PLACE: Final = re.compile("[此这该其]|.*(?:之前|之后|期间|时|中|情况下|基础上|上|内)$")
_SIGNS: Final = {
    "why": re.compile("因|由于|为了|原因|导致|目的|以便|避免|鉴于|使得|所以|以致|造成|缘"),
    "where": re.compile("位于|在|于|省|市|县|区|州|国|岛|路|街|村|镇|港|处|东|西|南|北|分布"),
    "who": re.compile(
        rf"由|被|[A-Z][a-z]+ [A-Z]|[·‧•]|[{_SURNAMES}][\u4e00-\u9fff]|[公司局部会者人家手员队社]"
    ),
    "procedure": re.compile("通过|以|用|采用|方式|方法|先|然后|再|经"),
    "list": re.compile("、|包括|分别|以及|等"),
    "definition": re.compile("是|指|称|即|为"),
    "yes_no": re.compile("不|没|否|可以|必须|有|无|是"),
    "comparison": re.compile("比|而|则|不同|较"),
    "other": re.compile("是|为|、|有"),
}
_MEASURES: Final = (
    (re.compile("多久|多长时间|时长|期限|年限|[几多少](?:天|小时|分钟|个月|年|周)"), {"duration"}),
    (
        re.compile(
            "多少钱|金额|租金|费|价格?|资本|资金|工资|薪|成本|预算|收入|营业额|利润|押金|罚款|赔付|[欧美日]?元"
        ),
        {"money", "percent", "number"},
    ),
    (re.compile("百分|比例|占比|[^效频]率"), {"percent", "number"}),
    (
        re.compile("多[高长宽深远重大]|面积|高度|长度|重量|海拔|距离|温度|体长|身高"),
        {"quantity", "number"},
    ),
)
_ANY: Final = frozenset({"money", "percent", "duration", "quantity", "number"})
_CELL: Final = re.compile(r"(?:^|[,|\t])\s*(?P<n>[^\s,|]+)\s*(?=[,|\t]|$)")


def is_typed(question: str, kind: str, text: str) -> bool:
    """Tell whether a text holds the sort of thing that a Chinese question asks for.

    A date or number must be another than the question's; the rest goes by signs.

    >>> is_typed("哪一年建成？", "when", "1902年建成。"), is_typed("为什么？", "why", "它关了。")
    (True, False)
    """
    if kind in {"when", "how_many"}:
        return bool(values_zh(question, kind, text))
    return bool(_SIGNS[kind].search(text))


def values_zh(question: str, kind: str, span: str) -> list[Value]:
    """List the dates or numbers of the sort that a Chinese question wants, and doesn't hold itself.

    A bare number is an amount of money, a length or a share in a cell of a table only.

    >>> [value.text for value in values_zh("租金是多少？", "how_many", "九名同事，租金 900 欧元。")]
    ['900 欧元']
    """
    known = set(terms(question))
    if kind == "when":
        wanted: frozenset[str] | set[str] = {"date", "duration"}
    else:
        wanted = next((kinds for cue, kinds in _MEASURES if cue.search(question)), _ANY)
    return [
        value
        for value in values(span)
        if value.kind in wanted
        and not set(terms(value.text)) <= known
        and (value.kind != "number" or wanted is _ANY or kind == "when" or _in_cell(span, value))
    ]


def _in_cell(span: str, value: Value) -> bool:
    return any(match.start("n") == value.start for match in _CELL.finditer(span))


def candidates_zh(question: str, kind: str, span: str) -> list[str]:
    """List the people or places in a Chinese span that its question doesn't name, in order.

    >>> candidates_zh("由谁批准？", "who", "更高的赔付由财务负责人批准，周敏签字。")
    ['周敏', '财务负责人']
    >>> candidates_zh("数据存放在哪里？", "where", "读数存放在上海机房，只有告警传到鹿特丹。")
    ['上海机房', '鹿特丹']
    """
    known = set(terms(question))
    if kind == "where":
        found = [m["place"].strip() for m in _PLACE.finditer(span)]
        found = [each for each in found if not _NO_PLACE.match(each)]
    else:
        people = [(m.start(), m["name"]) for m in _PERSON.finditer(span)]
        people += [(m.start(), m.group()) for m in _FOREIGN.finditer(span)]
        found = [name for _, name in sorted(people)]
        found += [_ROLE_CUT.sub("", m.group()) for m in _ROLE.finditer(span)]
        found += [v.text for v in names(span) if v.kind == "name" and v.text.isascii()]
    return [
        each for each in dict.fromkeys(found) if len(each) > 1 and not set(terms(each)) <= known
    ]


def nearness_zh(question: str, span: str, value: str) -> float:
    """Tell how near a value stands to a pair of characters of its question, 0 to 1.

    >>> nearness_zh("谁批准？", "由周敏批准", "周敏")
    1.0
    """
    at = span.find(value)
    if at < 0:
        return 0.0
    pairs = [term for term in dict.fromkeys(terms(question)) if len(term) > 1]
    gaps = [
        max(0, match.start() - at - len(value), at - match.end())
        for pair in pairs
        for match in re.finditer(re.escape(pair), span)
    ]
    return round(1 / (1 + min(gaps) / 8), 6) if gaps else 0.0
