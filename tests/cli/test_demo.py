"""`toolgauge demo`, the agents on the command line, and an agent of another package beside them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.agents.market import suite, tools
from tests.cli.running import toolgauge
from tests.installing import install, python_path
from toolgauge.api import run
from toolgauge.benchmarks import Benchmark, load_benchmark
from toolgauge.cli.demo import AGENTS
from toolgauge.core import Expect, Run, Trajectory

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A place where the demo was run, and what it printed."""
    place = tmp_path_factory.mktemp("demo")
    done = toolgauge("demo", cwd=place)
    assert done.returncode == 0, done.stderr
    return place, done.stdout, done.stderr


def test_the_demo_compares_four_agents_by_difficulty_and_says_what_answered(shown: tuple[Path, str, str]) -> None:
    place, printed, noted = shown
    assert "It is not a language model" in printed
    assert re.search(r"^vn-finance .*: 92 cases, 4 agents$", printed, re.M)
    for agent in AGENTS:
        (line,) = re.findall(rf"^{agent} +\d.*$", printed, re.M)
        assert re.match(rf"{agent} +92 +\d+% \(\d+–\d+%\)", line)
    assert len(re.findall(r"^Fix first: ", printed, re.M)) == 1
    conclusion = printed.split("\nConclusion: ")[1]
    assert "passes" in conclusion
    assert conclusion.index("Where to look next\n  toolgauge compare demo@latest\n") > 0
    tables = [line for line in printed.splitlines() if re.search(r"( 0(\.0+)?){3,}$", line)]
    assert not tables
    assert max(len(line) for line in printed.splitlines() if not line.startswith("  toolgauge run ")) <= 80
    first, second = noted.splitlines()
    assert first == "Note: local:lexical is a baseline that compares words, not a language model"
    assert re.fullmatch(r"Note: saved as run \S+ in \S+runs\.db", second)
    assert (place / ".toolgauge" / "runs.db").exists()


def test_the_page_on_agents_shows_what_it_prints(shown: tuple[Path, str, str]) -> None:
    """After a wanted change, TOOLGAUGE_RENEW=1 writes it anew; then read what the page says about it."""
    page = ROOT / "docs" / "agents.md"
    tables = ("choice", "calls", "planned_calls", "rounds", "handoffs", "requests")
    options = [option for table in tables for option in ("--table", table)]
    block = f"```text\n{toolgauge('report', 'demo@latest', *options, cwd=shown[0]).stdout}```"
    words = page.read_text(encoding="utf-8")
    if os.environ.get("TOOLGAUGE_RENEW"):
        words = re.sub(r"```text\n.*?```", lambda _: block, words, count=1, flags=re.DOTALL)
        page.write_text(words, encoding="utf-8")
    assert block in words


def test_what_it_says_to_look_at_next_is_there(shown: tuple[Path, str, str]) -> None:
    place, printed, _ = shown
    following = printed.split("Where to look next\n")[1]
    commands = re.findall(r"^  toolgauge (report .*)$", following, re.M)
    assert len(commands) == 3
    for command in commands:
        done = toolgauge(*command.split(), cwd=place)
        assert (done.returncode, done.stderr) == (0, "")
    (run_it,) = re.findall(r"--agent (\S+)", following)
    assert run_it.split(",") == list(AGENTS)
    (page,) = re.findall(r"^  (docs/\S+)$", following, re.M)
    assert (ROOT / page).exists()


def test_the_figures_are_the_same_every_time_in_either_language(shown: tuple[Path, str, str], tmp_path: Path) -> None:
    again = toolgauge("demo", "--lang", "vi", "--store", "elsewhere.db", cwd=tmp_path)
    assert again.returncode == 0
    assert "Đây không phải là mô hình ngôn ngữ" in again.stdout
    following = re.findall(r"^  toolgauge (?:compare|report|diagnose|run) .*$", again.stdout, re.M)
    assert len(following) == 6
    assert all(command.endswith(" --store elsewhere.db --lang vi") for command in following)

    def figures(text: str) -> list[str]:
        return re.findall(r"\d+\.\d+", re.sub(r"(\d),(\d)", r"\1.\2", text.replace("claude-haiku-4-5", "")))

    assert figures(again.stdout) == figures(shown[1])


def test_the_demo_as_json_is_a_report_and_nothing_else(tmp_path: Path) -> None:
    report = json.loads(toolgauge("demo", "--format", "json", cwd=tmp_path).stdout)
    assert report["counts"]["planned"] == 4 * 92
    assert len(report["rows"]) == 4 * 3
    whole = {row["agent"]: row["metrics"] for row in report["rows"] if not row["group"]}
    assert whole["rewoo"]["planned_calls"]["value"] > whole["rewoo"]["calls"]["value"]
    assert whole["rewoo"]["requests"]["value"] == 2
    assert whole["reflexion"]["rounds"]["value"] > 1
    assert whole["multi"]["handoffs"]["value"] > 1
    assert whole["react"]["rounds"]["value"] is None
    # What docs/agents.md says of the differences.
    assert whole["rewoo"]["recall"]["value"] < whole["react"]["recall"]["value"]
    assert whole["multi"]["precision"]["value"] < whole["react"]["precision"]["value"]
    for agent in ("reflexion", "multi"):
        assert whole[agent]["recall"]["value"] > whole["react"]["recall"]["value"]
        assert whole[agent]["redundant_rate"]["value"] > 0
    assert max(whole, key=lambda agent: whole[agent]["requests"]["value"]) == "multi"
    easy = {row["agent"]: row["metrics"] for row in report["rows"] if row["group"] == {"difficulty": "dễ"}}
    assert easy["rewoo"]["accuracy"] == easy["react"]["accuracy"]
    assert whole["reflexion"]["requests"]["value"] > whole["react"]["requests"]["value"]


@cache
def _benchmark() -> Benchmark:
    return load_benchmark("vn-finance")


def carried_out(*, blind: bool) -> Run:
    benchmark = _benchmark()
    cases = [replace(case, expect=Expect(), judge=None) if blind else case for case in benchmark.suite.cases]
    asked = replace(benchmark.suite, cases=tuple(cases[::4]))
    return run(asked, list(AGENTS), model="local:lexical", tools=list(benchmark.tools), store=False)


def deeds(done: Run) -> list[Trajectory]:
    """What was done, without how long it took."""
    found = []
    for one in done.scored:
        calls = tuple(replace(call, started_ms=None, duration_ms=None) for call in one.trajectory.calls)
        found.append(replace(one.trajectory, calls=calls, latency_ms=None))
    return found


def test_no_agent_does_anything_else_where_nothing_is_expected() -> None:
    seeing, blind = carried_out(blind=False), carried_out(blind=True)
    assert deeds(seeing) == deeds(blind)
    assert {scored.score.passed for scored in seeing.scored} == {True, False}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place where a package with an agent is installed."""
    return install("toolgauge_hasty", tmp_path_factory.mktemp("installed"))


SUITE = """\
name: market
tools: ["tests.agents.market:history_price", "tests.agents.market:search_web", "tests.agents.market:time_now"]
cases:
  - {id: a, input: "Giá đóng cửa cổ phiếu AAA ngày 05/01/2026?", locale: vi, expect: {calls: [{tool: history_price}]}}
  - {id: b, input: "Giá đóng cửa cổ phiếu BBB hôm qua?", locale: vi,
     expect: {calls: [{tool: time_now}, {tool: history_price}]}}
"""


def test_a_fifth_agent_of_another_package_is_compared_with_the_four(tmp_path: Path, plugin: Path) -> None:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    agents = "react,rewoo,reflexion,multi,tools,hasty"
    arguments = ["run", "suite.yaml", "--agent", agents, "--model", "local:lexical", "--allow-code", "--format", "json"]
    done = toolgauge(*arguments, cwd=tmp_path, PYTHONPATH=f"{python_path(plugin)}:{ROOT}")
    assert done.returncode == 0, done.stderr
    rows = {row["agent"]: row["metrics"] for row in json.loads(done.stdout)["rows"]}
    assert list(rows) == agents.split(",")
    assert rows["react"]["accuracy"]["value"] == 1
    # It has one call, and the second question needs two.
    assert rows["hasty"]["accuracy"]["value"] == 0.5
    assert (rows["hasty"]["requests"]["value"], rows["hasty"]["planned_calls"]["value"]) == (1, 1)
    unknown = toolgauge(
        "run", "suite.yaml", "--agent", "hasty", "--allow-code", cwd=tmp_path, PYTHONPATH=python_path(ROOT)
    )
    assert (unknown.returncode, "there is no agent 'hasty'" in unknown.stderr) == (2, True)


def test_three_lines_of_python_compare_them() -> None:
    done = run(suite(), list(AGENTS), model="local:lexical", tools=tools(), store=False)
    assert {row.agent for row in done.summary.rows} == set(AGENTS)


def test_the_python_of_the_page_on_agents_does_what_it_says() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(programs) == 4
    for program in programs:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
        assert done.stdout.splitlines() == re.findall(r"^print\(.*\) +# (.*)$", program, re.M)
