"""The documentation is true: its examples run, its commands and metrics are the ones there are."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolgauge.cli import COMMANDS
from toolgauge.core import ISSUE_KINDS
from toolgauge.metrics import METRICS
from toolgauge.report import CASE_FORMATS, CHART_FORMATS, FORMATS

from .cli.running import toolgauge
from .exports.receiving import Receiver

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "README.vi.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert failed == 0


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def steps(console: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines that it shows."""
    found: list[tuple[str, list[str]]] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line[2:].split("  #")[0].strip(), []))
        else:
            found[-1][1].append(line)
    return found


def appears(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines stand in what was printed; `...` stands for any lines."""
    pattern = "\n".join("(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in shown)
    return re.fullmatch(pattern, "\n".join(printed)) is not None


def follow(commands: list[tuple[str, list[str]]], place: Path) -> int:
    """Run the commands of a page, compare what they print and how they end, and say how many there were."""
    followed = 0
    for command, shown in commands:
        name, *arguments = shlex.split(command)
        if name != "toolgauge":
            continue
        done = toolgauge(*arguments, cwd=place)
        printed = (done.stdout + done.stderr).rstrip("\n").split("\n")
        assert "Traceback" not in done.stderr
        assert done.returncode == (2 if shown and shown[0].startswith(("Error", "Lỗi")) else 0), done.stderr
        assert not shown or appears(shown, printed), f"{command}\n{done.stdout}{done.stderr}"
        followed += 1
    return followed


def test_the_quickstart_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "quickstart.md"
    for kind, name in (("csv", "expected.csv"), ("json", "log.jsonl"), ("yaml", "suite.yaml")):
        (tmp_path / name).write_text(blocks(page, kind)[0], encoding="utf-8")
    for console in blocks(page, "console"):
        assert follow(steps(console), tmp_path) > 0


def test_the_readme_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "README.md"
    first, second = blocks(page, "console")
    assert follow(steps(first), tmp_path) > 0
    printed = toolgauge("score", "weather/suite.yaml", "weather/traces.jsonl", cwd=tmp_path).stdout
    assert printed.startswith(blocks(page, "text")[0])
    (tmp_path / "truth.csv").write_text("query,difficulty,tools\nGiá?,dễ,['a']\n", encoding="utf-8")
    for name in ("react.csv", "rewoo.csv"):
        line = "input,difficulty,output,tools,failed_tools,failed_tools_count\nGiá?,dễ,1,a,,0\n"
        (tmp_path / name).write_text(line, encoding="utf-8")
    assert follow(steps(second), tmp_path) > 0
    (comparison,) = re.findall(r"^    (toolgauge score truth.csv .*)$", page.read_text(encoding="utf-8"), re.M)
    assert follow([(comparison, [])], tmp_path) > 0
    for code in blocks(page, "python"):
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


def test_the_suite_and_trajectory_of_the_concepts_are_valid(tmp_path: Path) -> None:
    page = ROOT / "docs" / "concepts.md"
    (tmp_path / "suite.yaml").write_text(blocks(page, "yaml")[0], encoding="utf-8")
    (tmp_path / "traces.json").write_text(blocks(page, "json")[0], encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "traces.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_metric_and_failing_issue_is_described() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    metrics = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f"toolgauge {command}" in readme
    for metric in METRICS:
        assert metric.name in metrics
    for kind in ISSUE_KINDS:
        assert kind in metrics


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_on_tools_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "tools.md"
    (code,) = blocks(page, "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True)
    expected = [line.split("  # ")[1].strip() for line in code.splitlines() if line.startswith("print(")]
    assert [line.strip() for line in done.stdout.splitlines()] == expected
    mocks, code = blocks(page, "yaml")
    cases = "cases:\n  - {id: a, input: Weather?, expect: {calls: [{tool: get_weather}]}}\n"
    (tmp_path / "mocks.yaml").write_text(mocks + cases, encoding="utf-8")
    assert toolgauge("lint", "mocks.yaml", cwd=tmp_path).returncode == 0
    functions = "import os\n\n\ndef {}() -> None:\n    os.abort()\n\n\ndef {}() -> int:\n    return 31\n"
    (tmp_path / "my_tools.py").write_text(functions.format("parse_document", "get_weather"), encoding="utf-8")
    calls = [f"    await tools.call('{name}', {{}})\n" for name in ("parse_document", "get_weather")]
    (tmp_path / "my_agent.py").write_text(f"async def answer(case, tools):\n{''.join(calls)}", encoding="utf-8")
    (tmp_path / "code.yaml").write_text(code + cases, encoding="utf-8")
    done = toolgauge("run", "code.yaml", "--agent", "my_agent:answer", "--allow-code", "--format", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "SIGABRT" in done.stdout


def test_the_page_on_running_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "running.md"
    agent, program = blocks(page, "python")
    (tmp_path / "my_agent.py").write_text(agent, encoding="utf-8")
    tool = "{name: get_weather, results: [{result: {celsius: 31}}]}"
    case = "{id: a, input: Weather?, expect: {calls: [{tool: get_weather}], contains: ['31']}}"
    (tmp_path / "suite.yaml").write_text(f"tools: [{tool}]\ncases: [{case}]\n", encoding="utf-8")
    commands = [step for console in blocks(page, "console") for step in steps(console)]
    assert follow(commands, tmp_path) > 0
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == re.findall(r"#\s(.*)$", program, re.M)[-1].strip()
    (judged,) = blocks(page, "yaml")
    (tmp_path / "judged.yaml").write_text(judged, encoding="utf-8")
    assert toolgauge("lint", "judged.yaml", cwd=tmp_path).returncode == 0


def test_the_page_on_reports_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "reports.md"
    suite = ROOT / "examples" / "demo"
    kept = ("--format", "run", "-o", "today.run.jsonl")
    assert toolgauge("score", suite / "suite.yaml", suite / "traces.jsonl", *kept, cwd=tmp_path).returncode == 0
    shutil.copy(tmp_path / "today.run.jsonl", tmp_path / "before.run.jsonl")
    commands = [step for console in blocks(page, "console") for step in steps(console)]
    assert follow(commands, tmp_path) == 9
    assert (tmp_path / "tools.svg").read_text(encoding="utf-8").startswith("<svg ")
    for name in ("today.html", "two.html", "d01.html"):
        assert '<script type="module">' in (tmp_path / name).read_text(encoding="utf-8")
    assert "\\label{tab:report-choice}" in (tmp_path / "choice.tex").read_text(encoding="utf-8")
    program = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("Agent\t")
    for form in [*FORMATS, *CASE_FORMATS, *CHART_FORMATS]:
        assert f"`{form}`" in page.read_text(encoding="utf-8")


def test_the_page_on_the_store_works_word_by_word(tmp_path: Path) -> None:
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    for name in ("nightly", "older"):
        toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", name, cwd=tmp_path)
    older = re.search(r"^(\S+)\s+older", toolgauge("runs", "list", cwd=tmp_path).stdout, re.M)
    assert older is not None
    (console,) = blocks(ROOT / "docs" / "store.md", "console")
    console = re.sub(r"delete \S+", f"delete {older[1]} --yes", console)
    assert follow(steps(console), tmp_path) > 0


def test_the_page_on_answers_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "docs" / "answers.md"
    for kind, name in (("yaml", "suite.yaml"), ("json", "traces.jsonl"), ("csv", "judged.csv")):
        (tmp_path / name).write_text(blocks(page, kind)[-1], encoding="utf-8")
    for console in blocks(page, "console"):
        assert follow(steps(console), tmp_path) > 0


def test_the_page_on_reviews_works_word_by_word(tmp_path: Path) -> None:
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", "nightly", cwd=tmp_path)
    (console,) = blocks(ROOT / "docs" / "reviews.md", "console")
    assert follow(steps(console), tmp_path) == 6
    found = toolgauge("lint", "demo/suite.yaml", "--runs", "nightly.run.jsonl", cwd=tmp_path).stdout
    assert "reviewed_gold" in found


def test_the_page_on_exports_works_word_by_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toolgauge("init", "demo", cwd=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "demo" / "traces.jsonl").read_text(encoding="utf-8").splitlines()]
    traced = (json.dumps({**line, "meta": {"trace_id": f"{number:032x}"}}) for number, line in enumerate(lines, 1))
    (tmp_path / "traces.jsonl").write_text("\n".join(traced), encoding="utf-8")
    toolgauge("score", "demo/suite.yaml", "traces.jsonl", "--save", "one", cwd=tmp_path)
    with Receiver() as server:
        for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "LANGFUSE_BASE_URL", "PHOENIX_COLLECTOR_ENDPOINT"):
            monkeypatch.setenv(name, server.url)
        for name in ("LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"):
            monkeypatch.setenv(name, "of-a-test")
        for console in blocks(ROOT / "docs" / "export.md", "console"):
            assert follow(steps(console), tmp_path) > 0
    assert len({request.path for request in server.received}) == 3
