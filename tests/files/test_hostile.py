"""Hostile and oversized inputs: each refused with its place, or answered, in little memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from .hostile import HOSTILE, MOST_MEMORY, SUITE, Hostile, run_measured


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_a_hostile_input_is_refused_or_answered_in_little_memory(hostile: Hostile, tmp_path: Path) -> None:
    suite, traces = tmp_path / "suite", tmp_path / "traces"
    hostile.write(suite, traces)
    ended = run_measured(["score", str(suite), str(traces)])
    assert ended.code == (2 if hostile.refusal else 0), ended.errors
    assert hostile.refusal in ended.errors
    assert (f"{suite}:" in ended.errors or f"{traces}:" in ended.errors) == bool(hostile.refusal)
    assert ended.memory < MOST_MEMORY


WRITER = """
import os, sys
written = 0
try:
    while written < 1_000_000_000:
        written += os.write(1, sys.argv[1].encode() * 100_000)
except BrokenPipeError:
    sys.stderr.write(str(written))
"""


@pytest.mark.parametrize(
    ("repeated", "refusal"),
    [
        ("a", "standard input:1: the file is larger than 16 MiB"),
        ("{a", "standard input:1: this line is longer than 48 MiB"),
        ("[a", "standard input:1: the file is larger than 48 MiB"),
        ("{a}\n", "standard input:1:2: not valid JSON"),
    ],
)
def test_a_pipe_without_end_is_read_only_as_far_as_its_limit(tmp_path: Path, repeated: str, refusal: str) -> None:
    suite = tmp_path / "suite"
    suite.write_text(SUITE)
    command = [sys.executable, "-c", WRITER, repeated]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        ended = run_measured(["score", str(suite), "-"], stdin=writer.stdout.fileno())
        writer.stdout.close()
        assert writer.stderr is not None
        written = int(writer.stderr.read())
    assert ended.code == 2
    assert refusal in ended.errors
    assert ended.memory < MOST_MEMORY
    assert written < 70_000_000
