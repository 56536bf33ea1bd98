"""The pytest plugin in a project of its own: what is collected, what passes, and what failures show."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

from toolgauge.core import ModelReply, ToolRequest

from ..servers import AnthropicServer, Asked

SAMPLE = Path(__file__).parent / "sample"
ROOT = Path(__file__).parents[2]

PASSED = {
    "suites/gate.toolgauge.yml::gate",
    "suites/inline.toolgauge.yaml::sum",
    "suites/recorded.toolgauge.yaml::find_seven",
    "suites/recorded.toolgauge.yaml::small_talk",
    "test_in_python.py::test_good_enough",
    "test_in_python.py::test_recorded[find_seven]",
    "test_in_python.py::test_recorded[small_talk]",
    "test_in_python.py::test_running[one_and_two]",
    "test_in_python.py::test_tooleval[greets]",
}
FAILED = {
    "suites/failing.toolgauge.yaml::find_seven",
    "suites/failing.toolgauge.yaml::small_talk",
    "suites/inline.toolgauge.yaml::wrong_sum",
    "suites/strict_gate.toolgauge.yaml::gate",
    "test_in_python.py::test_not_good_enough",
    "test_in_python.py::test_tooleval[adds]",
}


def run_pytest(place: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest in another project. Where toolgauge was installed before it had the plugin, it is named."""
    known = entry_points(group="pytest11", name="toolgauge")
    plugin = [] if known else ["-p", "toolgauge.pytest_plugin"]
    others = ["-p", "no:langsmith_plugin", "-p", "no:anyio", "-p", "no:hypothesispytest"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *others, *arguments],
        cwd=place,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", **environment},
        check=False,
    )


def outcomes(done: subprocess.CompletedProcess[str], word: str) -> set[str]:
    """The tests that ended so, of what `-rA` lists."""
    return set(re.findall(rf"^{word} (\S+)", done.stdout, re.MULTILINE))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the sample project."""
    copy = tmp_path / "project"
    shutil.copytree(SAMPLE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def section(printed: str, title: str) -> str:
    """What is printed below the title of a failure."""
    return re.split(r"\n_{3,} .* _{3,}\n|\n=+ short test", printed.split(f" {title} _")[1], maxsplit=1)[0]


def test_the_plugin_is_declared_for_pytest_to_find() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"toolgauge": "toolgauge.pytest_plugin"}


def test_passing_and_failing_suites_are_told_apart_and_failures_print_the_alignment(project: Path) -> None:
    done = run_pytest(project, "-rA")
    assert (outcomes(done, "PASSED"), outcomes(done, "FAILED")) == (PASSED, FAILED)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    recorded = section(done.stdout, "failing.toolgauge.yaml: find_seven")
    assert re.search(r'find_order\(number=7\) +~ #1 find_order\(number="seven"\)', recorded)
    assert "· good" not in recorded
    running = section(done.stdout, "inline.toolgauge.yaml: wrong_sum")
    assert re.search(r"add\(a=3, b=4\) +~ #1 add\(a=1, b=2\)", running)
    python = section(done.stdout, "test_tooleval[adds]")
    assert re.search(r"add\(a=1, b=any value\) +- \(no calls\)", python)
    gate = section(done.stdout, "strict_gate.toolgauge.yaml: gate")
    assert "Gate failed" in gate
    assert re.search(r'find_order\(number=7\) +~ #1 find_order\(number="seven"\)', gate)
    assert "FAILED suites/failing.toolgauge.yaml::small_talk - small_talk · bad: #1 find_order was not" in done.stdout


def test_two_processes_share_the_tests_and_pytest_writes_junit(project: Path) -> None:
    done = run_pytest(project, "-rA", "-n", "2", "--junitxml=junit.xml")
    assert (outcomes(done, "PASSED"), outcomes(done, "FAILED")) == (PASSED, FAILED)
    assert "2 workers" in done.stdout
    (suite,) = ElementTree.parse(project / "junit.xml").getroot()  # noqa: S314 - of our own making
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("15", "6", "0")
    failures = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    assert len(failures) == len(suite.findall("testcase")) - 3  # names that two files share
    broken = failures["wrong_sum"]
    assert broken is not None
    assert "argument a is 1, expected 3" in (broken.get("message") or "")
    assert "~ #1 add(a=1, b=2)" in (broken.text or "")


def test_only_what_is_selected_is_run(project: Path) -> None:
    done = run_pytest(project, "-rA", "suites/inline.toolgauge.yaml::sum", "-k", "sum", "-q")
    assert (done.returncode, outcomes(done, "PASSED")) == (0, {"suites/inline.toolgauge.yaml::sum"})


BROKEN = {
    "unknown_key": (
        "cases: [{id: a, expct: {}}]\ntraces: a.jsonl\n",
        "unknown_key.toolgauge.yaml:1:17: 'expct' is not",
    ),
    "both": ("cases: [{id: a}]\ntraces: a\nrun: {}\n", "'traces' and 'run' are both there"),
    "neither": ("cases: [{id: a}]\n", "there is nothing to test"),
    "run_key": ("cases: [{id: a}]\nrun:\n  modle: x\n", "run_key.toolgauge.yaml:3:3: 'modle' is not a known key"),
    "beside": ("suite: b.yaml\ncases: []\ntraces: a\n", "'cases' belongs in the file that 'suite' names"),
    "gate_value": ("cases: [{id: a}]\nrun: {}\ngate: {min_pass_rate: 90}\n", "expected 1 or less, found 90"),
    "empty": ("", "there is no suite in it"),
    "no_suite": ("suite: nowhere.yaml\ntraces: a\n", "nowhere.yaml"),
    "no_cases": ("cases: []\nrun: {}\n", "there are no cases"),
}


def test_a_file_that_cannot_be_used_is_an_error_with_its_place_and_no_traceback(tmp_path: Path) -> None:
    for name, (text, _) in BROKEN.items():
        (tmp_path / f"{name}.toolgauge.yaml").write_text(text, encoding="utf-8")
    done = run_pytest(tmp_path, "-p", "no:cacheprovider", "--continue-on-collection-errors")
    assert done.returncode == 1
    assert f"{len(BROKEN)} errors" in done.stdout
    assert "Traceback" not in done.stdout
    for name, (_, words) in BROKEN.items():
        assert words in done.stdout.split(f"ERROR collecting {name}.toolgauge.yaml", 1)[1].split("ERROR collecting")[0]


AGENT = """
cases: [{id: a, input: "?"}]
run: {agent: "agents:adder"}
"""

LOST = """
cases: [{id: recorded, input: "?"}, {id: lost, input: "!"}]
traces: traces.jsonl
"""


def test_code_is_run_only_where_that_is_allowed_and_a_case_without_a_trace_fails(project: Path) -> None:
    for file in (project / "suites").iterdir():
        file.unlink()
    (project / "test_in_python.py").unlink()
    (project / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    (project / "code.toolgauge.yaml").write_text(AGENT, encoding="utf-8")
    (project / "lost.toolgauge.yaml").write_text(LOST, encoding="utf-8")
    (project / "traces.jsonl").write_text('{"case": "recorded", "output": "x"}\n', encoding="utf-8")
    refused = run_pytest(project, "-rA")
    assert outcomes(refused, "FAILED") == {"code.toolgauge.yaml::a", "lost.toolgauge.yaml::lost"}
    assert "'agents:adder' is Python code" in refused.stdout
    assert "lost · traces: not_run" in refused.stdout
    allowed = run_pytest(project, "-rA", "--toolgauge-allow-code")
    assert outcomes(allowed, "FAILED") == {"lost.toolgauge.yaml::lost"}


MISUSED = """
import pytest

def test_without_marker(toolgauge_case): ...
"""

UNUSED = """
import pytest

@pytest.mark.toolgauge("suites/shop.yaml", traces="suites/good.jsonl")
def test_without_fixture(): ...
"""

WRONG = """
import pytest

@pytest.mark.toolgauge("suites/nowhere.yaml", traces="suites/good.jsonl")
def test_no_suite(toolgauge_case): ...
"""


def test_a_marker_that_is_misused_says_what_to_do(project: Path) -> None:
    for name, text in (("test_misused.py", MISUSED), ("test_unused.py", UNUSED), ("test_wrong.py", WRONG)):
        (project / name).write_text(text, encoding="utf-8")
    done = run_pytest(project, "test_misused.py", "test_unused.py", "test_wrong.py")
    assert done.returncode != 0
    for words in ("name the suite with", "does not ask for the fixture 'toolgauge_case'", "nowhere.yaml"):
        assert words in done.stdout + done.stderr


LIVE = """
name: live
tools: [{name: find_order, parameters: {type: object}, results: [{result: sent}]}]
cases:
  - {id: asks, input: "Where is order 7?", expect: {calls: [{tool: find_order, args: {number: 7}}], contains: [sent]}}
  - {id: leaks, input: "Which key?", expect: {contains: [nothing]}}
run: {model: "anthropic:any-name", trials: 2}
"""


@pytest.mark.deep
def test_a_model_is_asked_case_by_case_and_no_credential_is_printed(tmp_path: Path) -> None:
    key = "a-very-secret-key"

    def answer(asked: Asked) -> ModelReply:
        if "key" in asked.question:
            return ModelReply(f"It is {key}.")
        if asked.results:
            return ModelReply(f"It was {asked.results[-1]}.")
        return ModelReply(calls=(ToolRequest("find_order", {"number": 7}),))

    (tmp_path / "live.toolgauge.yaml").write_text(LIVE, encoding="utf-8")
    options = ("-rA", "-p", "no:cacheprovider", "--junitxml=junit.xml", "-o", "toolgauge_lang=vi")
    with AnthropicServer(answer, key=key) as server:
        done = run_pytest(tmp_path, *options, ANTHROPIC_API_KEY=key, ANTHROPIC_BASE_URL=server.base_url)
    assert outcomes(done, "PASSED") == {"live.toolgauge.yaml::asks"}, done.stdout
    assert outcomes(done, "FAILED") == {"live.toolgauge.yaml::leaks"}
    assert len(server.requests) == 6
    assert "Câu trả lời cuối" in done.stdout
    assert "[redacted ANTHROPIC_API_KEY]" in done.stdout
    assert key not in done.stdout + done.stderr + (tmp_path / "junit.xml").read_text(encoding="utf-8")


def test_starting_pytest_loads_next_to_nothing_of_toolgauge() -> None:
    code = "import sys, toolgauge.pytest_plugin; print(*(m for m in sys.modules if m.split('.')[0] == 'toolgauge'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"toolgauge", "toolgauge.lazy", "toolgauge.pytest_plugin", "toolgauge.version"}
