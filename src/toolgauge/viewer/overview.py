"""The page of a run: its figures, charts and patterns, and which cases stand behind which of them.

Of a large run it is made by a process of its own, which takes as much memory as `toolgauge report` does and gives it
back, while the server goes on answering.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import get_native_id
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from toolgauge.analysis.diagnose import diagnose
from toolgauge.api import load_run
from toolgauge.core import Pattern, Run, Scored
from toolgauge.errors import StoreError
from toolgauge.pages import run_page
from toolgauge.pages.data import MAX_PATTERNS
from toolgauge.pages.sets import CaseSets
from toolgauge.report.json import encode_json
from toolgauge.report.values import redact

if TYPE_CHECKING:
    from .origins import RunOrigin

__all__ = [
    "Drawn",
    "Overview",
    "draw",
    "draw_elsewhere",
    "draw_stored",
    "light",
    "make_overview",
    "read_drawn",
    "step_back",
    "write_drawn",
]

LARGE = 3_000
"""Runs of more trajectories are drawn by a process of their own."""

MAX_SECONDS = 600

Key = tuple[int, str, int]

Drawn: TypeAlias = tuple[dict[str, object], dict[str, Sequence[int]]]
"""The page of a run without its sets, and these."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The page of a run, as it was when it was made."""

    key: Key
    """What it was made of: how many trajectories, in which state, how many reviews."""
    page: str
    """As JSON."""
    sets: Mapping[str, Sequence[int]]
    """By name the numbers of the cases behind a figure."""
    made: float
    seconds: float
    """How long it took to make."""


def make_overview(origin: RunOrigin, key: Key, folder: Path, version: int) -> Overview:
    """Draw the page of a run.

    Raises:
        ToolgaugeError: It cannot be read.
    """
    begun = time.monotonic()
    page, sets = origin.draw(folder / f"{id(origin):x}.overview", large=key[0] > LARGE)
    now = time.monotonic()
    info = origin.info()
    page = page | {
        "version": version,
        "id": origin.id,
        "name": info.name or origin.id,
        "sets": {name: {"length": len(sets[name])} for name in sets},
    }
    return Overview(key, redact(encode_json(page)), sets, now, now - begun)


def draw(run: Run) -> Drawn:
    """The page of a run without its sets, and these."""
    cases = {case.id: (number, case) for number, case in enumerate(run.header.suite.cases)}
    patterns: Sequence[Pattern] = ()
    if run.summary.rows and cases:
        patterns = diagnose(run).patterns[:MAX_PATTERNS]
    sets = CaseSets(patterns)
    lights: list[Scored] = []
    for item in run.scored:
        sets.add(*cases[item.score.case], item)
        lights.append(light(item))
    found: dict[str, Sequence[int]] = {name: array("I", numbers) for name, numbers in sets.found().items()}
    return run_page(run, patterns, {}, lights), found


def light(item: Scored) -> Scored:
    """What distributions and lists of names are made of, without arguments and results."""
    calls = tuple(replace(call, args={}, result=None, error=None, id=None) for call in item.trajectory.calls)
    trajectory = replace(item.trajectory, calls=calls, output=None, events=(), input=None, meta={})
    return Scored(trajectory, replace(item.score, alignment=(), answer=None))


def step_back() -> None:
    """Let others go first: what this thread does can wait, and a run that is being made cannot."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, get_native_id(), 10)


def draw_stored(address: str, run_id: str, target: Path, *, large: bool) -> Drawn:
    """The page of a run of a store.

    Args:
        address: The address of the store.
        run_id: The id of the run there.
        target: A new file that may be used.
        large: Whether it is drawn by a process of its own.

    Raises:
        ToolgaugeError: It cannot be read.
    """
    if not large:
        return draw(load_run(run_id, store=address, headline=True))
    draw_elsewhere(__name__, address, run_id, str(target))
    return read_drawn(target)


def draw_elsewhere(module: str, *arguments: str) -> None:
    """Run a module in a process of its own.

    What it is told may hold credentials, so it does not stand in its command, which everybody on the machine sees.

    Raises:
        StoreError: It did not end well.
    """
    command, told = [sys.executable, "-m", module], msgspec.json.encode(arguments).decode()
    ended = subprocess.run(  # noqa: S603
        command, input=told, capture_output=True, text=True, encoding="utf-8", timeout=MAX_SECONDS, check=False
    )
    if ended.returncode:
        raise StoreError(f"the figures could not be made: {ended.stderr.strip()[-300:]}")


def given_arguments() -> list[str]:
    """What this process was told by `draw_elsewhere`."""
    return msgspec.json.decode(sys.stdin.buffer.read(), type=list[str])


def write_drawn(page: dict[str, object], sets: Mapping[str, Sequence[int]], target: Path) -> None:
    """Write a page and its sets: a line of JSON, a line with the sizes of the sets, then their numbers."""
    with target.open("wb") as stream:
        stream.write(encode_json(page).encode("utf-8", "replace") + b"\n")
        stream.write(msgspec.json.encode({name: len(numbers) for name, numbers in sets.items()}) + b"\n")
        for numbers in sets.values():
            array("I", numbers).tofile(stream)


def read_drawn(target: Path) -> Drawn:
    """What `write_drawn` wrote; the file goes."""
    with target.open("rb") as stream:
        page = msgspec.json.decode(stream.readline(), type=dict[str, object])
        sets: dict[str, Sequence[int]] = {}
        for name, size in msgspec.json.decode(stream.readline(), type=dict[str, int]).items():
            numbers = array("I")
            numbers.fromfile(stream, size)
            sets[name] = numbers
    target.unlink()
    return page, sets


def main() -> None:
    """Draw the run of a store into a file."""
    step_back()
    address, run_id, target = given_arguments()
    page, sets = draw(load_run(run_id, store=address, headline=True))
    write_drawn(page, sets, Path(target))


if __name__ == "__main__":
    main()
