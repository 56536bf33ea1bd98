"""A small share of `make kill`, and that it would see what it looks for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python(*words: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, since what forks should have no threads."""
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("scenario", ["middle", "import", "export", "judge"])
def test_nothing_is_lost_counted_twice_or_left_behind(scenario: str) -> None:
    done = python("-m", "tests.killing", "--kills", "3", "--seed", "5", "--scenario", scenario)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"^(\d+) kills", done.stdout, re.MULTILINE)[0]) >= 3


FAULTY = """
import os, random, sqlite3, time
from pathlib import Path
from tests.killing import processes
from tests.killing.processes import apart, begin, check_no_process_is_left, kill_after, run
from tests.killing.stores import check_folder, kept_in

processes.LINGERING = 0.5

def leaves_a_process(folder, dice):
    def call():
        if os.fork() == 0:
            os.setsid()
            time.sleep(5)
        time.sleep(5)
    kill_after(begin(folder, call), 0.3)
    check_no_process_is_left()

def leaves_a_file(folder, dice):
    (folder / "a.json.0123abcd.tmp").touch()
    check_folder(folder)

def fails(folder, dice):
    run(folder, lambda: 1 / 0)

def damages_the_store(folder, dice):
    (folder / "runs.db").write_bytes(b"SQLite format 3" + bytes(5000))
    kept_in(folder / "runs.db")

def does(folder, dice):
    run(folder, lambda: None)
    check_no_process_is_left()
    check_folder(folder)
    return 1

for scenario in (leaves_a_process, leaves_a_file, fails, damages_the_store, does):
    kills, fault = apart(scenario, random.Random(1))
    print(scenario.__name__, kills, bool(fault))
"""


def test_whatever_a_kill_does_is_seen() -> None:
    done = python("-c", FAULTY)
    assert done.stdout.splitlines() == [
        "leaves_a_process 0 True",
        "leaves_a_file 0 True",
        "fails 0 True",
        "damages_the_store 0 True",
        "does 1 False",
    ], done.stdout + done.stderr
