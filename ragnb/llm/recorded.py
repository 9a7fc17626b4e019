"""Record a chat model once, and play the recording without a key."""

import hashlib
import inspect
import json
import threading
from pathlib import Path
from typing import Any, Final

from haystack import component
from haystack.dataclasses import ChatMessage, ReasoningContent, ToolCall

from ragnb.errors import InputError
from ragnb.llm.failures import cut_reply
from ragnb.llm.models import describe, generator_of
from ragnb.llm.scrub import hide, secrets_of
from ragnb.llm.written import read_model, written_model

__all__ = ["NotRecordedError", "RecordedGenerator"]

_FORMAT: Final = 1


class NotRecordedError(InputError):
    """A prompt was sent that the recording doesn't hold."""


@component
class RecordedGenerator:
    """A chat generator that records a real one once, and plays the recording without a key.

    The recording is a file of JSON lines: a head that names the model, then one line a reply with
    the arguments that it was asked with. A reply is found by the messages and the arguments of a
    call. Keys are never written. It is asked as the recorded model is: with a schema for its
    reply where that takes one. Failed calls are not recorded; a reply that was cut at its length
    limit is.

    Args:
        generator: The generator, or its short name; asked only for what is not recorded yet.
            Without one, what is not recorded is an error.
        path: The file; made at the first reply that is recorded.
        about: A remark for the head of a new file, such as the licence of the model's replies.

    Raises:
        InputError: The file can't be read, is of another model, or has no folder to be made in.
    """

    def __init__(self, generator: Any, path: str | Path, about: str = "") -> None:
        self.generator = generator
        self.path = Path(path)
        self.about = about
        self.calls = 0
        """Calls of the real generator."""
        self._model: dict[str, Any] | None = None
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._read()
        if generator is not None and not self.path.parent.is_dir():
            raise InputError(
                f"{str(self.path)!r} can't be made, for its folder doesn't exist; make it first."
            )

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
        streaming_callback: Any = None,  # noqa: ARG002 - a socket
    ) -> dict[str, list[ChatMessage]]:
        """Return the recorded reply, or the real one, which is recorded then.

        Raises:
            NotRecordedError: There is no recording of this prompt, and no generator.
        """
        said = [ChatMessage.from_user(messages)] if isinstance(messages, str) else list(messages)
        asked = {
            "generation_kwargs": json.loads(json.dumps(generation_kwargs or {}, default=repr)),
            "tools": sorted(str(getattr(tool, "name", tool)) for tool in tools or ()),
        }
        prompt = _hash([_told(message) for message in said])
        key = _hash([prompt, asked])
        if key not in self._known:
            if self.generator is None:
                raise NotRecordedError(self._missing(said, prompt, asked))
            line = {"key": key, "prompt": prompt, "asked": asked}
            self._record(line, said, generation_kwargs, tools)
        return {"replies": [_message(self._known[key]["reply"])]}

    def fingerprint(self) -> dict[str, Any]:
        """Return what the recorded model is; the same with and without the real one."""
        if self._model is None and self.generator is not None:
            self._model = describe(self._asked())
        return self._model or {"recording": self.path.name}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack writes it; keys are named, and never in it."""
        from haystack import default_to_dict

        generator = written_model(self.generator)
        return default_to_dict(self, generator=generator, path=str(self.path), about=self.about)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RecordedGenerator":
        """Make the component from what `to_dict` returned."""
        from haystack import default_from_dict

        given = dict(data["init_parameters"])
        given["generator"] = read_model(given["generator"])
        made: RecordedGenerator = default_from_dict(cls, data | {"init_parameters": given})
        return made

    def _asked(self) -> Any:
        """Return the real generator; it must be the one of the recording."""
        self.generator = generator_of(self.generator)
        now, then = describe(self.generator), self._model
        names = ("class", "model", "settings")
        if then and now and any(now.get(name) != then.get(name) for name in names):
            raise InputError(
                f"{str(self.path)!r} holds replies of {then.get('model') or then}, with the "
                f"settings {then.get('settings', {})}, and the model that is given is "
                f"{now.get('model') or now}, with {now.get('settings', {})}. Name another file."
            )
        return self.generator

    def _missing(self, said: list[ChatMessage], prompt: str, asked: dict[str, Any]) -> str:
        begins = " ".join((said[-1].text or "").split())[:80] if said else ""
        told = f"{str(self.path)!r} holds {len(self._known)} replies, and none to this prompt"
        same = next((each for each in self._known.values() if each["prompt"] == prompt), None)
        if same is not None:
            then = same["asked"]["generation_kwargs"] | {"tools": same["asked"]["tools"]}
            now = asked["generation_kwargs"] | {"tools": asked["tools"]}
            other = [n for n in sorted({*then, *now}) if then.get(n) != now.get(n)]
            told += f" with these arguments; it was recorded with another {', '.join(other)}"
        return (
            f"{told} (“{begins}”). Record it once with the model: "
            "RecordedGenerator('openai:NAME', path)."
        )

    def _record(
        self,
        line: dict[str, Any],
        said: list[ChatMessage],
        settings: dict[str, Any] | None,
        tools: Any,
    ) -> None:
        generator = self._asked()
        wanted = {"generation_kwargs": settings, "tools": tools}
        given = {name: value for name, value in wanted.items() if value is not None}
        if "generation_kwargs" not in inspect.signature(generator.run).parameters:
            given.pop("generation_kwargs", None)
        self.calls += 1
        try:
            reply = _line(generator.run(messages=said, **given)["replies"][0])
        except Exception as error:
            if (cut := cut_reply(error)) is None:
                raise
            meta = {"model": self.model, "finish_reason": "length", "usage": cut[1]}
            reply = {"text": cut[0], "meta": meta}
        secrets = secrets_of(generator)
        whole = _scrubbed(line | {"reply": reply}, secrets)
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            if not self._known:
                head = {"recording": _FORMAT, "model": self.fingerprint(), "about": self.about}
                file.write(json.dumps(_scrubbed(head, secrets), ensure_ascii=False) + "\n")
            file.write(json.dumps(whole, ensure_ascii=False) + "\n")
            self._known[whole["key"]] = whole

    def _read(self) -> None:
        if not self.path.exists():
            return
        newer = False
        lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, text in enumerate(lines, start=1):
            try:
                data = json.loads(text)
                if number == 1:
                    newer = data["recording"] > _FORMAT
                    self._model = dict(data["model"])
                else:
                    _message(data["reply"])
                    self._known[data["key"]] = {**data, "asked": dict(data["asked"])}
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InputError(
                    f"{str(self.path)!r} is no recording: line {number} can't be read "
                    f"({type(error).__name__}: {error}). Take the line out, or record again."
                ) from error
        if newer:
            raise InputError(f"{str(self.path)!r} was recorded by a newer ragnb; install that.")


def _hash(data: Any) -> str:
    text = json.dumps(data, sort_keys=True, default=repr)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _told(message: ChatMessage) -> list[Any]:
    calls = [[call.tool_name, call.arguments] for call in message.tool_calls]
    results = [str(done.result) for done in message.tool_call_results]
    return [message.role.value, message.text or "", calls, results]


def _line(message: ChatMessage) -> dict[str, Any]:
    meta = message.meta or {}
    found = {
        "text": message.text,
        "thoughts": message.reasoning.reasoning_text if message.reasoning else None,
        "tools": [
            {"name": t.tool_name, "arguments": t.arguments, "id": t.id} for t in message.tool_calls
        ],
        "meta": {name: meta.get(name) for name in ("model", "finish_reason", "usage")},
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _message(line: dict[str, Any]) -> ChatMessage:
    thoughts = line.get("thoughts")
    return ChatMessage.from_assistant(
        line.get("text"),
        meta=dict(line["meta"]),
        tool_calls=[
            ToolCall(tool_name=t["name"], arguments=t["arguments"], id=t.get("id"))
            for t in line.get("tools", ())
        ],
        reasoning=ReasoningContent(reasoning_text=thoughts) if thoughts else None,
    )


def _scrubbed(data: Any, secrets: tuple[str, ...]) -> Any:
    """Return JSON data without keys, in valid Unicode."""
    if isinstance(data, str):
        return hide(data, secrets).encode("utf-8", "replace").decode()
    if isinstance(data, dict):
        return {name: _scrubbed(value, secrets) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_scrubbed(value, secrets) for value in data]
    return data
