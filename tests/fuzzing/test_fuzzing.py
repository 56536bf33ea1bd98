"""A small share of `make fuzz`, and that it would see what it looks for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.fuzzing.jobs import Job, read_job
from tests.fuzzing.mutation import spoil_json, spoil_value

ROOT = Path(__file__).parents[2]

INPUTS = 150


def python(*words: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, since what forks should have no threads."""
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)


def test_no_input_crashes_hangs_or_leaves_anything_behind(tmp_path: Path) -> None:
    surfaces = ("suites", "traces", "run_files", "stores", "cassettes", "infoseek", "http_agent", "options")
    chosen = [word for name in surfaces for word in ("--surface", name)]
    done = python("-m", "tests.fuzzing", *chosen, "--inputs", str(INPUTS), "--seed", "5", "--saved", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"^(\d+) inputs", done.stdout, re.MULTILINE)[0]) >= INPUTS * 0.9


FAULTY = """
import os, signal, sys, threading, time
from pathlib import Path
from tests.fuzzing import execution
from tests.fuzzing.jobs import Job

def job_of(program):
    execution.PROGRAMS["command"] = lambda _: program()
    return execution.execute(Job())

execution.PROCESSOR_SECONDS = 1.0
execution.WAITING_SECONDS = 2.0
execution.RESIDENT_BYTES = 300_000_000

def raises(): raise KeyError("x")
def ends_oddly(): sys.exit(70)
def dies(): os.kill(os.getpid(), signal.SIGSEGV)
def works_on():
    while True: pass
def waits(): time.sleep(60)
def takes_memory(): held = bytearray(400_000_000); held[::4096] = b"x" * len(held[::4096])
def leaves(): Path("a.json.tmp").write_text("x")
def leaves_temporary(): Path(os.environ["TMPDIR"], "x").write_text("x")
def complains():
    sys.stderr.write("Traceback (most recent call last)\\n")
    sys.exit(2)
def refuses(): sys.exit(2)
def does(): Path("out.json").write_text("x")

for program in (raises, ends_oddly, dies, works_on, waits, takes_memory, leaves, leaves_temporary, complains, refuses,
                does):
    print(program.__name__, job_of(program).fault.partition(":")[0] or "fine")
"""

SEEN = {
    "raises": "crash",
    "ends_oddly": "crash",
    "dies": "crash",
    "works_on": "hang",
    "waits": "hang",
    "takes_memory": "memory",
    "leaves": "left behind",
    "leaves_temporary": "left behind",
    "complains": "traceback",
    "refuses": "fine",
    "does": "fine",
}


def test_whatever_is_wrong_with_how_a_command_ends_is_seen() -> None:
    done = python("-c", FAULTY)
    assert dict(line.split(" ", 1) for line in done.stdout.splitlines()) == SEEN, done.stderr


@pytest.mark.parametrize("seed", range(20))
def test_the_same_seed_spoils_in_the_same_way(seed: int) -> None:
    data = b'{"a": [1, {"b": "c"}], "d": null}\n{"e": 1.5}\n'
    assert spoil_json(data, Random(seed)) == spoil_json(data, Random(seed))
    assert repr(spoil_value({"a": [1]}, Random(seed))) == repr(spoil_value({"a": [1]}, Random(seed)))


def test_a_job_is_the_same_when_it_was_written_and_read(tmp_path: Path) -> None:
    job = Job("otlp", ("a", "\udcff"), {"x": b"\xff\0", "sub/y": "é".encode()}, (b"1", b"\xfe"), interrupt=True)
    job.write(tmp_path / "job.json")
    assert read_job(tmp_path / "job.json") == job
    job.lay_out(tmp_path)
    assert (tmp_path / "sub/y").read_text(encoding="utf-8") == "é"
