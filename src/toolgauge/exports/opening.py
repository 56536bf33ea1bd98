"""From the name of a system to the way there: the one place that knows all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module

from toolgauge.errors import UsageError, did_you_mean
from toolgauge.models import Retries

from .http import DELIVERY_RETRIES
from .table import EXPORT_TARGETS
from .target import ExportTarget

__all__ = ["open_target"]


def open_target(
    name: str,
    endpoint: str | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    retries: Retries = DELIVERY_RETRIES,
) -> ExportTarget:
    """Find a system. Nothing is sent yet.

    Args:
        name: One of `EXPORT_TARGETS`.
        endpoint: Its address; default: what its own clients take from the environment.
        environment: Variables; default: those of this process.
        retries: How often and how long a request is tried.

    Raises:
        UsageError: There is no such system, or it is not said where it is or how it lets us in.
    """
    if name not in EXPORT_TARGETS:
        raise UsageError(f"scores cannot be sent to {name!r}; {did_you_mean(name, list(EXPORT_TARGETS))}")
    module, _, kind = EXPORT_TARGETS[name].home.partition(":")
    made: ExportTarget = getattr(import_module(module, __package__), kind)(
        endpoint, os.environ if environment is None else environment, retries
    )
    return made
