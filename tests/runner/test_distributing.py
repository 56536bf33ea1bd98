"""A run whose trials the workers of a Ray cluster do: whoever dies, each is kept once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.runner.weather import ROOT, write_suite
from toolgauge import api
from toolgauge.errors import UsageError
from toolgauge.ray_cluster import QUIET
from toolgauge.store import open_store

ENVIRONMENT = {**os.environ, **QUIET, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
COMMAND = [sys.executable, "-m", "toolgauge", "run", "suite.json", "--allow-code", "--jobs", "ray"]
COMMAND += ["--concurrency", "4"]
SIGNS = "signs=tests.runner.sample_agents:signs_files"
AT_ONCE = 4


def executed(folder: Path) -> list[list[str]]:
    path = folder / "executed.txt"
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


@pytest.mark.deep
def test_a_node_that_is_killed_costs_what_it_had_in_flight(tmp_path: Path) -> None:
    write_suite(tmp_path, 60)
    done = subprocess.run(
        [sys.executable, "-m", "tests.two_nodes_run", str(tmp_path), "runs.db"],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["killed"] is not None
    assert (found["planned"], found["passed"]) == (60, 60)
    assert sorted(found["kept"]) == sorted(f"c{number}" for number in range(60))
    times = Counter(case for case, _ in executed(tmp_path))
    again = {case for case, count in times.items() if count > 1}
    assert len(times) == 60
    assert len(again) <= AT_ONCE
    assert max(times.values()) <= 2
    assert again <= {case for case, node in executed(tmp_path) if node == found["killed"]}
    assert any("was lost" in words for words in found["said"])
    with open_store(tmp_path / "runs.db") as store:
        (info,) = store.runs()
        assert (info.state, info.finished) == ("finished", 60)


@pytest.mark.deep
def test_ctrl_c_stops_it_and_a_resumed_run_finishes_the_rest(tmp_path: Path) -> None:
    write_suite(tmp_path, 80)
    slow = {**ENVIRONMENT, "TURN_SECONDS": "0.2"}
    begun = subprocess.Popen(
        [*COMMAND, "--agent", SIGNS, "--format", "json"],
        cwd=tmp_path,
        env=slow,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 120
    while len(executed(tmp_path)) < 12 and time.monotonic() < end and begun.poll() is None:
        time.sleep(0.05)
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=120)
    assert begun.returncode == 130, said
    assert "resume with" in said
    with open_store(tmp_path / ".toolgauge" / "runs.db") as store:
        (info,) = store.runs()
        assert info.state == "interrupted"
        assert 0 < info.finished < 80
    done = subprocess.run(
        [*COMMAND, "--agent", SIGNS, "--format", "json", "--resume", "latest"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["passed"] == 80
    assert Counter(case for case, _ in executed(tmp_path)).total() - 80 <= AT_ONCE


def test_what_only_one_process_can_do_is_refused(tmp_path: Path) -> None:
    write_suite(tmp_path, 1)
    with pytest.raises(UsageError, match="recorded and replayed by one process"):
        api.run(tmp_path / "suite.json", lambda case, tools: "", jobs="ray", record=tmp_path / "tape", store=False)
    with pytest.raises(UsageError, match="--ray-address is for --jobs ray"):
        api.run(tmp_path / "suite.json", lambda case, tools: "", ray_address="127.0.0.1:1", store=False)


@pytest.mark.deep
def test_workers_run_isolated_agents_in_processes_of_their_own(tmp_path: Path) -> None:
    write_suite(tmp_path, 6)
    agent = "mine=tests.runner.isolated_samples:crashes"
    done = subprocess.run(
        [*COMMAND, "--agent", agent, "--isolate-agent", "--store", "runs.db"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    counted = api.load_run("latest", store=tmp_path / "runs.db").summary.counts
    assert (counted.passed, counted.error) == (5, 1), done.stderr
