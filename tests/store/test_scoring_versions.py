"""A run that was scored by older rules: it is read, its verdicts stay as they are, and it is told apart."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import toolgauge
from toolgauge.core import SCORING_VERSION

FOLDER = Path(__file__).parents[1] / "scoring" / "catastrophes"
SUITE, OLD = FOLDER / "suite.yaml", FOLDER / "version1.run.jsonl"
"""The run was written by the version before, by whose rule all six cases passed."""


def test_its_verdicts_are_shown_as_they_were_recorded_and_the_rules_are_named() -> None:
    report = json.loads(toolgauge("report", OLD, "--format", "json").stdout)
    assert (report["scoring"], report["counts"]["passed"], report["passed_with_issues"]) == (1, 6, 6)
    text = toolgauge("report", OLD).stdout
    assert "Scored by version 1 of the rules" in text
    method = toolgauge("report", OLD, "--full").stdout
    assert "Scored by version 1 of the rules" in method
    assert "Passed (by score)" in method
    assert "Passed (strict)" not in method
    assert "Chấm theo phiên bản 1 của bộ quy tắc" in toolgauge("report", OLD, "--lang", "vi").stdout


def test_the_gate_names_the_rules(store_address: str) -> None:
    done = toolgauge("gate", OLD)
    assert (done.returncode, "scored by version 1 of the rules" in done.stdout) == (0, True)
    assert json.loads(toolgauge("gate", OLD, "--format", "json").stdout)["scoring"] == 1
    assert toolgauge("runs", "import", OLD, "--store", store_address).returncode == 0
    assert "scored by version 1 of the rules" in toolgauge("gate", "latest", "--store", store_address).stdout


def test_it_is_scored_again_by_todays_rules(tmp_path: Path) -> None:
    new = tmp_path / "new.run.jsonl"
    assert toolgauge("score", SUITE, OLD, "--format", "run", "-o", new).returncode == 0
    header, *lines = map(json.loads, new.read_text(encoding="utf-8").splitlines())
    assert (header["scoring"], header["suite"].get("settings", {}).get("pass")) == (SCORING_VERSION, None)
    assert [line["score"]["passed"] for line in lines] == [False] * 6
    assert "Passed (strict)" in toolgauge("report", new, "--full").stdout


def test_answers_of_version_2_are_read_as_they_were_recorded(tmp_path: Path) -> None:
    new, older = tmp_path / "new.run.jsonl", tmp_path / "older.run.jsonl"
    suite, traces = tmp_path / "suite.yaml", tmp_path / "traces.jsonl"
    answer = "{type: number, value: 42}"
    suite.write_text(f"name: s\ncases: [{{id: a, input: What?, expect: {{answer: {answer}}}}}]\n", encoding="utf-8")
    traces.write_text('{"case":"a","agent":"x","output":"First 41, then 42."}\n', encoding="utf-8")
    assert toolgauge("score", suite, traces, "--format", "run", "-o", new).returncode == 0
    header, line = map(json.loads, new.read_text(encoding="utf-8").splitlines())
    assert set(line["score"]["answer"]) >= {"verdict", "found", "reason", "chosen", "runner_up"}
    header["scoring"] = 2
    line["score"]["answer"] = {"verdict": "right", "found": 42, "reason": "found 42, expected 42"}
    older.write_text(f"{json.dumps(header)}\n{json.dumps(line)}\n", encoding="utf-8")
    text = toolgauge("report", older, "--full").stdout
    assert "Scored by version 2 of the rules" in text
    assert "Passed (strict)" in text
    assert "Typed answer: right, found 42, expected 42" in toolgauge("report", older, "--case", "a").stdout


def test_old_and_new_are_not_mixed(tmp_path: Path) -> None:
    new = tmp_path / "new.run.jsonl"
    toolgauge("score", SUITE, OLD, "--format", "run", "-o", new)
    compared = toolgauge("compare", OLD, new)
    assert (compared.returncode, f"version 1 and version {SCORING_VERSION} of" in compared.stderr) == (
        2,
        True,
    )
    gated = toolgauge("gate", new, "--baseline", OLD)
    assert (gated.returncode, f"the rules, the run by {SCORING_VERSION}" in gated.stderr) == (2, True)
