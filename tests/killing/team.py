"""A run in a PostgreSQL store that several processes work on, of which some are killed. It needs a server."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from tests.postgres_server import PostgresServer, find_binaries, postgres_server
from tests.runner.weather import write_suite
from tests.store.postgres.joining import check_executions, executed, join
from tests.store.postgres.test_joining import begun, report
from toolgauge.store import open_store

from .scenarios import Scenario

__all__ = ["team_scenario"]

CASES = 200
AT_ONCE = 4
KILLS = 5


@contextmanager
def team_scenario() -> Iterator[dict[str, Scenario]]:
    """The scenario by its name, with a server that is there meanwhile; nothing where there can be none."""
    if find_spec("psycopg") is None or find_binaries() is None:
        yield {}
        return
    with postgres_server() as server:
        yield {"team": lambda folder, dice: _team(server, folder, dice)}


def _team(server: PostgresServer, folder: Path, dice: random.Random) -> int:
    store = server.new_database()
    write_suite(folder, CASES)
    more = ("--concurrency", str(AT_ONCE))
    workers = [join(folder, store, *more, seconds=0.1)]
    run = begun(store, CASES)
    resume = ("--resume", run.id, *more)
    workers.append(join(folder, store, *resume, seconds=0.1))
    killed: set[int] = set()
    for _ in range(KILLS):
        time.sleep(dice.uniform(0.05, 0.8))
        victim = workers.pop(dice.randrange(len(workers)))
        if victim.poll() is None:
            victim.send_signal(signal.SIGKILL)
            killed.add(victim.pid)
        victim.communicate()
        workers.append(join(folder, store, *resume, seconds=0.1))
    for worker in workers:
        report(worker)
    check_executions(executed(folder), killed, CASES, AT_ONCE)
    with open_store(store) as opened:
        info = opened.info(run.id)
        assert (info.state, info.finished, info.passed) == ("finished", CASES, CASES)
        lines = [one.trajectory.case for one in opened.open_run(run.id)]
        assert len(set(lines)) == len(lines) == CASES
    server.drop_database(store)
    return len(killed)
