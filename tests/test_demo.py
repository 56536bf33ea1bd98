"""The demo: its traces are what the seeded generator makes, and they score."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from .cli.running import toolgauge

DEMO = Path(__file__).parent.parent / "examples" / "demo"


def test_the_bundled_traces_are_what_the_generator_makes(tmp_path: Path) -> None:
    for name in ("generate.py", "suite.yaml"):
        shutil.copy(DEMO / name, tmp_path / name)
    subprocess.run([sys.executable, tmp_path / "generate.py"], check=True)
    assert (tmp_path / "traces.jsonl").read_bytes() == (DEMO / "traces.jsonl").read_bytes()


def test_the_demo_compares_four_synthetic_agents_by_difficulty() -> None:
    done = toolgauge("score", DEMO / "suite.yaml", DEMO / "traces.jsonl", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert "synthetic" in report["suite"]["name"]
    assert len(report["rows"]) == 4 * 3
    assert all(row["metrics"]["accuracy"]["low"] < row["metrics"]["accuracy"]["high"] for row in report["rows"])
