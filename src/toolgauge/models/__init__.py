"""Asking chat models: by name, again where that is worth it, and from a record where there is one.

The package of the provider is imported when a model of it is opened, and not for a replay.
"""

from .cassette import Cassette, ExchangeKind, Recorded, tool_request
from .connection import address_of, without_credentials
from .gate import Gate
from .opening import open_model
from .retrying import AttemptError, Retries, Retry, Retrying, Statistics, watch_retries
from .waiting import WaitClock

__all__ = [
    "AttemptError",
    "Cassette",
    "ExchangeKind",
    "Gate",
    "Recorded",
    "Retries",
    "Retry",
    "Retrying",
    "Statistics",
    "WaitClock",
    "address_of",
    "open_model",
    "tool_request",
    "watch_retries",
    "without_credentials",
]
