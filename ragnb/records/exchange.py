"""What a chat model was sent and what it replied, kept with the step, so that it can be read."""

from dataclasses import dataclass, field
from typing import Any

from ragnb.display import bundle, render_text
from ragnb.records.cost import Usage

__all__ = ["Exchange", "Message"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message to a model, in the parts that it was put together from.

    A passage of a document is a part of its own, so a trace that holds it anyway holds it once.
    """

    role: str
    parts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The message as it was sent.

        >>> Message(role="user", parts=("BEGIN ", "a passage", " END")).text
        'BEGIN a passage END'
        """
        return "".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One call of a chat model: the prompt, the reply, and what it cost."""

    prompt: str
    """The prompt's name in ``ragnb.llm.prompts``; empty for messages that come from elsewhere."""
    version: str = ""
    """The prompt's number, and a hash of its words."""
    model: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    """The arguments that were sent along, such as the shape of the reply."""
    messages: tuple[Message, ...] = ()
    reply: str = ""
    problem: str = ""
    """Why there is no reply, or why it could not be used; empty where it was used."""
    usage: Usage = field(default_factory=Usage)

    def __str__(self) -> str:
        return render_text(self, "exchange")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "exchange")
