"""What a person at a terminal sees while a run goes on."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runner.weather import ROOT, command, write_suite
from toolgauge.cli import progress
from toolgauge.cli.progress import RunBar
from toolgauge.core import Score, Trajectory, Usage

AGENT = "tests.runner.sample_agents:scripted"


def test_a_terminal_gets_a_bar_with_live_counts(tmp_path: Path) -> None:
    write_suite(tmp_path, 4)
    outside, inside = pty.openpty()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "toolgauge",
            "run",
            "suite.json",
            "--agent",
            AGENT,
            "--allow-code",
            "--concurrency",
            "1",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TURN_SECONDS": "0.4", "TERM": "xterm", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.DEVNULL,
        stderr=inside,
    )
    os.close(inside)
    seen = b""
    try:
        while piece := os.read(outside, 4096):
            seen += piece
    except OSError:
        pass  # how a terminal says that nobody is at the other end any more
    finally:
        os.close(outside)
    assert process.wait(timeout=60) == 0
    plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen)
    assert re.search(rb"\d/4 \d of \d passed, \$0\.\d+", plain), plain


def test_nobody_else_gets_one(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    _, _, errors = command(tmp_path, "suite.json", "--agent", AGENT, "--allow-code", TURN_SECONDS="0.6")
    totals, kept = errors.splitlines()
    assert totals.startswith("Note: took ")
    assert kept.startswith("Note: saved as run ")


def test_costs_that_are_not_known_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with RunBar() as bar:
        bar.begin(3, 0)
        bar.finished(Trajectory("a", "x", 1, usage=Usage(1, 1, 1, 0.5)), Score("a", "x", 1, "completed", True))
        assert bar._words() == "1 of 1 passed, $0.5000"
        bar.finished(Trajectory("b", "x", 1), Score("b", "x", 1, "completed"))
        bar.retried()
        assert bar._words() == "1 of 2 passed, 1 retry"
