"""While the server of a team store is away, only what waits for it waits."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres_server import PostgresServer, postgres_server
from tests.runner.weather import write_suite
from toolgauge.store import open_store

from .joining import join

pytestmark = pytest.mark.deep

AGENT = "outlasts=tests.runner.sample_agents:outlasts"
TURNS = 20


def wait_for(what: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for something that a process does, for less time than a store is waited for."""
    end = time.monotonic() + 40.0
    while not what():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


def turns(folder: Path) -> int:
    """How many turns the second agent has had."""
    path = folder / "turns.txt"
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


@contextmanager
def outage(folder: Path, server: PostgresServer, store: str) -> Iterator[subprocess.Popen[str]]:
    """A run of two agents, one of which waits to be kept by a server that is away, and the other has had turns."""
    write_suite(folder, 2)
    process = join(folder, store, "--concurrency", "2", agent=AGENT)
    wait_for(lambda: all((folder / f"working-c{n}").exists() for n in range(2)), process)
    server.stop()
    (folder / "away").touch()
    wait_for(lambda: turns(folder) >= TURNS, process)
    yield process
    server.start()
    (folder / "back").touch()


def test_an_agent_has_its_turns_while_another_waits_to_be_kept(tmp_path: Path) -> None:
    with postgres_server() as server:
        store = server.new_database()
        with outage(tmp_path, server, store) as process:
            pass
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        with open_store(store) as opened:
            (info,) = opened.runs()
            assert (info.state, info.finished, info.passed) == ("finished", 2, 2)


def test_an_interrupt_is_heard_while_the_server_is_away(tmp_path: Path) -> None:
    with postgres_server() as server:
        store = server.new_database()
        with outage(tmp_path, server, store) as process:
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            line = process.stderr.readline()
            while "Ctrl-C again stops at once" not in line:
                assert line, "it ended without a word"
                line = process.stderr.readline()
        process.communicate(timeout=120)
        assert process.returncode == 130
        with open_store(store) as opened:
            (info,) = opened.runs()
            assert (info.state, info.finished) == ("finished", 2)
