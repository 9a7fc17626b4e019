"""What models reply, as checked shapes; too long texts and lists are cut rather than refused."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field

__all__ = [
    "AnswerReply",
    "ArgumentReply",
    "AssessReply",
    "ClaimReply",
    "ExtractReply",
    "JudgementReply",
    "PlanReply",
    "QuestionReply",
    "QuoteReply",
    "RankReply",
    "ReflectReply",
    "RouteReply",
    "Shape",
    "StepReply",
    "StepsReply",
    "schema_of",
]


class _Cut:
    """Cuts a text, and takes a number for one."""

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def __call__(self, value: Any) -> Any:
        value = str(value) if isinstance(value, int) else value
        return value[: self.longest] if isinstance(value, str) else value


def _cut_list(value: Any) -> Any:
    return value[:_MANY] if isinstance(value, list) else value


def _folded(value: Any) -> Any:
    return value.strip().lower().replace("-", "_") if isinstance(value, str) else value


_MANY = 12
_Short: TypeAlias = Annotated[
    str, BeforeValidator(_Cut(40)), Field(json_schema_extra={"maxLength": 40})
]
_Line: TypeAlias = Annotated[
    str, BeforeValidator(_Cut(240)), Field(json_schema_extra={"maxLength": 240})
]
_Passage: TypeAlias = Annotated[
    str, BeforeValidator(_Cut(900)), Field(json_schema_extra={"maxLength": 900})
]
_Few = BeforeValidator(_cut_list)
_Fold = BeforeValidator(_folded)
_most = Field(json_schema_extra={"maxItems": _MANY})


class Shape(BaseModel):
    """What a reply must be; what it has beyond that is dropped."""


class QuestionReply(Shape):
    """A sub-question and a query for it."""

    text: _Line
    query: _Line = ""


class PlanReply(Shape):
    """What to find out."""

    questions: Annotated[list[QuestionReply], _Few, _most]


class QuoteReply(Shape):
    """A quote, what it says on the question, and how well it supports an answer."""

    quote: _Passage
    says: _Line = ""
    support: Annotated[Literal["strong", "partial", "weak"], _Fold] = "partial"


class ExtractReply(Shape):
    """The quotes of one text."""

    quotes: Annotated[list[QuoteReply], _Few, _most]


class JudgementReply(Shape):
    """Whether the evidence on one question is enough, and what to search if not."""

    question: int
    enough: bool
    missing: _Line = ""
    query: _Line = ""


class AssessReply(Shape):
    """For each question whether the evidence is enough, and what is missing."""

    questions: Annotated[list[JudgementReply], _Few, _most]


class RankReply(Shape):
    """The numbers of the passages that help, best first."""

    order: Annotated[list[int], BeforeValidator(lambda v: v[:50] if isinstance(v, list) else v)]


class ClaimReply(Shape):
    """A statement, the question that it answers, and the quotes that it rests on."""

    question: int = 1
    statement: _Passage
    cites: Annotated[list[_Short], _Few, _most]


class AnswerReply(Shape):
    """The statements of an answer."""

    claims: Annotated[list[ClaimReply], _Few, _most]


class RouteReply(Shape):
    """What sort of goal it is."""

    kind: Annotated[Literal["single", "comparison", "data", "action"], _Fold]
    complex: bool = False
    reason: _Line = ""


class ArgumentReply(Shape):
    """An argument of a tool: its name, and its value as text."""

    name: _Short
    value: _Line = ""


class StepReply(Shape):
    """A step of a plan."""

    id: _Short
    tool: _Short
    arguments: Annotated[list[ArgumentReply], _Few, _most] = []
    question: _Line = ""
    depends_on: Annotated[list[_Short], _Few, _most] = []
    for_each: _Short = ""
    reason: _Line = ""
    replan_when: _Line = ""


class StepsReply(Shape):
    """The steps of a plan; how many are too many is decided where plans are mended."""

    steps: Annotated[list[StepReply], Field(json_schema_extra={"maxItems": _MANY})]


class ReflectReply(Shape):
    """A look back at a step."""

    verdict: Annotated[Literal["satisfied", "insufficient", "conflict"], _Fold]
    new: _Line = ""
    found: Annotated[list[_Line], _Few, _most] = []
    next: Annotated[Literal["continue", "retry", "replan", "finish"], _Fold]
    query: _Line = ""
    why: _Line = ""


def schema_of(shape: type[Shape], *, whole: bool) -> dict[str, Any]:
    """Return a shape's JSON Schema in the strict form: every property asked for, none beyond.

    Args:
        shape: The shape.
        whole: False leaves out the lengths, which some servers refuse.
    """
    made: dict[str, Any] = _strict(shape.model_json_schema(), whole=whole)
    return made


def _strict(node: Any, *, whole: bool) -> Any:
    if isinstance(node, list):
        return [_strict(item, whole=whole) for item in node]
    if not isinstance(node, dict):
        return node
    dropped = {"title", "description", "default"} | (set() if whole else {"maxLength", "maxItems"})
    names = node.get("properties")
    made = {
        key: _strict(value, whole=whole)
        for key, value in node.items()
        if key not in dropped and key != "properties"
    }
    if isinstance(names, dict):
        made["properties"] = {name: _strict(each, whole=whole) for name, each in names.items()}
        made["required"] = list(names)
        made["additionalProperties"] = False
    return made
