"""What other inputs and more workers cost beside one process and one plain file: `python -m bench.scale [--size N]`.

Object storage has a bench of its own, `bench.remote`.

Every figure stands beside that of the plain file, measured in the same run, in turn. What starting takes, of Python or
of a Ray cluster, is measured with an input of one line and taken off.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .measuring import Part, Ran, run
from .scoring_data import write_plain_data

SIZE = 100_000
ROUNDS = 3
HEADER = ("what", "start-up", "time without it", "ratio", "processor time", "its ratio", "most memory of a process")
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


def measure(size: int, rounds: int, *, ray: bool) -> Part:
    """Measure with this many trajectories."""
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        suite, traces = write_plain_data(Path(name), size)
        one = Path(name) / "one.jsonl"
        with traces.open("rb") as lines:
            one.write_bytes(next(lines))
        megabytes = traces.stat().st_size / 1e6
        rows = list(rows_of(suite, one, list(variants(traces, ray=ray)), rounds))
    about = f"{size:,} trajectories, {megabytes:,.0f} MB as plain JSONL; the best of {rounds} rounds in turn."
    return Part("Scale", about, HEADER, rows)


def rows_of(suite: Path, one: Path, found: list[Variant], rounds: int) -> Iterator[tuple[str, ...]]:
    """A row for each way, beside the first of them; what it takes with one line is taken off."""
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
