"""What looking at runs takes: every page over HTTP on loopback, the memory of the server, and what a run loses by it.

`python -m bench viewer`, or by itself with other sizes: `python -m bench.viewer --runs 100 --cases 10000`.
"""

from __future__ import annotations

import argparse
import http.client
import json
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

RUNNING = """
import sys, time
from toolgauge import api
from toolgauge.core import Case, Expect, Suite
suite = Suite("live", tuple(Case(f"c{number}", "?", expect=Expect(())) for number in range(int(sys.argv[2]))))
def agent(case, tools):
    return "done " * 200
begun = time.perf_counter()
api.execute_run(suite, agent, options=None, store=sys.argv[1], concurrency=8, name=sys.argv[3])
print(time.perf_counter() - begun)
"""


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
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
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
    yield "history of 1,000 runs", "/api/history", {"suite": "small", "metric": "f1"}


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


def _slowest_while_reading(server: Server, seconds: float) -> float:
    """The slowest answer while the large run is read for the first time."""
    ends = time.perf_counter() + seconds
    slowest = 0.0
    pages = [page for page in _pages(server) if "case " not in page[0]]
    while time.perf_counter() < ends:
        for _, path, params in pages:
            slowest = max(slowest, server.get(path, **params)[0])
    return slowest


def _run_beside(store: Path, server: Server | None, cases: int) -> float:
    """How long a run takes, perhaps while a page follows it."""
    name = f"live-{time.time_ns()}"
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNING, str(store), str(cases), name], stdout=subprocess.PIPE, text=True
    )
    following = None
    if server is not None:
        while following is None:
            found = json.loads(server.get("/api/runs", q=name)[1])["rows"]
            following = found[0]["id"] if found else None
        with socket.create_connection(("127.0.0.1", server.port)) as events:
            request = f"GET /api/runs/{following}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
            events.sendall(request.encode())
            while process.poll() is None:
                server.get(f"/api/runs/{following}/cases")
                time.sleep(1)
    output, _ = process.communicate()
    return float(output)


def measure(runs: int = RUNS, cases: int = CASES) -> Part:
    """Make a store, look at all of it, and say what it took."""
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "runs.db"
        make_store(store, runs=runs, cases=cases)
        with serving(store) as server:
            first = server.get("/api/runs")[0]
            slowest = _slowest_while_reading(server, 5)
            read = _wait(server, "large")
            _wait(server, "odd")
            for name, path, params in _pages(server):
                first_time, body = server.get(path, **params)
                again = min(server.get(path, **params)[0] for _ in range(ROUNDS))
                rows.append(
                    (name, f"{1000 * first_time:.0f} ms", f"{1000 * again:.0f} ms", f"{len(body) / 1e6:.2f} MB")
                )
            waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(SLOW)]
            beside = server.get("/api/runs")[0]
            for one in waiting:
                one.close()
            now, most = server.memory
            notes += [
                f"The first answer of all came after {1000 * first:.0f} ms; the slowest while the large run was read "
                f"for the first time after {1000 * slowest:.0f} ms. That run was read, and its figures made, in "
                f"{read + 5:.0f} s.",
                f"With {SLOW:,} connections that ask for nothing, the list of runs came after {1000 * beside:.0f} ms.",
                f"The server had {now:.0f} MB in the end, and {most:.0f} MB at most.",
            ]
        with serving(store) as server:
            pairs = [(_run_beside(store, None, 3_000), _run_beside(store, server, 3_000)) for _ in range(ROUNDS)]
        alone, followed = map(min, zip(*pairs, strict=True))
        notes.append(
            f"A run of 3,000 cases that takes {alone:.2f} s took {followed:.2f} s while a page followed it "
            f"({100 * (followed / alone - 1):+.0f} %)."
        )
    about = f"{runs:,} runs of 20 cases and one of {cases:,} cases, over HTTP on loopback."
    return Part("Looking at runs", about, ("page", "first time", "again", "size"), rows, tuple(notes))


def main() -> None:
    """Measure with other sizes."""
    parser = argparse.ArgumentParser(prog="python -m bench.viewer")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--cases", type=int, default=CASES)
    options = parser.parse_args()
    part = measure(options.runs, options.cases)
    for row in part.rows:
        print(" ".join(f"{cell:<40}" for cell in row))
    print("\n".join(part.notes))


if __name__ == "__main__":
    main()
