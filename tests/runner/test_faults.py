"""What happens to real runs of the command when something goes wrong: killed, interrupted, disk full, hostile tools."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import ROOT, command, write_suite
from toolgauge import api
from toolgauge.core import Run

SAMPLES = "tests.runner.sample_agents"
MINE = ("--allow-code", "--store", "runs.db")


def start(folder: Path, *arguments: str, own_group: bool = False, **environment: str) -> subprocess.Popen[str]:
    """Begin `toolgauge run`, to be interrupted; as a group of processes where signals are to reach all of them."""
    return subprocess.Popen(
        [sys.executable, "-m", "toolgauge", "run", *arguments],
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=own_group,
    )


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for a process; what it printed and how it ended."""
    try:
        output, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    assert "Traceback" not in errors, errors
    return process.returncode, output, errors


def until(path: Path) -> None:
    """Wait for a file to appear."""
    for _ in range(3000):
        if path.exists():
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} never came")


def alive(pid: int) -> bool:
    """Whether a process is there; one that has ended and waits for somebody to ask is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def stored(folder: Path) -> int:
    """How many trajectories are in the store; 0 where there is none yet."""
    if not (folder / "runs.db").exists():
        return 0
    with closing(sqlite3.connect(folder / "runs.db", timeout=30)) as connection:
        try:
            return int(connection.execute("SELECT COUNT(*) FROM trajectories").fetchone()[0])
        except sqlite3.OperationalError:
            return 0  # its tables are just being made


def load(folder: Path) -> Run:
    return api.load_run("latest", store=folder / "runs.db")


def states(run: Run) -> dict[str, int]:
    counted = run.summary.counts
    found = {name: getattr(counted, name) for name in counted.__struct_fields__ if name != "passed_with_issues"}
    assert sum(found.values()) == 2 * found["planned"]
    return {name: number for name, number in found.items() if number and name != "planned"}


@pytest.mark.parametrize(("times", "cases"), [(4, 250), pytest.param(20, 500, marks=pytest.mark.deep)])
def test_a_run_that_is_killed_again_and_again_loses_nothing(tmp_path: Path, times: int, cases: int) -> None:
    """A1: the totals are those of an unbroken run, and nothing is done twice but what was going on."""
    concurrency = 8
    write_suite(tmp_path, cases)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:writes_files", *MINE, "--concurrency", str(concurrency))
    moments = random.Random(7)
    kills = 0
    before = 0
    resume: tuple[str, ...] = ()
    while kills < times:
        process = start(tmp_path, *arguments, *resume, TURN_SECONDS="0.01")
        target = min(cases - 20, before + moments.randint(1, 22))
        while stored(tmp_path) < target and process.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.random() * 0.02)
        assert process.poll() is None, "it ended before it could be killed"
        process.kill()
        process.communicate()
        kept = stored(tmp_path)
        assert kept >= before
        before, kills, resume = kept, kills + 1, ("--resume", "latest")
    code, output, _ = command(tmp_path, *arguments, "--resume", "latest", "--format", "json", "--details")
    assert code == 0
    report = json.loads(output)
    assert report["counts"]["passed"] == report["counts"]["planned"] == cases
    assert len({case["id"] for case in report["cases"]}) == len(report["cases"]) == cases
    executed = Counter((tmp_path / "executed.txt").read_text(encoding="utf-8").split())
    assert len(executed) == cases
    assert sum(executed.values()) <= cases + kills * concurrency
    whole = tmp_path / "whole"
    whole.mkdir()
    write_suite(whole, cases)
    code, output, _ = command(whole, *arguments, "--format", "json", TURN_SECONDS="0")
    unbroken = json.loads(output)
    assert unbroken["counts"] == report["counts"]
    timeless = [name for name in unbroken["rows"][0]["metrics"] if name != "latency"]
    for name in timeless:
        assert unbroken["rows"][0]["metrics"][name] == report["rows"][0]["metrics"][name], name


def test_a_case_that_was_killed_after_a_side_effect_runs_again_and_says_so(tmp_path: Path) -> None:
    """A2: the first try's events are kept."""
    suite = {"cases": [{"id": f"c{n}", "input": "?", "expect": {"contains": ["31"]}} for n in range(3)]}
    (tmp_path / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    arguments = ("suite.json", "--agent", f"{SAMPLES}:has_effects", "--tools", f"{SAMPLES}:effects", *MINE)
    code, _, _ = end(start(tmp_path, *arguments, "--concurrency", "1"))
    assert code == -signal.SIGKILL
    assert (tmp_path / "effects.txt").read_text(encoding="utf-8").split() == ["c0", "c1"]
    code, _, _ = command(tmp_path, *arguments, "--resume", "latest")
    assert code == 0
    assert (tmp_path / "effects.txt").read_text(encoding="utf-8").split() == ["c0", "c1", "c1", "c2"]
    retried = {one.trajectory.case: one.trajectory.events for one in load(tmp_path).scored}
    assert retried["c0"] == retried["c2"] == ()
    (event,) = retried["c1"]
    assert event["kind"] == "retried"
    assert event["journal"] == [
        {"kind": "begun", "attempt": 1},
        {"kind": "call", "tool": "append_line", "args": {"line": "c1"}, "turn": None},
    ]


DIES_WRITING = (
    "import os, runpy, sys; os.fsync = lambda _: os.kill(os.getpid(), 9); "
    "sys.argv[0] = 'toolgauge'; runpy.run_module('toolgauge', run_name='__main__')"
)
"""A file that takes the place of another is flushed to the disk when all of it is written, and not renamed yet."""


def test_a_report_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    """A4: killed while a file is written, the old one is intact, or there is none."""
    write_suite(tmp_path, 40)
    run = ("suite.json", "--agent", f"{SAMPLES}:scripted", *MINE)
    assert command(tmp_path, *run, TURN_SECONDS="0")[0] == 0
    stored_run = ("latest", "--store", "runs.db")
    for arguments in (
        ("run", *run, "--format", "json", "-o"),
        ("report", *stored_run, "--format", "json", "-o"),
        ("runs", "export", *stored_run, "-o"),
        ("gate", *stored_run, "--min-pass-rate", "1", "--junit"),
    ):
        (tmp_path / "old").write_text("old", encoding="utf-8")
        for target in ("old", "new"):
            done = subprocess.run(
                [sys.executable, "-c", DIES_WRITING, *arguments, target],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": str(ROOT), "TURN_SECONDS": "0"},
                capture_output=True,
                check=False,
                timeout=60,
            )
            assert done.returncode == -signal.SIGKILL, (arguments, done.stderr)
        assert (tmp_path / "old").read_text(encoding="utf-8") == "old"
        assert not (tmp_path / "new").exists()
        assert list(tmp_path.glob("old.*.tmp")), "it was killed before anything was written"


def test_the_first_interrupt_lets_running_cases_finish(tmp_path: Path) -> None:
    """A5, where they finish in time."""
    write_suite(tmp_path, 200)
    process = start(
        tmp_path, "suite.json", "--agent", f"{SAMPLES}:scripted", *MINE, "--concurrency", "4", TURN_SECONDS="0.2"
    )
    while stored(tmp_path) < 4:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    code, output, errors = end(process)
    assert code == 130
    run = load(tmp_path)
    found = states(run)
    assert set(found) == {"passed", "not_run"}
    assert f"200 planned = {found['passed']} passed + 0 failed + {found['not_run']} not run" in output
    assert "stopping: 4 cases in flight may take 5 s" in errors
    assert f"{found['not_run']} cases are left; resume with: toolgauge run suite.json" in errors
    assert f"--resume {run.header.about.get('id', '') or errors.split('--resume ')[1].split()[0]}" in errors


def test_the_first_interrupt_cancels_what_does_not_finish_in_time(tmp_path: Path) -> None:
    """A5, where one does not."""
    write_suite(tmp_path, 5)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:hangs", *MINE, "--concurrency", "2", "--grace", "0.2")
    process = start(tmp_path, *arguments)
    until(tmp_path / "hanging-c1")
    until(tmp_path / "hanging-c2")
    process.send_signal(signal.SIGINT)
    code, output, errors = end(process)
    assert code == 130
    assert "5 planned = 1 passed + 0 failed + 2 cancelled + 2 not run" in output
    assert "4 cases are left" in errors
    assert states(load(tmp_path)) == {"passed": 1, "not_run": 4}


@pytest.mark.parametrize(
    ("signals", "code"),
    [((signal.SIGINT, signal.SIGINT), 130), ((signal.SIGTERM,), 143)],
    ids=["second interrupt", "terminated"],
)
@pytest.mark.parametrize("agent", ["hangs", "refuses_to_end", "starts_processes"])
def test_a_second_interrupt_or_sigterm_stops_at_once(
    tmp_path: Path, signals: tuple[int, ...], code: int, agent: str
) -> None:
    """A6: also where agents do not want to, and tools left processes behind."""
    write_suite(tmp_path, 4)
    tools = ("--tools", f"{SAMPLES}:start_process", "--mock") if agent == "starts_processes" else ()
    process = start(
        tmp_path, "suite.json", "--agent", f"{SAMPLES}:{agent}", *MINE, *tools, "--concurrency", "2", "--grace", "600"
    )
    until(tmp_path / "hanging-c1")
    for number in signals:
        process.send_signal(number)
        time.sleep(0.3)
    ended, output, errors = end(process)
    assert ended == code, errors
    assert "4 planned" in output
    found = states(load(tmp_path))
    assert found.get("passed", 0) + found["not_run"] == 4
    if agent == "starts_processes":
        child = int((tmp_path / "child.txt").read_text(encoding="utf-8"))
        assert not alive(child)


def test_two_runs_into_one_store_both_complete(tmp_path: Path) -> None:
    """C1, and C2: somebody reads meanwhile."""
    write_suite(tmp_path, 150)
    runs = [
        start(tmp_path, "suite.json", "--agent", f"{SAMPLES}:scripted", *MINE, "--name", name, TURN_SECONDS="0.005")
        for name in ("one", "two")
    ]
    seen = 0
    while any(process.poll() is None for process in runs):
        now = stored(tmp_path)
        assert now >= seen
        seen = now
        if seen:
            found = states(load(tmp_path))
            assert sum(found.values()) == 150
    for process in runs:
        code, _, errors = end(process)
        assert code == 0, errors
        assert "locked" not in errors
    for name in ("one", "two"):
        assert states(api.load_run(name, store=tmp_path / "runs.db")) == {"passed": 150}


def test_a_run_that_is_being_written_is_not_gone_on_with(tmp_path: Path) -> None:
    """C4: nor deleted."""
    write_suite(tmp_path, 3)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:hangs", *MINE)
    process = start(tmp_path, *arguments)
    until(tmp_path / "hanging-c1")
    code, _, errors = command(tmp_path, *arguments, "--resume", "latest")
    assert (code, "is being written by process" in errors) == (3, True)
    done = toolgauge("runs", "delete", "latest", "--yes", "--store", "runs.db", cwd=tmp_path)
    assert (done.returncode, "is being written by" in done.stderr) == (3, True)
    process.kill()
    process.communicate()


def test_a_full_disk_stops_the_run_soon(tmp_path: Path) -> None:
    """B1: one message with path and free space, exit 3; what was kept is readable, and the run goes on later."""
    write_suite(tmp_path, 300)
    arguments = ["suite.json", "--agent", f"{SAMPLES}:scripted", *MINE, "--concurrency", "4"]
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)); "
        "import runpy; sys.argv[0] = 'toolgauge'; runpy.run_module('toolgauge', run_name='__main__')"
    )
    process = subprocess.run(
        [sys.executable, "-c", limited, "run", *arguments],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "TURN_SECONDS": "0.001"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert process.returncode == 3, process.stderr
    assert "Traceback" not in process.stderr
    (message,) = [line for line in process.stderr.splitlines() if line.startswith("Error")]
    assert "runs.db" in message
    assert "free" in message
    kept = states(load(tmp_path))
    assert 0 < kept["passed"] < 300
    code, output, _ = command(tmp_path, *arguments, "--resume", "latest")
    assert (code, "300 planned = 300 passed" in output) == (0, True)


@pytest.mark.parametrize("place", ["folder", "/sys/kernel/runs.db", "file/runs.db"])
def test_where_nothing_can_be_kept_nothing_is_asked(tmp_path: Path, place: str) -> None:
    """B3: exit 2 before the first model call."""
    write_suite(tmp_path, 2)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    if place.startswith("/sys") and not Path(place).parent.is_dir():
        pytest.skip("there is no directory that forbids everybody to write")
    code, output, errors = command(
        tmp_path, "suite.json", "--agent", f"{SAMPLES}:writes_files", "--allow-code", "--store", place
    )
    assert (code, output) == (2, "")
    assert errors.startswith("Error: ")
    assert not (tmp_path / "executed.txt").exists()


def test_known_credentials_are_in_no_artifact(tmp_path: Path) -> None:
    """H11: store, reports, exports, what is printed."""
    key = "sk-very-secret-0123456789"
    write_suite(tmp_path, 2)
    common = (
        "suite.json", "--agent", f"{SAMPLES}:leaks", "--tools", f"{SAMPLES}:leaky", *MINE, "--record", "run.cassette",
        "--base-url", f"http://user:{key}-url@127.0.0.1:1/v1",
    )  # fmt: skip
    code, output, errors = command(tmp_path, *common, "--failures", "--details", SECRET_API_KEY=key)
    assert code == 0
    assert "redacted SECRET_API_KEY" in output
    printed = [output, errors]
    for form in ("text", "md", "json", "csv", "latex", "run"):
        done = toolgauge("report", "latest", "--store", "runs.db", "--format", form, "-o", f"r.{form}", cwd=tmp_path)
        printed += [done.stdout, done.stderr]
    done = toolgauge("runs", "export", "latest", "--store", "runs.db", "-o", "export.jsonl", cwd=tmp_path)
    printed += [done.stdout, done.stderr]
    assert done.returncode == 0, done.stderr
    assert not any(key in text for text in printed)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"runs.db", "export.jsonl", "r.json", "run.cassette"} <= {path.name for path in written}
    for path in written:
        assert key.encode() not in path.read_bytes(), path
    for name in ("runs.db", "run.cassette"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0


def test_credentials_in_the_address_of_an_agent_are_in_no_artifact(tmp_path: Path) -> None:
    """H11, for addresses."""
    write_suite(tmp_path, 1)
    key = "hunter2-hunter2"
    address = f"http://me:{key}@127.0.0.1:1/agent?token=abcdefgh-{key}"
    code, output, errors = command(tmp_path, "suite.json", "--agent", address, "--store", "runs.db", "--details")
    assert (code, "1 error" in output) == (3, True)
    assert key not in output + errors
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes(), path


def test_code_that_a_suite_names_is_imported_only_with_leave(tmp_path: Path) -> None:
    """H16."""
    (tmp_path / "named.py").write_text(
        "from pathlib import Path\nPath('imported').touch()\n"
        "def get_weather(city: str) -> dict:\n    return {'celsius': 31}\n",
        encoding="utf-8",
    )
    suite = {
        "tools": ["named:get_weather"],
        "cases": [{"id": "a", "input": "?", "expect": {"calls": [{"tool": "get_weather"}]}}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    code, _, errors = command(tmp_path, "suite.json", "--agent", "http://127.0.0.1:1/", "--store", "runs.db")
    assert (code, "'named:get_weather' is Python code, which is run only with --allow-code" in errors) == (2, True)
    for other in (("lint", "suite.json"), ("score", "suite.json", "suite.json")):
        assert toolgauge(*other, cwd=tmp_path).returncode == 2
    assert not (tmp_path / "imported").exists()
    code, output, errors = command(tmp_path, "suite.json", "--agent", f"{SAMPLES}:writes_files", *MINE)
    assert (code, "1 planned = 1 passed" in output) == (0, True), errors
    assert (tmp_path / "imported").exists()


def test_an_agent_that_blocks_holds_up_neither_others_nor_the_end(tmp_path: Path) -> None:
    """E2, of agents: its thread is left behind."""
    write_suite(tmp_path, 2)
    code, output, _ = command(
        tmp_path, "suite.json", "--agent", f"{SAMPLES}:blocks,{SAMPLES}:scripted", *MINE, "--limit-seconds", "0.5"
    )
    assert code == 0
    assert "4 planned = 2 passed + 0 failed + 2 timeout" in output
