"""The same cases, judged by other tools, each in an environment of its own.

The environments are made once, in a cache directory. A peer that cannot be installed or run is left out with a message.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from .measuring import ROOT, Part, run
from .scoring_data import make_suite, make_trajectories

__all__ = ["ENVIRONMENT", "PATIENCE", "Peer", "Unavailable", "install", "measure"]

ROUNDS = 2
COUNT = 3_000
PATIENCE = 300.0
"""Seconds that an installation or a run may take."""

ENVIRONMENT = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "RAGAS_DO_NOT_TRACK": "true",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "HF_HUB_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
    # Some ask for a key when they are made, though no model is ever called.
    "OPENAI_API_KEY": "none",
    "PYTHONWARNINGS": "ignore",
}


@dataclass(frozen=True, slots=True)
class Peer:
    """Another tool, what is measured of it, and what has to be installed, in steps."""

    name: str
    measured: str
    steps: tuple[tuple[str, ...], ...]


PEERS = (
    Peer("agentevals", "trajectory match, unordered, exact arguments", (("agentevals==0.0.9",),)),
    Peer("deepeval", "ToolCorrectnessMetric with input parameters", (("deepeval==4.3.1",),)),
    # Later versions of the community package lack a module that ragas imports.
    Peer("ragas", "ToolCallF1", (("ragas==0.4.3", "langchain-community==0.3.31"),)),
    # All that it depends on takes gigabytes, and the checker needs none of it but the parsers.
    Peer(
        "bfcl",
        "ast_checker, parallel",
        (
            ("--no-deps", "bfcl-eval==2026.3.23"),
            ("tree_sitter==0.21.3", "tree-sitter-java==0.21.0", "tree-sitter-javascript==0.21.4"),
        ),
    ),
)


class Unavailable(Exception):  # noqa: N818 - becomes a note under the table
    """A peer that cannot be measured here, and why."""


def measure() -> Part:
    """Measure toolgauge and every peer in turn."""
    notes: list[str] = []
    pythons = {"toolgauge": sys.executable}
    for peer in PEERS:
        try:
            pythons[peer.name] = install(peer)
        except Unavailable as error:
            notes.append(f"{peer.name} was skipped: {error}")
    with TemporaryDirectory(prefix="toolgauge-bench-") as folder:
        cases = _write_cases(Path(folder))
        times, right = _times(pythons, cases, notes)
    about = (
        f"{COUNT:,} trajectories of the same suite, values in each tool's own form made beforehand, only the verdicts "
        f"timed; the best of {ROUNDS} rounds in turn. The tools do not judge the same: toolgauge aligns calls, scores "
        "each argument and names every fault; the others stop at a yes or no, or at one figure."
    )
    rows = [
        (
            name,
            measured,
            f"{1e6 * times[name]:.0f} µs",
            f"{times[name] / times['toolgauge']:.1f} ×",
            f"{right[name]:.1%}",
        )
        for name, measured in (
            ("toolgauge", "alignment, arguments, issues, score"),
            *((peer.name, peer.measured) for peer in PEERS),
        )
        if name in times
    ]
    return Part("Peers", about, ("tool", "what", "per trajectory", "ratio", "found right"), rows, tuple(notes))


def _times(pythons: dict[str, str], cases: Path, notes: list[str]) -> tuple[dict[str, float], dict[str, float]]:
    """The seconds per trajectory of each, and the share that it finds right; who fails is dropped with a note."""
    times: dict[str, float] = {}
    right: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, python in list(pythons.items()):
            try:
                seconds, right[name] = _run(name, python, cases)
            except Unavailable as error:
                if name == "toolgauge":
                    raise
                notes.append(f"{name} was skipped: {error}")
                del pythons[name]
                times.pop(name, None)
            else:
                times[name] = min(seconds, times.get(name, seconds))
    return times, right


def _run(name: str, python: str, cases: Path) -> tuple[float, float]:
    script = str(ROOT / "bench" / "peer_run.py")
    try:
        ran = run([python, script, name, str(cases)], environment=ENVIRONMENT, timeout=PATIENCE)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"it took longer than {PATIENCE:.0f} s") from error
    if ran.code:
        raise Unavailable((ran.errors.strip().splitlines() or ["no reason was given"])[-1])
    # Some print greetings of their own before the result.
    found = json.loads(ran.output.strip().splitlines()[-1])
    return float(found["seconds"]), float(found["right"])


def _write_cases(folder: Path) -> Path:
    dice = random.Random(20260131)
    suite = make_suite(dice)
    path = folder / "cases.json"
    trajectories = list(make_trajectories(dice, suite, COUNT))
    path.write_bytes(msgspec.json.encode({"suite": suite, "trajectories": trajectories}))
    return path


def install(peer: Peer) -> str:
    """Make the environment of a peer, unless it is there already, and return its Python."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "toolgauge-bench" / f"{peer.name}-{sys.version_info.major}.{sys.version_info.minor}"
    python, ready = folder / "bin" / "python", folder / "installed.json"
    wanted = json.dumps(peer.steps)
    if ready.exists() and ready.read_text() == wanted:
        return str(python)
    print(f"installing {peer.name} into {folder}", file=sys.stderr)
    try:
        venv.create(folder, clear=True, with_pip=True)
        for step in peer.steps:
            _pip(python, step)
        ready.write_text(wanted)
    except OSError as error:
        raise Unavailable(f"its environment could not be made: {error}") from error
    return str(python)


def _pip(python: Path, requirements: tuple[str, ...]) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"installing it took longer than {PATIENCE:.0f} s") from error
    if done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise Unavailable(f"it could not be installed: {(reasons or ['no reason was given'])[-1]}")
