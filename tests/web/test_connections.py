"""Connections among many: who says nothing makes room, who has asked is answered."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import uvicorn

from toolgauge.web import LimitedConnection, limited_connections, listen

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = b"x" * 2**25


class Served:
    """A server that answers when it may, and at once where somebody asks for `/now`."""

    def __init__(self, most: int) -> None:
        self.connection: type[LimitedConnection] = limited_connections(most)
        self.may_answer = threading.Event()
        self.asked = 0
        self.place = listen("127.0.0.1", 0)
        self.server = uvicorn.Server(
            uvicorn.Config(
                self.answer, http=self.connection, interface="asgi3", lifespan="off", log_level="critical", ws="none"
            )
        )

    async def answer(self, scope: dict[str, str], receive: object, send: object) -> None:
        assert callable(send)
        self.asked += 1
        while scope["path"] == "/" and not self.may_answer.is_set():
            await asyncio.sleep(0.01)
        body = LARGE if scope["path"] == "/large" else b"done"
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
        for first in range(0, len(body), 2**20):
            await send({"type": "http.response.body", "body": body[first : first + 2**20], "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    def connect(self, sent: bytes = b"") -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", self.place.port), timeout=30)
        opened.sendall(sent)
        return opened


@contextmanager
def serving(most: int) -> Iterator[Served]:
    served = Served(most)
    thread = threading.Thread(target=served.server.run, kwargs={"sockets": [served.place.socket]}, daemon=True)
    thread.start()
    try:
        until(lambda: served.server.started)
        yield served
    finally:
        served.may_answer.set()
        served.server.force_exit = served.server.should_exit = True
        thread.join(30)
        served.place.socket.close()


def until(holds: object) -> None:
    assert callable(holds)
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, "it did not come to it"
        time.sleep(0.01)


def said(opened: socket.socket) -> bytes:
    """What comes until the other side closes."""
    came = b""
    try:
        while more := opened.recv(65536):
            came += more
            if came.endswith(b"done"):
                break
    except ConnectionResetError:
        pass
    return came


def test_the_one_that_was_silent_longest_makes_room() -> None:
    with serving(3) as served, ExitStack() as held:
        first, second, third = [held.enter_context(served.connect()) for _ in range(3)]
        until(lambda: len(served.connection.connected) == 3)
        first.sendall(b"GET /now HTTP/1.1\r\n")
        until(lambda: next(iter(served.connection.connected)).client == second.getsockname())
        fourth = held.enter_context(served.connect())
        assert said(second) == b""
        for one in (third, fourth):
            one.sendall(b"GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
        first.sendall(b"Host: x\r\n\r\n")
        assert [said(one)[-4:] for one in (first, third, fourth)] == [b"done"] * 3
        assert served.connection.closed == 1


def test_whoever_has_asked_is_answered_however_many_come_after() -> None:
    with serving(2) as served, ExitStack() as held:
        asking = [held.enter_context(served.connect(ASKED)) for _ in range(2)]
        until(lambda: served.asked == 2)
        for _ in range(50):
            assert said(held.enter_context(served.connect())) == b"", "there is nobody who could make room"
        assert served.connection.closed == 50
        served.may_answer.set()
        assert [said(one)[-4:] for one in asking] == [b"done"] * 2
        assert said(held.enter_context(served.connect(ASKED)))[-4:] == b"done"


def test_whoever_does_not_take_the_answer_makes_room() -> None:
    with serving(1) as served, ExitStack() as held:
        held.enter_context(served.connect(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"))
        until(lambda: served.asked == 1)
        (writing,) = served.connection.connected
        until(lambda: writing.cycle.response_started)
        assert said(held.enter_context(served.connect(b"GET /now HTTP/1.1\r\nHost: x\r\n\r\n")))[-4:] == b"done"
        assert served.connection.closed == 1


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_head_that_does_not_come_to_its_end_is_not_waited_for(before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.web.connections.SILENT_SECONDS", 0.3)
    with serving(10) as served, served.connect() as opened:
        for _ in range(before):
            opened.sendall(b"GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
            assert said(opened)[-4:] == b"done"
        opened.sendall(b"GET /now HTTP/1.1\r\nX")
        assert said(opened) == b"", "it is closed without a word"


def test_a_head_that_comes_along_with_the_request_before_it_has_its_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.web.connections.SILENT_SECONDS", 0.3)
    with serving(10) as served, served.connect(ASKED + b"GET /now HTTP/1.1\r\nX") as opened:
        until(lambda: served.asked == 1)
        served.may_answer.set()
        assert said(opened)[-4:] == b"done"
        opened.sendall(b"-Y: ")
        assert said(opened) == b""


def test_an_answer_may_take_longer_than_a_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.web.connections.SILENT_SECONDS", 0.1)
    with serving(10) as served, served.connect(ASKED) as opened:
        time.sleep(0.4)
        served.may_answer.set()
        assert said(opened)[-4:] == b"done"


def test_no_more_are_taken_than_files_may_be_open() -> None:
    assert 1 <= limited_connections(10**12).most < 10**12
