"""What the servers of toolgauge have in common: where they listen, and whom they do not answer."""

from __future__ import annotations

from .connections import LimitedConnection, limited_connections
from .listening import Place, host_names, is_loopback, listen, serve
from .refusing import SAFE, refuse, refuse_stranger

__all__ = [
    "SAFE",
    "LimitedConnection",
    "Place",
    "host_names",
    "is_loopback",
    "limited_connections",
    "listen",
    "refuse",
    "refuse_stranger",
    "serve",
]
