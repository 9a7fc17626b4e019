"""Stand-ins for a chat model: one that says what it is told, one that plays a recording."""

import hashlib
import inspect
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from haystack import component
from haystack.dataclasses import ChatMessage, ToolCall

from ragnb.errors import InputError
from ragnb.llm.calling import estimate
from ragnb.llm.models import describe, generator_of
from ragnb.llm.scrub import scrub, secrets_of

__all__ = ["NotRecordedError", "RecordedGenerator", "ScriptedGenerator"]


class NotRecordedError(InputError):
    """A prompt was sent that the recording doesn't hold."""


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
        return {"scripted": self.replies, "model": self.model}


@component
class RecordedGenerator:
    """A chat generator that records a real one once, and plays the recording without a key.

    The recording is a file of JSON lines, one a reply, found by the messages and the settings of
    a call. Keys are never written.

    Args:
        generator: The generator, or its short name; asked only for what is not recorded yet.
            Without one, what is not recorded is an error.
        path: The file; made at the first reply that is recorded.

    Raises:
        InputError: The file can't be read.
    """

    def __init__(self, generator: Any, path: str | Path) -> None:
        self.generator = generator
        self.path = Path(path)
        self.calls = 0
        """Calls of the real generator."""
        self._model: dict[str, Any] | None = None
        self._known = self._read()

    @property
    def model(self) -> str:
        """The name of the model that is or was recorded."""
        told = self.fingerprint().get("model", "")
        return told if isinstance(told, str) else ""

    @component.output_types(replies=list[ChatMessage])
    def run(
        self,
        messages: list[ChatMessage] | str,
        generation_kwargs: dict[str, Any] | None = None,
        tools: Any = None,
    ) -> dict[str, list[ChatMessage]]:
        """Return the recorded reply, or the real one, which is recorded then.

        Raises:
            NotRecordedError: There is no recording of this prompt, and no generator.
        """
        said = [ChatMessage.from_user(messages)] if isinstance(messages, str) else list(messages)
        key = _key(said, generation_kwargs, tools)
        if key not in self._known:
            self._record(key, said, generation_kwargs, tools)
        return {"replies": [_message(self._known[key])]}

    def fingerprint(self) -> dict[str, Any]:
        """Return what the recorded model is; the same with and without the real one."""
        if self._model is None and self.generator is not None:
            self.generator = generator_of(self.generator)
            self._model = describe(self.generator)
        return self._model or {"recording": self.path.name}

    def _record(
        self, key: str, said: list[ChatMessage], settings: dict[str, Any] | None, tools: Any
    ) -> None:
        if self.generator is None:
            begins = " ".join((said[-1].text or "").split())[:80] if said else ""
            raise NotRecordedError(
                f"{str(self.path)!r} holds {len(self._known)} replies, and none to this prompt "
                f"({key}, “{begins}”). Record it once with the model: "
                "RecordedGenerator('openai:NAME', path)."
            )
        self.generator = generator_of(self.generator)
        wanted = {"generation_kwargs": settings, "tools": tools}
        given = {name: value for name, value in wanted.items() if value is not None}
        if "generation_kwargs" in given and not _takes_settings(self.generator):
            given.pop("generation_kwargs")
        self.calls += 1
        message = self.generator.run(messages=said, **given)["replies"][0]
        line = {"key": key, "reply": _line(message), "model": self.fingerprint()}
        text = scrub(json.dumps(line, ensure_ascii=False), secrets_of(self.generator))
        self._known[key] = json.loads(text)["reply"]
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        known: dict[str, Any] = {}
        for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                data = json.loads(line)
                known[data["key"]] = data["reply"]
                self._model = self._model or data["model"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{str(self.path)!r} is no recording: line {number} can't be read ({error})."
                ) from error
        return known


def _key(said: list[ChatMessage], settings: dict[str, Any] | None, tools: Any) -> str:
    told = [[m.role.value, m.text or "", [repr(t) for t in m.tool_calls]] for m in said]
    names = sorted(str(getattr(tool, "name", tool)) for tool in tools or [])
    text = json.dumps([told, settings or {}, names], sort_keys=True, default=repr)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _line(message: ChatMessage) -> dict[str, Any]:
    meta = message.meta or {}
    return {
        "text": message.text,
        "tools": [{"name": t.tool_name, "arguments": t.arguments} for t in message.tool_calls],
        "meta": {name: meta.get(name) for name in ("model", "finish_reason", "usage")},
    }


def _message(line: dict[str, Any]) -> ChatMessage:
    calls = [ToolCall(tool_name=t["name"], arguments=t["arguments"]) for t in line["tools"]]
    return ChatMessage.from_assistant(line["text"], meta=dict(line["meta"]), tool_calls=calls)


def _takes_settings(generator: Any) -> bool:
    parameters = inspect.signature(generator.run).parameters
    return "generation_kwargs" in parameters
