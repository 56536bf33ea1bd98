"""Where a database is: as its driver wants it, and as people may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from toolgauge.errors import UsageError
from toolgauge.secrets import masked_url

__all__ = ["PREFIX", "Address"]

PREFIX = "postgresql://"

DEFAULTS: Mapping[str, str | int] = {
    "application_name": "toolgauge",
    "client_encoding": "utf-8",
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What a connection is made with where the address does not say: a server that went away is noticed within seconds."""

SECRET = ("password", "sslpassword", "passfile", "sslkey", "user")
"""Parameters of a connection that nobody is shown."""

HIDDEN = "***"


class Address:
    """The address of a database."""

    __slots__ = ("_hidden", "parameters", "shown", "url")

    def __init__(self, rest: str) -> None:
        """Read an address.

        Args:
            rest: What follows the scheme.

        Raises:
            UsageError: It cannot be read.
        """
        self.url = PREFIX + rest
        """With everything that lets somebody in."""
        self.shown = masked_url(self.url)
        """Without it, for people."""
        try:
            given = conninfo_to_dict(self.url)
        except psycopg.ProgrammingError:
            # What the driver says repeats parts of the address, and nobody knows which: not even --debug shows it.
            raise UsageError(
                f"{self.shown}: the address of the store cannot be read; write postgresql://user@host:port/database, "
                "with %-escapes for special characters"
            ) from None
        self.parameters: dict[str, Any] = {**DEFAULTS, **given}
        self._hidden = [str(given[name]) for name in SECRET if given.get(name)]

    def without_secrets(self, words: str) -> str:
        """What the driver or server says, without what lets somebody in."""
        for value in self._hidden:
            words = words.replace(f'"{value}"', f'"{HIDDEN}"')
            if len(value) >= 4:
                words = words.replace(value, HIDDEN)
        return " ".join(words.split())
