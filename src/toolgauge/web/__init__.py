"""What the servers of toolgauge have in common: where they listen, and whom they do not answer."""

from __future__ import annotations

from .listening import ImpatientProtocol, Place, host_names, is_loopback, listen, serve
from .refusing import SAFE, refuse, refuse_stranger

__all__ = [
    "SAFE",
    "ImpatientProtocol",
    "Place",
    "host_names",
    "is_loopback",
    "listen",
    "refuse",
    "refuse_stranger",
    "serve",
]
