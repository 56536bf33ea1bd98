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
from hashlib import sha256
from pathlib import Path
from threading import get_native_id
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from toolgauge.analysis.diagnose import diagnose
from toolgauge.api import load_run
from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import Pattern, Run, RunHeader, Scored, encode_sorted
from toolgauge.errors import StoreError
from toolgauge.pages import run_page
from toolgauge.pages.data import MAX_PATTERNS
from toolgauge.pages.gathering import light
from toolgauge.pages.sets import CaseSets
from toolgauge.report.json import encode_json
from toolgauge.report.values import redact

if TYPE_CHECKING:
    from .cache import FigureCache
    from .origins import RunOrigin

__all__ = [
    "Drawn",
    "Mark",
    "Overview",
    "basis_of",
    "draw",
    "draw_elsewhere",
    "draw_stored",
    "drawn_page",
    "kept_overview",
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


def make_overview(origin: RunOrigin, key: Key, folder: Path, version: int, cache: FigureCache | None) -> Overview:
    """Draw the page of a run.

    Args:
        origin: Where the run comes from.
        key: What it is drawn of.
        folder: Where a file may be written meanwhile.
        version: How often it was drawn, with this time.
        cache: Where figures of large runs are kept; None: nowhere, as while a run is being written.

    Raises:
        ToolgaugeError: It cannot be read.
    """
    begun = time.monotonic()
    target = folder / f"{id(origin):x}.overview"
    return _overview(origin, key, version, begun, drawn_page(origin, target, cache, large=key[0] > LARGE))


def kept_overview(origin: RunOrigin, key: Key, version: int, cache: FigureCache) -> Overview | None:
    """The page of a large run as it was kept; None: it was not."""
    begun = time.monotonic()
    kept = cache.get(cache.key(origin))
    return None if kept is None else _overview(origin, key, version, begun, kept)


def _overview(origin: RunOrigin, key: Key, version: int, begun: float, drawn: Drawn) -> Overview:
    page, sets = drawn
    now = time.monotonic()
    info = origin.info()
    page = page | {
        "version": version,
        "id": origin.id,
        "name": info.name or origin.id,
        "sets": {name: {"length": len(sets[name])} for name in sets},
    }
    if info.held_by is not None:
        # What is planned and not run yet has not passed: a verdict on that would be on the order of running.
        done = {"finished": info.finished, "planned": info.planned}
        page["sentences"] = {lang: [words_of(lang)("page.live.no_verdict", **done)] for lang in LANGUAGES}
    return Overview(key, redact(encode_json(page)), sets, now, now - begun)


def drawn_page(origin: RunOrigin, target: Path, cache: FigureCache | None, *, large: bool) -> Drawn:
    """The page of a run: what is kept of it, or drawn anew."""
    if not large:
        return origin.draw(target, large=False)
    name = None if cache is None else cache.key(origin)
    kept = None if cache is None or name is None else cache.get(name)
    if kept is not None:
        return kept
    found = origin.draw(target, large=True)
    if cache is not None and name is not None and target.exists():
        cache.put(name, target)
    target.unlink(missing_ok=True)
    return found


def draw(run: Run) -> Drawn:
    """The page of a run without its sets, and these; and what its figures rest on, for a history."""
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
    return run_page(run, patterns, {}, lights) | {"basis": basis_of(run.header)}, found


Mark: TypeAlias = Literal["suite", "tools", "model", "scoring"]


def basis_of(header: RunHeader) -> dict[Mark, str]:
    """What the figures of a run rest on, in a form in which it can be compared."""
    return {
        "suite": _hash(header.suite),
        "tools": _hash(header.suite.tools),
        "model": msgspec.json.encode(header.about.get("model")).decode(),
        "scoring": msgspec.json.encode([header.scoring, header.scorers]).decode(),
    }


def _hash(value: object) -> str:
    return sha256(encode_sorted(value)).hexdigest()


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
        raise StoreError(f"the figures could not be computed: {ended.stderr.strip()[-300:]}")


def given_arguments() -> list[str]:
    """What this process was told by `draw_elsewhere`."""
    return msgspec.json.decode(sys.stdin.buffer.read(), type=list[str])


def write_drawn(page: dict[str, object], sets: Mapping[str, Sequence[int]], target: Path) -> None:
    """Write a page and its sets: a line of JSON without credentials, a line with the sizes of the sets, then these."""
    with target.open("wb") as stream:
        stream.write(redact(encode_json(page)).encode("utf-8", "replace") + b"\n")
        stream.write(msgspec.json.encode({name: len(numbers) for name, numbers in sets.items()}) + b"\n")
        for numbers in sets.values():
            array("I", numbers).tofile(stream)


def read_drawn(target: Path) -> Drawn:
    """What `write_drawn` wrote."""
    with target.open("rb") as stream:
        page = msgspec.json.decode(stream.readline(), type=dict[str, object])
        sets: dict[str, Sequence[int]] = {}
        for name, size in msgspec.json.decode(stream.readline(), type=dict[str, int]).items():
            numbers = array("I")
            numbers.fromfile(stream, size)
            sets[name] = numbers
    return page, sets


def main() -> None:
    """Draw the run of a store into a file."""
    step_back()
    address, run_id, target = given_arguments()
    page, sets = draw(load_run(run_id, store=address, headline=True))
    write_drawn(page, sets, Path(target))


if __name__ == "__main__":
    main()
