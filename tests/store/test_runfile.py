"""Run files: whole or refused, with the place of what is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolgauge import api
from toolgauge.core import Call, Case, Expect, ExpectedCall, Suite, Trajectory
from toolgauge.errors import InputError
from toolgauge.files.reading import LONGEST_LINE
from toolgauge.store import RunFile, encode_header, encode_scored
from toolgauge.traces import read_traces

SUITE = Suite("s", (Case("a", expect=Expect((ExpectedCall("t", {"x": 1}),))), Case("b")))
TRAJECTORIES = [Trajectory("a", "m", calls=(Call("t", {"x": 2}),)), Trajectory("b", "m", output="yes")]

Record = dict[str, Any]


def records() -> list[Record]:
    """A run as its lines, decoded."""
    run = api.score(SUITE, TRAJECTORIES)
    lines = [encode_header(run.header), *map(encode_scored, run.scored)]
    return [msgspec.json.decode(line) for line in lines]


def write(path: Path, lines: list[Record]) -> Path:
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b"\n")
    return path


def refusal(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        api.load_run(path)
    return [line.removeprefix(str(path)) for line in str(caught.value).splitlines()]


def test_a_run_comes_back_as_it_was_and_says_how_long_it_is(tmp_path: Path) -> None:
    file = RunFile(write(tmp_path / "r", records()))
    run = api.score(SUITE, TRAJECTORIES)
    assert file.header.trajectories == 2
    assert [item.score for item in file] == [item.score for item in run.scored]
    assert api.load_run(tmp_path / "r").summary == run.summary


def test_a_file_that_was_cut_or_added_to_is_refused(tmp_path: Path) -> None:
    lines = records()
    (cut,) = refusal(write(tmp_path / "r", lines[:-1]))
    assert cut == ":1: the header announces 2 trajectories, but there are 1; the file seems to be cut off"
    (longer,) = refusal(
        write(tmp_path / "r", [*lines, {**lines[1], "trial": 7, "score": lines[1]["score"] | {"trial": 7}}])
    )
    assert longer == ":1: the header announces 2 trajectories, but there are 3; something was added to the file"
    whole = write(tmp_path / "r", lines).read_bytes()
    (tmp_path / "r").write_bytes(whole[:-20])
    (broken,) = refusal(tmp_path / "r")
    assert broken.startswith(":3:")
    with pytest.raises(InputError, match="the header announces 2 trajectories, but there are 1"):
        api.score(SUITE, write(tmp_path / "r", lines[:-1]))
    with pytest.raises(InputError, match="the header announces 2 trajectories, but there are 0"):
        api.score(SUITE, write(tmp_path / "r", lines[:1]))


def change(number: int, key: str, value: object) -> Callable[[list[Record]], None]:
    """Sets a key, given with dots, of one line."""

    def apply(lines: list[Record]) -> None:
        *path, last = key.split(".")
        holder: Any = lines[number]
        for step in path:
            holder = holder[int(step) if step.isdigit() else step]
        holder[last] = value

    return apply


@pytest.mark.parametrize(
    ("wrong", "line", "message"),
    [
        (change(1, "case", "zzz"), 2, "the suite of this run has no case 'zzz', at case"),
        (change(1, "score.case", "b"), 2, "this is not the case of the trajectory, at score.case"),
        (change(1, "score.plan", 3), 2, "the case has no plan 3, at score.plan"),
        (change(1, "score.plan", -1), 2, "expected 0 or more, found -1, at score.plan"),
        (change(1, "score.alignment.0.expected", 5), 2, "there is no expected call 5: there are 1, counted from 0"),
        (change(1, "score.alignment.0.call", -1), 2, "expected 0 or more, found -1, at score.alignment[0].call"),
        (change(1, "score.alignment.0.params", 2.5), 2, "expected 1 or less, found 2.5, at score.alignment[0].params"),
        (change(1, "score.issues.0.call", 9), 2, "there is no call 9: there are 1, counted from 0"),
        (change(1, "score.issues.0.expected", 9), 2, "there is no expected call 9: there are 1, counted from 0"),
        (change(1, "score.score", 1.5), 2, "expected 1 or less, found 1.5, at score.score"),
        (change(2, "score.content", -0.1), 3, "expected 0 or more, found -0.1, at score.content"),
        (change(1, "score.counts", [0, 0, 0, 7, 0, 0]), 2, "7 calls are counted, and there are 1, at score.counts"),
        (change(1, "score.counts", [-1, 0, 0, 1, 0, 0]), 2, "expected 0 or more, found -1, at score.counts[0]"),
        (change(1, "score.counts", [0, 0, 0, 1, 2, 0]), 2, "'failed_calls' is 2, of 1 calls, at score.counts"),
        (change(0, "scoring", 99), 1, "scored by version 99 of the rules"),
        (change(0, "suite", None), 1, "the header: expected an object, found null, at suite"),
        (change(0, "schema", "toolgauge.run/9"), 1, "this run file has the schema 'toolgauge.run/9'"),
        (change(0, "schema", None), 1, "this is not a run file"),
    ],
)
def test_what_does_not_belong_to_the_run_is_refused_with_its_line(
    tmp_path: Path, wrong: Callable[[list[Record]], None], line: int, message: str
) -> None:
    lines = records()
    wrong(lines)
    (problem,) = refusal(write(tmp_path / "r", lines))
    assert problem.startswith(f":{line}:")
    assert message in problem


def test_a_trial_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    header, first, second = records()
    (problem,) = refusal(write(tmp_path / "r", [header, first, first]))
    assert ":3:" in problem
    assert "agent 'm', case 'a', trial 1 already exists" in problem
    for wild in (0, 10**9):
        again = {**first, "trial": wild, "score": {**first["score"], "trial": wild}}
        (problem,) = refusal(write(tmp_path / "r", [{**header, "trajectories": 3}, again, second, again]))
        assert problem.startswith(":4:")


@pytest.mark.parametrize(
    "text", ["cases:\n  - {id: a}\n", '{"case": "a", "output": "x"}\n' * 20, "nonsense", "", "[1]"]
)
def test_what_is_not_a_run_file_is_one_problem(tmp_path: Path, text: str) -> None:
    (tmp_path / "r").write_text(text, encoding="utf-8")
    (problem,) = refusal(tmp_path / "r")
    assert "this is not a run file" in problem


def test_a_run_is_read_from_standard_input(tmp_path: Path) -> None:
    path = write(tmp_path / "r", records())
    command = [sys.executable, "-m", "toolgauge", "report"]
    with path.open("rb") as stream:
        piped = subprocess.run(
            [*command, "-", "--details", "--failures"], stdin=stream, capture_output=True, check=False
        )
    named = subprocess.run([*command, path, "--details", "--failures"], capture_output=True, check=False)
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == named.stdout


def test_a_header_may_be_longer_than_any_other_line(tmp_path: Path) -> None:
    words = "x" * 1000
    suite = Suite("large", tuple(Case(f"c{number}", words, expect=Expect(())) for number in range(40_000)))
    path = tmp_path / "large.run.jsonl"
    made = Trajectory("c0", "agent", 1, "completed", (), "done")
    run = api.score(suite, [made])
    path.write_bytes(encode_header(run.header) + b"".join(map(encode_scored, run.scored)))
    with path.open("rb") as stream:
        assert len(stream.readline()) > LONGEST_LINE
    assert len(RunFile(path).header.suite.cases) == len(list(read_traces(path))) == 40_000
