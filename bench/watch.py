"""How many spans a second a watch keeps on one core, and how much memory it takes.

    python -m bench.watch [--seconds 60] [--rate 2000] [--batch 200]

The watch runs on one core; spans are sent at a steady rate, each request waiting for its answer. At the end everything
that was answered with 200 has to be there. Printed: spans a second, the share of the core, the largest memory.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tests.watch.running import batch, get, post, trace
from toolgauge.watch import WatchState

PORT = re.compile(r"127\.0\.0\.1:(\d+)")
CALLS = 4
SPANS = CALLS + 1
SENDERS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=int, default=2000, help="spans a second")
    parser.add_argument("--batch", type=int, default=200, help="spans a request")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        state = str(Path(folder) / "watch.db")
        command = [
            sys.executable,
            "-m",
            "toolgauge",
            "watch",
            "--otlp",
            "--port",
            "0",
            "--window",
            "5s",
            "--state",
            state,
        ]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        os.sched_setaffinity(process.pid, {sorted(os.sched_getaffinity(0))[0]})
        assert process.stdout is not None
        port = int(PORT.search(process.stdout.readline())[1])  # type: ignore[index]
        try:
            measure(process, port, state, given)
        finally:
            process.terminate()
            process.wait()


def measure(process: subprocess.Popen[str], port: int, state: str, given: argparse.Namespace) -> None:
    each = max(1, given.batch // SPANS)
    began_at = time.time_ns() - 10**9
    bodies = [
        batch(
            [span for one in range(first, first + each) for span in trace(one + 1, CALLS, began=began_at - one * 10**9)]
        )
        for first in range(0, round(given.seconds * given.rate / SPANS), each)
    ]
    sent = refused = peak = 0
    began, used = time.monotonic(), processor_seconds(process.pid)

    def send(body: bytes) -> int:
        again = 0
        while post(port, body)[0] != 200:
            again += 1
            time.sleep(0.05)
        return again

    with ThreadPoolExecutor(SENDERS) as senders:
        waiting: list[Future[int]] = []
        for body in bodies:
            while sent > (time.monotonic() - began) * given.rate:
                time.sleep(0.002)
            waiting.append(senders.submit(send, body))
            sent += each * SPANS
            peak = max(peak, memory(process.pid))
        refused = sum(one.result() for one in waiting)
    elapsed = time.monotonic() - began
    number = len(bodies) * each
    kept = wait_for(state, number, 120)
    used = processor_seconds(process.pid) - used
    peak = max(peak, memory(process.pid))
    print(f"sent {sent} spans in {elapsed:.1f} s: {sent / elapsed:.0f} a second, {refused} requests to be sent again")
    print(f"the watch took {used:.1f} s of one core for all of it: {1e6 * used / max(sent, 1):.0f} us a span")
    print(f"{kept} of {number} conversations are settled; largest memory {peak / 2**20:.0f} MiB")
    losses = [line for line in get(port, "/metrics")[1].decode().splitlines() if "losses_total{" in line]
    print("\n".join(losses) or "nothing was lost")
    assert kept == number, "something that was answered with 200 is missing"


def wait_for(state: str, number: int, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    opened = WatchState(state)
    while (kept := opened.counters().get("conversations", 0)) < number and time.monotonic() < deadline:
        time.sleep(0.5)
    opened.close()
    return kept


def memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
