"""How commands end when somebody stops them, closes their streams, or leaves them no room to write."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .running import toolgauge

SUITE = "cases:\n  - {id: one, expect: {calls: [{tool: a}]}}\n"
LINE = '{"case":"one","agent":"m","calls":[{"tool":"a"}]}\n'
COMMAND = [sys.executable, "-m", "toolgauge"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "traces.jsonl").write_text(LINE, encoding="utf-8")
    return tmp_path


def shell(line: str, cwd: Path, **environment: str) -> tuple[int, str, str]:
    """How a shell line ends in which `toolgauge` is the command, and what it prints."""
    defined = f'toolgauge() {{ {shlex.join(COMMAND)} "$@"; }}; {line}'
    done = subprocess.run(
        [shutil.which("bash") or "/bin/bash", "-o", "pipefail", "-c", defined],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("number", "code", "message"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
@pytest.mark.parametrize("options", [[], ["--format", "run", "-o", "out"]])
def test_a_signal_in_the_middle_of_scoring_ends_it_with_a_line_and_its_code(
    place: Path, options: list[str], number: signal.Signals, code: int, message: str
) -> None:
    process = subprocess.Popen(
        [*COMMAND, "score", "suite.yaml", "-", *options],
        cwd=place,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stderr is not None
        # More than a pipe holds: once it is written, most of it has been read, and the child waits for the rest.
        process.stdin.write(LINE * 40_000)
        process.stdin.flush()
        process.send_signal(number)
        told = process.stderr.read()
        assert process.wait(timeout=60) == code
        assert told == f"Error: {message}\n"
    assert not (place / "out").exists()
    assert not list(place.glob("*.tmp"))


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
@pytest.mark.parametrize(
    "command",
    ["--help", "--version", "score --help", "init new", "score suite.yaml traces.jsonl"],
)
def test_output_that_cannot_be_written_ends_with_three_and_one_line(
    place: Path, command: str, redirect: str, unbuffered: str
) -> None:
    code, printed, told = shell(f"toolgauge {command} {redirect}", place, PYTHONUNBUFFERED=unbuffered)
    assert (code, printed) == (3, "")
    assert told.startswith("Error: standard output could not be written: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_seen_enough_is_no_error(place: Path, unbuffered: str) -> None:
    (place / "traces.jsonl").write_text(LINE * 3000, encoding="utf-8")
    line = "toolgauge score suite.yaml traces.jsonl --format json --details | head -1"
    code, printed, told = shell(line, place, PYTHONUNBUFFERED=unbuffered)
    assert (code, printed.count("\n"), told) == (0, 1, "")


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("--help", 0),
        ("nonsense", 2),
        ("score", 2),
        ("score suite.yaml nowhere", 2),
        ("score suite.yaml traces.jsonl", 0),
        ("score suite.yaml half.jsonl", 3),
        ("score suite.yaml traces.jsonl >&-", 3),
    ],
)
def test_nobody_to_read_the_messages_changes_no_exit_code(place: Path, command: str, code: int, redirect: str) -> None:
    (place / "half.jsonl").write_text(LINE.replace("one", "other"), encoding="utf-8")
    ended, printed, _ = shell(f"toolgauge {command} {redirect}", place)
    assert ended == code
    assert "Traceback" not in printed


def test_a_file_that_is_read_is_not_written(place: Path) -> None:
    (place / "link.jsonl").symlink_to("traces.jsonl")
    toolgauge("score", "suite.yaml", "traces.jsonl", "--format", "run", "-o", "r.jsonl", cwd=place)
    for arguments, target in (
        (["score", "suite.yaml", "traces.jsonl"], "suite.yaml"),
        (["score", "suite.yaml", "m=traces.jsonl"], "./traces.jsonl"),
        (["score", "suite.yaml", "traces.jsonl"], "link.jsonl"),
        (["score", "nowhere.yaml", "traces.jsonl"], "traces.jsonl"),
        (["report", "r.jsonl"], "r.jsonl"),
        (["lint", "suite.yaml"], "suite.yaml"),
    ):
        before = (place / target).read_bytes()
        done = toolgauge(*arguments, "-o", target, cwd=place)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"Error: {target} is an input and cannot be overwritten; name another file after -o\n"
        assert (place / target).read_bytes() == before


def test_a_full_temporary_directory_ends_with_three_and_its_path(place: Path) -> None:
    (place / "many.jsonl").write_text(LINE * 3000, encoding="utf-8")
    room = place / "temporary"
    room.mkdir()
    limited = "ulimit -f 16; toolgauge score suite.yaml many.jsonl"
    code, printed, told = shell(f"{limited} --details", place, TMPDIR=str(room))
    assert (code, printed) == (3, "")
    assert told.startswith(f"Error: {room}: cannot be written: ")
    assert told.count("\n") == 1
    # Where nothing is kept, nothing is opened.
    assert shell(limited, place, TMPDIR=str(room))[0] == 0


def test_debug_may_stand_before_the_command(place: Path) -> None:
    for arguments in (["--debug", "score", "suite.yaml", "no"], ["score", "--debug", "suite.yaml", "no"]):
        done = toolgauge(*arguments, cwd=place)
        assert done.returncode == 2
        assert "Traceback" in done.stderr
        assert done.stderr.endswith("Error: no: there is no such file; check the path\n")


def test_the_command_that_init_prints_can_be_pasted(tmp_path: Path) -> None:
    made = toolgauge("init", "my dir", cwd=tmp_path)
    line = made.stdout.strip().splitlines()[-1].strip()
    assert shell(line, tmp_path)[0] == 0


def test_suite_and_traces_have_their_own_format_options(place: Path) -> None:
    (place / "odd.csv").write_text("level,id\nlow,one\n", encoding="utf-8")
    odd = toolgauge("score", "suite.yaml", "traces.jsonl", "--suite-format", "csv", cwd=place)
    assert (odd.returncode, odd.stdout) == (2, "")
    assert "suite.yaml" in odd.stderr
    fine = toolgauge(
        "score", "suite.yaml", "traces.jsonl", "--suite-format", "yaml", "--input-format", "jsonl", cwd=place
    )
    assert (fine.returncode, fine.stderr) == (0, "")


def test_a_single_case_is_not_offered_as_a_run(place: Path) -> None:
    toolgauge("score", "suite.yaml", "traces.jsonl", "--format", "run", "-o", "r.jsonl", cwd=place)
    done = toolgauge("report", "r.jsonl", "--case", "one", "--format", "run", cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a single case cannot be written as a run" in done.stderr


def test_an_incomplete_run_says_why_on_standard_error(place: Path) -> None:
    cases = "".join(f"  - {{id: c{number}, expect: {{calls: []}}}}\n" for number in range(5))
    (place / "suite.yaml").write_text(f"cases:\n{cases}", encoding="utf-8")
    (place / "traces.jsonl").write_text('{"case":"c0","agent":"m","calls":[]}\n', encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "traces.jsonl", "-o", "out", cwd=place)
    assert (done.returncode, done.stderr) == (3, "Note: m: 4 cases were not run: c1, c2, c3, ...\n")
