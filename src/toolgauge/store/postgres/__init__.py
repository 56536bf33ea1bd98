"""Stores of runs in PostgreSQL, for teams: several machines read and write one, and work on one run together.

Needs the extra `postgres`. Nothing of it is imported before somebody names such a store.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.errors import UsageError
from toolgauge.store.runs import Salvaged

if TYPE_CHECKING:
    from .store import PostgresStore

__all__ = ["open_store", "salvage", "store_exists"]


def open_store(address: str, *, create: bool) -> PostgresStore:
    """Open the store in a database.

    Raises:
        UsageError: The extra is not installed, or there is nothing at the address.
        StoreError: The server cannot be reached, or the database is not ours.
    """
    try:
        import psycopg
        import psycopg_pool
    except ImportError as error:
        what = f"a store in PostgreSQL needs the extra 'postgres', which is not installed ({error})"
        raise UsageError(f'{what}; install it with: pip install "toolgauge[postgres]"') from error
    del psycopg, psycopg_pool
    from .store import PostgresStore

    return PostgresStore(address, create=create)


def store_exists(address: str) -> bool:
    """Whether there is a store in the database.

    Raises:
        UsageError: The address cannot be read.
        StoreError: The server cannot be reached.
    """
    try:
        open_store(address, create=False).close()
    except UsageError as error:
        from .layout import NoStore

        if isinstance(error, NoStore):
            return False
        raise
    return True


def salvage(address: str, target: Path) -> Salvaged:  # noqa: ARG001 - of the protocol
    """A server repairs its own files.

    Raises:
        UsageError: Always.
    """
    raise UsageError("a store in PostgreSQL is restored from a backup of the server; runs salvage is for files")
