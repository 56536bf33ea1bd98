"""Ctrl-C as a terminal sends it: to the program and to every process of its group."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from tests.runner.test_faults import MINE, SAMPLES, end, load, start, states, until
from tests.runner.weather import write_suite


def test_ctrl_c_does_not_reach_the_processes_of_isolated_tools(tmp_path: Path) -> None:
    """A5: a call that is going on gets its moment, and its result is not spoilt."""
    write_suite(tmp_path, 20)
    tools = ("--tools", f"{SAMPLES}:isolated", "--concurrency", "1", "--grace", "60")
    process = start(tmp_path, "suite.json", "--agent", f"{SAMPLES}:answers", *MINE, *tools, own_group=True)
    until(tmp_path / "begun.txt")
    os.killpg(process.pid, signal.SIGINT)
    code, output, errors = end(process)
    assert code == 130, errors
    run = load(tmp_path)
    found = states(run)
    assert set(found) == {"passed", "not_run"}
    assert f"20 planned = {found['passed']} passed + 0 failed + {found['not_run']} not run" in output
    calls = [call for one in run.scored for call in one.trajectory.calls]
    assert len(calls) == found["passed"]
    assert all((call.result, call.error) == ({"celsius": 31}, None) for call in calls)
