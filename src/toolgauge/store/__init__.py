"""Saved runs: as files that can be passed on, and in a store that is written while agents run.

What needs a database is imported when it is first used, so that scoring does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .headers import Suites
from .lines import append_scored, encode_header, encode_scored
from .runfile import RunFile
from .spool import Spool

if TYPE_CHECKING:
    from .finding import find_run
    from .leases import BEAT_SECONDS
    from .runs import Store
    from .salvaging import Salvaged, salvage
    from .stored import Key, RunInfo, RunState, StoredRun
    from .writer import RunWriter

__all__ = [
    "BEAT_SECONDS",
    "Key",
    "RunFile",
    "RunInfo",
    "RunState",
    "RunWriter",
    "Salvaged",
    "Spool",
    "Store",
    "StoredRun",
    "Suites",
    "append_scored",
    "encode_header",
    "encode_scored",
    "find_run",
    "salvage",
]

_HOMES = {
    "BEAT_SECONDS": "leases",
    "Key": "stored",
    "RunInfo": "stored",
    "RunState": "stored",
    "RunWriter": "writer",
    "Salvaged": "salvaging",
    "Store": "runs",
    "StoredRun": "stored",
    "find_run": "finding",
    "salvage": "salvaging",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'toolgauge.store' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
