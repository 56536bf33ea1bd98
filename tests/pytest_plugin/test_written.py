"""What `*.toolgauge.yaml` files say, and that the examples of the documentation are such files."""

from __future__ import annotations

import re
import shutil
import unicodedata
from pathlib import Path

import pytest

from toolgauge.api import run
from toolgauge.core import ModelReply
from toolgauge.errors import InputError, UsageError
from toolgauge.pytest_plugin.sources import RunSource, TestsSource
from toolgauge.pytest_plugin.written import read_tests
from toolgauge.testing import ScriptedModel
from toolgauge.tooleval import TestCase, ToolEvaluator, ToolTestSuite

from ..servers import AnthropicServer
from .test_plugin import ROOT, outcomes, run_pytest

PAGE = ROOT / "docs" / "tooleval.md"
WEATHER = ROOT / "examples" / "weather"


def examples(kind: str) -> list[str]:
    page = PAGE.read_text(encoding="utf-8").split("## In pytest")[1]
    return re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    """A folder with the weather suite, and what its best agent did."""
    shutil.copy(WEATHER / "suite.yaml", tmp_path)
    lines = (WEATHER / "traces.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if '"right"' in line]
    (tmp_path / "traces.jsonl").write_text("".join(kept), encoding="utf-8")
    return tmp_path


def test_the_examples_of_the_page_can_be_read(weather: Path) -> None:
    first, second = examples("yaml")
    (weather / "a.toolgauge.yaml").write_text(first, encoding="utf-8")
    recorded = read_tests(weather / "a.toolgauge.yaml", allow_code=False)
    assert recorded.source.whole().summary.counts.passed == 3
    assert recorded.gate is None
    (weather / "b.toolgauge.yaml").write_text(second, encoding="utf-8")
    running = read_tests(weather / "b.toolgauge.yaml", allow_code=False)
    assert [case.id for case in running.source.suite.cases] == ["climate"]
    assert running.lines == {"climate": 3}
    assert running.gate is not None
    assert (running.gate.min, running.gate.must_pass) == ({"f1": 0.8}, ("safety_*",))


def test_the_python_example_of_the_page_runs(weather: Path) -> None:
    (code,) = examples("python")
    (weather / "test_page.py").write_text(code, encoding="utf-8")
    done = run_pytest(weather, "-rA", "-p", "no:cacheprovider", "-k", "recorded or good_enough")
    assert len(outcomes(done, "PASSED")) == 4, done.stdout


@pytest.mark.deep
def test_recorded_exchanges_answer_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text("cases: [{id: a, input: Hello, expect: {contains: [hi]}}]\n", encoding="utf-8")
    with AnthropicServer([ModelReply("Hi there.")]) as server:
        options = {"model": "anthropic:any-name", "base_url": server.base_url}
        monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-for-tests")
        run(suite, store=False, record=tmp_path / "tape.jsonl", **options)  # type: ignore[arg-type]  # all texts
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    keys = "".join(f"  {name}: {value}\n" for name, value in {**options, "replay": "tape.jsonl"}.items())
    (tmp_path / "a.toolgauge.yaml").write_text(f"suite: suite.yaml\nrun:\n{keys}", encoding="utf-8")
    tests = read_tests(tmp_path / "a.toolgauge.yaml", allow_code=False)
    (scored,) = tests.source.of_case("a").scored
    assert (scored.score.passed, scored.trajectory.output) == (True, "Hi there.")


def test_a_baseline_that_is_not_there_is_refused_when_the_file_is_read(weather: Path) -> None:
    text = "suite: suite.yaml\ntraces: traces.jsonl\ngate: {baseline: before.run.jsonl}\n"
    (weather / "a.toolgauge.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"before\.run\.jsonl"):
        read_tests(weather / "a.toolgauge.yaml", allow_code=False)


def test_an_option_that_a_run_does_not_have_is_refused(weather: Path) -> None:
    (weather / "a.toolgauge.yaml").write_text("suite: suite.yaml\ntraces: traces.jsonl\n", encoding="utf-8")
    suite = read_tests(weather / "a.toolgauge.yaml", allow_code=False).source.suite
    with pytest.raises(UsageError, match="'trails'; did you mean 'trials'"):
        RunSource(suite, "tools", {"trails": 2}).whole()


def test_a_test_is_found_however_its_name_is_composed() -> None:
    tests = ToolTestSuite("s", ToolEvaluator([], model=ScriptedModel(lambda _: "ok")))
    tests.add_test(TestCase(unicodedata.normalize("NFD", "thời_tiết"), "?"))
    source = TestsSource(tests)
    (scored,) = source.of_case(source.suite.cases[0].id).scored
    assert scored.score.passed
