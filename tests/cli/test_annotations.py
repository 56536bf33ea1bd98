"""Annotations of GitHub beside the lines of a suite in which cases begin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import toolgauge

YAML = """\
name: sample
cases:
  - id: a
    input: One?
    expect: {calls: [{tool: look}]}

  - id: "b, c: d"
    input: Two?
    expect: {calls: [{tool: look}]}
  - {id: e, input: "Three?", expect: {calls: []}}
"""

NOT_RUN = ": the run ended before its turn, or there is no trace of it"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "sample.yaml").write_text(YAML, encoding="utf-8")
    lines = [{"case": "a", "calls": [{"tool": "look"}]}, {"case": "b, c: d", "calls": []}]
    (tmp_path / "traces.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return tmp_path


def annotated(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("::error ", "::warning "))]


def test_score_and_gate_name_the_file_and_the_line_of_a_case(place: Path) -> None:
    files = ("traces.jsonl", "--suite", "suites/sample.yaml")
    scored = toolgauge("score", "suites/sample.yaml", "traces.jsonl", "--format", "github", cwd=place)
    first, second = annotated(scored.stdout)
    assert first.startswith("::warning file=suites/sample.yaml,line=7,title=b%2C c%3A d (traces)::look was expected")
    assert second == f"::warning file=suites/sample.yaml,line=10,title=e (traces)::not run{NOT_RUN}"
    _, first, second = annotated(toolgauge("gate", *files, "--format", "github", cwd=place).stdout)
    assert first.startswith("::error file=suites/sample.yaml,line=7,title=b%2C c%3A d (traces)::look was expected")
    assert second.endswith(f"::not run{NOT_RUN}")


def test_a_kept_run_knows_where_its_suite_stands(place: Path) -> None:
    toolgauge("score", "suites/sample.yaml", "traces.jsonl", "--save", "kept", cwd=place)
    checked = toolgauge("gate", "kept", "--format", "github", cwd=place)
    assert "file=suites/sample.yaml,line=7," in checked.stdout
    # GitHub wants paths from the folder of the repository.
    inside = toolgauge("gate", "kept", "--format", "github", cwd=place, GITHUB_WORKSPACE=str(place.parent))
    assert f"file={place.name}/suites/sample.yaml,line=7," in inside.stdout
    # Cases that were moved since are found where they are now, and what is gone has no place.
    moved = YAML.replace("  - id: a\n    input: One?\n    expect: {calls: [{tool: look}]}\n\n", "")
    (place / "suites" / "sample.yaml").write_text(moved, encoding="utf-8")
    assert "line=3,title=b%2C" in toolgauge("gate", "kept", "--format", "github", cwd=place).stdout
    (place / "suites" / "sample.yaml").write_text("name: [", encoding="utf-8")
    broken = toolgauge("gate", "kept", "--format", "github", cwd=place)
    assert (broken.returncode, "file=" in broken.stdout, "::error title=b" in broken.stdout) == (1, False, True)


def test_a_suite_elsewhere_is_not_written_down(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    done = toolgauge("score", place / "suites" / "sample.yaml", place / "traces.jsonl", "--format", "run", cwd=other)
    assert str(place) not in done.stdout.splitlines()[0]
    assert "suite_file" not in json.loads(done.stdout.splitlines()[0])["about"]


def test_lines_of_a_csv_suite_are_those_of_its_rows(place: Path) -> None:
    (place / "truth.csv").write_text("query,difficulty,tools\nA?,easy,['x']\nB?,hard,['y']\n", encoding="utf-8")
    (place / "one.csv").write_text("input,tools\nA?,x\nB?,x\n", encoding="utf-8")
    done = toolgauge("score", "truth.csv", "one.csv", "--format", "github", cwd=place)
    (only,) = annotated(done.stdout)
    assert only.startswith("::warning file=truth.csv,line=3,")
