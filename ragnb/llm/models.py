"""Which model is asked: any Haystack chat generator, or one by a short name."""

import importlib
import inspect
import os
import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from ragnb.errors import InputError, MissingExtraError
from ragnb.llm.prices import Prices
from ragnb.llm.scrub import secrets_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MissingIntegrationError", "Model", "describe", "generator_of"]

KEY_VARIABLE: Final = "RAGNB_LLM_KEY"
"""The environment variable with the key for an address, if it wants one."""
PATIENCE: Final = 2
"""Replies in a row that may be late before a model is left alone."""
REST: Final = 60.0
"""Seconds for which it is left alone then."""
_INTEGRATIONS: Final = {
    "anthropic": ("anthropic", "AnthropicChatGenerator", "anthropic-haystack"),
    "ollama": ("ollama", "OllamaChatGenerator", "ollama-haystack"),
}
_LIMIT: Final = {
    "OpenAIChatGenerator": "max_completion_tokens",
    "AzureOpenAIChatGenerator": "max_completion_tokens",
    "OllamaChatGenerator": "num_predict",
    "AnthropicChatGenerator": "max_tokens",
    "ScriptedGenerator": "max_completion_tokens",
}
"""Per generator the setting that bounds the tokens of a reply."""
_BY_SCHEMA: Final = frozenset({"OpenAIChatGenerator", "AzureOpenAIChatGenerator"})
_THINKS: Final = re.compile(r"^gpt-5|^o\d|\br1\b|think|reason", re.IGNORECASE)
_ADDRESSES: Final = ("api_base_url", "azure_endpoint", "base_url", "url")
_NAMES: Final = ("model", "azure_deployment", "model_name")


class MissingIntegrationError(MissingExtraError):
    """A model was named by a short name whose Haystack integration is not installed."""

    def __init__(self, name: str, package: str) -> None:
        text = f"{name!r} needs {package}, which is not installed. "
        ImportError.__init__(self, f"{text}Install it with: pip install {package}")


def generator_of(spec: Any) -> Any:
    """Return the chat generator that is meant.

    Args:
        spec: A Haystack chat generator; or ``"openai:NAME"``, ``"anthropic:NAME"``,
            ``"ollama:NAME"``; or an address of OpenAI's kind, ``"http://host:port/v1#NAME"``,
            whose key, if it wants one, stands in the environment variable RAGNB_LLM_KEY.

    Raises:
        InputError: It is neither.
        MissingIntegrationError: The integration that a name needs is not installed.
    """
    if not isinstance(spec, str):
        if not callable(getattr(spec, "run", None)):
            raise InputError(
                f"{type(spec).__name__} is no chat generator: it has no run(). Give a Haystack "
                "chat generator, or a name such as 'openai:gpt-5-mini'."
            )
        return spec
    kind, _, name = spec.partition(":")
    if kind in {"http", "https"}:
        return _at_address(spec)
    if kind == "openai" and name:
        from haystack.components.generators.chat import OpenAIChatGenerator

        return OpenAIChatGenerator(model=name, max_retries=0, timeout=60.0)
    if kind in _INTEGRATIONS and name:
        module, made, package = _INTEGRATIONS[kind]
        try:
            home = importlib.import_module(f"haystack_integrations.components.generators.{module}")
        except ImportError as error:
            raise MissingIntegrationError(spec, package) from error
        return getattr(home, made)(model=name, **_options(kind))
    raise InputError(
        f"{spec!r} names no model; expected 'openai:NAME', 'anthropic:NAME', 'ollama:NAME' or "
        "'http://host:port/v1#NAME'."
    )


def _options(kind: str) -> dict[str, Any]:
    """Return what an integration is made with: one attempt a call, for the loop has its own."""
    if kind == "anthropic":  # ANTHROPIC_BASE_URL is read by its client
        return {"timeout": 60.0, "max_retries": 0}
    place = os.environ.get("OLLAMA_HOST")  # as Ollama's own client reads it
    return {"timeout": 60} | ({"url": place} if place else {})


def _at_address(spec: str) -> Any:
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.utils import Secret

    address, _, name = spec.partition("#")
    if not name or not urlsplit(address).netloc:
        raise InputError(f"{spec!r} names no model; expected 'http://host:port/v1#NAME'.")
    # A key of another provider must not be sent to an address that happens to be named.
    given = os.environ.get(KEY_VARIABLE)
    secret = Secret.from_env_var(KEY_VARIABLE) if given else Secret.from_token("none")
    return OpenAIChatGenerator(
        api_key=secret,
        model=name,
        api_base_url=address,
        generation_kwargs={"temperature": 0},
        max_retries=0,
        timeout=60.0,
    )


class Model:
    """A chat generator, and what must be known to ask it.

    Args:
        spec: What `generator_of` takes.
        prices: The user's prices.
    """

    def __init__(self, spec: Any, prices: Prices | None = None) -> None:
        self.generator = generator_of(spec)
        self.prices: Prices = prices or {}
        self.by_schema = bool(self._kinds) and self._kinds <= _BY_SCHEMA
        """Whether a schema is sent along; given up where the server refuses it."""
        self.by_tools = _takes_tools(self.generator)
        """Whether tools are sent in the server's own form; given up where it refuses them."""
        self._late = 0
        self._rests_until = 0.0

    def __repr__(self) -> str:
        """Name the generator's class and its model, and nothing that it holds."""
        return f"Model({type(self.generator).__name__}, {self.name!r})"

    @property
    def _told(self) -> "Mapping[str, Any]":
        """What is known of the generator; of a recording that of the one that was recorded."""
        return describe(self.generator) or {}

    @property
    def _kinds(self) -> frozenset[str]:
        """The classes of the generators that may reply: one, or those of a fallback."""
        told = self._told
        parts = told.get("of", [told])
        named = {str(part.get("class", "")).rpartition(".")[2] for part in parts}
        return frozenset(named - {""}) or frozenset({type(self.generator).__name__})

    @property
    def name(self) -> str:
        """The model's name, as the generator has it; of a fallback that of the first."""
        first = (getattr(self.generator, "chat_generators", None) or [self.generator])[0]
        found = (getattr(first, name, None) for name in _NAMES)
        return next((name for name in found if isinstance(name, str) and name), "")

    @property
    def address(self) -> str:
        """Where it is asked, without a user or a key; empty for a provider's own address."""
        told = self._told
        return next((str(told[name]) for name in _ADDRESSES if name in told), "")

    @property
    def local(self) -> bool:
        """Whether a schema may use all words of JSON Schema; OpenAI's own server knows some."""
        told = self._told
        addresses = [part.get("api_base_url") for part in told.get("of", [told])]
        return all(addresses) and not any("openai.com" in str(each) for each in addresses)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be shown."""
        return secrets_of(self.generator)

    def limits(self, tokens: int) -> dict[str, int]:
        """Return the argument that bounds a reply, unless the user has set a bound."""
        names = {_LIMIT.get(kind) for kind in self._kinds}
        told = self._told
        own = {key for part in told.get("of", [told]) for key in part.get("settings", ())}
        if len(names) != 1 or None in names or own & set(_LIMIT.values()):
            return {}
        return {str(names.pop()): tokens}

    def came(self, *, in_time: bool, now: float) -> None:
        """Remember whether a reply came in time; who is late twice in a row is left alone."""
        self._late = 0 if in_time else self._late + 1
        self._rests_until = now + REST if self._late >= PATIENCE else 0.0

    def rests(self, now: float) -> bool:
        """Return whether it is not to be asked, for it was late again and again."""
        return now < self._rests_until

    @property
    def thinks(self) -> bool:
        """Whether a reply's tokens hold a train of thought too, by the model's name."""
        return bool(_THINKS.search(self.name))


def _takes_tools(generator: Any) -> bool:
    try:
        return "tools" in inspect.signature(generator.run).parameters
    except (TypeError, ValueError):
        return False


def describe(generator: Any) -> dict[str, Any] | None:
    """Return what decides on a generator's replies, without its keys; None if that can't be told.

    Its class, model, address and settings.
    """
    own = getattr(generator, "fingerprint", None)
    if callable(own):
        told: dict[str, Any] | None = own()
        return told
    inner = getattr(generator, "chat_generators", None)
    if isinstance(inner, list):
        parts = [describe(part) for part in inner]
        return None if None in parts else {"class": type(generator).__name__, "of": parts}
    names = {name: getattr(generator, name, None) for name in (*_NAMES, *_ADDRESSES)}
    told = {name: value for name, value in names.items() if isinstance(value, str) and value}
    if not any(name in told for name in _NAMES):
        return None
    settings = getattr(generator, "generation_kwargs", None) or {}
    return {
        "class": f"{type(generator).__module__}.{type(generator).__qualname__}",
        **{name: _bare(value) if name in _ADDRESSES else value for name, value in told.items()},
        "settings": {name: repr(value) for name, value in sorted(settings.items())},
    }


def _bare(address: str) -> str:
    """Return an address without a user, a password or a query."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
