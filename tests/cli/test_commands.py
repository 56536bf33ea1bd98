"""The commands as a person uses them: what they print, and how they end when something is wrong."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from .running import toolgauge

SUITE = """
name: small
cases:
  - {id: one, input: First?, labels: {level: low}, expect: {calls: [{tool: a, args: {x: 1}}], contains: [yes]}}
  - {id: two, input: Second?, labels: {level: high}, expect: {calls: [{tool: b}]}}
"""
TRACES = """
{"case":"one","agent":"m","calls":[{"tool":"a","args":{"x":1}}],"output":"Yes."}
{"case":"two","agent":"m","calls":[{"tool":"c"}],"output":"No."}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "traces.jsonl").write_text(TRACES, encoding="utf-8")
    return tmp_path


def test_every_format_comes_out_and_goes_into_a_file(place: Path) -> None:
    for name in ("text", "md", "json", "csv", "latex", "run"):
        done = toolgauge("score", "suite.yaml", "traces.jsonl", "--format", name, cwd=place)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip()
        kept = toolgauge("score", "suite.yaml", "traces.jsonl", "--format", name, "-o", "out", cwd=place)
        assert (kept.returncode, kept.stdout) == (0, "")
        if name != "run":
            assert (place / "out").read_text(encoding="utf-8") == done.stdout


def test_a_run_file_is_drawn_again_with_the_same_figures(place: Path) -> None:
    toolgauge("score", "suite.yaml", "traces.jsonl", "--format", "run", "-o", "r.jsonl", cwd=place)
    for options in (["--format", "json", "--details"], ["--format", "md", "--failures"], ["--by", "level"]):
        scored = toolgauge("score", "suite.yaml", "traces.jsonl", *options, cwd=place)
        again = toolgauge("report", "r.jsonl", *options, cwd=place)
        assert (again.returncode, again.stdout) == (0, scored.stdout)
    header, *lines = (place / "r.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(header)["schema"] == "toolgauge.run/1"
    assert [json.loads(line)["score"]["passed"] for line in lines] == [True, False]


def test_a_run_file_can_be_scored_again_by_another_suite(place: Path) -> None:
    toolgauge("score", "suite.yaml", "traces.jsonl", "--format", "run", "-o", "r.jsonl", cwd=place)
    (place / "other.yaml").write_text(SUITE.replace("tool: b", "tool: c"), encoding="utf-8")
    done = toolgauge("score", "other.yaml", "r.jsonl", "--format", "json", cwd=place)
    assert json.loads(done.stdout)["counts"]["passed"] == 2


def test_one_case_is_shown_with_expected_beside_actual(place: Path) -> None:
    toolgauge("score", "suite.yaml", "traces.jsonl", "--format", "run", "-o", "r.jsonl", cwd=place)
    done = toolgauge("report", "r.jsonl", "--case", "two", cwd=place)
    assert done.returncode == 0
    assert "Second?" in done.stdout
    assert "b was expected but not called" in done.stdout
    wrong = toolgauge("report", "r.jsonl", "--case", "tow", cwd=place)
    assert (wrong.returncode, wrong.stdout) == (5, "")
    assert wrong.stderr == "Error: r.jsonl: there is no case 'tow'; did you mean 'two'?\n"


def test_failures_show_only_cases_that_did_not_pass(place: Path) -> None:
    done = toolgauge("score", "suite.yaml", "traces.jsonl", "--failures", cwd=place)
    shown = done.stdout.split("Cases that did not pass")[1]
    assert "two · m" in shown
    assert "one · m" not in shown
    assert "#1 c" in shown


def test_the_starter_suite_scores_at_once_in_both_languages(tmp_path: Path) -> None:
    for lang, passing in (("en", "careful"), ("vi", "cẩn thận")):
        made = toolgauge("init", tmp_path / lang, "--lang", lang)
        assert made.returncode == 0
        command = made.stdout.split("toolgauge ")[-1].split()
        done = toolgauge(*command, "--format", "json")
        assert (done.returncode, done.stderr) == (0, "")
        rates = {r["agent"]: r["metrics"]["pass_rate"]["value"] for r in json.loads(done.stdout)["rows"]}
        assert rates[passing] == 1.0
        assert len(rates) == 2
        again = toolgauge("init", tmp_path / lang)
        assert again.returncode == 2
        assert "already exists" in again.stderr
        assert toolgauge("init", tmp_path / lang, "--force").returncode == 0


def test_an_empty_suite_and_empty_traces_are_nothing_to_do(place: Path) -> None:
    (place / "empty.yaml").write_text("cases: []\n", encoding="utf-8")
    (place / "empty.jsonl").write_text("\n\n", encoding="utf-8")
    no_cases = toolgauge("score", "empty.yaml", "traces.jsonl", cwd=place)
    assert (no_cases.returncode, no_cases.stdout) == (5, "")
    assert "empty.yaml" in no_cases.stderr
    no_traces = toolgauge("score", "suite.yaml", "empty.jsonl", cwd=place)
    assert (no_traces.returncode, no_traces.stdout) == (5, "")
    assert "empty.jsonl" in no_traces.stderr


def test_a_label_that_no_case_has_is_nothing_to_do(place: Path) -> None:
    done = toolgauge("score", "suite.yaml", "traces.jsonl", "--by", "levle", cwd=place)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == "Error: no case of suite 'small' has the label 'levle'; did you mean 'level'?\n"


def test_cases_without_a_trajectory_are_not_run_and_the_exit_code_says_so(place: Path) -> None:
    (place / "half.jsonl").write_text(TRACES.split("\n")[1] + '\n{"case":"zzz","output":"?"}\n', encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "half.jsonl", "--format", "json", cwd=place)
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert (report["counts"]["planned"], report["counts"]["passed"], report["counts"]["not_run"]) == (4, 1, 3)
    assert "zzz" in done.stderr
    assert {note["kind"] for note in report["notes"]} == {"not_run", "unmatched"}


def test_traces_of_another_suite_give_no_rate_and_no_success(place: Path) -> None:
    (place / "other.jsonl").write_text('{"case":"zzz","agent":"m","output":"?"}\n', encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "other.jsonl", "--format", "json", cwd=place)
    assert done.returncode == 3
    (row,) = json.loads(done.stdout)["rows"]
    assert row["metrics"]["pass_rate"]["value"] == 0
    assert row["metrics"]["pass_rate_scored"] == {"value": None, "reason": "nothing completed", "n": 0}
    assert "NaN" not in done.stdout


def test_all_errors_are_none_of_the_planned_and_no_rate_of_the_completed(place: Path) -> None:
    lines = "".join(f'{{"case":"{case}","agent":"m","calls":[],"error":"boom"}}\n' for case in ("one", "two"))
    (place / "broken.jsonl").write_text(lines, encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "broken.jsonl", cwd=place)
    assert done.returncode == 0
    assert "2 planned = 0 passed + 0 failed + 2 error" in done.stdout
    assert "Not everything was measured: 2 ended early with an error or at a limit" in " ".join(done.stdout.split())
    assert "n/a" in toolgauge("score", "suite.yaml", "broken.jsonl", "--full", cwd=place).stdout
    assert "nan" not in done.stdout.lower()


def test_bad_input_is_told_in_a_few_lines_without_a_traceback(place: Path) -> None:
    (place / "bad.jsonl").write_text('{"case":"one","output":"x"}\n{"case":"two","outp', encoding="utf-8")
    for arguments, place_named in (
        (["suite.yaml", "bad.jsonl"], "bad.jsonl:2:"),
        (["suite.yaml", "nowhere.jsonl"], "nowhere.jsonl"),
        (["nowhere.yaml", "traces.jsonl"], "nowhere.yaml"),
        ([".", "traces.jsonl"], ".: this is a directory"),
        (["bad.jsonl", "traces.jsonl"], "bad.jsonl:1"),
    ):
        done = toolgauge("score", *arguments, cwd=place)
        assert (done.returncode, done.stdout) == (2, "")
        assert place_named in done.stderr
        assert len(done.stderr.splitlines()) <= 5
        assert "Traceback" not in done.stderr


def test_an_output_that_cannot_be_written_ends_with_three(place: Path) -> None:
    done = toolgauge("score", "suite.yaml", "traces.jsonl", "-o", "no/where/out.txt", cwd=place)
    assert done.returncode == 3
    assert done.stderr == "Error: no/where/out.txt: cannot be written: the directory does not exist\n"
    full = toolgauge("score", "suite.yaml", "traces.jsonl", "-o", "/dev/full", cwd=place)
    assert full.returncode == 3
    assert "/dev/full" in full.stderr


def test_usage_errors_end_with_two(place: Path) -> None:
    for arguments in (["scor"], ["score"], ["score", "suite.yaml"], ["score", "s", "t", "--format", "pdf"]):
        done = toolgauge(*arguments, cwd=place)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
    assert "did you mean 'score'?" in toolgauge("scor").stderr


def test_control_sequences_and_markup_from_data_do_not_reach_the_terminal(place: Path) -> None:
    hostile = "\x1b[31m[bold red]x\x07"
    lines = [
        json.dumps({"case": "one", "agent": hostile, "calls": [{"tool": hostile}], "output": hostile}),
        json.dumps({"case": hostile, "agent": hostile, "output": hostile}),
    ]
    (place / "hostile.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "hostile.jsonl", "--failures", cwd=place)
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x07" not in done.stdout + done.stderr
    assert "[bold red]" in done.stdout


def test_formulas_from_data_are_neutralised_in_csv(place: Path) -> None:
    lines = [json.dumps({"case": c, "agent": "=cmd()", "calls": []}) for c in ("one", "two")]
    (place / "formula.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "formula.jsonl", "--format", "csv", cwd=place)
    assert "'=cmd()" in done.stdout
    assert not any(line.startswith("=") for line in done.stdout.splitlines())


def test_a_name_before_the_file_is_the_agents(place: Path) -> None:
    done = toolgauge("score", "suite.yaml", "Một=traces.jsonl", "Hai=traces.jsonl", "--format", "json", cwd=place)
    assert [row["agent"] for row in json.loads(done.stdout)["rows"]] == ["Một", "Hai"]
    (place / "a=b.jsonl").write_text(TRACES, encoding="utf-8")
    literal = toolgauge("score", "suite.yaml", "a=b.jsonl", "--format", "json", cwd=place)
    assert [row["agent"] for row in json.loads(literal.stdout)["rows"]] == ["m"]


def test_on_a_terminal_the_report_has_colours_and_data_has_none(place: Path) -> None:
    lines = [json.dumps({"case": c, "agent": "[red]\x1b]0;x\x07", "calls": []}) for c in ("one", "two")]
    (place / "hostile.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "toolgauge", "score", str(place / "suite.yaml"), str(place / "hostile.jsonl")]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        # Linux ends a terminal that nobody writes to any more with an error.
        with contextlib.suppress(OSError):
            while data := os.read(ours, 65536):
                shown += data
        os.close(ours)
    assert process.returncode == 0
    text = shown.decode("utf-8")
    assert "\x1b[" in text
    assert "\x1b]0;" not in text
    assert "[red]\\x1b]0;x\\x07" in text
