"""How many trials a second four processes lease from a run in PostgreSQL and store: `python -m bench.team_store`.

The server is one on loopback that waits for the disk, as one does that people rely on. Beside it stands a round trip of
the same server that writes as many bytes and does nothing else, since disks differ more than anything else here.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec
import psycopg
from msgspec.structs import replace

from tests.postgres_server import postgres_server
from tests.store.saving import header, scored
from toolgauge.core import Case, RunHeader, Scored, Suite, TrialKey
from toolgauge.store import open_store

WORKERS = 4
WANTED = 200
"""Trials a second that there have to be."""


def plan(cases: int) -> list[TrialKey]:
    """The trials of the run."""
    return [("m", f"c{number}", 1) for number in range(cases)]


def run_header(cases: int) -> RunHeader:
    """The header of a run of so many cases."""
    return replace(header(), suite=Suite("bench", tuple(Case(f"c{number}") for number in range(cases))))


def warm(address: str) -> None:
    """Import everything, and connect once."""
    list(scored(1))
    open_store(address).close()
    time.sleep(1.0)  # so that each process gets its turn


def processor_seconds() -> float:
    """What this process took of the processors so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def work(address: str, run: str, cases: int) -> tuple[int, float]:
    """Lease, journal and store trials until none is left, as a run does; how many, in how much processor time."""
    (sample,) = scored(1)
    done, before = 0, processor_seconds()
    with open_store(address) as store:
        writer = store.resume(run)
        queue = writer.share(plan(cases))
        assert queue is not None
        while claimed := queue.claim(1, ()):
            ((key, _),) = claimed
            writer.begin_case(*key)
            writer.save(_of(sample, key))
            done += 1
        writer.finish("finished")
    return done, processor_seconds() - before


def _of(sample: Scored, key: TrialKey) -> Scored:
    agent, case, trial = key
    return Scored(
        replace(sample.trajectory, agent=agent, case=case, trial=trial),
        replace(sample.score, agent=agent, case=case, trial=trial),
    )


def floor(address: str, seconds: float = 2.0) -> float:
    """How many rows of that size a second one connection writes, each in a transaction of its own."""
    (sample,) = scored(1)
    line = msgspec.json.encode(sample.trajectory)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS floor_of_bench (line BYTEA)")
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            connection.execute("INSERT INTO floor_of_bench VALUES (%s)", (line,))
            count += 1
    return count / seconds


def main(cases: int = 2000) -> int:
    """Measure, and fail where it is too slow."""
    with postgres_server(durable=True) as server:
        least = floor(server.new_database())
        address = server.new_database()
        with open_store(address) as store:
            writer = store.begin(run_header(cases), cases, name="bench")
            writer.share(plan(cases))
            writer.finish("interrupted")
        with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
            list(pool.map(warm, [address] * WORKERS))
            server_before = server.processor_seconds()
            begun = time.perf_counter()
            done = list(pool.map(work, [address] * WORKERS, [writer.id] * WORKERS, [cases] * WORKERS))
            seconds = time.perf_counter() - begun
            time.sleep(1.0)  # until the last connections have ended, whose time is counted then
            of_server = server.processor_seconds() - server_before
        parts, of_workers = [count for count, _ in done], sum(used for _, used in done)
        with open_store(address) as store:
            info = store.info(writer.id)
        assert (sum(parts), info.finished, info.state) == (cases, cases, "finished")
    rate = cases / seconds
    print(f"{cases} trials by {WORKERS} processes {parts}: {rate:.0f} a second, leased, journaled and stored")
    each = [1000 * used / cases for used in (of_workers, of_server)]
    print(f"processor time for each: {each[0]:.2f} ms of a worker, {each[1]:.2f} ms of the server")
    print(f"load while measured: {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
    print(f"plain rows of one connection to the same server: {least:.0f} a second; ratio {rate / least:.2f}")
    return 0 if rate >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
