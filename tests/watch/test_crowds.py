"""Many senders and slow ones: they are refused within limits, and whoever sends a whole request is answered."""

from __future__ import annotations

import os
import random
import re
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from toolgauge.watch import Watch, WatchOptions, WatchSettings
from toolgauge.watch.settings import ReceiverLimits
from toolgauge.web import listen

from .crowd import KINDS
from .running import batch, get, post, started, trace

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def receiving(folder: Path, limits: ReceiverLimits) -> Iterator[int]:
    """A receiver with other limits than usual, in a thread: its port."""
    watch = Watch(WatchOptions(settings=WatchSettings(state=str(folder / "watch.db"), limits=limits)))
    place = listen("127.0.0.1", 0)
    server = watch.make_server(place)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield place.port
    finally:
        server.should_exit = True
        thread.join(30)
        place.socket.close()
        watch.close()


def sent_slowly(port: int) -> socket.socket:
    """A body of which a part has been sent."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
    connection.sendall(KINDS["slow body"].replace(b"%d", b"%d" % port) + b"x" * 1000)
    return connection


def answer(connection: socket.socket) -> bytes:
    """Everything that is answered, until the other side closes."""
    said = b""
    while more := connection.recv(65536):
        said += more
    return said


def counted(port: int, name: str) -> int:
    """A figure of `/metrics`."""
    found = re.search(rf"^toolgauge_watch_{re.escape(name)} (\d+)$", get(port, "/metrics")[1].decode(), re.M)
    return int(found[1]) if found else 0


def new_trace() -> bytes:
    return batch(trace(random.getrandbits(60)))


def check_slow_bodies(port: int, many: int) -> None:
    """Slow bodies that go on to send a byte now and then are answered 408, and others 200 meanwhile."""
    with ExitStack() as held:
        slow = [held.enter_context(sent_slowly(port)) for _ in range(many)]
        assert [post(port, new_trace())[0] for _ in range(10)] == [200] * 10
        for one in slow:
            one.sendall(b"x")
        refused = [answer(one) for one in slow]
    assert {said.split(b"\r\n")[0] for said in refused} == {b"HTTP/1.1 408 Request Timeout"}
    assert all(b"the body took too long" in said for said in refused)
    assert counted(port, 'requests_total{signal="traces",status="408"}') == many
    assert post(port, new_trace())[0] == 200


def test_a_body_that_takes_too_long_is_answered_408_and_the_rest_goes_on(tmp_path: Path) -> None:
    with receiving(tmp_path, ReceiverLimits(seconds=2.0)) as port:
        check_slow_bodies(port, 50)


@pytest.mark.deep
def test_the_command_answers_408_to_slow_bodies(tmp_path: Path) -> None:
    with started(tmp_path) as watch:
        check_slow_bodies(watch.port, 200)


def test_bodies_that_were_too_slow_take_no_room_from_others(tmp_path: Path) -> None:
    limits = ReceiverLimits(seconds=0.5, in_flight=2500)
    with receiving(tmp_path, limits) as port:
        for _ in range(3):
            with sent_slowly(port) as first, sent_slowly(port) as second, sent_slowly(port) as third:
                said = sorted(answer(each).split(b" ")[1] for each in (first, second, third))
                assert said == [b"408", b"408", b"503"], "there is room for two"
        assert post(port, new_trace())[0] == 200


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_the_limit_the_silent_make_room_and_whoever_sends_is_answered(tmp_path: Path, kind: str) -> None:
    with receiving(tmp_path, ReceiverLimits(connections=20)) as port, ExitStack() as held:
        opening = KINDS[kind].replace(b"%d", b"%d" % port)
        for _ in range(10):
            for _ in range(20):
                connection = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
                connection.sendall(opening)
            assert post(port, new_trace())[0] == 200
        assert counted(port, "connections_closed_total") >= 180


def open_connections(pid: int) -> int:
    """How many sockets a process has."""
    links = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.append(os.readlink(entry))
        except FileNotFoundError:  # closed meanwhile
            continue
    return sum(link.startswith("socket:") for link in links)


def memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


@contextmanager
def crowd(port: int, many: int, kind: str, processes: int = 4) -> Iterator[None]:
    """So many connections, all of which were opened, until the end of the block."""
    command = [sys.executable, "-m", "tests.watch.crowd", str(port), str(many // processes), kind]
    with ExitStack() as running:
        members = [
            running.enter_context(
                subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(processes)
        ]
        for member in members:
            assert member.stdout is not None
            assert int(member.stdout.readline()) == many // processes
        yield
        for member in members:
            assert member.poll() is None, "it held them to the end"


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_connections_keep_nobody_out(tmp_path: Path, kind: str) -> None:
    limits = ReceiverLimits()
    with started(tmp_path) as watch:
        before = memory(watch.process.pid)
        statuses = []
        with crowd(watch.port, 10_000, kind):
            for _ in range(50):
                statuses.append(post(watch.port, new_trace())[0])
                assert open_connections(watch.process.pid) <= limits.connections + 50
            closed = counted(watch.port, "connections_closed_total")
        assert statuses == [200] * 50
        assert closed > 1000
        assert memory(watch.process.pid) - before < 256 * 2**20
        assert len(watch.conversations(50)) == 50
