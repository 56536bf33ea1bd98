"""A run of which 14 of 20 cases were not run: nothing reads as if all of it had been."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from toolgauge.catalogue import LANGUAGES, Lang

from .running import toolgauge


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of 20 cases, traces of six of them and of all."""
    folder = tmp_path_factory.mktemp("part")
    cases = [
        {"id": f"c{number:02}", "input": f"Q{number}?", "expect": {"calls": [{"tool": "look"}]}} for number in range(20)
    ]
    (folder / "suite.json").write_text(json.dumps({"name": "part", "cases": cases}), encoding="utf-8")
    lines = [json.dumps({"case": case["id"], "calls": [{"tool": "look", "args": {}}]}) for case in cases]
    (folder / "six.jsonl").write_text("\n".join(lines[:6]), encoding="utf-8")
    (folder / "all.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert (
        toolgauge("score", "suite.json", "six.jsonl", "all.jsonl", "--run-file", "run.jsonl", cwd=folder).returncode
        == 3
    )
    return folder


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_table_says_how_many_were_measured(files: Path, lang: Lang) -> None:
    shown = toolgauge("report", "run.jsonl", "--format", "md", "--lang", lang, "--full", cwd=files).stdout
    tables = [part for part in shown.split("\n## ") if "| six |" in part]
    assert len(tables) >= 4
    for table in tables:
        assert "6/20" in table.replace("6 of 20 measured", "6/20"), table


def test_programs_get_n_and_planned(files: Path) -> None:
    report = json.loads(toolgauge("report", "run.jsonl", "--format", "json", cwd=files).stdout)
    rows = {row["agent"]: row for row in report["rows"]}
    assert (rows["six"]["n"], rows["six"]["planned"]) == (6, 20)
    assert (rows["all"]["n"], rows["all"]["planned"]) == (20, 20)
    metrics = rows["six"]["metrics"]
    assert metrics["pass_rate"]["value"] == pytest.approx(0.3)
    assert {name: metrics[name]["n"] for name in ("accuracy", "f1", "score", "calls")} == dict.fromkeys(
        ("accuracy", "f1", "score", "calls"), 6
    )
    table = toolgauge("report", "run.jsonl", "--format", "csv", cwd=files).stdout
    six = next(row for row in csv.DictReader(StringIO(table)) if row["agent"] == "six")
    assert (six["n"], six["planned"], six["not_run"]) == ("6", "20", "14")


@pytest.mark.parametrize(("lang", "said"), [("en", "six: 6 of 20 measured"), ("vi", "six: đã đo 6/20 lượt")])
def test_compare_says_how_many_were_measured(files: Path, lang: str, said: str) -> None:
    shown = " ".join(toolgauge("compare", "run.jsonl", "--lang", lang, cwd=files).stdout.split())
    assert said in shown
    assert "6/20" in shown
    found = json.loads(toolgauge("compare", "run.jsonl", "--format", "json", cwd=files).stdout)
    assert {one["name"]: (one["measured"], one["planned"]) for one in found["contenders"]} == {
        "six": (6, 20),
        "all": (20, 20),
    }
    by_metric = {one["metric"]: one for one in found["pairings"][0]["contrasts"]}
    assert (by_metric["pass_rate"]["n"], by_metric["pass_rate"]["measured"]) == (20, 6)
    assert (by_metric["accuracy"]["n"], by_metric["accuracy"]["measured"]) == (6, 6)


def test_the_gate_says_so(files: Path) -> None:
    done = toolgauge("gate", "run.jsonl", "--agent", "six", "--min-pass-rate", "0", cwd=files)
    assert (done.returncode, "14 planned and not run" in done.stdout) == (3, True)
