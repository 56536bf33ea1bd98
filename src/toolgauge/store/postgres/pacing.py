"""Limits of providers that hold for all who share a store, on whatever machine: the server says whose turn it is."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from toolgauge.core import RequestLimits, RequestTurn

from .database import Connection, Database

__all__ = ["SharedPacing"]

HELD_SECONDS = 180.0
"""So long a request keeps its place at most, whatever becomes of who made it; longer than any try takes."""

LOOK_SECONDS = 0.1

BEGIN_PACE = "INSERT INTO paces VALUES (%s, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING"

NEXT_TURN = """
    SELECT EXTRACT(EPOCH FROM GREATEST(next_request, next_token) - clock_timestamp())::float8
    FROM paces WHERE endpoint = %s FOR UPDATE
"""

RESERVE = """
    UPDATE paces SET
        next_request = GREATEST(next_request, clock_timestamp()) + make_interval(secs => %(request)s),
        next_token = GREATEST(next_token, clock_timestamp()) + make_interval(secs => %(tokens)s)
    WHERE endpoint = %(endpoint)s
"""


ENTER = """
    INSERT INTO requests
    SELECT %s, %s, (SELECT id FROM workers WHERE id = %s), clock_timestamp() + make_interval(secs => %s)
    WHERE (SELECT COUNT(*) FROM requests WHERE endpoint = %s) < %s RETURNING id
"""


class SharedPacing:
    """Says whose turn it is among all processes that share a store. One row for each endpoint is locked meanwhile."""

    elsewhere = True

    def __init__(self, database: Database, worker: Callable[[], str | None]) -> None:
        self._database = database
        self._worker = worker
        """What this process is known by, if it works on a run: its requests end with it."""

    def take(self, endpoint: str, limits: RequestLimits, tokens: float) -> RequestTurn:
        """Ask for a turn."""
        step = {
            "endpoint": endpoint,
            "request": 60.0 / limits.requests if limits.requests else 0.0,
            "tokens": tokens * 60.0 / limits.tokens if limits.tokens else 0.0,
        }
        turn = secrets.token_hex(8)

        def work(connection: Connection) -> RequestTurn:
            connection.execute("SELECT set_config('synchronous_commit', 'off', TRUE)")
            connection.execute(BEGIN_PACE, (endpoint,))
            (wait,) = connection.execute(NEXT_TURN, (endpoint,)).fetchone()
            if limits.concurrent is not None and not self._enter(connection, endpoint, turn, limits):
                return RequestTurn("", LOOK_SECONDS)
            connection.execute(RESERVE, step)
            return RequestTurn(turn, max(0.0, wait))

        return self._database.transaction(work)

    def _enter(self, connection: Connection, endpoint: str, turn: str, limits: RequestLimits) -> bool:
        """Take one of the places of an endpoint, if there is one."""
        connection.execute("DELETE FROM requests WHERE endpoint = %s AND until < clock_timestamp()", (endpoint,))
        entered = connection.execute(ENTER, (turn, endpoint, self._worker(), HELD_SECONDS, endpoint, limits.concurrent))
        return entered.fetchone() is not None

    def give_back(self, endpoint: str, limits: RequestLimits, turn: RequestTurn, more: float) -> None:
        """End a turn."""
        seconds = more * 60.0 / limits.tokens if limits.tokens else 0.0

        def work(connection: Connection) -> None:
            connection.execute("SELECT set_config('synchronous_commit', 'off', TRUE)")
            connection.execute("DELETE FROM requests WHERE id = %s", (turn.id,))
            if seconds:
                connection.execute(
                    "UPDATE paces SET next_token = next_token + make_interval(secs => %s) WHERE endpoint = %s",
                    (seconds, endpoint),
                )

        self._database.transaction(work)
