"""A model, or a model for each role, as Haystack writes components down; never with a secret."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from haystack.core.errors import SerializationError
from haystack.core.serialization import component_from_dict, component_to_dict, import_class_by_name

from ragnb.errors import InputError

__all__ = ["read_model", "written_model"]


def written_model(llm: Any) -> Any:
    """Return what an agent was given as ``llm`` as plain data.

    Args:
        llm: A name, a Haystack chat generator, a mapping of roles to these, or None.

    Raises:
        InputError: It holds a secret, or something that is no plain data.

    >>> written_model({"plan": "openai:gpt-5-mini"})
    {'plan': 'openai:gpt-5-mini'}
    """
    if llm is None:
        return None
    if isinstance(llm, str):
        return _name(llm)
    if isinstance(llm, Mapping):
        return {str(role): written_model(each) for role, each in llm.items()}
    try:
        found = component_to_dict(llm, "llm")
        json.dumps(found)
    except (SerializationError, TypeError, ValueError) as error:
        raise InputError(
            f"This agent can't be written down, for its model, a {type(llm).__name__}, can't be: "
            f"{str(error).rstrip('.')}. Give the model by its name, such as 'openai:gpt-5-mini', "
            "or its key by Secret.from_env_var(…)."
        ) from error
    return found


def read_model(data: Any) -> Any:
    """Return the ``llm`` of what `written_model` returned."""
    if not isinstance(data, dict):
        return data
    if isinstance(data.get("type"), str) and "init_parameters" in data:
        return component_from_dict(import_class_by_name(data["type"]), data, "llm")
    return {role: read_model(each) for role, each in data.items()}


def _name(name: str) -> str:
    parts = urlsplit(name)
    if parts.netloc and ("@" in parts.netloc or parts.query):
        raise InputError(
            "This agent can't be written down: its model's address holds a user, a password or a "
            "query. Give the address without them, and the key in RAGNB_LLM_KEY."
        )
    return name
