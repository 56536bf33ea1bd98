"""The action for GitHub: its inputs are documented and used, and its shell steps do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from .cli.running import toolgauge

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ ?(\S+?) ?\}\}")

SUITE = """
name: weather
cases:
  - {id: one, input: One?, expect: {calls: [{tool: look}]}}
  - {id: two, input: Two?, expect: {calls: []}}
"""
GOOD = '{"case":"one","agent":"a","calls":[{"tool":"look","args":{}}]}\n{"case":"two","agent":"a","calls":[]}\n'
BAD = GOOD.replace('"look"', '"delete"')


def filled(value: str, inputs: dict[str, str]) -> str:
    """A value with its expressions worked out, as the runner does it."""
    known = {f"inputs.{name}": text for name, text in inputs.items()} | {"github.action_path": str(ROOT)}
    return EXPRESSION.sub(lambda found: known[found[1]], value)


def act(place: Path, **given: str) -> tuple[int, str, dict[str, str], str]:
    """Run the shell steps one after the other; return the exit code, the log, the outputs and the summary."""
    (place / "suite.yaml").write_text(SUITE, encoding="utf-8")
    named = {name.replace("_", "-"): value for name, value in given.items()}
    assert named.keys() <= ACTION["inputs"].keys()
    inputs = {name: str(about["default"]) for name, about in ACTION["inputs"].items()} | {"install": "none"} | named
    output, summary = place / "output", place / "summary"
    for file in (output, summary):
        file.write_bytes(b"")
    log, code = "", 0
    for step in STEPS:
        if "run" not in step or code:
            continue
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607 - as the runner does
            cwd=place / filled(step.get("working-directory", "."), inputs),
            env={
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "LC_ALL": "C.UTF-8",
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                **{name: filled(value, inputs) for name, value in step.get("env", {}).items()},
            },
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        log, code = log + done.stdout + done.stderr, done.returncode
    outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    return code, log, outputs, summary.read_text("utf-8")


def test_every_input_is_described_used_and_has_a_default() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert ACTION["name"]
    assert ACTION["description"]
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name, about in ACTION["inputs"].items():
        assert re.match(r"[A-Z\[tei].*[.:;]", about["description"]), name
        assert isinstance(about["default"], str), name
        assert f"inputs.{name} " in text, name
    used = {found.removeprefix("inputs.") for found in EXPRESSION.findall(text) if found.startswith("inputs.")}
    assert used <= ACTION["inputs"].keys()
    for about in ACTION["outputs"].values():
        assert about["description"]
        (found,) = EXPRESSION.findall(about["value"])
        assert f'"{found.rpartition(".")[2]}=' in STEPS[-1]["run"]


def test_no_input_is_written_into_a_script() -> None:
    """It could be read as a command there."""
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert ("uses" in step) != ("run" in step)
        assert "uses" in step or step["shell"] == "bash"


def test_the_page_on_ci_lists_all_inputs_and_its_example_uses_them_rightly() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    for name, about in ACTION["inputs"].items():
        default = f"`{about['default']}`" if about["default"] else ""
        assert f"| `{name}` | {default} | {about['description']} |" in page
    (example,) = re.findall(r"```yaml action\n(.*?)```", page, re.S)
    (used,) = [
        step for step in yaml.safe_load(example)["jobs"]["gate"]["steps"] if "toolgauge@" in step.get("uses", "")
    ]
    assert used["with"].keys() <= ACTION["inputs"].keys()
    assert all(f"`{name}`" in page for name in ACTION["outputs"])


def test_a_good_agent_passes_and_leaves_its_reports(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(GOOD, encoding="utf-8")
    code, log, outputs, summary = act(tmp_path, suite="suite.yaml", traces="t.jsonl\n", summary="gate.md")
    assert code == 0, log
    assert outputs == {
        "verdict": "passed",
        "exit-code": "0",
        "junit": "./junit.xml",
        "run-file": "./toolgauge.run.jsonl",
    }
    assert (tmp_path / "junit.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert "weather" in (tmp_path / "gate.md").read_text(encoding="utf-8")
    assert "weather" in summary
    assert toolgauge("report", "toolgauge.run.jsonl", cwd=tmp_path).returncode == 0


def test_a_bad_agent_fails_with_annotations_and_a_diagnosis(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(BAD, encoding="utf-8")
    code, log, outputs, summary = act(tmp_path, suite="suite.yaml", traces="t.jsonl", lang="vi")
    assert (code, outputs["verdict"]) == (1, "failed"), log
    assert "::error" in log
    assert "Không đạt yêu cầu" in log
    assert "Phân tích lỗi" in summary


def test_limits_of_several_lines_reach_the_gate(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(BAD, encoding="utf-8")
    limits = {"min_pass_rate": "0", "min": "f1=0.9\n\nrecall=0.9\n", "max": "calls.p95=0", "must_pass": "two\none"}
    code, log, _, summary = act(tmp_path, suite="suite.yaml", traces="a=t.jsonl", diagnose="false", **limits)
    assert code == 1
    for check in ("f1", "recall", "calls.p95", "must pass"):
        assert check in log, log
    assert "What goes wrong" not in summary


def test_a_baseline_is_compared_with_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(GOOD, encoding="utf-8")
    given = {
        "suite": "suite.yaml",
        "traces": "t.jsonl",
        "baseline": "main.run.jsonl",
        "max_drop": "0.1",
        "strict": "true",
    }
    code, log, _, _ = act(tmp_path, **given)
    assert code == 0
    assert "there is no main.run.jsonl yet" in log
    (tmp_path / "toolgauge.run.jsonl").rename(tmp_path / "main.run.jsonl")
    code, log, outputs, _ = act(tmp_path, **given)
    assert (code, outputs["verdict"]) in ((0, "passed"), (4, "inconclusive")), log
    assert "baseline" in log
    code, _, outputs, _ = act(tmp_path, run="main.run.jsonl", junit="out.xml")
    assert (code, outputs["junit"], outputs["run-file"]) == (0, "./out.xml", "./main.run.jsonl")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give the inputs suite and traces, or run"),
        ({"suite": "suite.yaml", "traces": "x", "run": "y"}, "not both"),
        ({"suite": "suite.yaml", "traces": "t.jsonl", "strict": "yes"}, "the input strict is true or false, not 'yes'"),
        ({"suite": "suite.yaml", "traces": "nowhere.jsonl"}, "there is no such file"),
        ({"suite": "suite.yaml", "traces": "t.jsonl", "min": "f1"}, "NAME=NUMBER"),
        ({"suite": "suite.yaml", "traces": "$(touch made).jsonl; touch made"}, "there is no such file"),
    ],
)
def test_wrong_inputs_are_told_and_nothing_is_executed(tmp_path: Path, given: dict[str, str], said: str) -> None:
    (tmp_path / "t.jsonl").write_text(GOOD, encoding="utf-8")
    code, log, outputs, _ = act(tmp_path, **given)
    assert (code, outputs["verdict"], outputs["exit-code"]) == (2, "error", "2"), log
    assert said in log
    assert not (tmp_path / "made").exists()
