"""Shipped suites are taken by name wherever a suite is, and run with their own tools."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import toolgauge
from toolgauge.benchmarks import BENCHMARKS, benchmark_tools, load_benchmark, shipped_suite
from toolgauge.core import Case, Toolbox
from toolgauge.errors import UsageError

from ..cli.running import toolgauge as command


def test_a_file_of_the_same_name_goes_first_and_a_folder_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weather").mkdir()
    assert shipped_suite("weather") is not None
    (tmp_path / "vn-finance").write_text("cases: []", encoding="utf-8")
    assert shipped_suite("vn-finance") is None
    assert benchmark_tools("vn-finance", load_benchmark("vn-finance").suite) == ()
    assert shipped_suite("suite.yaml") is None


def test_a_benchmark_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="did you mean 'vn-finance'"):
        load_benchmark("vn-finanse")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_command_line_takes_the_name(name: str, tmp_path: Path) -> None:
    done = command("lint", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "traces.jsonl").write_text('{"case":"d36","output":"OK"}\n{"case":"w33","output":"OK"}\n', "utf-8")
    done = command("score", name, "traces.jsonl", "--format", "json", cwd=tmp_path)
    assert done.returncode == 3, "all other cases were not run"
    assert json.loads(done.stdout)["counts"]["passed"] == 1


def test_agents_get_the_tools_of_the_benchmark() -> None:
    async def asks_the_clock(case: Case, tools: Toolbox) -> str:
        made = await tools.call("time_now")
        return str(made.value)

    run = toolgauge.run("vn-finance", asks_the_clock, store=False)
    scored = {one.trajectory.case: one for one in run.scored}
    assert len(scored) == 92
    assert "thứ Sáu" in (scored["d32"].trajectory.output or "")
    assert scored["d32"].score.passed
    assert scored["d33"].score.passed


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import sys, toolgauge.benchmarks; print(*[m for m in sys.modules if m in ('sqlite3', 'yaml', 'msgspec')])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
