"""Two processes that work on one run ask a provider no more often than one may, and a page follows both."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock

import pytest

from tests.runner.test_providers import solve
from tests.runner.weather import ROOT, write_suite
from tests.servers import Answer, Asked, OpenAIServer
from tests.viewer.serving import viewing
from tests.viewer.test_live import events
from toolgauge.store import open_store

from .test_joining import begun

pytestmark = pytest.mark.deep

AT_ONCE = 2
A_MINUTE = 480
CASES = 16


class Watched:
    """Answers, and notes when it is asked and by how many at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._active = 0
        self.most = 0
        self.asked: list[float] = []

    def __call__(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(time.monotonic())
            self._active += 1
            self.most = max(self.most, self._active)
        time.sleep(0.2)
        with self._lock:
            self._active -= 1
        return solve(asked)


def start(folder: Path, store: str, base_url: str, *more: str) -> subprocess.Popen[str]:
    """Start a process that asks the provider within its limits."""
    limits = (
        "--concurrent-requests",
        str(AT_ONCE),
        "--requests-per-minute",
        str(A_MINUTE),
        "--tokens-per-minute",
        "1e6",
    )
    command = [
        sys.executable,
        "-m",
        "toolgauge",
        "run",
        "suite.json",
        "--model",
        "openai:some-model",
        "--format",
        "json",
    ]
    command += ["--base-url", base_url, "--store", store, "--concurrency", "4", *limits, *more]
    environment = {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "k-0123456789-abcdef", "PATH": "/usr/bin:/bin"}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_limits_hold_over_processes_and_a_page_follows_them(tmp_path: Path, team_store: str) -> None:
    write_suite(tmp_path, CASES)
    watched = Watched()
    with OpenAIServer(watched) as server:
        first = start(tmp_path, team_store, server.base_url)
        run = begun(team_store, CASES, 180.0)
        second = start(tmp_path, team_store, server.base_url, "--resume", run.id)
        with viewing(team_store) as viewer:
            told = list(events(viewer, run.id))
        for process in (first, second):
            out, said = process.communicate(timeout=120)
            assert process.returncode == 0, said
            assert json.loads(out)["counts"]["planned"] == CASES
            assert "owner" not in said
    assert told[-1][0] == "done"
    assert told[-1][1]["finished"] == CASES
    assert watched.most <= AT_ONCE
    assert len(watched.asked) == 2 * CASES
    # Evenly spread: so many take at least so long, but for the way of one request to the server.
    assert watched.asked[-1] - watched.asked[0] >= (len(watched.asked) - 2) * 60 / A_MINUTE - 0.5
    with open_store(team_store) as store:
        assert (store.info(run.id).state, store.info(run.id).finished) == ("finished", CASES)
