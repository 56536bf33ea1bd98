"""The client that scores are sent with: what it tries again, what it gives up, and what it never shows."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from toolgauge.errors import UsageError
from toolgauge.exports.http import DeliveryError, HttpClient

from .receiving import QUICK, Receiver, Replied

SECRET = "-".join(["sk", "very", "secret", "value"])


def failure(client: HttpClient) -> DeliveryError:
    with pytest.raises(DeliveryError) as caught:
        client.request("POST", "/x", b"{}")
    client.close()
    return caught.value


def test_a_server_that_recovers_is_tried_again() -> None:
    with Receiver([Replied(500), Replied(503)]) as server:
        client = HttpClient(server.url, retries=QUICK)
        assert client.request("POST", "/x", b"{}").status == 200
        client.close()
    assert len(server.received) == 3


def test_a_server_that_has_too_much_to_do_gets_the_time_that_it_asks_for() -> None:
    with Receiver([Replied(429, headers={"Retry-After": "1"})]) as server:
        client = HttpClient(server.url, retries=QUICK)
        began = time.monotonic()
        client.request("POST", "/x", b"{}")
        client.close()
        assert time.monotonic() - began >= 1
    assert len(server.received) == 2


def test_a_server_that_asks_for_a_day_is_left_alone() -> None:
    with Receiver([Replied(429, headers={"Retry-After": "86400"})]) as server:
        assert failure(HttpClient(server.url, retries=QUICK)).kind == "unavailable"
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "unauthorised"), (403, "unauthorised"), (400, "refused"), (404, "refused"), (304, "refused")],
)
def test_what_no_other_try_changes_is_not_tried_again(status: int, kind: str) -> None:
    with Receiver([Replied(status, b"no")]) as server:
        found = failure(HttpClient(server.url, retries=QUICK))
    assert (found.kind, found.status, len(server.received)) == (kind, status, 1)


def test_a_reply_that_is_cut_off_is_no_reply() -> None:
    with Receiver([Replied(cut=True)] * 3) as server:
        found = failure(HttpClient(server.url, retries=QUICK))
    assert found.kind == "unavailable"
    assert "cut off; after 3 tries" in str(found)


def test_nobody_there_is_said_with_the_address_and_without_credentials() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        found = failure(HttpClient(f"http://me:{SECRET}@127.0.0.1:{port}/base?token={SECRET}", retries=QUICK))
    assert str(found) == (
        f"http://127.0.0.1:{port}: connection refused; after 3 tries; check that the server is running, and its address"
    )


def test_credentials_that_a_server_repeats_are_not_shown() -> None:
    with Receiver([Replied(401, f"bad key {SECRET}".encode())]) as server:
        found = failure(HttpClient(server.url, {"Authorization": f"Bearer {SECRET}"}, retries=QUICK))
    assert server.received[0].headers["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in str(found)
    assert "check the key" in str(found)


def test_a_server_that_never_finishes_is_left_in_the_end() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def dribble() -> None:
        while not ended.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                    while not ended.wait(0.05):
                        connection.sendall(b"a")
                except OSError:
                    continue

    thread = threading.Thread(target=dribble)
    thread.start()
    try:
        quick = type(QUICK)(tries=1, attempt_seconds=0.5, total_seconds=5)
        found = failure(HttpClient(f"http://127.0.0.1:{listening.getsockname()[1]}", retries=quick))
        assert found.kind == "unavailable"
    finally:
        ended.set()
        listening.close()
        thread.join(10)
    assert not thread.is_alive()


def test_a_connection_that_was_closed_meanwhile_is_opened_again() -> None:
    with Receiver([Replied(headers={"Connection": "keep-alive"})]) as server:
        client = HttpClient(server.url, retries=QUICK)
        client.request("POST", "/x", b"{}")
        assert client._connection is not None
        assert client._connection.sock is not None
        client._connection.sock.shutdown(socket.SHUT_RDWR)
        assert client.request("POST", "/x", b"{}").status == 200
        client.close()


@pytest.mark.parametrize("address", ["", "localhost:4318", "ftp://host", "http://", "http://host:port"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="not an address to export to"):
        HttpClient(address)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_redirect_is_reported_and_never_followed(status: int, elsewhere: bool) -> None:
    with Receiver() as other, Receiver(answering=lambda asked: Replied(status, headers=location)) as server:
        location = {"Location": f"http://me:{SECRET}@{other.url[7:]}/y?key={SECRET}" if elsewhere else "/y/x?a=b"}
        found = failure(HttpClient(f"{server.url}/base", {"Authorization": f"Bearer {SECRET}"}, retries=QUICK))
    place = other.url if elsewhere else f"{server.url}/y/x"
    assert str(found) == (
        f"{server.url}: redirected: HTTP {status} to {place}; "
        "redirects are not followed, so that no key leaks: check the address"
    )
    # What was to be sent is wanted elsewhere, so it waits.
    assert (found.kind, found.status) == ("unavailable", status)
    assert (len(server.received), len(other.received)) == (1, 0)
