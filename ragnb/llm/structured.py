"""A checked reply: by a schema where the server takes one, else out of text; asked twice."""

from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import ValidationError

from ragnb.llm.calling import ModelError, Reply, call
from ragnb.llm.metering import STOOD_IN, meter, note
from ragnb.llm.models import Model
from ragnb.llm.prompts import Prompt, retry
from ragnb.llm.replies import json_in, without_thoughts
from ragnb.llm.shapes import Shape, schema_of

if TYPE_CHECKING:
    from haystack.dataclasses import ChatMessage

__all__ = ["THINKING", "stand_in", "structured"]

_ShapeT = TypeVar("_ShapeT", bound=Shape)
THINKING: Final = 4
"""How many times as long the reply of a model may be that thinks in writing."""


def structured(
    model: Model, prompt: Prompt, given: str, shape: type[_ShapeT], *, tokens: int
) -> _ShapeT | None:
    """Ask a model for a reply of a shape; None where the stage without a model must do the step.

    Why is remarked on the running step. A reply that can't be used is asked for once more, with
    the reason.

    Args:
        model: Who is asked.
        prompt: What it is told to do.
        given: What it is given for it.
        shape: What its reply must be.
        tokens: The most that the reply may have.

    Raises:
        ModelError: The call failed, and the loop will make another attempt.
    """
    from haystack.dataclasses import ChatMessage

    messages = [ChatMessage.from_system(prompt.text), ChatMessage.from_user(given)]
    tokens = tokens * THINKING if model.thinks else tokens
    why = ""
    for _ in range(2):
        try:
            reply = _asked(model, prompt, messages, shape, tokens)
        except ModelError as error:
            stand_in(error)
            return None
        value, why = _value(reply, shape)
        if value is not None:
            if reply.cut:
                note("The model's reply was cut at its length limit; what was whole is used.")
            return value
        if (running := meter()) is not None:
            running.unusable(why)
        said = ChatMessage.from_assistant(reply.text[:2000] or "(nothing)")
        messages = [*messages[:2], said, ChatMessage.from_user(retry(why))]
    note(f"Rules did this step, for the model's reply could not be used twice: {why}.")
    return None


def stand_in(error: ModelError) -> None:
    """Let rules do the running step for a model that could not be reached, and remark why.

    Raises:
        ModelError: The same one, where the loop will make another attempt.
    """
    running = meter()
    if error.again and running is not None and not running.last:
        raise error
    if running is not None:
        running.provisional = True
    note(f"{STOOD_IN}{str(error).rstrip('.')}.")


def _asked(
    model: Model, prompt: Prompt, messages: "list[ChatMessage]", shape: type[Shape], tokens: int
) -> Reply:
    if model.by_schema:
        try:
            return call(model, messages, _schema(model, shape), tokens, prompt)
        except ModelError as error:
            if not error.unfit:
                raise
        model.by_schema = False
        note("The model's server refused a schema for the reply; it is asked in words.")
    return call(model, messages, {}, tokens, prompt)


def _schema(model: Model, shape: type[Shape]) -> dict[str, Any]:
    schema = {"name": shape.__name__, "strict": True, "schema": schema_of(shape, whole=model.local)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _value(reply: Reply, shape: type[_ShapeT]) -> tuple[_ShapeT | None, str]:
    """Return what a reply holds, or why it can't be used."""
    why = "it holds no JSON object"
    if not without_thoughts(reply.text):
        why = "it is empty"
    elif reply.cut:
        why = "it was cut at its length limit; write less"
    first = True
    for data in json_in(reply.text):
        try:
            return shape.model_validate(data), ""
        except ValidationError as error:
            if reply.cut and (value := _whole_part(data, error, shape)) is not None:
                return value, ""
            why = _first_error(error) if first and not reply.cut else why
            first = False
    return None, why


def _whole_part(data: Any, error: ValidationError, shape: type[_ShapeT]) -> _ShapeT | None:
    """Return what a cut reply holds before the last item of a list, where that alone is broken."""
    places = {each["loc"][:2] for each in error.errors(include_url=False)}
    if len(places) != 1 or not isinstance(data, dict):
        return None
    name, *at = places.pop() or ("",)
    items = data.get(str(name))
    if not isinstance(items, list) or at != [len(items) - 1] or len(items) == 1:
        return None
    try:
        return shape.model_validate({**data, name: items[:-1]})
    except ValidationError:
        return None


def _first_error(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in found["loc"])
    return f"{place or 'the reply'}: {found['msg']}"
