"""Processes that work on one run together, and what they leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.runner.weather import ROOT

AGENT = "signs=tests.runner.sample_agents:signs_files"


def join(folder: Path, store: str, *more: str, seconds: float = 0.02, agent: str = AGENT) -> subprocess.Popen[str]:
    """Start a process that runs the suite in a folder, or a part of it."""
    command = [sys.executable, "-m", "toolgauge", "run", "suite.json", "--agent", agent, "--allow-code"]
    command += ["--store", store, "--format", "json", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TURN_SECONDS": str(seconds), "LC_ALL": "C.UTF-8"}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def executed(folder: Path) -> list[tuple[str, int]]:
    """Each time that an agent worked on a case: the case, and the number of the process."""
    path = folder / "executed.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(case, int(pid)) for case, pid in (line.split() for line in lines)]


def check_executions(done: list[tuple[str, int]], killed: set[int], cases: int, at_once: int) -> None:
    """Every case was worked on, and more than once only where a process that had it was killed."""
    assert len({case for case, _ in done}) == cases
    assert max(Counter(case for case, pid in done if pid not in killed).values(), default=0) <= 1
    assert len(done) - cases <= len(killed) * at_once
