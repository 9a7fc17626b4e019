"""One call of a chat model: within its time and budget, charged, its failures in plain words."""

import contextvars
import json
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ragnb.llm.exchanges import exchange_of
from ragnb.llm.failures import ModelError, cut_reply, in_words, is_late, was_read
from ragnb.llm.metering import charge, meter, note
from ragnb.llm.models import Model
from ragnb.llm.prices import cost
from ragnb.llm.prompts import Prompt
from ragnb.llm.scrub import hide
from ragnb.records import Usage

if TYPE_CHECKING:
    from haystack.dataclasses import ChatMessage
    from haystack.tools.tool import Tool

__all__ = ["ModelError", "Reply", "call", "estimate"]

LONGEST: Final = 60_000
"""Characters of a reply that are looked at."""
_LEAST: Final = 128
"""Tokens that a reply must be allowed for the call to be worth it."""
_SHARE: Final = 0.85
"""Share of a stage's time that its model may take; the rest is for the stage without a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model wrote, and whether it was cut at its length limit."""

    text: str
    cut: bool = False
    calls: tuple[tuple[str, Any], ...] = ()
    """Tools that it called in the server's own form: names and arguments."""


def estimate(text: str) -> int:
    """Estimate a text's tokens: one for four characters, or for one of Chinese.

    >>> estimate("four words of text"), estimate("")
    (5, 0)
    """
    wide = sum(1 for char in text if "\u3040" <= char <= "\uffef")
    return wide + -(-(len(text) - wide) // 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A call on its way: what was sent to whom, and its tokens by estimate."""

    model: Model
    messages: "Sequence[ChatMessage]"
    arguments: Mapping[str, Any]
    prompt: Prompt | None
    tokens: int

    def bill(self, usage: Usage, *, reply: str = "", problem: str = "") -> None:
        """Charge the call, and keep it to be read."""
        charge(usage)
        if (running := meter()) is not None:
            made = (self.model, self.prompt, self.messages, self.arguments, usage)
            running.exchange(exchange_of(*made, reply=reply, problem=problem))


def call(
    model: Model,
    messages: "Sequence[ChatMessage]",
    settings: Mapping[str, Any],
    tokens: int,
    prompt: Prompt | None = None,
    *,
    tools: "Sequence[Tool]" = (),
) -> Reply:
    """Ask a model once.

    Args:
        model: Who is asked.
        messages: What is said.
        settings: Generation arguments, such as the reply's schema.
        tokens: The most that the reply may have; less where the budget has less.
        prompt: The prompt that the messages begin with, named in the trace.
        tools: What it may call, sent in the server's own form.

    Raises:
        ModelError: There is no room in the budget, or no reply came.
    """
    if model.rests(time.monotonic()):
        raise ModelError("it was late again and again, and is left alone for a minute")
    read = sum(estimate(message.text or "") for message in messages)
    read += sum(estimate(f"{t.name}{t.description}{t.parameters}") for t in tools)
    tokens = _room(model, read, tokens)
    arguments = {**settings, **model.limits(tokens)}
    sent = _Sent(model=model, messages=messages, arguments=arguments, prompt=prompt, tokens=read)
    least = _usage(model, read, 0)
    running = meter()
    try:
        if running is None:
            reply = _run(model, messages, arguments, tools)
        else:
            with running.flying(least):
                reply = _timed(model, messages, arguments, running.seconds, tools)
    except Exception as error:  # noqa: BLE001 - a provider's client can raise anything
        model.came(in_time=not is_late(error), now=time.monotonic())
        if (cut := cut_reply(error)) is not None:
            return _charged(sent, *cut)
        told = in_words(error, model)
        seen = was_read(error)
        sent.bill(least if seen else Usage(model_calls=1), problem=str(told))
        if seen:
            note("Tokens are estimated: a call ended without a reply.")
        raise told from None
    model.came(in_time=True, now=time.monotonic())
    return _taken(sent, reply)


def _room(model: Model, prompt: int, tokens: int) -> int:
    """Return how many tokens the reply may have within the budget."""
    running = meter()
    tokens_left, money_left = running.left() if running is not None else (None, None)
    if tokens_left is not None:
        tokens = min(tokens, tokens_left - prompt)
    if money_left is not None:
        price = cost(model.name, prompt, max(tokens, 0), model.prices)
        if price is None:
            note(f"The price of {model.name or 'the model'} is not known: money can't bound it.")
        elif price > money_left:
            tokens = 0
    if tokens < _LEAST:
        raise ModelError("what is left of the budget has no room for a model call")
    return tokens


def _run(
    model: Model,
    messages: "Sequence[ChatMessage]",
    arguments: Mapping[str, Any],
    tools: "Sequence[Tool]",
) -> Any:
    given: dict[str, Any] = {"generation_kwargs": dict(arguments)} if arguments else {}
    if tools:
        given["tools"] = list(tools)
    return model.generator.run(list(messages), **given)


def _timed(
    model: Model,
    messages: "Sequence[ChatMessage]",
    arguments: Mapping[str, Any],
    seconds: float | None,
    tools: "Sequence[Tool]",
) -> Any:
    """Run on a thread that is left behind when the time is over."""
    if seconds is None or seconds > threading.TIMEOUT_MAX:
        return _run(model, messages, arguments, tools)
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            done.put((context.run(_run, model, messages, arguments, tools), None))
        except BaseException as error:  # noqa: BLE001 - raised again where the call was made
            done.put((None, error))

    threading.Thread(target=work, daemon=True, name="ragnb-model").start()
    try:
        reply, error = done.get(timeout=_SHARE * seconds)
    except queue.Empty:
        raise TimeoutError(f"it took more than {_SHARE * seconds:.3g} seconds") from None
    if error is not None:
        raise error
    return reply


def _taken(sent: _Sent, result: Any) -> Reply:
    replies = result.get("replies") if isinstance(result, dict) else None
    if not isinstance(replies, list) or not replies:
        sent.bill(_usage(sent.model, sent.tokens, 0), problem="it gave no reply")
        raise ModelError("it gave no reply")
    message = replies[0]
    text = message if isinstance(message, str) else getattr(message, "text", None) or ""
    meta: Mapping[str, Any] = getattr(message, "meta", None) or {}
    cut = meta.get("finish_reason") in {"length", "max_tokens"}
    called = getattr(message, "tool_calls", None) or ()
    calls = tuple(
        (str(each.tool_name), _hidden(each.arguments, sent.model.secrets)) for each in called
    )
    return _charged(sent, text, meta.get("usage"), cut=cut, calls=calls)


def _hidden(arguments: Any, secrets: Sequence[str]) -> Any:
    """Return a call's arguments without keys that a model may have been told."""
    try:
        return json.loads(hide(json.dumps(arguments), tuple(secrets)))
    except (TypeError, ValueError):
        return {}


def _charged(
    sent: _Sent,
    text: str,
    usage: Any,
    *,
    cut: bool = True,
    calls: tuple[tuple[str, Any], ...] = (),
) -> Reply:
    """Charge what a reply reports, or an estimate."""
    pair = _reported(usage)
    if pair is None:
        note("Tokens are estimated: the model reported none.")
        pair = sent.tokens, estimate(text)
    text = hide(text[:LONGEST], sent.model.secrets).encode("utf-8", "replace").decode()
    told = [f"{name}({json.dumps(given, default=str)})" for name, given in calls]
    sent.bill(_usage(sent.model, *pair), reply="\n".join(filter(None, [text, *told])))
    return Reply(text=text, cut=cut, calls=calls)


def _reported(usage: Any) -> tuple[int, int] | None:
    if not isinstance(usage, Mapping):
        return None
    read = usage.get("prompt_tokens", usage.get("input_tokens"))
    written = usage.get("completion_tokens", usage.get("output_tokens"))
    if not isinstance(read, int) or not isinstance(written, int) or read + written <= 0:
        return None
    return max(read, 0), max(written, 0)


def _usage(model: Model, read: int, written: int) -> Usage:
    price = cost(model.name, read, written, model.prices)
    return Usage(
        tokens_in=read,
        tokens_out=written,
        money=price or 0.0,
        unpriced=int(price is None),
        model_calls=1,
    )
