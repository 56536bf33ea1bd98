"""`toolgauge score --profile bfcl` from end to end."""

import json
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from toolgauge import api
from toolgauge.core import JsonValue
from toolgauge.errors import UsageError

from .files import function, question, suite_of, write_lines

WEATHER = function("weather", ["city"], city="string")
TRUTH: JsonValue = [{"weather": {"city": ["Ha Noi"]}}]


def write_files(folder: Path) -> None:
    write_lines(folder / "questions.json", question("simple_0", [WEATHER]), question("irrelevance_0", [WEATHER]))
    write_lines(folder / "answers.json", {"id": "simple_0", "ground_truth": TRUTH})
    write_lines(
        folder / "traces.jsonl",
        {"case": "simple_0", "calls": [{"tool": "weather", "args": {"city": "hanoi"}}]},
        {"case": "irrelevance_0", "calls": [{"tool": "weather", "args": {"city": "hanoi"}}]},
    )


COMMAND = ("score", "questions.json", "--answers", "answers.json", "traces.jsonl", "--profile", "bfcl")


def test_the_verdicts_are_in_the_run_file_and_survive_reading_it(tmp_path: Path) -> None:
    write_files(tmp_path)
    done = toolgauge(*COMMAND, "--format", "run", "-o", "run.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    _, *lines = (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {line["case"]: line["score"]["passed"] for line in map(json.loads, lines)}
    assert verdicts == {"simple_0": True, "irrelevance_0": False}
    run = api.load_run(tmp_path / "run.jsonl", by="category")
    again = api.score(run.header.suite, [scored.trajectory for scored in run.scored])
    assert {scored.score.case: scored.score.passed for scored in again.scored} == verdicts


def test_figures_are_broken_down_by_category(tmp_path: Path) -> None:
    write_files(tmp_path)
    printed = toolgauge(*COMMAND, "--full", cwd=tmp_path).stdout
    assert "By category: simple (1), irrelevance (1)" in printed


def test_missing_answers_end_with_file_and_line(tmp_path: Path) -> None:
    write_files(tmp_path)
    done = toolgauge("score", "questions.json", "traces.jsonl", "--profile", "bfcl", cwd=tmp_path)
    assert done.returncode == 2
    assert "questions.json:1:1: there is no 'ground_truth' for 'simple_0'" in done.stderr


def test_answers_belong_to_a_profile(tmp_path: Path) -> None:
    write_files(tmp_path)
    done = toolgauge("score", "questions.json", "traces.jsonl", "--answers", "answers.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "--profile bfcl" in done.stderr


def test_a_profile_is_of_no_use_for_a_suite_that_is_loaded(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("simple_0", [WEATHER], [{"weather": {"city": ["Hue"]}}]))
    with pytest.raises(UsageError, match="already loaded"):
        api.score(suite, [], profile="bfcl")
