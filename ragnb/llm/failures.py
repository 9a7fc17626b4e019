"""What goes wrong with a chat model: told apart, and said in plain words without keys."""

import re
from typing import Any, Final

from ragnb.errors import InputError, RagnbError
from ragnb.llm.models import Model
from ragnb.llm.scrub import scrub

__all__ = ["ModelError", "cut_reply", "in_words", "is_late", "was_read"]

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


def cut_reply(error: Exception) -> tuple[str, Any] | None:
    """Return the text and the usage that an error for a cut reply carries, or None."""
    completion = getattr(error, "completion", None)
    choices = getattr(completion, "choices", None)
    if type(error).__name__ != "LengthFinishReasonError" or not choices:
        return None
    usage = getattr(completion, "usage", None)
    told = None if usage is None else usage.model_dump()
    return choices[0].message.content or "", told


def was_read(error: Exception) -> bool:
    """Tell whether the provider may have read the prompt before the failure."""
    kinds = type(error).__name__ + type(error.__cause__).__name__
    return any(word in kinds for word in ("Timeout", "RemoteProtocol", "ReadError"))


def is_late(error: Exception) -> bool:
    """Tell whether a failure is a time-out."""
    return "timeout" in type(error).__name__.lower() or isinstance(error, TimeoutError)


def _status(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def in_words(error: Exception, model: Model) -> ModelError:
    """Say what happened, whether to try again, and when."""
    if isinstance(error, ModelError):
        return error
    told = scrub(" ".join(str(error).split()) or type(error).__name__, model.secrets)
    told = told.encode("utf-8", "replace").decode()[:300]
    if isinstance(error, InputError):  # of a stand-in: its words say what to do
        return ModelError(told)
    if (status := _status(error)) is not None:
        return _answered(status, error, told)
    if is_late(error):
        return ModelError(f"it did not reply in time: {told}")
    if isinstance(error, ValueError) and "environment variables are set" in told:
        names = ", ".join(re.findall(r"\b[A-Z][A-Z0-9_]{2,}\b", told))
        return ModelError(f"its key is missing; set the environment variable {names}")
    kind = type(error).__name__ + (f" at {model.address}" if model.address else "")
    lost = isinstance(error, ConnectionError) or any(
        word in kind for word in ("Connect", "Protocol", "ReadError", "Remote")
    )
    return ModelError(f"the call failed ({kind}): {told}", again=lost)


def _answered(status: int, error: Exception, told: str) -> ModelError:
    """Say what a server's status means."""
    if status in {401, 403}:
        return ModelError(f"its server did not accept the key ({status})")
    if status == 429:
        pause = _retry_after(error)
        text = f"its server asked to wait (429, {pause:g} s)" if pause else "too many calls (429)"
        return ModelError(text, again=pause <= _PATIENCE, retry_after=pause)
    text = f"its server answered {status}: {told}"
    return ModelError(text, again=status >= 500, unfit=status in {400, 422})


def _retry_after(error: Exception) -> float:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", 0)))
    except ValueError:
        return 0.0
