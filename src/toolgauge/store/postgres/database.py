"""The connections to a database: a pool of them, tried again while the server is away, and its errors in words."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

import msgspec
import psycopg
from psycopg import errors as reasons
from psycopg_pool import ConnectionPool, PoolTimeout

from toolgauge.errors import StoreError

from .address import Address

__all__ = ["Connection", "Database"]

Connection: TypeAlias = Any
"""A connection of psycopg, whose rows are tuples."""

T = TypeVar("T")

OUTAGE_SECONDS = 60.0
"""So long a server may be away, in all, before what was to be written or read is given up."""

FIRST_WAIT = 0.05
LONGEST_WAIT = 2.0
"""Seconds between two tries; they double."""

PATIENCE = 2.0
"""So many seconds a try waits for a connection."""

MAX_CONNECTIONS = 8
"""So many things one process does at once; more wait for each other."""

MAX_CONFLICTS = 20
"""So often something is done again because others wrote the same at that moment."""

AWAY = (
    reasons.AdminShutdown,
    reasons.CrashShutdown,
    reasons.CannotConnectNow,
    reasons.DatabaseDropped,
    reasons.ConnectionException,
    reasons.TooManyConnections,
    PoolTimeout,
)
"""What is said by or of a server that is being restarted, or has no place for a moment."""

MAX_WORDS = 200

CONFLICT = (reasons.SerializationFailure, reasons.DeadlockDetected)

# What the library and its pool say of connections that were lost is said by us, once, without names.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Database:
    """A database, whose connections are made when they are needed and lent to whoever does something."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._pool: Any = None
        self._closed = False
        self._given_up = False
        """Whether the server was away for too long, so that nobody waits for it again."""

    @property
    def shown(self) -> str:
        """What people see of its address."""
        return self.address.shown

    def connect(self) -> Connection:
        """A connection of one's own.

        Raises:
            StoreError: There is none to be had.
        """
        with self.explained():
            return psycopg.connect(autocommit=True, **self.address.parameters)

    def close(self) -> None:
        """Close the connections. Whoever reads on has one of their own."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """A connection for a moment, which sees and keeps each statement by itself."""
        if self._closed:
            with psycopg.connect(autocommit=True, **self.address.parameters) as connection:
                yield connection
            return
        if self._pool is None:
            self._pool = ConnectionPool(
                kwargs={"autocommit": True, **self.address.parameters},
                min_size=0,
                max_size=MAX_CONNECTIONS,
                timeout=PATIENCE,
                max_idle=60.0,
                reconnect_timeout=0.0,
                open=True,
                name="toolgauge",
            )
        with self._pool.connection() as connection:
            yield connection

    def execute(self, query: str, values: Any = ()) -> list[tuple[Any, ...]]:
        """Do one thing, which is kept as a whole or not at all, and take what it gives.

        It may be done twice, if the server goes away at the moment that it is done: it has to be such that this is all
        the same.

        Raises:
            StoreError: It could not be done.
        """

        def work(connection: Connection) -> list[tuple[Any, ...]]:
            cursor = connection.execute(query, values)
            return cursor.fetchall() if cursor.description is not None else []

        return self.run(work)

    def transaction(self, work: Callable[[Connection], T]) -> T:
        """Do several things, which are kept together or not at all; like `execute`.

        Raises:
            StoreError: They could not be done.
        """

        def whole(connection: Connection) -> T:
            with connection.transaction():
                return work(connection)

        return self.run(whole)

    def run(self, work: Callable[[Connection], T]) -> T:
        """Do something with a connection, again while the server is away.

        Raises:
            StoreError: It could not be done.
        """
        end = time.monotonic() + (0.0 if self._given_up else OUTAGE_SECONDS)
        wait, conflicts = FIRST_WAIT, 0
        while True:
            try:
                with self.lent() as connection:
                    done = work(connection)
                self._given_up = False
                return done
            except psycopg.Error as error:
                if isinstance(error, CONFLICT) and conflicts < MAX_CONFLICTS:
                    conflicts += 1
                elif not is_away(error) or time.monotonic() + wait > end:
                    self._given_up = is_away(error)
                    raise self._in_words(error) from error
                time.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - spreads waits, keeps no secret
                wait = min(2 * wait, LONGEST_WAIT)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn what the driver says into what a person can do something about.

        Raises:
            StoreError: The store cannot be used.
        """
        try:
            yield
        except psycopg.Error as error:
            raise self._in_words(error) from error
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            what = f"a row has invalid content: {str(error)[:MAX_WORDS]}"
            raise StoreError(f"{self.shown}: the store cannot be used: {what}") from error

    def _in_words(self, error: psycopg.Error) -> StoreError:
        place, words = self.shown, self.address.without_secrets(str(error).strip() or type(error).__name__)
        if isinstance(error, (reasons.InsufficientPrivilege, reasons.ReadOnlySqlTransaction)):
            what = "this account may read the store, but not write to it"
            return StoreError(f"{place}: {what} ({words}); use an account that may, see docs/store.md")
        if isinstance(error, (reasons.DiskFull, reasons.OutOfMemory)):
            return StoreError(
                f"{place}: the store cannot be written: {words}; free some space, then continue with --resume"
            )
        if is_away(error):
            if isinstance(error, PoolTimeout):
                words = self._reason() or words
            hint = "check that the server is running, its address, and the account"
            return StoreError(f"{place}: the store cannot be reached: {words}; {hint}")
        return StoreError(f"{place}: the store cannot be used: {words}")

    def _reason(self) -> str:
        """Why there is no connection to be had; empty: there is one, now."""
        try:
            psycopg.connect(**self.address.parameters).close()
        except psycopg.Error as error:
            return self.address.without_secrets(str(error))
        return ""


def is_away(error: psycopg.Error) -> bool:
    """Whether it is the connection that failed, and not what was to be done."""
    if isinstance(error, AWAY):
        return True
    # Without a code it is not the server that speaks, but the driver that has lost it.
    return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)) and error.sqlstate is None
