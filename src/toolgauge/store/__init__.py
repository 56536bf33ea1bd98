"""Saved runs: as files that can be passed on, and in a store that is written while agents run.

What needs a database is imported when it is first used, so that scoring does without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolgauge.lazy import lazy_exports

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

__getattr__ = lazy_exports(
    __name__,
    {
        ".finding": "find_run",
        ".leases": "BEAT_SECONDS",
        ".runs": "Store",
        ".salvaging": "Salvaged salvage",
        ".stored": "Key RunInfo RunState StoredRun",
        ".writer": "RunWriter",
    },
)
