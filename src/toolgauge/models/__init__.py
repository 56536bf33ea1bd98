"""Asking chat models: by name, again where that is worth it, and from a record where there is one.

The package of the provider is imported when a model of it is opened, and not for a replay.
"""

from .cassette import Cassette, ExchangeKind, Recorded, tool_request
from .connection import REDIRECT_HINT, address_of, describe_fault, describe_redirect, shown_address, without_credentials
from .gate import Gate
from .opening import open_model
from .pace import LocalPacing
from .prices import Price, Priced, Prices, listed_cost, price_of, read_prices
from .retrying import AttemptError, Retries, Retry, Retrying, Statistics, watch_retries
from .waiting import WaitClock

__all__ = [
    "REDIRECT_HINT",
    "AttemptError",
    "Cassette",
    "ExchangeKind",
    "Gate",
    "LocalPacing",
    "Price",
    "Priced",
    "Prices",
    "Recorded",
    "Retries",
    "Retry",
    "Retrying",
    "Statistics",
    "WaitClock",
    "address_of",
    "describe_fault",
    "describe_redirect",
    "listed_cost",
    "open_model",
    "price_of",
    "read_prices",
    "shown_address",
    "tool_request",
    "watch_retries",
    "without_credentials",
]
