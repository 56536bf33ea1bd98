"""What running agents costs beyond waiting for the model, beside a bare event loop and other tools."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from .measuring import ROOT, Part, run
from .peers import ENVIRONMENT, PATIENCE, Peer, Unavailable, install

__all__ = ["measure"]

COUNT, CONCURRENCY, SECONDS = 2_000, 200, 0.05
MANY = 10_000
ROUNDS = 3

PEERS = (
    Peer("pydantic-evals", "one evaluator, nothing stored", (("pydantic-evals",),)),
    Peer("inspect-ai", "its own log, one scorer", (("inspect-ai",),)),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one way took, at its best."""

    seconds: float
    processor: float
    memory: int
    first: float | None = None
    """Seconds until the first question, where that is what counts."""


def measure() -> Part:
    """Measure each way in turn, several times."""
    notes: list[str] = []
    ways = {"bare asyncio": sys.executable, "toolgauge, in memory": sys.executable, "toolgauge, stored": sys.executable}
    if find_spec("pydantic_ai") is None:
        notes.append("Through HTTP was skipped: the extra 'models' is not installed.")
    else:
        ways["toolgauge, through HTTP"] = sys.executable
    for peer in PEERS:
        try:
            ways[peer.name] = install(peer)
        except Unavailable as error:
            notes.append(f"{peer.name} was skipped: {error}")
    best: dict[str, Taken] = {}
    for _ in range(ROUNDS):
        for way, python in list(ways.items()):
            try:
                taken = _take(python, way, COUNT, CONCURRENCY, SECONDS)
            except Unavailable as error:
                notes.append(f"{way} was skipped: {error}")
                del ways[way]
            else:
                best[way] = _better(best.get(way), taken)
    ideal = COUNT * 2 * SECONDS / CONCURRENCY
    rows = [
        (
            way,
            f"{COUNT:,}",
            f"{taken.seconds:.2f} s",
            f"{taken.seconds / ideal:.2f} ×",
            f"{1000 * taken.processor / COUNT:.2f} ms",
            f"{taken.memory / 1e6:.0f} MB",
        )
        for way, taken in best.items()
    ]
    many = _take(sys.executable, "toolgauge, stored", MANY, 8, 0)
    rows.append(("toolgauge, stored, no waiting", f"{MANY:,}", f"{many.seconds:.1f} s", "",
                 f"{1000 * many.processor / MANY:.2f} ms", f"{many.memory / 1e6:.0f} MB"))  # fmt: skip
    resumed = _take(sys.executable, "toolgauge, resumed", MANY, 8, 0)
    notes.append(
        f"Going on with a run of {MANY:,} stored cases: the first question is asked after {resumed.first:.2f} s."
    )
    about = (
        f"{COUNT:,} cases, a model in the process that takes {1000 * SECONDS:.0f} ms a turn and needs two, "
        f"{CONCURRENCY} at a time: the ideal is {ideal:g} s. Each in a process of its own, after a small run that "
        f"loads everything; the best of {ROUNDS} rounds in turn. toolgauge makes a tool call between the turns, "
        "scores it, and where it says so stores every trajectory in a transaction of its own."
    )
    header = ("way", "cases", "time", "of the ideal", "processor a case", "memory")
    return Part("Running agents", about, header, rows, tuple(notes))


def _better(before: Taken | None, now: Taken) -> Taken:
    if before is None:
        return now
    return Taken(min(before.seconds, now.seconds), min(before.processor, now.processor), min(before.memory, now.memory))


def _take(python: str, way: str, count: int, concurrency: int, seconds: float) -> Taken:
    script = str(ROOT / "bench" / "running_work.py")
    command = [python, script, way, str(count), str(concurrency), str(seconds)]
    try:
        ran = run(command, environment=ENVIRONMENT, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"it took longer than {PATIENCE:.0f} s") from error
    if ran.code:
        raise Unavailable((ran.errors.strip().splitlines() or ["no reason was given"])[-1])
    first = [float(line.split()[1]) for line in ran.errors.splitlines() if line.startswith("resume ")]
    taken = json.loads(ran.output.strip().splitlines()[-1])
    return Taken(float(taken[0]), float(taken[1]), int(taken[2]), first[-1] if first else None)
