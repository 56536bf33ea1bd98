"""Stores of runs in SQLite files."""

from __future__ import annotations

from pathlib import Path

from toolgauge.store.runs import Salvaged

from .place import store_path
from .salvage import salvage_file
from .store import SqliteStore

__all__ = ["SqliteStore", "open_store", "salvage", "store_exists"]


def open_store(address: str, *, create: bool) -> SqliteStore:
    """Open the store in a file.

    Raises:
        UsageError: It cannot be opened or made there.
        StoreError: It is damaged, or of a later version.
    """
    return SqliteStore(store_path(address), create=create)


def store_exists(address: str) -> bool:
    """Whether there is such a file."""
    return store_path(address).exists()


def salvage(address: str, target: Path) -> Salvaged:
    """Save what can be read of the store in a file into a new file.

    Raises:
        UsageError: There is nothing to read, or something where the new file is to be.
        StoreError: Nothing could be read.
    """
    return salvage_file(store_path(address), target)
