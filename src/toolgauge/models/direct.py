"""One attempt to ask a provider, through the adapters of pydantic-ai. Retries are not made here, nor by the SDKs."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
from collections.abc import Mapping
from typing import Any

from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.models import Model as TheirModel
from pydantic_ai.models import infer_model
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.settings import ModelSettings

from toolgauge.core import ModelReply, ModelRequest
from toolgauge.errors import UsageError, did_you_mean

from .client import Client, Received, received, take, timeout_of
from .connection import ConnectionFault, address_of, describe_fault
from .conversion import Enforcement, Names, is_strict, to_messages, to_parameters, to_reply
from .gate import wall_time
from .retrying import REDIRECTED, AttemptError, attempt_error_of_status, shown

__all__ = ["Direct"]

ANTHROPIC_TOKENS = 8192
"""The most tokens of a reply where a request does not say. This provider wants a limit, and replies up to it can be
had in one piece."""

EXTRAS = {"openai": "models", "anthropic": "models", "google": "google", "bedrock": "bedrock"}
"""Which extra brings the package of a provider."""

BEDROCK = "bedrock-runtime"
"""What AWS calls the service that is asked."""

KEY_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9_]*_API_KEY\b")

FAMILIAR = ("openai", "anthropic", "google", "groq", "mistral", "bedrock", "ollama", "openrouter", "deepseek", "cohere")
"""What the name of a provider that nobody knows is compared with."""

CHAT_MODULE = "pydantic_ai.models.openai"
"""Where the models are defined whose servers take any schema of a reply, as long as it is not called strict."""

UNREADABLE_REPLY = (IndexError, KeyError, TypeError, AttributeError, ValueError, RecursionError)
"""What reading a reply raises that is JSON but nothing like a reply."""


class Direct:
    """A model of a provider that pydantic-ai knows."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 120.0,
    ) -> None:
        self.name = name
        self._provider, _, self._model_name = name.partition(":")
        self._base_url = base_url
        self._api_key = api_key
        self._headers = dict(headers or {})
        self._seconds = seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client, self._model = self._open()

    @property
    def base_url(self) -> str | None:
        """Where it is asked; None: where its provider is at home."""
        return address_of(self.name, self._base_url)

    async def close(self) -> None:
        """Let go of connections; the model can be asked again and then opens new ones."""
        await self._client.aclose()

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The reply to one attempt.

        Raises:
            AttemptError: There is none.
        """
        self._stay_in_loop()
        names = Names(request.tools)
        messages = to_messages(request.messages, names)
        enforcement = self._enforcement(request)
        note = Received()
        token = received.set(note)
        try:
            response = await model_request(
                self._model,
                messages,
                model_settings=self._settings(request),
                model_request_parameters=to_parameters(request, names, enforcement),
            )
            if note.redirect:
                raise _redirected(note)
            known = not note.usage_unknown
            by_tool = enforcement == "tool"
            return to_reply(response, names, len(request.messages), replies_by_tool=by_tool, usage_known=known)
        except exceptions.UserError as error:
            raise AttemptError(shown(str(error)), kind="refused") from error
        except exceptions.AgentRunError as error:
            raise _translate(error, note) from error
        except UNREADABLE_REPLY as error:
            if note.status is None:
                raise  # nothing came back yet, so the fault is not the provider's
            raise _invalid(note, error) from error
        finally:
            received.reset(token)

    def _enforcement(self, request: ModelRequest) -> Enforcement:
        """How the schema of the reply is seen to, so that nothing is taken away from what it allows."""
        profile = self._model.profile
        if request.schema is None or not profile.get("supports_json_schema_output"):
            return "prompted"
        if is_strict(dict(request.schema)):
            return "native"
        if any(kind.__module__ == CHAT_MODULE for kind in type(self._model).__mro__):
            return "loose"
        # Providers that only know schemas word for word take any schema for the arguments of a tool.
        return "tool" if profile.get("supports_tools", True) and not request.tools else "prompted"

    def _settings(self, request: ModelRequest) -> ModelSettings:
        settings = ModelSettings() if self._is_of_aws else ModelSettings(timeout=timeout_of(self._seconds))
        if not self._never_retries:
            settings["max_retries"] = 0
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        if request.max_tokens is not None:
            settings["max_tokens"] = request.max_tokens
        elif self._provider == "anthropic":
            settings["max_tokens"] = ANTHROPIC_TOKENS
        return settings

    def _stay_in_loop(self) -> None:
        """Connections belong to the event loop that made them; another loop gets a client of its own."""
        loop = asyncio.get_running_loop()
        if self._client.is_closed or (self._loop is not None and self._loop is not loop):
            self._client, self._model = self._open()
        self._loop = loop

    def _open(self) -> tuple[Client, TheirModel]:
        client = Client(seconds=self._seconds, headers=self._headers)
        try:
            model = self._infer(client)
            # Said once to the SDK, where it can be: said with every request, it makes a client of its own for each.
            sdk: Any = getattr(model, "client", None)
            self._is_of_aws = _is_of_aws(sdk)
            self._never_retries = self._is_of_aws or isinstance(getattr(sdk, "max_retries", None), int)
            if self._is_of_aws:
                _attend(sdk)
            elif self._never_retries:
                sdk.max_retries = 0
            return client, model
        except exceptions.UserError as error:
            raise UsageError(self._unusable(error)) from error
        except ImportError as error:
            extra = EXTRAS.get(self._provider)
            hint = f'; pip install "toolgauge[{extra}]"' if extra else ""
            raise UsageError(f"the model {self.name!r} needs a package that is not installed: {error}{hint}") from error

    def _unusable(self, error: exceptions.UserError) -> str:
        variable = KEY_VARIABLE.search(str(error))
        if variable is None:
            return f"the model {self.name!r} cannot be used: {error}"
        needed = f"the model {self.name!r} needs a key: set the environment variable {variable[0]}"
        return f"{needed}, or give the base URL of a server that needs none" if self._provider == "openai" else needed

    def _infer(self, client: Client) -> TheirModel:
        if self._provider == "openai":
            return self._chat(client)
        return infer_model(self.name, lambda provider: self._open_provider(provider, client))

    def _chat(self, client: Client) -> TheirModel:
        """Chat completions, which every server that calls itself compatible speaks."""
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        url = self.base_url
        key = self._api_key or os.environ.get("OPENAI_API_KEY")
        if url:
            compatible = OpenAICompatibleProvider("openai-compatible", base_url=url, api_key=key, http_client=client)
            return OpenAIChatModel(self._model_name, provider=compatible)
        return OpenAIChatModel(self._model_name, provider=OpenAIProvider(api_key=key, http_client=client))

    def _open_provider(self, provider: str, client: Client) -> Provider[Any]:
        """A provider with our client, and with the key and URL that were given, as far as it takes them."""
        if provider.startswith("gateway/") and self._base_url is None and self._api_key is None:
            return infer_provider(provider)  # finds its key and its way by itself
        try:
            kind = infer_provider_class(provider)
        except ValueError as error:
            hint = did_you_mean(provider, FAMILIAR)
            raise UsageError(f"no provider is called {provider!r}, as in {self.name!r}; {hint}") from error
        taken = inspect.signature(kind).parameters
        options: dict[str, Any] = {"http_client": client} if "http_client" in taken else {}
        for option, value in (("base_url", self._base_url), ("api_key", self._api_key)):
            if value is None:
                continue
            if option not in taken:
                raise UsageError(f"{provider} takes no {option.replace('_', ' ')}; leave it out for {self.name!r}")
            options[option] = value
        return kind(**options)


def _is_of_aws(client: object) -> bool:
    """Whether a client is one of AWS, which takes neither our HTTP client nor settings of one request."""
    return type(client).__module__.partition(".")[0] in ("botocore", "boto3")


def _attend(client: Any) -> None:
    """Look at every reply of Bedrock before it is read, and leave it to others whether there is another attempt."""
    address = str(client.meta.endpoint_url)

    def look(response_dict: dict[str, Any], **_: object) -> None:
        body = response_dict["body"]
        if isinstance(body, bytes):
            location = response_dict["headers"].get("location")
            response_dict["body"] = take(response_dict["status_code"], body, location, address)

    client.meta.events.register(f"before-parse.{BEDROCK}.Converse", look)
    client.meta.events.unregister(f"needs-retry.{BEDROCK}", unique_id=f"retry-config-{BEDROCK}")


def _translate(error: exceptions.AgentRunError, note: Received) -> AttemptError:
    """What went wrong, in words that do not depend on the provider."""
    if note.redirect:
        return _redirected(note)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        status = getattr(error, "status_code", None)
        message = f"the account has no credit left ({shown(_detail(error, note))})"
        return AttemptError(message, kind="refused", status=status, fatal=True)
    if isinstance(error, exceptions.ModelHTTPError):
        return attempt_error_of_status(error.status_code, _detail(error, note), error.headers or {}, wall_time())
    if isinstance(error, exceptions.ModelTimeoutError | exceptions.ModelRequestTimeout):
        fault = describe_fault(error)
        if not fault.never_made:
            return AttemptError("no reply in time", kind="timeout")
        return AttemptError(shown(_unreachable(fault)), kind="connection", unreachable=True)
    if isinstance(error, exceptions.ModelConnectionError):
        fault = describe_fault(error)
        words = _unreachable(fault) if fault.never_made else fault.reason
        return AttemptError(shown(words), kind="connection", unreachable=fault.never_made)
    return _invalid(note, error)


def _detail(error: exceptions.ModelAPIError, note: Received) -> str:
    """What the provider says about it: its message where it has one, else the beginning of what it sent."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str):
            return message
    return note.text


def _unreachable(fault: ConnectionFault) -> str:
    return f"cannot reach {fault.address or 'the server'}: {fault.reason}"


def _redirected(note: Received) -> AttemptError:
    return AttemptError(note.redirect, kind=REDIRECTED, status=note.status)


def _invalid(note: Received, error: Exception) -> AttemptError:
    if note.status is None:
        return AttemptError(shown(str(error)), kind="invalid response")
    if note.redirect:
        return _redirected(note)
    if not 200 <= note.status < 300:
        return attempt_error_of_status(note.status, note.text, {}, wall_time())
    what = shown(note.text) if note.text.strip() else "an empty body"
    return AttemptError(what, kind="invalid response", status=note.status)
