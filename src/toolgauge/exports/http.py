"""Talking to the systems that scores go to: JSON over HTTP, again where that is worth it, and never for ever."""

from __future__ import annotations

import base64
import http.client
import random
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.files import BadJson, decode_json
from toolgauge.models import REDIRECT_HINT, AttemptError, Retries, describe_fault, describe_redirect, shown_address
from toolgauge.models.retrying import REDIRECTED, WORTH_RETRYING, attempt_error_of_status
from toolgauge.secrets import Secrets

__all__ = ["CONTINUOUS_RETRIES", "DELIVERY_RETRIES", "DeliveryError", "FailureKind", "HttpClient", "HttpReply"]

DELIVERY_RETRIES = Retries(tries=4, first_wait=0.5, longest_wait=30.0, attempt_seconds=30.0, total_seconds=90.0)
"""How often a request is tried before what it carries has to wait in the spool."""

CONTINUOUS_RETRIES = Retries(tries=1, attempt_seconds=5.0, total_seconds=10.0)
"""The same for somebody who delivers all the time, and has other things to do meanwhile: the spool tries again."""

CONNECT_SECONDS = 10.0
LARGEST_REPLY = 16 * 1024 * 1024

FailureKind: TypeAlias = Literal["unavailable", "unauthorised", "refused"]
"""Why something was not delivered: nobody is there at present, nobody lets us in, or this very thing is not wanted."""

_HINTS: dict[FailureKind, str] = {
    "unavailable": "check that the server is running, and its address",
    "unauthorised": "check the key",
    "refused": "",
}


class DeliveryError(Exception):
    """Something was not delivered, after every try that was worth making. It is kept, and no reason to fail a run."""

    def __init__(self, message: str, kind: FailureKind, status: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        """The HTTP status, where there was one."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A reply that says that all is well."""

    status: int
    body: bytes

    def json(self) -> JsonValue:
        """What it says.

        Raises:
            DeliveryError: It is no JSON, as it is where a reply is cut off.
        """
        try:
            return decode_json(self.body)
        except BadJson as error:
            raise DeliveryError("the reply is not JSON", "unavailable", self.status) from error


class HttpClient:
    """A connection to one server, kept open between requests."""

    def __init__(
        self,
        address: str,
        headers: Mapping[str, str] | None = None,
        *,
        login: tuple[str, str] | None = None,
        retries: Retries = DELIVERY_RETRIES,
    ) -> None:
        """Say where the server is.

        Args:
            address: Its URL; a name and password in it are sent as such, and not shown.
            headers: What every request carries; the values are not shown.
            login: A name and a password that it lets us in with; default: those of its URL.
            retries: How often and how long a request is tried.

        Raises:
            UsageError: This is no address of HTTP.
        """
        try:
            parts = urlsplit(address)
            host, self._port = parts.hostname, parts.port
        except ValueError:
            host, parts = None, urlsplit("")
        if parts.scheme not in ("http", "https") or not host:
            raise UsageError(f"{shown_address(address)!r} is not an address to export to; write http://host:port")
        self._host, self._secure = host, parts.scheme == "https"
        self.address = shown_address(address) + parts.path.rstrip("/")
        """Where the server is, without credentials."""
        self._path = parts.path.rstrip("/")
        self._headers = {"Accept": "application/json", "User-Agent": "toolgauge", **(headers or {})}
        if login is None and parts.username is not None:
            login = unquote(parts.username), unquote(parts.password or "")
        if login is not None:
            pair = base64.b64encode(":".join(login).encode()).decode()
            self._headers.setdefault("Authorization", f"Basic {pair}")
        known = Secrets.from_environment().including({"password": login[1]} if login else {}, url=address)
        self._secrets = known.including_given(headers or {})
        self._retries = retries
        self._random = random.Random(retries.seed)  # noqa: S311 - spreads waits, keeps no secret
        self._connection: http.client.HTTPConnection | None = None

    def request(
        self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> HttpReply:
        """The reply, after as many attempts as it takes.

        Raises:
            DeliveryError: There is none that says that all is well.
        """
        deadline = time.monotonic() + self._retries.total_seconds
        tries = 0
        while True:
            tries += 1
            try:
                return self._attempt(method, path, body, content_type)
            except AttemptError as failure:
                wait = self._next_wait(failure, tries)
                if wait is None or time.monotonic() + wait >= deadline:
                    raise self._final(failure, tries) from failure
                time.sleep(wait)

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _attempt(self, method: str, path: str, body: bytes | None, content_type: str) -> HttpReply:
        headers = self._headers if body is None else {**self._headers, "Content-Type": content_type}
        kept_open = self._connection is not None
        try:
            status, reply, received = self._exchange(method, path, body, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
            self.close()
            if not kept_open:
                raise _attempt_error(error) from error
            # A server may close a connection that was silent for a while; whatever is sent counts once, even so.
            return self._attempt(method, path, body, content_type)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise _attempt_error(error) from error
        if redirect := describe_redirect(status, received.get("location"), self.address + path):
            raise AttemptError(f"{REDIRECTED}: {redirect}", kind=REDIRECTED, status=status)
        if status // 100 != 2:
            raise attempt_error_of_status(status, reply.decode("utf-8", "replace"), received, datetime.now(UTC))
        return HttpReply(status, reply)

    def _exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = self._connected()
        # The time-out of a socket begins anew with each byte; this one does not.
        expired = threading.Event()
        timer = threading.Timer(self._retries.attempt_seconds, _shut_down, (connection, expired))
        timer.daemon = True
        timer.start()
        try:
            connection.request(method, self._path + path, body, dict(headers))
            response = connection.getresponse()
            reply = response.read(LARGEST_REPLY + 1)
            received = {name.lower(): value for name, value in response.getheaders()}
            if len(reply) > LARGEST_REPLY:
                raise http.client.HTTPException(f"the reply is larger than {LARGEST_REPLY:,} bytes")
            if response.length:
                raise http.client.IncompleteRead(reply, response.length)
        finally:
            timer.cancel()
            if expired.is_set():
                # What looks like the end of a reply is none.
                raise TimeoutError
        if response.will_close:
            self.close()
        return response.status, reply, received

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            seconds = min(CONNECT_SECONDS, self._retries.attempt_seconds)
            if self._secure:
                context = ssl.create_default_context()
                self._connection = http.client.HTTPSConnection(self._host, self._port, timeout=seconds, context=context)
            else:
                self._connection = http.client.HTTPConnection(self._host, self._port, timeout=seconds)
            self._connection.connect()
            if self._connection.sock is not None:
                self._connection.sock.settimeout(self._retries.attempt_seconds)
        return self._connection

    def _next_wait(self, failure: AttemptError, tries: int) -> float | None:
        """Seconds until the next attempt; None: there is none."""
        if failure.kind not in WORTH_RETRYING or tries >= self._retries.tries:
            return None
        if failure.retry_after is not None:
            # Who asks for more than that gets it from the spool.
            return failure.retry_after if failure.retry_after <= self._retries.longest_wait else None
        usual = min(self._retries.longest_wait, self._retries.first_wait * 2.0 ** (tries - 1))
        return usual * self._random.uniform(0.5, 1.0)

    def _final(self, failure: AttemptError, tries: int) -> DeliveryError:
        kind: FailureKind = "unavailable"
        if failure.kind in ("unauthorised", "refused"):
            kind = "unauthorised" if failure.kind == "unauthorised" else "refused"
        tried = f"; after {tries} tries" if tries > 1 else ""
        hint = REDIRECT_HINT if failure.kind == REDIRECTED else _HINTS[kind]
        hint = f"; {hint}" if hint else ""
        message = self._secrets.redact(f"{shown_address(self.address)}: {failure}{tried}{hint}")
        return DeliveryError(message, kind, failure.status)


def _attempt_error(error: Exception) -> AttemptError:
    if isinstance(error, TimeoutError):
        return AttemptError("no reply in time", kind="timeout")
    if isinstance(error, http.client.IncompleteRead):
        return AttemptError("the reply was cut off", kind="connection")
    return AttemptError(describe_fault(error).reason, kind="connection")


def _shut_down(connection: http.client.HTTPConnection, expired: threading.Event) -> None:
    expired.set()
    sock = connection.sock
    if sock is not None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)  # wakes whoever waits for the reply
