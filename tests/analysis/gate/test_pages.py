"""The pages on the gate, the diagnosis and CI are true: their commands print what they show."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ...cli.running import toolgauge

DOCS = Path(__file__).parent.parent.parent.parent / "docs"


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def follow(page: str, place: Path) -> int:
    """Run the commands of a page, compare what they print and how they end, and say how many there were."""
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks(page, "console")), re.M)
    for command, shown in commands:
        called, _, remark = command.partition("#")
        done = toolgauge(*shlex.split(called)[1:], cwd=place)
        assert done.returncode == (int(remark.split()[-1]) if remark else 0), done.stderr
        pattern = "".join(
            "(?:.*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
            for line in shown.splitlines()
        )
        assert not shown or re.fullmatch(pattern, done.stdout), done.stdout
    return len(commands)


@pytest.mark.parametrize("page", ["gate.md", "diagnose.md"])
def test_the_commands_print_what_the_page_shows(page: str, tmp_path: Path) -> None:
    assert follow(page, tmp_path) > 0


def test_the_python_of_both_pages_runs(tmp_path: Path) -> None:
    toolgauge("init", "demo", cwd=tmp_path)
    toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", "first", cwd=tmp_path)
    for page, code in (("gate.md", 1), ("diagnose.md", 0)):
        (program,) = blocks(page, "python")
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout


def test_the_commands_of_the_workflow_work(tmp_path: Path) -> None:
    (written,) = blocks("ci.md", "yaml")
    steps = yaml.safe_load(written)["jobs"]["gate"]["steps"]
    toolgauge("init", "demo", cwd=tmp_path)
    for name in ("suite.yaml", "traces.jsonl"):
        (tmp_path / name).write_bytes((tmp_path / "demo" / name).read_bytes())
    program = f'set -e\ntoolgauge() {{ {shlex.quote(sys.executable)} -m toolgauge "$@"; }}\n'
    (scored,) = (step["run"] for step in steps if "toolgauge score" in step.get("run", ""))
    (gated,) = (step["run"] for step in steps if step.get("name") == "Gate")
    (diagnosed,) = (step["run"] for step in steps if step.get("name") == "What to change")
    commands = f"{program}{scored}\ncp now.run.jsonl baseline.run.jsonl\n{gated.replace('safety_*', 'now_*')}"
    done = subprocess.run(["bash", "-c", commands], cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S607
    assert done.returncode == 1, done.stderr
    assert "::error title=" in done.stdout
    assert (tmp_path / "junit.xml").exists()
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").startswith("# ✗ Gate failed")
    summary = f"{program}export GITHUB_STEP_SUMMARY=step.md\n{diagnosed}"
    subprocess.run(["bash", "-c", summary], cwd=tmp_path, check=True)  # noqa: S607
    assert (tmp_path / "step.md").read_text(encoding="utf-8").startswith("# What goes wrong")
