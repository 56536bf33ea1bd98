"""What looking at runs takes: every page over HTTP on loopback, the memory of the server, and what a run loses by it.

`python -m bench viewer`, or by itself with other sizes: `python -m bench.viewer --runs 100 --cases 10000`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from .measuring import Part
from .viewer_data import make_store

__all__ = ["measure"]

RUNS, CASES = 1_000, 100_000
SLOW = 1_000
ROUNDS = 3
LOOKING_SECONDS = 0.2
"""How often the run that is to be followed is looked for."""

RUNNING = """
import sys, time
from toolgauge import api
from toolgauge.core import Case, Expect, Suite
suite = Suite("live", tuple(Case(f"c{number}", "?", expect=Expect(())) for number in range(int(sys.argv[2]))))
def agent(case, tools):
    return "done " * 200
begun, used = time.perf_counter(), time.process_time()
api.execute_run(suite, agent, options=None, store=sys.argv[1], concurrency=8, name=sys.argv[3])
print(time.perf_counter() - begun, time.process_time() - used)
"""

LIMIT, MEMORY, SLOWED = "< 1 s", 300, 10
"""What a page may take, the megabytes that the server may have, and by how many percent it may slow a run down."""


@dataclass(frozen=True)
class Server:
    """A viewer in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    def get(self, path: str, **params: str) -> tuple[float, bytes]:
        """How long an answer took, and the answer."""
        begun = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("GET", path + ("?" + urlencode(params) if params else ""))
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        assert reply.status == 200, (path, reply.status, body[:200])
        return time.perf_counter() - begun, body

    @property
    def memory(self) -> tuple[float, float]:
        """The megabytes that it has, and the most that it had."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        now, most = (int(re.findall(rf"{name}:\s+(\d+)", text)[0]) / 1000 for name in ("VmRSS", "VmHWM"))
        return now, most


@contextmanager
def serving(store: Path) -> Iterator[Server]:
    """A viewer over a store."""
    command = [sys.executable, "-m", "toolgauge", "view", "--no-browser", "--port", "0", "--store", str(store)]
    # Figures are kept where the store is, so that the second viewer finds those of the first and no others.
    environment = {**os.environ, "XDG_CACHE_HOME": str(store.parent)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        port = int(re.findall(r":(\d+)/", process.stdout.readline())[0])
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait(30)


def _id(server: Server, name: str) -> str:
    return str(json.loads(server.get("/api/runs", q=name)[1])["rows"][0]["id"])


def _pages(server: Server) -> Iterator[tuple[str, str, dict[str, str]]]:
    runs = {name: _id(server, name) for name in ("large", "odd")}
    large = f"/api/runs/{runs['large']}"
    odd = f"/api/runs/{runs['odd']}"
    yield "list of runs", "/api/runs", {}
    yield "list of runs, found", "/api/runs", {"q": "run-77"}
    yield "run page", f"{large}/run", {}
    for name, params in (
        ("first page", {}),
        ("last page", {"offset": "99950"}),
        ("found: ha noi", {"q": "ha noi"}),
        ("found: three words", {"q": "hue fpt giam"}),
        ("found: nothing", {"q": "zzzz"}),
        ("filtered by tool, issue, label", {"tool": "search_web", "issue": "missing_call", "label": "difficulty:khó"}),
        ("sorted by latency", {"sort": "-latency"}),
        ("sorted by name, in a range", {"sort": "id", "latency": "100..900"}),
    ):
        yield f"list of cases, {name}", f"{large}/cases", params
    yield "case that is one of many", f"{large}/case", {"case": "d777"}
    yield "case and its neighbours", f"{large}/neighbours", {"case": "d777", "q": "ha noi"}
    yield "case with 50,000 calls", f"{odd}/case", {"case": "d0"}
    yield "case with a result of 50 MB", f"{odd}/case", {"case": "d1"}
    small = [_id(server, name) for name in ("run-1", "run-2")]
    yield "two runs side by side", f"/api/runs/{'~'.join(small)}/run", {}
    yield "history of 1,000 runs", "/api/history", {"suite": "small", "metric": "f1"}
    yield "history of the large run", "/api/history", {"suite": "large"}


def _wait(server: Server, name: str) -> float:
    """How long it takes until a run was read and its figures are made."""
    run = _id(server, name)
    begun = time.perf_counter()
    while True:
        progress = json.loads(server.get(f"/api/runs/{run}/progress")[1])
        if progress["ready"] and progress["read"] >= progress["finished"]:
            return time.perf_counter() - begun
        assert not progress["failed"], progress["failed"]
        time.sleep(0.2)


def _until_figures(server: Server, name: str) -> float:
    """How long it takes until a run has figures, whether or not all its cases were read."""
    run = _id(server, name)
    begun = time.perf_counter()
    while not json.loads(server.get(f"/api/runs/{run}/progress")[1])["ready"]:
        time.sleep(0.1)
    return time.perf_counter() - begun


def _slowest_while_reading(server: Server, seconds: float) -> float:
    """The slowest answer while the large run is read for the first time."""
    ends = time.perf_counter() + seconds
    slowest = 0.0
    pages = [page for page in _pages(server) if "case " not in page[0]]
    while time.perf_counter() < ends:
        for _, path, params in pages:
            slowest = max(slowest, server.get(path, **params)[0])
    return slowest


def _run_beside(store: Path, server: Server | None, cases: int) -> tuple[float, float]:
    """How long a run takes, by the clock and of the processor, perhaps while a page follows it."""
    name = f"live-{time.time_ns()}"
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNING, str(store), str(cases), name], stdout=subprocess.PIPE, text=True
    )
    following = None
    if server is not None:
        while following is None:
            time.sleep(LOOKING_SECONDS)
            found = json.loads(server.get("/api/runs", q=name)[1])["rows"]
            following = found[0]["id"] if found else None
        _follow(server, f"/api/runs/{following}")
    output, _ = process.communicate()
    clock, processor = map(float, output.split())
    return clock, processor


def _follow(server: Server, path: str) -> None:
    """Do what a page does that shows a run until it is finished: ask for everything whenever something happened."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    connection.request("GET", f"{path}/events")
    for line in connection.getresponse():
        name = line.decode().strip().removeprefix("event: ")
        if name in ("progress", "figures", "done"):
            for part in ("run", "reviews", "cases"):
                server.get(f"{path}/{part}")
        if name == "done":
            break
    connection.close()


def _slowed(store: Path, cases: int = 10_000) -> str:
    """What a run loses by a page that follows it: with and without by turns, of each the best."""
    with serving(store) as server:
        pairs = [(_run_beside(store, None, cases), _run_beside(store, server, cases)) for _ in range(ROUNDS)]
    alone, followed = ([min(times) for times in zip(*found, strict=True)] for found in zip(*pairs, strict=True))
    clock, processor = (100 * (with_page / without - 1) for without, with_page in zip(alone, followed, strict=True))
    return (
        f"A run of {cases:,} cases took {alone[0]:.2f} s, and {followed[0]:.2f} s while a page followed it "
        f"({clock:+.0f} %; of the processor {processor:+.0f} %; wanted: at most {SLOWED} %)."
    )


def _table(server: Server) -> Iterator[tuple[str, ...]]:
    for name, path, params in _pages(server):
        first, body = server.get(path, **params)
        again = min(server.get(path, **params)[0] for _ in range(ROUNDS))
        yield name, f"{1000 * first:.0f} ms", f"{1000 * again:.0f} ms", LIMIT, f"{len(body) / 1e6:.2f} MB"


def _beside_slow_clients(server: Server) -> str:
    waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(SLOW)]
    beside = server.get("/api/runs")[0]
    for one in waiting:
        one.close()
    return f"With {SLOW:,} connections that ask for nothing, the list of runs came after {1000 * beside:.0f} ms."


def measure(runs: int = RUNS, cases: int = CASES, store: Path | None = None) -> Part:
    """Make a store, look at all of it, and say what it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runs.db"
        if store is None:
            make_store(path, runs=runs, cases=cases)
        else:
            path = store
        with serving(path) as server:
            first = server.get("/api/runs")[0]
            slowest = _slowest_while_reading(server, 5)
            made = 5 + _wait(server, "large")
            before = server.memory[1]
        with serving(path) as server:
            again = _until_figures(server, "large")
            read = again + _wait(server, "large")
            _wait(server, "odd")
            rows = list(_table(server))
            notes = [
                f"The first answer of all came after {1000 * first:.0f} ms; the slowest while the large run was read "
                f"for the first time after {1000 * slowest:.0f} ms (wanted: {LIMIT}). That run was read, and its "
                f"figures made, in {made:.0f} s; a second viewer had these figures after {again:.1f} s, and all cases "
                f"after {read:.0f} s.",
                _beside_slow_clients(server),
            ]
            now, most = server.memory
        notes.append(f"The server had {now:.0f} MB in the end, and {max(before, most):.0f} MB at most (< {MEMORY} MB).")
        notes.append(_slowed(path))
    about = f"{runs:,} runs of 20 cases and one of {cases:,} cases, over HTTP on loopback."
    return Part("Looking at runs", about, ("page", "first time", "again", "wanted", "size"), rows, tuple(notes))


def main() -> None:
    """Measure with other sizes."""
    parser = argparse.ArgumentParser(prog="python -m bench.viewer")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--store", type=Path, help="a store that was made before, in a folder that may be written to")
    options = parser.parse_args()
    part = measure(options.runs, options.cases, options.store)
    for row in part.rows:
        print(" ".join(f"{cell:<40}" for cell in row))
    print("\n".join(part.notes))


if __name__ == "__main__":
    main()
