"""A stand-in for a chat model that says what it is told."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from haystack import component
from haystack.dataclasses import ChatMessage

from ragnb.errors import InputError
from ragnb.llm.calling import estimate

__all__ = ["ScriptedGenerator"]


@component
class ScriptedGenerator:
    """A chat generator that gives the replies it was made with: no model, no key.

    Args:
        replies: Replies in order, or a function of the messages that returns one. A reply is a
            text, a ChatMessage, an exception (which is raised), or JSON data, which is written
            out.
        model: The name under which its calls are priced.

    Attributes:
        calls: The messages of each call so far.

    >>> double = ScriptedGenerator(["one", {"two": 2}])
    >>> [double.run("?")["replies"][0].text for _ in range(2)]
    ['one', '{"two": 2}']
    """

    def __init__(
        self,
        replies: Sequence[Any] | Callable[[list[ChatMessage]], Any],
        model: str = "scripted",
    ) -> None:
        self.replies = replies if callable(replies) else list(replies)
        self.model = model
        self.calls: list[list[ChatMessage]] = []

    @component.output_types(replies=list[ChatMessage])
    def run(
        self,
        messages: list[ChatMessage] | str,
        generation_kwargs: dict[str, Any] | None = None,
        tools: Any = None,  # noqa: ARG002 - a socket
        streaming_callback: Any = None,  # noqa: ARG002 - a socket
    ) -> dict[str, list[ChatMessage]]:
        """Return the next reply; its tokens are counted as one for four characters.

        Like a model's, it is cut at ``max_completion_tokens`` of ``generation_kwargs``.

        Raises:
            InputError: All replies were given.
        """
        said = [ChatMessage.from_user(messages)] if isinstance(messages, str) else list(messages)
        self.calls.append(said)
        if callable(self.replies):
            reply = self.replies(said)
        elif len(self.calls) > len(self.replies):
            raise InputError(f"All {len(self.replies)} scripted replies were given; add more.")
        else:
            reply = self.replies[len(self.calls) - 1]
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, ChatMessage):
            return {"replies": [reply]}
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        read = sum(estimate(message.text or "") for message in said)
        most = (generation_kwargs or {}).get("max_completion_tokens")
        cut = most is not None and estimate(text) > most
        text = text[: 4 * most] if most is not None and cut else text
        usage = {"prompt_tokens": read, "completion_tokens": most if cut else estimate(text)}
        finish = "length" if cut else "stop"
        meta = {"model": self.model, "finish_reason": finish, "usage": usage}
        return {"replies": [ChatMessage.from_assistant(text, meta=meta)]}

    def fingerprint(self) -> dict[str, Any] | None:
        """Return what decides on its replies; None for a function."""
        if callable(self.replies) or not all(
            isinstance(r, str | dict | list) for r in self.replies
        ):
            return None
        return {"class": type(self).__name__, "scripted": self.replies, "model": self.model}
