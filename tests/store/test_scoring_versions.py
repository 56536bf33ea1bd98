"""A run that was scored by older rules: it is read, its verdicts stay as they are, and it is told apart."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import toolgauge

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


def test_the_gate_names_the_rules(tmp_path: Path) -> None:
    done = toolgauge("gate", OLD)
    assert (done.returncode, "scored by version 1 of the rules" in done.stdout) == (0, True)
    assert json.loads(toolgauge("gate", OLD, "--format", "json").stdout)["scoring"] == 1
    store = tmp_path / "runs.db"
    assert toolgauge("runs", "import", OLD, "--store", store).returncode == 0
    assert "scored by version 1 of the rules" in toolgauge("gate", "latest", "--store", store).stdout


def test_it_is_scored_again_by_todays_rules(tmp_path: Path) -> None:
    new = tmp_path / "new.run.jsonl"
    assert toolgauge("score", SUITE, OLD, "--format", "run", "-o", new).returncode == 0
    header, *lines = map(json.loads, new.read_text(encoding="utf-8").splitlines())
    assert (header["scoring"], header["suite"].get("settings", {}).get("pass")) == (2, None)
    assert [line["score"]["passed"] for line in lines] == [False] * 6
    assert "Passed (strict)" in toolgauge("report", new, "--full").stdout


def test_old_and_new_are_not_mixed(tmp_path: Path) -> None:
    new = tmp_path / "new.run.jsonl"
    toolgauge("score", SUITE, OLD, "--format", "run", "-o", new)
    compared = toolgauge("compare", OLD, new)
    assert (compared.returncode, "version 1 and version 2 of the rules" in compared.stderr) == (2, True)
    gated = toolgauge("gate", new, "--baseline", OLD)
    assert (gated.returncode, "scored by version 1 of the rules, the run by 2" in gated.stderr) == (2, True)
