"""Opening a model by its name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from toolgauge.core import Model, Pacing, RequestLimits
from toolgauge.errors import PluginError, UsageError, did_you_mean
from toolgauge.plugins import find_plugins, load_plugin
from toolgauge.secrets import Secrets

from .cassette import Cassette, Recorded
from .connection import address_of
from .gate import gate_of
from .pace import Pace
from .retrying import Retries, Retrying

__all__ = ["open_model"]

BUILT_IN: dict[str, str] = {"local:lexical": "toolgauge.models.lexical:Lexical"}
"""Models that come with toolgauge: a name, or the part of it before the colon, and the `module:attribute` of a function
that takes the whole name and gives the model."""


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    retries: Retries | None = None,
    cassette: Cassette | None = None,
    secrets: Secrets | None = None,
    pacing: tuple[Pacing, RequestLimits] | None = None,
) -> Model:
    """A model, ready to be asked.

    Args:
        name: `provider:model`, such as `anthropic:claude-haiku-4-5`, or the name of a model that a package brings.
        base_url: Where to ask, for `openai` any server that speaks chat completions. It needs no key then.
        api_key: The key; by default the provider's environment variable.
        headers: Sent with every request.
        retries: How often and how long a request is tried.
        cassette: Where exchanges are recorded, or come from. One that replays needs no key, network or package.
        secrets: Credentials that no message may show; by default those of the environment. Key, headers and URL of
            this model are known besides.
        pacing: How often the endpoint may be asked, and who says whose turn it is.

    Raises:
        UsageError: There is no such model, or it cannot be used: no key, no package.
        PluginError: A model that a package brings cannot be had.
    """
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise UsageError(f"the base URL {base_url!r} does not begin with http:// or https://")
    endpoint = address_of(name, base_url) or name.partition(":")[0]
    known = Secrets.from_environment() if secrets is None else secrets
    known = known.including({"API_KEY": api_key} if api_key else None, headers=headers, url=endpoint)
    shown_endpoint = known.redact(endpoint)
    if cassette is not None and cassette.replays:
        return Recorded(name, cassette, endpoint=shown_endpoint)
    model = _bring(name)
    if model is None:
        retries = retries or Retries()
        direct = _open_direct(name, base_url, api_key, headers, retries.attempt_seconds)
        pace = None if pacing is None else Pace(*pacing, shown_endpoint)
        model = Retrying(direct, retries, gate=gate_of(endpoint), pace=pace, secrets=known)
    return model if cassette is None else Recorded(name, cassette, model, endpoint=shown_endpoint)


def _bring(name: str) -> Model | None:
    """A model that comes with toolgauge or that a package brings; None: neither."""
    prefix = name.partition(":")[0]
    for candidate in (name, prefix):
        if candidate in BUILT_IN:
            module, _, attribute = BUILT_IN[candidate].partition(":")
            return _made(getattr(import_module(module), attribute), name)
    brought = find_plugins("models")
    for candidate in (name, prefix):
        if candidate in brought:
            return _made(load_plugin("models", candidate), name)
    if not all(name.partition(":")):
        known = sorted({*BUILT_IN, *brought})
        near = did_you_mean(name, known)
        hint = f"; {near}" if near.startswith("did") else ""
        raise UsageError(f"no model is called {name!r}; write provider:model, as in anthropic:claude-haiku-4-5{hint}")
    return None


def _made(part: Any, name: str) -> Model:
    """The model that a part is, or makes when it is called with the name."""
    model: Any = part if hasattr(part, "ask") and not isinstance(part, type) else part(name)
    if not hasattr(model, "ask"):
        raise PluginError(f"{name!r} is not a model but a {type(model).__name__}: it has no method 'ask'")
    return model  # type: ignore[no-any-return]  # it can be asked, which is all there is to a model


def _open_direct(
    name: str, base_url: str | None, api_key: str | None, headers: Mapping[str, str] | None, seconds: float
) -> Model:
    try:
        from .direct import Direct
    except ImportError as error:
        what = f"the model {name!r} needs the extra 'models', which is not installed ({error})"
        raise UsageError(f'{what}; install it with: pip install "toolgauge[models]"') from error
    return Direct(name, base_url=base_url, api_key=api_key, headers=headers, seconds=seconds)
