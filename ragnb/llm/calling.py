"""One call of a chat model: within its time and budget, charged, its failures in plain words."""

import contextvars
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ragnb.errors import RagnbError
from ragnb.llm.metering import charge, meter, note
from ragnb.llm.models import Model
from ragnb.llm.prices import cost
from ragnb.llm.scrub import scrub
from ragnb.records import Usage

if TYPE_CHECKING:
    from haystack.dataclasses import ChatMessage

__all__ = ["ModelError", "Reply", "call", "estimate"]

LONGEST: Final = 60_000
"""Characters of a reply that are looked at."""
_LEAST: Final = 128
"""Tokens that a reply must be allowed for the call to be worth it."""
_SHARE: Final = 0.85
"""Share of a stage's time that its model may take; the rest is for the stage without a model."""
_PATIENCE: Final = 60.0
"""The longest wait in seconds that a provider may ask for."""


class ModelError(RagnbError):
    """A model could not be asked, or gave no reply.

    Args:
        text: What happened, in plain words and without keys.
        again: Whether another attempt may help.
        retry_after: Seconds to wait before it.
        unfit: Whether the server took offence at the request's form.
    """

    def __init__(
        self, text: str, *, again: bool = False, retry_after: float = 0.0, unfit: bool = False
    ) -> None:
        super().__init__(text)
        self.again, self.retry_after, self.unfit = again, retry_after, unfit


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model wrote, and whether it was cut at its length limit."""

    text: str
    cut: bool = False


def estimate(text: str) -> int:
    """Estimate a text's tokens: one for four characters, or for one of Chinese.

    >>> estimate("four words of text"), estimate("")
    (5, 0)
    """
    wide = sum(1 for char in text if "\u3040" <= char <= "\uffef")
    return wide + -(-(len(text) - wide) // 4)


def call(
    model: Model, messages: "Sequence[ChatMessage]", settings: Mapping[str, Any], tokens: int
) -> Reply:
    """Ask a model once.

    Args:
        model: Who is asked.
        messages: What is said.
        settings: Generation arguments, such as the reply's schema.
        tokens: The most that the reply may have; less where the budget has less.

    Raises:
        ModelError: There is no room in the budget, or no reply came.
    """
    if model.rests(time.monotonic()):
        raise ModelError("it was late again and again, and is left alone for a minute")
    prompt = sum(estimate(message.text or "") for message in messages)
    tokens = _room(model, prompt, tokens)
    arguments = {**settings, **model.limits(tokens)}
    least = _usage(model, prompt, 0)
    running = meter()
    try:
        if running is None:
            reply = _run(model, messages, arguments)
        else:
            with running.flying(least):
                reply = _timed(model, messages, arguments, running.seconds)
    except Exception as error:  # noqa: BLE001 - a provider's client can raise anything
        model.came(in_time=not _is_late(error), now=time.monotonic())
        if (cut := _cut_reply(error)) is not None:
            return _charged(model, prompt, *cut)
        read = _was_read(error)
        charge(least if read else Usage(model_calls=1))
        if read:
            note("Tokens are estimated: a call ended without a reply.")
        raise _in_words(error, model) from None
    model.came(in_time=True, now=time.monotonic())
    return _taken(model, prompt, reply)


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


def _run(model: Model, messages: "Sequence[ChatMessage]", arguments: Mapping[str, Any]) -> Any:
    if arguments:
        return model.generator.run(list(messages), generation_kwargs=dict(arguments))
    return model.generator.run(list(messages))


def _timed(
    model: Model,
    messages: "Sequence[ChatMessage]",
    arguments: Mapping[str, Any],
    seconds: float | None,
) -> Any:
    """Run on a thread that is left behind when the time is over."""
    if seconds is None or seconds > threading.TIMEOUT_MAX:
        return _run(model, messages, arguments)
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            done.put((context.run(_run, model, messages, arguments), None))
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


def _taken(model: Model, prompt: int, result: Any) -> Reply:
    replies = result.get("replies") if isinstance(result, dict) else None
    if not isinstance(replies, list) or not replies:
        charge(_usage(model, prompt, 0))
        raise ModelError("it gave no reply")
    message = replies[0]
    text = message if isinstance(message, str) else getattr(message, "text", None) or ""
    meta: Mapping[str, Any] = getattr(message, "meta", None) or {}
    cut = meta.get("finish_reason") in {"length", "max_tokens"}
    return _charged(model, prompt, text, meta.get("usage"), cut=cut)


def _charged(model: Model, prompt: int, text: str, usage: Any, *, cut: bool = True) -> Reply:
    """Charge what a reply reports, or an estimate."""
    pair = _reported(usage)
    if pair is None:
        note("Tokens are estimated: the model reported none.")
        pair = prompt, estimate(text)
    charge(_usage(model, *pair))
    return Reply(text=text[:LONGEST].encode("utf-8", "replace").decode(), cut=cut)


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


def _cut_reply(error: Exception) -> tuple[str, Any] | None:
    """Return the text and the usage that an error for a cut reply carries."""
    completion = getattr(error, "completion", None)
    choices = getattr(completion, "choices", None)
    if type(error).__name__ != "LengthFinishReasonError" or not choices:
        return None
    usage = getattr(completion, "usage", None)
    told = None if usage is None else usage.model_dump()
    return choices[0].message.content or "", told


def _was_read(error: Exception) -> bool:
    """Tell whether the provider may have read the prompt before the failure."""
    kinds = type(error).__name__ + type(error.__cause__).__name__
    return any(word in kinds for word in ("Timeout", "RemoteProtocol", "ReadError"))


def _is_late(error: Exception) -> bool:
    return "timeout" in type(error).__name__.lower() or isinstance(error, TimeoutError)


def _status(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def _in_words(error: Exception, model: Model) -> ModelError:
    """Say what happened, whether to try again, and when."""
    if isinstance(error, ModelError):
        return error
    told = scrub(" ".join(str(error).split()) or type(error).__name__, model.secrets)
    told = told.encode("utf-8", "replace").decode()[:200]
    status = _status(error)
    if status in {401, 403}:
        return ModelError(f"its server did not accept the key ({status})")
    if status == 429:
        pause = _retry_after(error)
        text = f"its server asked to wait (429, {pause:g} s)" if pause else "too many calls (429)"
        return ModelError(text, again=pause <= _PATIENCE, retry_after=pause)
    if status is not None:
        unfit = status in {400, 422}
        text = f"its server answered {status}: {told}"
        return ModelError(text, again=status >= 500, unfit=unfit)
    if _is_late(error):
        return ModelError(f"it did not reply in time: {told}")
    kind = type(error).__name__
    lost = isinstance(error, ConnectionError) or any(
        word in kind for word in ("Connect", "Protocol", "ReadError", "Remote")
    )
    return ModelError(f"the call failed ({kind}): {told}", again=lost)


def _retry_after(error: Exception) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", 0)))
    except ValueError:
        return 0.0
