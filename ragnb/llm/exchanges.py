"""Write down what a model was sent and what came back, so that a person can read it later."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ragnb.llm.models import Model
from ragnb.llm.prompts import Prompt
from ragnb.llm.scrub import hide, scrub
from ragnb.records import Exchange, Message, Usage

if TYPE_CHECKING:
    from haystack.dataclasses import ChatMessage

__all__ = ["exchange_of", "parted"]

KEPT: Final = 10_000
"""Characters of a reply that are kept; a model can repeat itself without end."""
_FENCED: Final = re.compile(r"(BEGIN DATA (\w+)[^\n]*\n)(.*?)(\nEND DATA \2)", re.DOTALL)
_SETTING: Final = 120


def parted(text: str) -> tuple[str, ...]:
    r"""Return a message in parts, with each fenced text as a part of its own.

    >>> parted("BEGIN DATA 0f1e note\nHello.\nEND DATA 0f1e\n\nQuestion: Who?")
    ('BEGIN DATA 0f1e note\n', 'Hello.', '\nEND DATA 0f1e\n\nQuestion: Who?')
    """
    parts: list[str] = []
    start = 0
    for found in _FENCED.finditer(text):
        parts += [text[start : found.start(3)], found[3]]
        start = found.end(3)
    return tuple(part for part in (*parts, text[start:]) if part)


def exchange_of(
    model: Model,
    prompt: Prompt | None,
    messages: "Sequence[ChatMessage]",
    settings: Mapping[str, Any],
    usage: Usage,
    *,
    reply: str = "",
    problem: str = "",
) -> Exchange:
    """Return a call as a record, without keys.

    Args:
        model: Who was asked.
        prompt: What it was told to do; None for messages that come from elsewhere.
        messages: What was sent.
        settings: The arguments that were sent along.
        usage: What the call cost.
        reply: What came back.
        problem: Why nothing came back.
    """
    rest = len(reply) - KEPT
    reply = f"{reply[:KEPT]} … [{rest:,} more characters]" if rest > 0 else reply
    return Exchange(
        prompt=prompt.name if prompt else "",
        version=prompt.version if prompt else "",
        model=model.name,
        settings=tuple((name, _setting(value)) for name, value in sorted(settings.items())),
        messages=tuple(Message(role=m.role.value, parts=tuple(_parts(m))) for m in messages),
        reply=_whole(hide(reply, model.secrets)),
        problem=problem,
        usage=usage,
    )


def _parts(message: "ChatMessage") -> Iterator[str]:
    yield from parted(_whole(message.text or ""))
    for call in message.tool_calls:
        yield _whole(f"{call.tool_name}({json.dumps(call.arguments, ensure_ascii=False)})")
    for done in message.tool_call_results:
        yield _whole(f"{done.origin.tool_name}: {done.result}")


def _setting(value: Any) -> str:
    """Return an argument in short: of a schema its name."""
    named = value.get("json_schema", value) if isinstance(value, Mapping) else None
    name = named.get("name") if isinstance(named, Mapping) else None
    text = name if isinstance(name, str) else value if isinstance(value, str) else repr(value)
    return _whole(scrub(text))[:_SETTING]


def _whole(text: str) -> str:
    """Return a text as valid Unicode."""
    return text.encode("utf-8", "replace").decode()
