"""A run that several processes work on together: each trial is done once, whoever dies."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.postgres_server import PostgresServer, postgres_server
from tests.runner.weather import write_suite
from toolgauge.store import RunInfo, open_store, store_exists

from .joining import check_executions, executed, join

pytestmark = pytest.mark.deep

AT_ONCE = 4


def begun(store: str, planned: int, seconds: float = 30.0) -> RunInfo:
    """The run in a store, as soon as something of it is finished."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if store_exists(store):
            with open_store(store) as opened:
                for info in opened.runs():
                    if info.finished:
                        assert info.planned == planned
                        return info
        time.sleep(0.05)
    raise AssertionError("nothing was finished")


def report(process: subprocess.Popen[str], seconds: float = 120.0) -> dict[str, object]:
    """What a process reports in the end."""
    out, said = process.communicate(timeout=seconds)
    assert process.returncode == 0, said
    assert "behind" not in said  # its own threads are not taken for what tools leave
    assert "psycopg" not in said
    found: dict[str, object] = json.loads(out)
    return found


def test_whoever_resumes_a_run_in_progress_joins_it(tmp_path: Path, team_store: str) -> None:
    write_suite(tmp_path, 120)
    first = join(tmp_path, team_store, "--concurrency", "2", seconds=0.1)
    run = begun(team_store, 120)
    others = [join(tmp_path, team_store, "--resume", run.id, "--concurrency", "2", seconds=0.1) for _ in range(2)]
    reports = [report(process) for process in (first, *others)]
    assert all(one["counts"] == reports[0]["counts"] for one in reports)
    done = executed(tmp_path)
    check_executions(done, set(), 120, 0)
    assert len(done) == 120
    assert len({pid for _, pid in done}) == 3
    with open_store(team_store) as store:
        info = store.info(run.id)
        assert (info.state, info.finished, info.passed, info.held_by) == ("finished", 120, 120, None)


def test_fifty_kills_lose_nothing_that_was_finished(tmp_path: Path, team_store: str) -> None:
    """Four processes at a time; whenever one is killed, another joins."""
    cases, kills, dice = 2000, 50, random.Random(11)
    write_suite(tmp_path, cases)
    more = ("--concurrency", str(AT_ONCE))
    workers = [join(tmp_path, team_store, *more, seconds=0.1)]
    run = begun(team_store, cases)
    resume = ("--resume", run.id, *more)
    workers += [join(tmp_path, team_store, *resume, seconds=0.1) for _ in range(3)]
    killed: set[int] = set()
    kept: set[tuple[str, float | None]] = set()
    with open_store(team_store) as store:
        while len(killed) < kills:
            time.sleep(dice.uniform(0.1, 0.6))
            victim = workers.pop(dice.randrange(len(workers)))
            assert victim.poll() is None, victim.communicate()
            victim.send_signal(signal.SIGKILL)
            victim.communicate()
            killed.add(victim.pid)
            now = {(one.trajectory.case, one.trajectory.latency_ms) for one in store.open_run(run.id)}
            assert kept <= now
            kept = now
            workers.append(join(tmp_path, team_store, *resume, seconds=0.1))
    reports = [report(worker) for worker in workers]
    check_executions(executed(tmp_path), killed, cases, AT_ONCE)
    assert all(one["counts"] == reports[0]["counts"] for one in reports)
    with open_store(team_store) as store:
        info = store.info(run.id)
        assert (info.state, info.finished, info.passed, info.held_by) == ("finished", cases, cases, None)
        lines = list(store.open_run(run.id))
        assert {(one.trajectory.case, one.trajectory.latency_ms) for one in lines} >= kept
        assert len({one.trajectory.case for one in lines}) == len(lines) == cases
        assert not store.resume(run.id).interrupted()


@pytest.mark.parametrize("kill", [False, True], ids=["in order", "by a crash"])
def test_a_run_goes_on_when_the_server_is_restarted(tmp_path: Path, kill: bool) -> None:
    write_suite(tmp_path, 400)
    with postgres_server(durable=True) as server:
        address = server.new_database()
        first = join(tmp_path, address, "--concurrency", "2", seconds=0.05)
        run = begun(address, 400)
        second = join(tmp_path, address, "--resume", run.id, "--concurrency", "2", seconds=0.05)
        while len({pid for _, pid in executed(tmp_path)}) < 2:
            assert second.poll() is None, second.communicate()
            time.sleep(0.05)
        before = saved(address, run.id)
        server.restart(kill=kill, away=1.0)
        assert before <= saved(address, run.id)
        reports = [report(first), report(second)]
        assert reports[0]["counts"] == reports[1]["counts"]
        done = executed(tmp_path)
        check_executions(done, set(), 400, 0)
        with open_store(address) as store:
            info = store.info(run.id)
            assert (info.state, info.finished, info.passed) == ("finished", 400, 400)


def saved(address: str, run: str) -> set[str]:
    """The cases that are kept."""
    with open_store(address) as store:
        return {one.trajectory.case for one in store.open_run(run)}


def test_a_run_stops_with_a_message_when_the_server_stays_away(
    tmp_path: Path, postgres: PostgresServer, team_store: str
) -> None:
    del postgres
    write_suite(tmp_path, 3)
    process = join(tmp_path, team_store.replace("127.0.0.1", "127.0.0.2").replace("@", ":x@"))
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "")
    assert "***@127.0.0.2" in said
    assert "the store cannot be reached" in said
    assert "owner" not in said
    assert "Traceback" not in said
