"""What other inputs and more workers cost beside one process and one plain file: `python -m bench.scale [--size N]`.

Every figure stands beside that of the plain file, measured in the same run, in turn. What starting takes, of Python or
of a Ray cluster, is measured with an input of one line and taken off.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import Request, urlopen

from .measuring import Part, Ran, run
from .scoring_data import write_plain_data

SIZE = 100_000
ROUNDS = 3
MOTO = Path(sys.prefix) / "servers" / "bin" / "moto_server"
RAY = {"RAY_USAGE_STATS_ENABLED": "0"}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to score the same trajectories."""

    name: str
    traces: str
    options: tuple[str, ...] = ()


def scored(suite: Path, traces: str, *options: str) -> Ran:
    """Score without keeping anything; fails where that fails."""
    toolgauge = str(Path(sys.executable).with_name("toolgauge"))
    ran = run([toolgauge, "score", str(suite), traces, "--format", "json", *options], environment=RAY, timeout=3000)
    if ran.code not in (0, 3):
        raise SystemExit(f"{traces} {options}: {ran.errors}")
    return ran


def variants(traces: Path, *, ray: bool) -> Iterator[Variant]:
    """The same lines in other clothes, and by more workers."""
    plain = str(traces)
    yield Variant("one process, plain JSONL", plain)
    packed = traces.with_suffix(".jsonl.gz")
    with traces.open("rb") as source, gzip.open(packed, "wb", 6) as target:
        shutil.copyfileobj(source, target)
    yield Variant("gzip", str(packed))
    import zstandard

    zstd = traces.with_suffix(".jsonl.zst")
    with traces.open("rb") as source, zstd.open("wb") as target:
        zstandard.ZstdCompressor(level=3).copy_stream(source, target)
    yield Variant("zstd", str(zstd))
    yield Variant("Parquet", str(write_parquet(traces)))
    yield Variant("two processes", plain, ("--jobs", "2"))
    if ray:
        yield Variant("Ray, two workers on this machine", plain, ("--jobs", "ray"))


def write_parquet(traces: Path) -> Path:
    """The lines as rows of the native layout."""
    import pyarrow
    from pyarrow import parquet

    target = traces.with_suffix(".parquet")
    with traces.open("rb") as lines:
        rows = [{**(row := json.loads(line)), "calls": json.dumps(row.get("calls", []))} for line in lines]
    names = dict.fromkeys(name for row in rows for name in row)
    full = [{name: row.get(name) for name in names} for row in rows]
    parquet.write_table(pyarrow.Table.from_pylist(full), target, row_group_size=50_000, compression="zstd")
    return target


@contextmanager
def object_store(traces: Path) -> Iterator[str]:
    """The traces in moto's server on loopback, by their address there."""
    import obstore
    from obstore.store import S3Store

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    known = {"AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    os.environ.update(known, AWS_REGION="us-east-1")
    with subprocess.Popen([MOTO, "-H", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(600):
                try:
                    with urlopen(Request(f"{address}/bucket", method="PUT"), timeout=60):  # noqa: S310 - loopback
                        break
                except (URLError, ConnectionError):
                    time.sleep(0.1)
            store = S3Store("bucket", endpoint=address, client_options={"allow_http": True, "timeout": "600s"})
            obstore.put(store, "traces.jsonl", traces)
            yield "s3://bucket/traces.jsonl"
        finally:
            server.terminate()


def measure(size: int, rounds: int, *, ray: bool) -> Part:
    """Measure with this many trajectories."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        suite, traces = write_plain_data(Path(name), size)
        one = Path(name) / "one.jsonl"
        with traces.open("rb") as lines:
            one.write_bytes(next(lines))
        megabytes = traces.stat().st_size / 1e6
        found = list(variants(traces, ray=ray))
        with object_store(traces) as address:
            found.append(Variant("object storage on loopback", address))
            rows = list(_rows(suite, one, found, rounds))
    about = f"{size:,} trajectories, {megabytes:,.0f} MB as plain JSONL; the best of {rounds} rounds in turn."
    header = ("what", "start-up", "time without it", "ratio", "processor time", "its ratio", "most memory of a process")
    return Part("Scale", about, header, rows)


def _rows(suite: Path, one: Path, found: list[Variant], rounds: int) -> Iterator[tuple[str, ...]]:
    starts = {variant.options: [scored(suite, str(one), *variant.options) for _ in "12"] for variant in found}
    runs: dict[str, list[Ran]] = {variant.name: [] for variant in found}
    for _ in range(rounds):
        for variant in found:
            runs[variant.name].append(scored(suite, variant.traces, *variant.options))
    plain: tuple[float, float] | None = None
    for variant in found:
        own, before = runs[variant.name], starts[variant.options]
        start = min(ran.seconds for ran in before)
        taken = min(ran.seconds for ran in own) - start
        worked = min(ran.processor for ran in own) - min(ran.processor for ran in before)
        plain = plain or (taken, worked)
        memory = max(ran.memory for ran in own) / 1e6
        yield (
            *(variant.name, f"{start:.1f} s", f"{taken:.1f} s", f"{taken / plain[0]:.2f} ×"),
            *(f"{worked:.1f} s", f"{worked / plain[1]:.2f} ×", f"{memory:.0f} MB"),
        )


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="how many trajectories are scored")
    parser.add_argument("--no-ray", action="store_true", help="leave Ray out")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    options = parser.parse_args()
    part = measure(options.size, options.rounds, ray=not options.no_ray)
    print(part.about, "", sep="\n")
    for row in (part.header, ("---",) * len(part.header), *part.rows):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
