"""Several tests together: run one after the other, shown as they are finished, and added up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TypedDict

from toolgauge.catalogue import Words, words_of
from toolgauge.core import Run, Score, Scored, Suite, Trajectory
from toolgauge.errors import NothingToDo
from toolgauge.report import visible

from .conversion import result_of
from .evaluator import StorePlace, ToolEvaluator
from .issues import word_issues
from .values import EvalResult, TestCase

__all__ = ["SuiteReport", "ToolTestSuite", "say"]

RULE = "=" * 60

MOST_ISSUES = 2
"""How many issues of a test are shown while the suite runs."""


class SuiteReport(TypedDict):
    """What comes of a suite. Averages rest on unrounded values."""

    suite: str
    total: int
    passed: int
    failed: int
    pass_rate: float
    """In percent, rounded to a tenth."""
    avg_score: float
    avg_precision: float
    avg_recall: float
    avg_param_accuracy: float
    avg_latency_ms: int
    failures: list[EvalResult]
    results: list[EvalResult]
    """All of them, in the order of the tests."""
    run: Run
    """What reports, the gate and the diagnosis are made from."""


class ToolTestSuite:
    """Tests that are run together."""

    def __init__(self, name: str, evaluator: ToolEvaluator) -> None:
        self.name = name
        self.evaluator = evaluator
        self.test_cases: list[TestCase] = []

    def add_test(self, test: TestCase) -> None:
        """Add a test."""
        self.test_cases.append(test)

    def as_suite(self) -> Suite:
        """The tests as a suite, for scoring recorded traces by them: `toolgauge.score(suite.as_suite(), traces)`."""
        return self.evaluator.suite_of(self.name, self.test_cases)

    def run(self, *, concurrency: int = 1, store: StorePlace = False, quiet: bool = False) -> SuiteReport:
        """Run all tests, and print how it goes.

        Args:
            concurrency: How many go on at a time.
            store: Where the run is kept, for `toolgauge report` and the others; False: nowhere.
            quiet: Whether nothing is printed.

        Raises:
            NothingToDo: There are no tests.
            ToolgaugeError: Nothing can be run.
        """
        if not self.test_cases:
            raise NothingToDo(f"there are no tests in the suite {self.name!r}; add some with add_test")
        lang = self.evaluator.lang
        words = words_of(lang)
        if not quiet:
            total = len(self.test_cases)
            say("", words.count("tooleval.begin", total, suite=self.name), RULE)
        shown = None if quiet else _Shown(self)
        run = self.evaluator.run_tests(self.name, self.test_cases, concurrency=concurrency, store=store, watcher=shown)
        report = _report(self.name, run, [result_of(run.header.suite, scored, lang) for scored in run.scored])
        if not quiet:
            passed, rate = report["passed"], report["pass_rate"]
            say("", words("tooleval.passed", passed=passed, total=report["total"], pass_rate=words.number(f"{rate}")))
            say(*_averages(report, words))
        return report


class _Shown:
    """Prints a line for every test that is finished, and what is wrong."""

    def __init__(self, suite: ToolTestSuite) -> None:
        self._lang = suite.evaluator.lang

    def begin(self, planned: int, before: int) -> None:
        """Nothing to print yet."""

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        """Print the verdict."""
        words = words_of(self._lang)
        line = words(
            "tooleval.test",
            verdict=words("tooleval.pass" if score.passed else "tooleval.fail"),
            test=score.case,
            score=words.number(f"{score.score or 0.0:.2f}"),
            latency=int(trajectory.latency_ms or 0),
        )
        issues = word_issues(Scored(trajectory, score), self._lang)
        say(f"  {line}", *(f"       {words('tooleval.issue', text=text)}" for text in issues[:MOST_ISSUES]))

    def retried(self) -> None:
        """A model that is asked again is no news here."""

    def stopping(self, words: str) -> None:
        """Say why no further test is run."""
        say(words)

    def stuck(self, why: str) -> None:
        """No-op: the process is not ours to end."""


def _averages(report: SuiteReport, words: Words) -> Iterator[str]:
    averages = {
        "precision": report["avg_precision"],
        "recall": report["avg_recall"],
        "param_accuracy": report["avg_param_accuracy"],
    }
    for name, value in averages.items():
        yield "  " + words(f"tooleval.average.{name}", value=words.number(f"{value:.3f}"))
    yield "  " + words("tooleval.average.latency", value=report["avg_latency_ms"])


def say(*lines: str) -> None:
    """Print lines, with what comes from data made harmless, whatever the terminal can write."""
    encoding = sys.stdout.encoding or "utf-8"
    text = "".join(f"{visible(line)}\n" for line in lines)
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def _report(name: str, run: Run, results: list[EvalResult]) -> SuiteReport:
    scores = [scored.score for scored in run.scored]
    latencies = [scored.trajectory.latency_ms or 0.0 for scored in run.scored]
    total = len(results)
    passed = sum(result.passed for result in results)

    def mean(part: Callable[[Score], float | None]) -> float:
        return round(sum(part(score) or 0.0 for score in scores) / total, 3)

    return SuiteReport(
        suite=name,
        total=total,
        passed=passed,
        failed=total - passed,
        pass_rate=round(passed / total * 100, 1),
        avg_score=mean(lambda score: score.score),
        avg_precision=mean(lambda score: score.call_precision),
        avg_recall=mean(lambda score: score.call_recall),
        avg_param_accuracy=mean(lambda score: score.param_accuracy),
        avg_latency_ms=round(sum(latencies) / total),
        failures=[result for result in results if not result.passed],
        results=results,
        run=run,
    )
