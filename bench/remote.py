"""What reading object storage costs beside the same bytes in local files: `python -m bench.remote [--megabytes N]`.

Two servers on loopback, since each leaves something open. moto's speaks all of S3, and reads an object as a whole for
every range that is asked for: the time for one range grows with the object, and with large ones moto is measured. So it
has the traces as many objects. The other one gives ranges of files as fast as the system does, of one large object,
and once more with a wait before each answer, as over a network.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.servers.object_storage import object_storage

from .measuring import Part
from .scale import HEADER, Variant, rows_of
from .scoring_data import write_plain_data

MEGABYTES = 100
ROUNDS = 3
PER_TRAJECTORY = 293
"""Bytes of a line, about."""
OBJECT = 25_000_000
"""Bytes of each of many objects."""
WAIT = 0.05
"""Seconds before each answer, in one of the measurements."""
MOTO = Path(sys.prefix) / "servers" / "bin" / "moto_server"
WANTED = "wanted: at most 1.3 times the time of the local file"


@contextmanager
def moto(folder: Path) -> Iterator[str]:
    """The files of a folder in moto's server, by the address of all of them."""
    import obstore
    from obstore.store import S3Store

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
    os.environ.update(keys, AWS_ENDPOINT_URL=address)
    with subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                try:
                    with urlopen(Request(f"{address}/bucket", method="PUT"), timeout=60):  # noqa: S310 - loopback
                        break
                except (URLError, ConnectionError):
                    time.sleep(0.1)
            store = S3Store("bucket", endpoint=address, client_options={"allow_http": True, "timeout": "600s"})
            for path in sorted(folder.iterdir()):
                obstore.put(store, f"runs/{path.name}", path)
            yield "s3://bucket/runs/"
        finally:
            server.terminate()


@contextmanager
def ranges(folder: Path, wait: float = 0.0) -> Iterator[str]:
    """The traces of a folder in a server that is not what takes the time."""
    with object_storage(folder, "s3", wait=wait) as server:
        os.environ.update(server.environment())
        yield "s3://bucket/traces.jsonl"


def divided(traces: Path, folder: Path) -> Path:
    """The same lines as many files."""
    folder.mkdir()
    with traces.open("rb") as lines:
        for number in range(10_000):
            block = lines.read(OBJECT) + lines.readline()
            if not block:
                break
            (folder / f"part-{number:04}.jsonl").write_bytes(block)
    return folder


def measure(megabytes: int, rounds: int, *, with_moto: bool) -> Part:
    """Measure with traces of this size."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        suite, made = write_plain_data(Path(name), megabytes * 1_000_000 // PER_TRAJECTORY)
        (Path(name) / "bucket").mkdir()
        traces = made.rename(Path(name) / "bucket" / "traces.jsonl")
        one = Path(name) / "one.jsonl"
        with traces.open("rb") as lines:
            one.write_bytes(next(lines))
        size = traces.stat().st_size / 1e6
        local = Variant("one local file", str(traces))
        rows: list[tuple[str, ...]] = []
        for wait, words in ((0.0, "at once"), (WAIT, f"each answer after {WAIT * 1000:.0f} ms")):
            with ranges(Path(name), wait) as address:
                rows += rows_of(suite, one, [local, Variant(f"one object, ranges {words}", address)], rounds)
        if with_moto:
            parts = divided(traces, Path(name) / "parts")
            count = len(list(parts.iterdir()))
            with moto(parts) as address:
                found = [
                    Variant(f"{count} local files", str(parts)),
                    Variant(f"{count} objects of moto's server", address),
                ]
                rows += rows_of(suite, one, found, rounds)
    about = f"{size:,.0f} MB of native lines, one process; the best of {rounds} rounds in turn; {WANTED}."
    return Part("Object storage", about, HEADER, rows)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.remote", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="how large the traces are")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--no-moto", action="store_true", help="leave moto's server out")
    options = parser.parse_args()
    part = measure(options.megabytes, options.rounds, with_moto=not options.no_moto)
    print(part.about, "", sep="\n")
    for row in (part.header, ("---",) * len(part.header), *part.rows):
        print(f"| {' | '.join(row)} |")
    print("", "load of the machine: " + ", ".join(f"{load:.1f}" for load in os.getloadavg()), sep="\n")


if __name__ == "__main__":
    main()
